"""The whole way: from stored and saved runs to a data folder, the same bytes each time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolmend.errors import BadFile, BadOption
from toolmend.evals.comparing.baseline import save_run
from toolmend.store import RunConfig, Sample, Store
from toolmend.training.datasets.build import Recipe, build, suite_prompts
from toolmend.training.datasets.curation import Limits
from toolmend.training.datasets.reader import load

from .conftest import mended, run, sample, turn

pytest.importorskip("datasketch")
pytest.importorskip("py3langid")

OPEN = Limits(bleu=1)


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
    heard: list[tuple[int, int]] = []
    found = build(
        Recipe((str(saved),), limits=OPEN, test_share=0), tmp_path / "data", on_sample=lambda *x: heard.append(x)
    )
    assert found["intake"] == {"samples": 3, "left_out": {"could not be run": 1}}
    assert found["made"] == {"chat": 2, "pairs": 2, "hindsight": 2}
    assert found["parts"]["train"] == {"chat": 2, "pairs": 1, "hindsight": 2}
    assert found["talks"] == {"train": 1, "test": 0}
    assert json.loads((tmp_path / "data" / "counts.json").read_text()) == found
    assert heard == [(1, 3), (2, 3), (3, 3)]
    data = load(tmp_path / "data")
    assert (len(data.chat), len(data.pairs), len(data.hindsight)) == (2, 1, 2)


def test_the_same_sources_make_the_same_bytes(saved: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        build(Recipe((str(saved),), limits=OPEN), tmp_path / name)
    assert everything(tmp_path / "one") == everything(tmp_path / "two")


def test_a_store_and_its_saved_run_make_the_same_lines(saved: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "runs.db") as store:
        number = store.open_run(run().config)
        for each in [sample(turn(0, "Add a tea", "13:00", right=False), "quick/tea"), sample(mended())]:
            store.commit(number, each)
        save_run(store.run(number), store.samples(number), tmp_path / "stored.jsonl")
    for name, recipe in (
        ("store", Recipe((), str(tmp_path / "runs.db"), limits=OPEN)),
        ("file", Recipe((str(tmp_path / "stored.jsonl"),), limits=OPEN)),
    ):
        build(recipe, tmp_path / name)
    assert everything(tmp_path / "store") == everything(tmp_path / "file")


def test_the_card_tells_what_was_done(saved: Path, tmp_path: Path) -> None:
    build(Recipe((str(saved),), limits=OPEN, test_share=0), tmp_path / "data")
    card = (tmp_path / "data" / "README.md").read_text(encoding="utf-8")
    assert "| run1 | tiny | calendar | 2024-05-01T00:00:00 | m · oneline |" in card
    assert "| exact duplicates | the same messages and replies | 2 → 2 | 2 → 1 | 2 → 2 |" in card
    assert "Left out: could not be run: 1." in card
    assert "Suites for development, whose prompts may be learned: calendar_dev." in card


def test_a_broken_line_stops_it(saved: Path, tmp_path: Path) -> None:
    with saved.open("a") as stream:
        stream.write("{broken\n")
    with pytest.raises(BadFile, match=r"run.jsonl:5: no JSON"):
        build(Recipe((str(saved),)), tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_a_broken_line_is_skipped_and_counted(saved: Path, tmp_path: Path) -> None:
    with saved.open("a") as stream:
        stream.write('{broken\n{"case": 1}\n')
    found = build(Recipe((str(saved),), skip_bad=True), tmp_path / "data")
    assert found["intake"]["left_out"] == {"broken line in run.jsonl": 2, "could not be run": 1}


def test_a_run_whose_toolbox_is_gone(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.db") as store:
        store.commit(store.open_run(RunConfig("tiny", settings={"tools": "gone"})), sample(mended()))
    with pytest.raises(BadOption, match=r"nothing to learn from in 1 talks \(no toolbox gone: 1\)"):
        build(Recipe((), str(tmp_path / "runs.db")), tmp_path / "data")


def test_an_empty_store(tmp_path: Path) -> None:
    Store(tmp_path / "runs.db").close()
    with pytest.raises(BadOption, match="holds no run yet"):
        build(Recipe((), str(tmp_path / "runs.db")), tmp_path / "data")


def test_every_suite_is_tested_but_those_for_development() -> None:
    found = suite_prompts(("calendar_dev",))
    assert {"calendar", "calendar_test", "dungeon", "shop"} <= set(found)
    assert "calendar_dev" not in found
    assert "Add a meeting with Fred on Nov 11 at 5PM" in found["calendar"]
