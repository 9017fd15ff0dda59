"""A run as a file: the same run comes back, and whatever is wrong with a file is one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.events import Asked, Finished, Marked, Replied
from toolmend.base.mistakes import Mark
from toolmend.evals.comparing.baseline import find_played, read_run, save_run
from toolmend.evals.store import Run, RunConfig, Sample, Store, StoredContestant

Make = Callable[..., Sample]

EVENTS = (
    Asked(0, "grüß\ud800\u2028"),
    Replied(0, "a\nb", model="m"),
    Marked(0, (Mark.CORRECT,), (), True, 0),
    Finished(),
)


@pytest.fixture
def run(store: Store) -> Run:
    contestants = (StoredContestant("m", "s"), StoredContestant("n", "s"))
    return store.run(store.open_run(RunConfig("lunch", "h", contestants, settings={"experiments": []})))


def test_a_saved_run_comes_back(run: Run, sample: Make, tmp_path: Path) -> None:
    samples = [sample(EVENTS, model="n"), sample(model="m", status="error", detail="down", seed=7)]
    assert save_run(run, iter(samples), tmp_path / "base.jsonl") == 2
    again, read = read_run(tmp_path / "base.jsonl")
    assert again == run
    assert list(read) == samples


def test_an_interrupted_save_leaves_the_old_file(run: Run, sample: Make, tmp_path: Path) -> None:
    path = tmp_path / "base.jsonl"
    path.write_text("old")

    def broken() -> object:
        raise BadOption("stop")
        yield sample()

    with pytest.raises(BadOption):
        save_run(run, broken(), path)  # type: ignore[arg-type]
    assert (path.read_text(), sorted(tmp_path.glob("base*"))) == ("old", [path])


def test_a_place_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match=r"base\.jsonl: cannot be written \(File exists\)"):
        save_run(run, [], tmp_path / "file" / "base.jsonl")


HEAD = {"toolmend": "run", "schema": 1, "id": "x", "created": "", "finished": None, "status": "open"}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", ":1: no saved run; `toolmend gate RUN --save FILE.jsonl` writes one"),
        ('{"schema": 1}', ":1: no saved run"),
        ("[1]", ":1: a line is one JSON object"),
        ("{", ":1: no JSON"),
        (json.dumps({**HEAD, "schema": 2}), ":1: a saved run of schema 2, known here: 1"),
        (json.dumps(HEAD), ":1: the run cannot be read (KeyError('config'))"),
        (json.dumps({**HEAD, "config": RunConfig("s").to_json()}) + '\n\n{"case": 1}', ":3: the sample cannot be read"),
        (json.dumps({**HEAD, "config": RunConfig("s").to_json()}) + "\n[1]", ":2: a line is one JSON object"),
    ],
)
def test_a_file_that_is_no_saved_run_is_one_line(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "base.jsonl"
    path.write_text(text)
    with pytest.raises(BadFile) as caught:
        list(read_run(path)[1])
    assert str(caught.value).startswith(f"{path}{what}")


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read \\(No such file or directory\\)"):
        read_run(tmp_path / "base.jsonl")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(BadFile, match=":1: no JSON"):
        read_run(tmp_path / "binary.jsonl")


def test_a_run_by_id_by_file_or_the_last(run: Run, store: Store, sample: Make, tmp_path: Path) -> None:
    store.commit(run.id, sample(EVENTS, model="m", strategy="s"))
    save_run(run, store.samples(run.id), tmp_path / "base.jsonl")
    found = [find_played(word, store.place) for word in (run.id[:5], str(tmp_path / "base.jsonl"), None)]
    assert [each.outcomes for each in found] == [found[0].outcomes] * 3
    assert found[1].origin.endswith("base.jsonl")
