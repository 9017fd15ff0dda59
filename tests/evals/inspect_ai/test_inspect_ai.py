"""Suites and runs in Inspect AI's formats, by its published schema; tests/apps/test_inspect_task.py has Inspect itself
read and play them."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.errors import BadFile
from toolmend.evals.inspect_ai.log import write_logs
from toolmend.evals.inspect_ai.sample import scores_of, to_inspect
from toolmend.evals.inspect_ai.tasks import identifier, write_tasks
from toolmend.evals.suites.suite import Experiment, Suite, read_suite
from toolmend.events import Asked, Called, Corrected, Event, Finished, Marked, Read, Replied, Tried, Undone, from_json
from toolmend.messages import Call, CallResult, Usage
from toolmend.mistakes import Correction, Kind, Mark, Mistake
from toolmend.store import Contestant, Run, RunConfig, Sample

WRONG_TIME = Mistake(Kind.WRONG_VALUE, "time", "action.add", "17:00", "05:00")
WRONG, RIGHT = Call("action.add", {"time": "05:00"}, "c1"), Call("action.add", {"time": "17:00"}, "c2", "c1")
TOLD = Correction("The time is wrong.", 2, WRONG_TIME)
EVENTS: tuple[Event, ...] = (
    Asked(0, "A concert at 5PM"),
    Replied(0, "action.add('05:00')", model="a/b", usage=Usage(100, 10, 0.5)),
    Read(0, (WRONG,)),
    Called(0, WRONG, CallResult("c1", {"added": 1})),
    Tried(0, "level 0", Correction("Try again.", 0), "no", (Mark.GARBAGE,), usage=Usage(20, 2, 0.25)),
    Undone(1, ("c1",)),
    Asked(1, "The time is wrong.", amends=0),
    Corrected(1, TOLD, amends=0),
    Replied(1, "action.add('17:00')", model="a/b", usage=Usage(120, 11, 0.25), finish="length"),
    Read(1, (RIGHT,)),
    Called(1, RIGHT, CallResult("c2", error="no such day")),
    Marked(0, (Mark.MISTAKE,), (WRONG_TIME,), step=0),
    Marked(1, (Mark.FIXED,), step=0),
    Finished(),
)


@pytest.fixture
def corrected() -> Sample:
    """A wrong reply, corrected and right."""
    started = "2024-11-11T17:00:00+00:00"
    return Sample("main/lunch", "a/b", "oneline", 1, seed=7, events=EVENTS, started=started, seconds=2.0)


@pytest.fixture
def run() -> Run:
    """A finished run of two contestants."""
    contestants = (Contestant("a/b", "oneline", "9r0"), Contestant("c/d", "oneline"))
    ways = [{"id": "main", "attempts": 2, "corrections": 3, "options": {"temperature": 0.7, "max_tokens": 256}}]
    config = RunConfig("lunch", "5u1", contestants, 2, versions={"toolmend": "0.1"}, settings={"experiments": ways})
    return Run("12ab", config, "2024-11-11T17:00:00.000000Z", "2024-11-11T17:01:00.000000Z", "finished")


def test_a_conversation_is_messages(corrected: Sample) -> None:
    made = to_inspect(corrected, None, {})
    assert [(each["role"], each["content"]) for each in made["messages"]] == [
        ("user", "A concert at 5PM"),
        ("assistant", "action.add('05:00')"),
        ("user", "The time is wrong."),
        ("assistant", "action.add('17:00')"),
    ]
    assert (made["id"], made["epoch"], made["input"], made["target"]) == ("main/lunch", 2, "A concert at 5PM", "")


def test_usage_counts_branches_too(corrected: Sample) -> None:
    made = to_inspect(corrected, None, {})
    assert made["model_usage"] == {"a/b": {"input_tokens": 240, "output_tokens": 23, "total_tokens": 263}}


def test_replies_and_calls_are_events_of_their_own(corrected: Sample) -> None:
    made = to_inspect(corrected, None, {"done": 1.0})
    assert [each["event"] for each in made["events"]] == (
        "model tool info info info model tool info info info score".split()
    )
    models = [each for each in made["events"] if each["event"] == "model"]
    assert [each["input_refs"] for each in models] == [[[0, 1]], [[0, 3]]]
    assert made["events_data"]["messages"] == made["messages"]
    assert [each["output"]["choices"][0]["stop_reason"] for each in models] == ["stop", "max_tokens"]
    tools = [each for each in made["events"] if each["event"] == "tool"]
    assert [(each["id"], each["function"], each["result"]) for each in tools] == [
        ("c1", "action.add", '{"added": 1}'),
        ("c2", "action.add", ""),
    ]
    assert tools[1]["error"] == {"type": "unknown", "message": "no such day"}
    assert models[1]["timestamp"] == "2024-11-11T17:00:00.750000+00:00"


def test_nothing_of_a_sample_is_lost(corrected: Sample) -> None:
    stored = json.loads(json.dumps(to_inspect(corrected, None, {})["store"]["toolmend"]))
    assert tuple(map(from_json, stored)) == EVENTS


def test_given_words_are_nobodys_reply(corrected: Sample) -> None:
    events = (Asked(0, "Hello"), Replied(0, "x", model="given"), Finished())
    made = to_inspect(replace(corrected, events=events), None, {})
    assert [each["event"] for each in made["events"]] == ["info", "info"]
    assert made["model_usage"] == {}
    assert made["messages"][1]["source"] == "input"


def test_scores(corrected: Sample) -> None:
    assert scores_of(corrected) == {"first_right": 0.0, "fix_at_1": 1.0, "done": 1.0}
    right = replace(corrected, events=(Asked(0, "x"), Replied(0, "y"), Marked(0, (Mark.CORRECT,), step=0), Finished()))
    assert scores_of(right) == {"first_right": 1.0, "done": 1.0}


def test_a_log_for_each_contestant(
    run: Run, corrected: Sample, tmp_path: Path, suite_file: Callable[..., Path]
) -> None:
    failed = replace(corrected, attempt=0, status="error", detail="the server is down", events=())
    cases = read_suite(suite_file()).cases()
    paths = write_logs(run, [failed, corrected, replace(corrected, model="c/d")], cases, tmp_path / "a" / "b")
    assert [path.name[:37] for path in paths] == ["2024-11-11T17-00-00-00-00_lunch-main_"] * 2
    assert sorted(path.name for path in paths) == sorted(path.name for path in (tmp_path / "a" / "b").iterdir())
    first, second = (json.loads(path.read_text()) for path in paths)
    assert (first["version"], first["status"], first["eval"]["model"]) == (2, "success", "a/b")
    assert first["eval"]["dataset"] == {"name": "lunch", "samples": 1, "sample_ids": ["main/lunch"], "shuffled": False}
    assert [each["epoch"] for each in first["samples"]] == [1, 2]
    assert first["samples"][0]["error"]["message"] == "the server is down"
    assert first["samples"][0]["input"] == "Lunch on 3 May 2024 at noon"
    assert first["results"]["completed_samples"] == 1
    assert [each["name"] for each in first["results"]["scores"]] == ["first_right", "fix_at_1", "done"]
    assert second["results"]["scores"][1]["metrics"]["mean"]["value"] == 1.0
    assert first["stats"]["model_usage"]["a/b"]["total_tokens"] == 263
    assert first["eval"]["model_generate_config"] == {"temperature": 0.7, "max_tokens": 256}


def test_means_are_over_cases(run: Run, corrected: Sample, tmp_path: Path) -> None:
    right = (Asked(0, "x"), Replied(0, "y"), Marked(0, (Mark.CORRECT,), step=0), Finished())
    samples = [
        corrected,
        replace(corrected, attempt=2, events=right),
        replace(corrected, case="main/tea", events=right),
    ]
    (path,) = write_logs(run, samples, {}, tmp_path)
    metrics = json.loads(path.read_text())["results"]["scores"][0]["metrics"]
    assert metrics["mean"]["value"] == 0.75  # of 0.5 and 1
    assert metrics["stderr"]["value"] == pytest.approx(0.25)


def test_the_same_run_makes_the_same_files(run: Run, corrected: Sample, tmp_path: Path) -> None:
    (first,) = write_logs(run, [corrected], {}, tmp_path / "a")
    (second,) = write_logs(run, [corrected], {}, tmp_path / "b")
    assert (first.name, first.read_bytes()) == (second.name, second.read_bytes())


def test_a_broken_sample_leaves_no_half_log(run: Run, corrected: Sample, tmp_path: Path) -> None:
    def samples() -> Any:
        yield corrected
        raise BadFile("runs.db", "a row cannot be read")

    with pytest.raises(BadFile):
        write_logs(run, samples(), {}, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("write", ["tasks", "logs"])
def test_a_place_that_is_none(
    write: str, run: Run, corrected: Sample, tmp_path: Path, suite_file: Callable[..., Path]
) -> None:
    place = tmp_path / "file"
    place.write_text("")
    with pytest.raises(BadFile, match=r"file: cannot be written"):
        write_logs(run, [corrected], {}, place) if write == "logs" else write_tasks(read_suite(suite_file()), place)


def test_tasks_of_a_suite(calendar: Suite, tmp_path: Path) -> None:
    python, lines, yaml = write_tasks(calendar, tmp_path)
    tree = ast.parse(python.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert [node.name for node in functions] == [each.id for each in calendar.experiments]
    assert all(ast.unparse(node.decorator_list[0]) == "task" and ast.get_docstring(node) for node in functions)
    assert max(map(len, python.read_text(encoding="utf-8").splitlines())) <= 120
    assert yaml.read_bytes() == Path(calendar.path).read_bytes()
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [row["id"] for row in rows] == list(calendar.cases())
    assert rows[0]["target"] == [step.reference for step in calendar.experiments[0].cases[0].steps]


def test_no_file_of_a_suite_hides_a_module_of_python(calendar: Suite, tmp_path: Path) -> None:
    assert {path.stem for path in write_tasks(calendar, tmp_path)} == {"toolmend_calendar"}


@settings(max_examples=30, deadline=None)
@given(name=st.text(max_size=20), about=st.text(max_size=40), tools=st.text(max_size=10))
def test_whatever_a_suite_says_the_file_is_python(
    tmp_path_factory: pytest.TempPathFactory, calendar: Suite, name: str, about: str, tools: str
) -> None:
    odd = replace(
        calendar, name=name, tools=tools, experiments=(Experiment(name, about, calendar.experiments[0].cases),)
    )
    path = write_tasks(odd, tmp_path_factory.getbasetemp() / "odd")[0]
    ast.parse(path.read_bytes())


@pytest.mark.parametrize(
    ("name", "made"), [("wrong time", "wrong_time"), ("7 days", "x_7_days"), ("import", "x_import"), ("é", "suite")]
)
def test_names_as_python_takes_them(name: str, made: str) -> None:
    assert identifier(name) == made
