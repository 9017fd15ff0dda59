"""Suites of lines: each case with tools of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.messages import Request
from toolmend.evals.costs.estimate import estimate
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.lines import keep_suite
from toolmend.evals.suites.selftest import test_suite
from toolmend.evals.suites.suite import load_suite
from toolmend.models.scripted import Scripted

SCHEMA = {"type": "dict", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
FACTORIAL = {"name": "math.factorial", "description": "The factorial.", "parameters": SCHEMA}
WEATHER = {"name": "weather", "parameters": {"properties": {"city": {"type": "string"}}, "required": ["city"]}}
RAIN = {"tool": "weather", "arguments": {"city": "Rome"}}
CASES: list[dict[str, Any]] = [
    {"id": "a", "group": "one", "say": "Factorial of 5", "tools": [FACTORIAL]},
    {"id": "b", "group": "one", "say": "Weather in Rome", "tools": [WEATHER], "expected": [RAIN]},
    {"id": "c", "group": "none", "say": "Weather in Rome?", "tools": [FACTORIAL], "expected": []},
]
CASES[0]["ground_truth"] = [{"math.factorial": {"n": [5]}}]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in [{"suite": "mine", "corrections": 1}, *CASES]))
    return path


def answer(request: Request) -> str:
    """Right for one of the two, and a word where nothing is due."""
    said = request.messages[-1].content
    return "math.factorial(5)" if "Factorial" in said else 'weather("Oslo")' if said.endswith("Rome") else "Sorry."


def test_groups_are_experiments_and_cases_have_their_tools(lines: Path) -> None:
    suite = load_suite(str(lines))
    assert (suite.name, [(each.id, len(each.cases), each.corrections) for each in suite.experiments]) == (
        "mine",
        [("one", 2, 1), ("none", 1, 1)],
    )
    case = suite.cases()["one/a"]
    assert case.steps[0].reference == "math.factorial(5)"
    assert [spec.full_name for spec in suite.toolbox(case).specs] == ["math.factorial"]
    assert case.tools[0].parameters["type"] == "object"


def test_it_is_graded_as_it_should_be(lines: Path) -> None:
    assert [str(each) for each in test_suite(load_suite(str(lines))) if not each.ok] == []


def test_it_is_played_and_estimated(lines: Path, tmp_path: Path) -> None:
    plan = Plan.make(load_suite(str(lines)), [Scripted(answer, "scripted/some")], ["oneline"])
    assert estimate(plan)["total"]["samples"] == 3
    with Store(str(tmp_path / "store.db")) as store:
        played = anyio.run(run, plan, store)
        marks = {sample.case: str(sample.marked[0].marks[0].value) for sample in store.samples(played.id)}
    assert marks == {"one/a": "correct", "one/b": "mistake", "none/c": "correct"}


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({**CASES[0], "say": ""}, "says something"),
        ({**CASES[0], "group": "a/b"}, "without '/'"),
        ({**CASES[0], "sey": "x"}, "unknown key 'sey'"),
        ({**CASES[0], "now": "noon"}, "'now' must be a time as YYYY-MM-DDTHH:MM, got 'noon'"),
        ({**CASES[1], "expected": [{"tool": "wether"}]}, "unknown tool 'wether'"),
        ({**CASES[1], "expected": [{"tool": "weather"}]}, "lacks the required city"),
        ({**CASES[1], "id": "a"}, "two cases are called 'a'"),
        ({"suite": "x", "corrections": -1}, "at least 0"),
        ({"suite": "x", "notation": "blog"}, "must be bfcl"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, row: dict[str, Any], what: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f"{json.dumps(CASES[0])}\n\n{json.dumps(row)}\n")
    with pytest.raises(BadFile, match=what) as caught:
        load_suite(str(path))
    assert caught.value.line == 3


def test_an_empty_one_and_another_toolbox(tmp_path: Path, lines: Path) -> None:
    (tmp_path / "empty.jsonl").write_text('{"suite": "x"}')
    with pytest.raises(BadFile, match="no case"):
        load_suite(str(tmp_path / "empty.jsonl"))
    with pytest.raises(BadOption, match="tools of their own"):
        load_suite(str(lines), "calendar")


def test_an_imported_suite_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda app: tmp_path / app)
    impossible = {**CASES[1], "id": "x", "expected": [{"tool": "weather"}]}
    kept = keep_suite("theirs", {}, [CASES[0], impossible])
    assert (kept.cases, kept.left_out) == ({"one": 1}, ("x",))
    assert list(load_suite("theirs").cases()) == ["one/a"]
    with pytest.raises(BadOption, match="cannot be imported"):
        keep_suite("../theirs", {}, CASES)
