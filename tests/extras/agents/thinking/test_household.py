"""The household: its world, the heuristics that stop a trial, reflections, and a tool that is gone."""

from __future__ import annotations

from collections import Counter

import pytest

import wrong_answers
from toolmend.base.events import Called, Guarded
from toolmend.base.messages import Call, CallResult, Request
from toolmend.base.portal import run_sync
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.selftest import test_system as tried
from toolmend.extras.agents.system import load_way
from toolmend.extras.agents.thinking import household
from toolmend.extras.agents.thinking.household import NOTHING, Heuristic, Household, HouseholdTasks, memory_of
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from wrong_answers import accepted

LOOK = "Thought: hm\nAction: look\nAction Input: {}"
GO = 'Thought: hm\nAction: go_to\nAction Input: {"place": "shelf 1"}'


def house() -> Household:
    made = Household("1")
    made.where = dict.fromkeys(made.where, "shelf 1") | {"mug 1": "cabinet 1"}
    return made


def done(world: Household, tool: str, **given: str) -> object:
    return world.run_sync(Call(tool, given)).value


def test_a_closed_place_is_opened_before_something_is_taken() -> None:
    world = house()
    assert done(world, "go_to", place="cabinet 1") == "The cabinet 1 is closed."
    assert done(world, "take", thing="mug 1", place="cabinet 1") == NOTHING
    assert done(world, "open_place", place="cabinet 1") == "You open the cabinet 1. At the cabinet 1 you see mug 1."
    assert done(world, "take", thing="mug 1", place="cabinet 1") == "You pick up the mug 1 from the cabinet 1."
    assert done(world, "take", thing="pen 1", place="shelf 1") == NOTHING


def test_things_are_changed_only_where_that_can_be() -> None:
    world = house()
    world.where["mug 1"] = "hand"
    assert done(world, "heat", thing="mug 1") == NOTHING
    done(world, "go_to", place="microwave 1")
    assert done(world, "heat", thing="mug 1") == "You heat the mug 1 with the microwave 1."
    assert done(world, "cool", thing="mug 1") == NOTHING


def test_every_call_can_be_taken_back() -> None:
    session = Session(Scripted(["go_to(place='shelf 1')\ntake(thing='pen 1', place='shelf 1')"]), house(), "oneline")
    before = session.tools.state()
    session.request("take the pen")
    assert session.tools.state()["where"]["pen 1"] == "hand"
    session.undo()
    assert session.tools.state() == before


def test_there_are_six_tasks_of_each_kind() -> None:
    tasks = HouseholdTasks().tasks()
    assert Counter(task.group for task in tasks) == dict.fromkeys(("pick", "look", "clean", "heat", "cool", "two"), 6)
    assert tasks == HouseholdTasks().tasks()


def test_the_system_judges_as_it_should() -> None:
    trials = run_sync(tried, HouseholdTasks())
    assert (len(trials), [trial for trial in trials if trial.problem]) == (182, [])
    assert accepted(HouseholdTasks(), wrong_answers.household) == []


@pytest.mark.parametrize(
    ("kind", "results", "stops"),
    [
        ("published", ["a", "a", "a", "a"], ["", "", "", "hallucination"]),
        ("published", ["a", "b", "a", "b"], ["", "", "", ""]),
        ("coded", ["a", "b"], ["", "hallucination"]),
    ],
)
def test_equal_actions_stop_a_trial(kind: str, results: list[str], stops: list[str]) -> None:
    heuristic = Heuristic(kind)  # type: ignore[arg-type]
    assert [heuristic.stops(Call("look"), CallResult("", value)) for value in results] == stops


@pytest.mark.parametrize(("kind", "last"), [("published", 31), ("coded", 49)])
def test_many_actions_stop_a_trial(kind: str, last: int) -> None:
    heuristic = Heuristic(kind)  # type: ignore[arg-type]
    said = [heuristic.stops(Call("go_to", {"place": str(n)}), CallResult("")) for n in range(last)]
    assert said == [""] * (last - 1) + ["inefficient planning"]


def played(way: str, script: list[str]) -> tuple[Bench, list[Request], object]:
    system, model = HouseholdTasks(), Scripted(script)
    bench = Bench(model, steps=system.steps)
    answer = run_sync(system.solve, bench, system.tasks()[0], load_way(system, way)[1])
    return bench, model.requests, answer


def test_a_failed_trial_is_reflected_on_and_told_to_the_next() -> None:
    script = [LOOK, LOOK, "Plan: look elsewhere", GO, GO]
    bench, requests, answer = played("reflexion?trials=2&heuristic=coded", script)
    assert answer == [[["look", {}]] * 2, [["go_to", {"place": "shelf 1"}]] * 2]
    assert "> look \nYou are in the middle of the room." in requests[2].messages[-1].content
    assert "failed. Your plans for this time:\nPlan: look elsewhere" in requests[3].messages[0].content
    stopped = [event for event in bench.events if isinstance(event, Guarded)]
    assert stopped == [Guarded(turn, "trial_stopped", "hallucination, as coded") for turn in (0, 2)]


def test_react_has_one_trial() -> None:
    _, requests, answer = played("react", [LOOK])
    assert (len(requests), answer) == (4, [[["look", {}]] * 4])


def test_three_reflections_are_remembered() -> None:
    assert memory_of([]) == ""
    assert memory_of(["a", "b", "c", "d"]).splitlines()[1:] == ["b", "c", "d"]


class WithoutLook(Household):
    """A house in which nobody can look any more."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self._tools.pop("look")


def test_a_tool_that_is_gone_is_named_stopped_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(household, "Household", WithoutLook)
    bench, requests, answer = played("react?heuristic=coded", [LOOK])
    called = [event for event in bench.events if isinstance(event, Called)]
    assert [event.result.fault for event in called] == ["unknown_tool"] * 2
    assert "look" in str(called[0].result.error)
    assert Guarded(0, "trial_stopped", "hallucination, as coded") in bench.events
    assert (len(requests), answer) == (2, [[["look", {}]] * 2])
