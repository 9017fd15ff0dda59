"""A copy of ToolTalk as a suite of lines; its form is theirs, its sentences are ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from public_sets import put
from toolmend.base.errors import BadFile, BadOption
from toolmend.evals.benchmarks.tooltalk import import_tooltalk
from toolmend.evals.suites.suite import Case, load_suite

APIS = """\
raise SystemExit("nobody runs this")
class AddBell(API):
    description = "Rings a bell at a time."
    parameters = {
        "session_token": {"type": "string", "description": "Whose.", "required": True},
        "time": {"type": "string", "description": "When. Format: %H:%M:%S", "required": True},
        "floor": {"type": "integer", "description": "Where.", "required": False},
    }
    output = {"bell_id": {"type": "string"}}
class StopBell(API):
    description = "Stops a bell."
    parameters = {"bell_id": {"type": "string", "description": "Which.", "required": True}}
"""


def asked(index: int, text: str) -> dict[str, Any]:
    return {"index": index, "role": "user", "text": text}


def answered(index: int, text: str, *calls: tuple[str, dict[str, Any], Any, str | None]) -> dict[str, Any]:
    apis = [{"request": {"api_name": name, "parameters": {"session_token": "1-2", **given}}, "response": result,
             "exception": why}
            for name, given, result, why in calls]  # fmt: skip
    return {"index": index, "role": "assistant", "text": text, **({"apis": apis} if apis else {})}


TALK = {
    "name": "bells", "suites_used": ["Bell"], "apis_used": ["AddBell", "StopBell"],
    "metadata": {"timestamp": "2023-09-11 13:00:00", "session_token": "1-2", "username": "kim"},
    "conversation": [
        asked(0, "I need a bell"), answered(1, "When?"),
        asked(2, "At six in the morning, floor 3"),
        answered(3, "Done.", ("AddBell", {"time": "06:00:00", "floor": 3}, {"bell_id": "77-ab"}, None)),
        asked(4, "Never mind, stop it"),
        answered(5, "Stopped.", ("StopBell", {"bell_id": "none"}, None, "no such bell"),
                 ("StopBell", {"bell_id": "77-ab"}, {"status": "success"}, None)),
        asked(6, "Ta"),
    ],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda app: tmp_path / app)
    copy = tmp_path / "ToolTalk"
    put(copy / "src" / "tooltalk" / "apis" / "bell.py", APIS)
    put(copy / "data" / "easy" / "AddBell-easy.json", TALK)
    return copy


def case_of(folder: Path) -> Case:
    import_tooltalk(folder)
    (case,) = load_suite("tooltalk").cases().values()
    return case


def test_what_results_alone_tell_is_given_and_the_rest_is_asked(folder: Path) -> None:
    assert [(step.say, step.given, step.reference) for step in case_of(folder).steps] == [
        ("I need a bell", "When?", ""),
        ("At six in the morning, floor 3", None, 'AddBell("06:00:00", floor=3)'),
        ("Never mind, stop it", "Stopped.", ""),
    ]


def test_a_value_that_was_said_is_asked_for(folder: Path) -> None:
    turns = [*TALK["conversation"]]  # type: ignore[misc]
    turns[3] = answered(3, "Done, bell 77-ab.", ("AddBell", {"time": "06:00:00"}, {"bell_id": "77-ab"}, None))
    put(folder / "data" / "easy" / "AddBell-easy.json", {**TALK, "conversation": turns})
    assert case_of(folder).steps[2].reference == 'StopBell("77-ab")'


def test_tools_come_without_the_token_and_know_what_time_it_is(folder: Path) -> None:
    case = case_of(folder)
    assert [tool.name for tool in case.tools] == ["AddBell", "StopBell"]
    assert list(case.tools[0].properties) == ["time", "floor"]
    assert case.tools[0].properties["time"]["format"] == "time"
    assert load_suite("tooltalk").toolbox(case).clock.isoformat() == "2023-09-11T13:00:00"


def test_licence_and_version_stand_in_the_head(folder: Path) -> None:
    put(folder / ".git" / "HEAD", "ref: refs/heads/main\n")
    put(folder / ".git" / "refs" / "heads" / "main", "90fdbf3649943152b19130a255c86c4004dee2b0\n")
    head = json.loads(import_tooltalk(folder).path.read_text().splitlines()[0])
    assert head["source"] == "microsoft/ToolTalk (Farn and Shin 2023), MIT, commit 90fdbf364994"


def test_without_git_the_version_is_of_the_files(folder: Path) -> None:
    head = json.loads(import_tooltalk(folder).path.read_text().splitlines()[0])
    assert head["source"].startswith("microsoft/ToolTalk (Farn and Shin 2023), MIT, files ")


def test_another_folder_or_half_of_one_is_one_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"is no copy of microsoft/ToolTalk: wanted are src/tooltalk/apis/\*\.py"):
        import_tooltalk(tmp_path)
    path = folder / "data" / "easy" / "AddBell-easy.json"
    put(path, path.read_text()[:300])
    with pytest.raises(BadFile, match=r"AddBell-easy\.json: is no JSON, or cut off: half a download\?"):
        import_tooltalk(folder)
    put(path, {"name": "bells"})
    with pytest.raises(BadFile, match=r"is no conversation of ToolTalk \(KeyError\('conversation'\)\)"):
        import_tooltalk(folder)


def test_without_a_call_that_is_known_there_is_no_suite(folder: Path) -> None:
    put(folder / "data" / "easy" / "AddBell-easy.json", {**TALK, "conversation": TALK["conversation"][:2]})  # type: ignore[index]
    with pytest.raises(BadOption, match="no conversation has calls of the tools in src/tooltalk/apis"):
        import_tooltalk(folder)
