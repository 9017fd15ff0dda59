"""`toolmend data import`: a copy of a public set becomes talks, and one line says what is wrong with any other
folder.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from public_sets import write_sgd, write_slurp
from toolmend.training.people.talk_lines import read_talks

Invoke = Callable[..., Result]


def test_talks_are_made_and_counted(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("data", "import", "sgd", str(write_sgd(tmp_path / "sgd")))
    assert (done.exit_code, done.stdout) == (0, "sgd_talks.jsonl.xz: 1 talk, 6 turns (CC BY-SA 4.0)\n")
    assert len(read_talks(Path("sgd_talks.jsonl.xz"))) == 1
    assert "train adapter --talks sgd_talks.jsonl.xz" in done.stderr


def test_another_folder_is_one_line(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("data", "import", "snips", str(write_slurp(tmp_path / "slurp")), "--out", "talks.jsonl")
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    assert "wanted is a copy of sonos/nlu-benchmark" in done.stderr
    assert not Path("talks.jsonl").exists()


def test_another_set_is_refused_with_those_there_are(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("data", "import", "multiwoz", str(tmp_path))
    assert done.exit_code == 2
    assert "'sgd', 'snips', 'hwu64', 'slurp'" in done.stderr
