"""A copy of the Schema-Guided Dialogue corpus as a suite by service; its form is theirs, its sentences are ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from public_sets import DIALOGUE, SCHEMA, put
from toolmend.base.errors import BadFile
from toolmend.evals.benchmarks.sgd_suite import import_sgd
from toolmend.evals.suites.suite import load_suite


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda app: tmp_path / app)
    put(tmp_path / "sgd" / "test" / "schema.json", SCHEMA)
    other = {**DIALOGUE, "dialogue_id": "1_00001"}
    both = {**DIALOGUE, "dialogue_id": "2_00000", "services": ["Boats_1", "Planes_1"]}
    put(tmp_path / "sgd" / "test" / "dialogues_001.json", [DIALOGUE, other, both])
    return tmp_path / "sgd"


def test_complete_requests_and_their_changes_are_asked_for(folder: Path) -> None:
    import_sgd(folder)
    case = load_suite("sgd_test").cases()["Boats_1/1_00000"]
    assert [(step.say, step.reference) for step in case.steps if step.given is None] == [
        ("Somewhere in Harwich, and with an engine", 'FindBoats("Harwich", motor=True)'),
        (
            "Good, hire that one for three on the 4th",
            'HireBoat("Harwich", hire_date="2019-03-04", seats=3, boat_name="Kittiwake")',
        ),
        ("No, the 5th", 'HireBoat("Harwich", hire_date="2019-03-05", seats=3, boat_name="Kittiwake")'),
    ]
    assert case.steps[0].given == "There is the Kittiwake."


def test_any_wording_of_a_value_is_right(folder: Path) -> None:
    put(
        folder / "test" / "dialogues_001.json",
        json.dumps([DIALOGUE]).replace('["Harwich"]', '["Harwich", "Old Harwich"]'),
    )
    import_sgd(folder)
    step = load_suite("sgd_test").cases()["Boats_1/1_00000"].steps[1]
    assert "Old Harwich" in str(step.expected.calls[0].arguments["harbour"])


def test_cases_are_by_service_with_its_clock_and_tools(folder: Path) -> None:
    kept = import_sgd(folder)
    assert dict(kept.cases) == {"Boats_1": 2}
    suite = load_suite("sgd_test")
    case = suite.cases()["Boats_1/1_00000"]
    assert [tool.name for tool in case.tools] == ["FindBoats", "HireBoat"]
    assert case.tools[1].properties["hire_date"]["format"] == "date"
    assert suite.toolbox(case).clock.isoformat() == "2019-03-01T09:00:00"


def test_so_many_dialogues_a_service(folder: Path) -> None:
    assert dict(import_sgd(folder, limit=1).cases) == {"Boats_1": 1}


def test_licence_part_and_version_stand_in_the_head(folder: Path) -> None:
    head = json.loads(import_sgd(folder).path.read_text().splitlines()[0])
    assert head["source"].startswith(
        "dstc8-schema-guided-dialogue (Rastogi et al. 2020), part test, CC BY-SA 4.0, files "
    )


def test_a_part_that_is_not_there_is_one_line(folder: Path) -> None:
    with pytest.raises(BadFile, match=r"schema\.json: is not there: wanted is a copy of dstc8-schema-guided-dialogue"):
        import_sgd(folder, "dev")


def test_another_format_is_one_line(folder: Path) -> None:
    put(folder / "test" / "dialogues_001.json", [{**DIALOGUE, "turns": [{"speaker": "USER"}, {}]}])
    with pytest.raises(BadFile, match=r"has a dialogue that is not as the corpus has them \(KeyError\('frames'\)\)"):
        import_sgd(folder)
