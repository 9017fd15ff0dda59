"""Plans as graphs: read, ordered, carried out side by side, corrected, and counted as TaskBench counts."""

from __future__ import annotations

import json

import pytest

import wrong_answers
from toolmend.base.errors import ToolError
from toolmend.base.events import Called
from toolmend.base.messages import Request
from toolmend.base.portal import run_sync
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.planning.conducting import Conducting, Experts, StagesWay, TaskBench
from toolmend.extras.agents.planning.graph import edges, f1, levels, read_plan
from toolmend.extras.agents.selftest import test_system as try_system
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from wrong_answers import accepted

TWO = [
    {"task": "image-to-text", "id": 0, "dep": [-1], "args": {"image": "a.jpg"}},
    {"task": "colorization", "id": 1, "dep": [-1], "args": {"image": "b.jpg"}},
    {"task": "image-editing", "id": 2, "dep": [0, 1], "args": {"image": "<resource>-1", "text": "<resource>-0"}},
]
CIRCLE = [
    {"task": "translation", "id": 0, "dep": [1], "args": {"text": "a.txt"}},
    {"task": "summarization", "id": 1, "dep": [0], "args": {"text": "b.txt"}},
]


def conducted(plan: object, box: Experts) -> tuple[Session, list[object]]:
    events: list[object] = []

    def reply(request: Request) -> str:
        return "told" if "Results:" in request.messages[-1].content else json.dumps(plan)

    return Session(Scripted(reply), box, Conducting(), mend=False, sink=events.append), events


def test_oracle_is_right_idle_is_at_its_floor_and_every_mutant_is_refused() -> None:
    trials = run_sync(try_system, TaskBench())
    assert (len(trials), [trial for trial in trials if trial.problem]) == (145, [])
    assert accepted(TaskBench(), wrong_answers.hugginggpt) == []


def test_what_does_not_depend_on_each_other_runs_side_by_side() -> None:
    box = Experts()
    talk, _ = conducted(TWO, box)
    assert talk.request("Do it").text == "told"
    assert box.at_once == 2
    assert sorted(box.results) == [0, 1, 2]


def test_a_circle_is_named_and_nothing_is_run() -> None:
    talk, events = conducted(CIRCLE, Experts())
    assert talk.request("Do it").text == "There is no plan: the plan goes in a circle: 0 → 1 → 0."
    assert [event.call.tool for event in events if isinstance(event, Called)] == ["make_plan"]


def test_a_model_that_vanished_is_named_and_what_was_done_is_kept() -> None:
    box = Experts(gone={"swift/image-editing"})
    talk, _ = conducted(TWO, box)
    answer = talk.request("Do it")
    assert answer.text.startswith("Stopped: swift/image-editing has vanished; what needs its result is not done.")
    assert sorted(box.results) == [0, 1]


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ("words", "a plan is a list"),
        ([{"task": "translation"}], "is no task with"),
        ([{**TWO[0], "dep": [7]}], "depends on 7, which there is not"),
        ([TWO[0], TWO[0]], "two tasks have the id 0"),
    ],
)
def test_a_plan_says_what_is_wrong_with_it(rows: object, what: str) -> None:
    with pytest.raises(ToolError, match=what):
        levels(read_plan(rows))


def test_a_plan_is_corrected_in_english() -> None:
    system = TaskBench()
    task = next(each for each in system.tasks() if each.group == "chain")

    def reply(request: Request) -> str:
        said = request.messages[-1].content
        right = json.dumps(task.data["plan"])
        return json.dumps(TWO) if said == task.say else right if said.startswith("No, step") else ""

    bench = Bench(Scripted(reply), steps=30)
    answer = run_sync(system.solve, bench, task, StagesWay(corrections=1))
    assert system.score(task, answer).figures["node F1"] == 1
    assert [row["task"] for row in answer["plan"]] == [row["task"] for row in task.data["plan"]]


def test_f1_is_of_bags() -> None:
    assert f1(["a", "a", "b"], ["a", "c"]) == 0.4
    assert f1([], []) == 1
    assert edges(read_plan(TWO)) == [("image-to-text", "image-editing"), ("colorization", "image-editing")]
