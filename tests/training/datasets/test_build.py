"""The whole way: from stored and saved runs to a data folder, the same bytes each time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolmend.base.errors import BadFile, BadOption
from toolmend.evals.comparing.baseline import save_run
from toolmend.evals.store import RunConfig, Sample, Store
from toolmend.training.datasets.build import build, suite_prompts
from toolmend.training.datasets.lines import load

from .conftest import mended, run, sample, turn


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A saved run of three samples: one mended, one that could not be run, one never right."""
    wrong = sample(turn(0, "Add a tea", "13:00", right=False), "quick/tea")
    save_run(
        run(), [sample(mended()), Sample("quick/x", "m", "oneline", status="error"), wrong], tmp_path / "run.jsonl"
    )
    return tmp_path / "run.jsonl"


def everything(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_saved_run(saved: Path, tmp_path: Path) -> None:
    found = build(tmp_path / "data", (str(saved),))
    assert found["intake"] == {"samples": 3, "left_out": {"could not be run": 1}}
    assert found["made"] == {"chat": 2, "hindsight": 2}
    assert found["kept"] == {"chat": 2, "hindsight": 2}
    assert json.loads((tmp_path / "data" / "counts.json").read_text()) == found
    data = load(tmp_path / "data")
    assert (len(data.chat), len(data.hindsight)) == (2, 2)


def test_the_same_sources_make_the_same_bytes(saved: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        build(tmp_path / name, (str(saved),))
    assert everything(tmp_path / "one") == everything(tmp_path / "two")


def test_a_store_and_its_saved_run_make_the_same_lines(saved: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "runs.db") as store:
        number = store.open_run(run().config)
        for each in [sample(turn(0, "Add a tea", "13:00", right=False), "quick/tea"), sample(mended())]:
            store.commit(number, each)
        save_run(store.run(number), store.samples(number), tmp_path / "stored.jsonl")
    build(tmp_path / "store", place=str(tmp_path / "runs.db"))
    build(tmp_path / "file", (str(tmp_path / "stored.jsonl"),))
    assert everything(tmp_path / "store") == everything(tmp_path / "file")


def test_the_card_tells_what_was_done(saved: Path, tmp_path: Path) -> None:
    build(tmp_path / "data", (str(saved), str(saved)))
    card = (tmp_path / "data" / "README.md").read_text(encoding="utf-8")
    assert "| run1 | tiny | calendar | 2024-05-01T00:00:00 | m · oneline |" in card
    assert "| chat | 4 | 2 |" in card
    assert "Dropped: the same as an earlier line: 4." in card
    assert "6 talks were read; left out: could not be run: 2." in card
    assert "Suites for development, whose prompts may be learned: calendar_dev." in card


def test_a_broken_line_stops_it(saved: Path, tmp_path: Path) -> None:
    with saved.open("a") as stream:
        stream.write("{broken\n")
    with pytest.raises(BadFile, match=r"run.jsonl:5: no JSON"):
        build(tmp_path / "data", (str(saved),))
    assert not (tmp_path / "data").exists()


def test_a_run_whose_toolbox_is_gone(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.db") as store:
        store.commit(store.open_run(RunConfig("tiny", settings={"tools": "gone"})), sample(mended()))
    with pytest.raises(BadOption, match=r"nothing to learn from in 1 talks \(no toolbox gone: 1\)"):
        build(tmp_path / "data", place=str(tmp_path / "runs.db"))


def test_an_empty_store(tmp_path: Path) -> None:
    Store(tmp_path / "runs.db").close()
    with pytest.raises(BadOption, match="holds no run yet"):
        build(tmp_path / "data", place=str(tmp_path / "runs.db"))


def test_every_suite_is_tested_but_those_for_development() -> None:
    found = suite_prompts(("calendar_dev",))
    assert {"calendar", "calendar_test", "dungeon", "shop"} <= set(found)
    assert "calendar_dev" not in found
    assert "Add a meeting with Fred on Nov 11 at 5PM" in found["calendar"]


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadOption, match="is not empty; --force replaces a data folder"):
        build(tmp_path)


def test_force_replaces_a_data_folder_only(saved: Path, tmp_path: Path) -> None:
    for _ in range(2):
        build(tmp_path / "data", (str(saved),), force=True)
    (tmp_path / "data" / "counts.json").write_text("{}")
    with pytest.raises(BadOption, match="--force does not delete it"):
        build(tmp_path / "data", (str(saved),), force=True)


def test_what_was_there_stays_when_the_disk_is_full(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    build(tmp_path / "in" / "data", (str(saved),))
    before = everything(tmp_path / "in")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BadFile, match=r"cannot be written \(No space left on device\)"):
        build(tmp_path / "in" / "data", (str(saved),), force=True)
    assert everything(tmp_path / "in") == before


def test_half_a_letter_stops_nothing(saved: Path, tmp_path: Path) -> None:
    saved.write_text(saved.read_text().replace("at noon.", "at noon \\ud800."))
    build(tmp_path / "data", (str(saved),))
    assert load(tmp_path / "data").chat[0].messages[1].content.startswith("Add a lunch on May 3 2024 at noon")
