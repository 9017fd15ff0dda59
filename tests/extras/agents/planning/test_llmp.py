"""English → PDDL → plan: what is stated, corrected, planned and validated, mostly by a naive planner."""

from __future__ import annotations

import pytest

import wrong_answers
from toolmend.base.errors import ToolError
from toolmend.base.events import Called, Replied, Undone
from toolmend.base.messages import Call, Request
from toolmend.base.portal import run_sync
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.planning import planner
from toolmend.extras.agents.planning.llmp import Draft, Drafting, PlannerWay, Planning, lines
from toolmend.extras.agents.planning.worlds import WORLDS, Atom, Domain, PddlProblem, check, fault, instance, world_of
from toolmend.extras.agents.selftest import test_system as try_system
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from wrong_answers import accepted

BLOCKS = world_of("blocksworld")


def child(domain: Domain, problem: PddlProblem) -> list[Atom]:
    """A planner that knows the plans of the instances, and how two blocks are stacked."""
    known = [(instance(name, n).problem, list(instance(name, n).plan)) for name in WORLDS for n in range(22)]
    stack = [("pick_up", "a"), ("stack", "a", "b")]
    return next((plan for drawn, plan in known if drawn == problem), stack)


def drafted(*lines: str) -> Draft:
    draft = Draft(BLOCKS, child)
    for number, line in enumerate(lines):
        name, *values = line.split()
        given = dict(zip(("block", "below"), values, strict=False))
        assert draft.run_sync(Call(name, given, f"c{number}")).ok
    return draft


def test_oracle_is_right_idle_is_at_its_floor_and_every_mutant_is_refused() -> None:
    trials = run_sync(try_system, Planning(child))
    assert (len(trials), [trial for trial in trials if trial.problem]) == (202, [])
    assert accepted(Planning(child), wrong_answers.planning) == []


def test_fast_downward_solves_a_task_told_sentence_by_sentence() -> None:
    pytest.importorskip("unified_planning", reason="the extra 'planner' is not installed")
    pytest.importorskip("up_fast_downward", reason="the extra 'planner' is not installed")
    system = Planning()
    task, way = system.tasks()[0], PlannerWay(sentences=True)
    answer = run_sync(system.solve, Bench(system.oracle(task, way), steps=40), task, way)
    assert system.score(task, answer).figures == {"stated": 1.0, "planned": 1.0}
    with pytest.raises(ToolError, match="there is no plan"):
        planner.solve(BLOCKS.domain, BLOCKS.problem([("on_table", "a")], [("on", "a", "b")]))


def test_a_wrong_fact_is_put_right_by_a_sentence() -> None:
    system = Planning(child)
    task = system.tasks()[0]
    told = instance("blocksworld", 1).told

    def said(request: Request) -> str:
        text = request.messages[-1].content
        if text == task.say:
            return "on('b9', 'b8')\ngoal_on('b2', 'b1')"
        if text not in told:
            return f"forget('{text.removeprefix('There is no ').removesuffix('.')}')"
        return lines([told[text]])

    bench = Bench(Scripted(said), steps=40)
    answer = run_sync(system.solve, bench, task, PlannerWay(corrections=len(told) + 2))
    assert system.score(task, answer).value == 1
    assert [event.turn for event in bench.events if isinstance(event, Undone)][:1] == [1]


def test_a_correction_in_english_states_again_what_it_does_not_speak_of() -> None:
    replies = ["on_table('a')\non_table('b')\ngoal_on('a', 'b')", "goal_on('b', 'a')"]
    talk = Session(Scripted(replies), Draft(BLOCKS, child), Drafting("Blocks."), mend=False)
    assert talk.request("a and b are on the table. I want a on b.").text == "1. Take a from the table.\n2. Put a on b."
    corrected = talk.correct("No, b should be on a.")
    state = talk.tools.state()
    assert state == {"init": [["on_table", "a"], ["on_table", "b"]], "goal": [["on", "a", "b"], ["on", "b", "a"]]}
    assert corrected.undone


def test_what_is_no_call_is_not_stated() -> None:
    events: list[object] = []
    talk = Session(Scripted(["(define (problem x))"]), Draft(BLOCKS, child), Drafting("Blocks."), sink=events.append)
    assert talk.request("A block.").text == "There is no plan yet: no goal was stated."
    assert [type(event) for event in events].count(Called) == 1


def test_a_thing_of_another_kind_is_named() -> None:
    facts = [("robot_at", "a", "hall"), ("ball_at", "a", "hall")]
    grippers = world_of("grippers")
    with pytest.raises(ToolError, match="a is a robot, and a ball is wanted"):
        check(grippers.problem(facts, []), grippers.domain)


def test_an_empty_plan_is_no_plan() -> None:
    assert fault(BLOCKS.domain, instance("blocksworld", 1).problem, []) == "an empty plan is no plan"
    draft = Draft(BLOCKS, lambda domain, problem: [])
    for name, given in (("on", {"block": "a", "below": "b"}), ("goal_on", {"block": "a", "below": "b"})):
        draft.run_sync(Call(name, given))
    error = draft.run_sync(Call("plan")).error
    assert error == "the goal holds already, and an empty plan is no plan: say what else is to hold, or what holds now"


def test_stating_where_a_thing_is_replaces_where_it_was_and_is_undone() -> None:
    draft = drafted("on a b", "on_table a")
    assert draft.state()["init"] == [["on_table", "a"]]
    draft.undo_sync("c1")
    assert draft.state()["init"] == [["on", "a", "b"]]


def test_a_task_that_was_killed_goes_on_at_the_sentence_where_it_was() -> None:
    system, way = Planning(child), PlannerWay(sentences=True)
    task = system.tasks()[0]
    whole = Bench(system.oracle(task, way), steps=40)
    answer = run_sync(system.solve, whole, task, way)
    told = [event for event in whole.events if isinstance(event, Replied)]
    rest = Bench(system.oracle(task, way), steps=40, told=told[:4])
    assert run_sync(system.solve, rest, task, way) == answer
    assert len(rest.model.model.requests) == len(told) - 4  # type: ignore[attr-defined]
