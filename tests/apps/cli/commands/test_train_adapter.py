"""`toolmend train adapter`: what it asks for, shows and prints; the training itself is somebody else's. Needs torch."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

pytest.importorskip("torch")

from tiny_llama import write_base, write_peft
from toolmend.training.adapter.turn import Turn
from toolmend.training.people.talk_lines import PeopleTalk, write_talks

Invoke = Callable[..., Result]
FIGURES = {"word_for_word": 1200, "replies": 1642, "tokens": 1000, "steps": 3}
ROW = {"step": 1, "tokens": 500, "of": 1000, "loss": 0.5, "tokens_per_second": 250}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Training that only reports; what it was asked for."""
    calls: list[Any] = []

    def train_adapter(wanted: Any, tell: Any, say: Any, stop: Callable[[], bool]) -> dict[str, Any] | None:
        calls.append(wanted)
        tell(ROW)
        if wanted.tokens == 7:
            os.kill(os.getpid(), signal.SIGTERM)
        return None if stop() else FIGURES

    monkeypatch.setattr("toolmend.training.adapter.teaching.train_adapter", train_adapter)
    return calls


def test_it_teaches_what_was_asked_for(invoke: Invoke, asked: list[Any]) -> None:
    write_peft(Path("old"), Path("base.gguf"))
    done = invoke("train", "adapter", "--out", "o", "--minutes", "3", "--talks", "both", "--from", "old")
    assert done.exit_code == 0
    (wanted,) = asked
    assert (wanted.base, wanted.out, wanted.work, wanted.minutes, wanted.tokens) == (
        "smollm2", Path("o"), Path("o.work"), 3.0, None
    )  # fmt: skip
    assert (wanted.course.name, wanted.rounds, wanted.begin) == ("both", 2, Path("old"))
    assert wanted.rank == 2  # of the adapter it begins with


def talks_file(path: Path) -> Path:
    turn = Turn("Miso ate", 'feed(cat="Miso")', True, "people")
    write_talks(path, {"set": "ours"}, [PeopleTalk(("feed(cat)",), (turn,))] * 20)
    return path


def test_talks_of_a_file_are_taught_beside_written_ones(invoke: Invoke, asked: list[Any], tmp_path: Path) -> None:
    path = talks_file(tmp_path / "talks.jsonl")
    done = invoke(
        "train", "adapter", "--out", "o", "--tokens", "9", "--talks", str(path), "--talks", "tools", "--rank", "8"
    )
    assert done.exit_code == 0, done.stderr
    (wanted,) = asked
    assert (len(wanted.course.talks), wanted.course.written.name, wanted.rank) == (20, "tools", 8)


def test_rows_are_packed_and_taught(invoke: Invoke, asked: list[Any], tmp_path: Path) -> None:
    base = str(write_base(tmp_path / "tiny.gguf"))
    path = talks_file(tmp_path / "talks.jsonl")
    packed = invoke("train", "pack", "--base", base, "--talks", str(path), "--count", "3", "--out", "rows.xz")
    assert packed.exit_code == 0, packed.stderr
    assert packed.stdout.startswith("rows.xz: 3 rows, ")
    assert invoke("train", "adapter", "--base", base, "--out", "o", "--tokens", "9", "--rows", "rows.xz").exit_code == 0
    assert (asked[0].course.count, asked[0].rounds) == (3, 0)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--talks", "nothing.jsonl"), "--talks nothing.jsonl: no such file; written talks are calendar, tools, both"),
        (
            ("--talks", "tools", "--talks", "both"),
            "--talks tools --talks both: one kind of written talks; both is both",
        ),
        (("--talks", "tools", "--rows", "r.xz"), "--talks, --data and --rows each say what is learned: one of them"),
        (("--rows", "r.xz"), "r.xz: holds no packed rows"),
        (("--from", "old"), "old: holds no adapter as PEFT writes them"),
    ],
)
def test_what_cannot_be_taught_is_one_line(invoke: Invoke, asked: list[Any], given: tuple[str, ...], told: str) -> None:
    done = invoke("train", "adapter", "--out", "o", "--tokens", "9", *given)
    assert done.exit_code != 0
    assert told in done.stderr
    assert (len(done.stderr.splitlines()), asked) == (1, [])


def test_an_adapter_is_cut(invoke: Invoke, tmp_path: Path) -> None:
    folder = write_peft(tmp_path / "old", tmp_path / "base.gguf")
    done = invoke("train", "cut", str(folder), "--rank", "1", "--out", "o")
    assert done.stdout.startswith("o: rank 1, ")
    assert done.stderr == "toolmend: half as large again in whole numbers: toolmend convert ./o --to int8 OUT\n"
    assert "o is there already" in invoke("train", "cut", str(folder), "--rank", "1", "--out", "o").stderr


def test_how_many_replies_come_out_word_for_word_is_told(invoke: Invoke, asked: list[Any]) -> None:
    done = invoke("train", "adapter", "--out", "o", "--tokens", "1000")
    assert done.stdout == "o: 1,200 of 1,642 replies of talks kept back, word for word\n"


def test_a_signal_stops_it_after_a_step(invoke: Invoke, asked: list[Any]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    done = invoke("train", "adapter", "--out", "o", "--tokens", "7")
    assert done.exit_code == 130
    assert done.stderr.splitlines()[-1] == "toolmend: stopped; the state is kept in o.work: the same command goes on"
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize("how_long", [(), ("--minutes", "1", "--tokens", "1")], ids=["none", "both"])
def test_how_long_is_said_once(invoke: Invoke, asked: list[Any], how_long: tuple[str, ...]) -> None:
    done = invoke("train", "adapter", "--out", "o", *how_long)
    assert done.exit_code == 2
    assert "say how long: --minutes N, or --tokens N" in done.stderr
    assert asked == []
