"""Challenges: what fails, how plans are gone through, and what counts."""

from __future__ import annotations

from collections import Counter

import wrong_answers
from toolmend.base.errors import ModelError
from toolmend.base.events import Guarded
from toolmend.base.messages import Call, Reply, Request
from toolmend.base.portal import run_sync
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.selftest import test_system as tried
from toolmend.extras.agents.system import AgentTask, load_way
from toolmend.extras.agents.thinking.challenges import BUSY, Challenges, FailingWorkshop
from toolmend.models.scripted import Scripted
from wrong_answers import accepted

PAINT = Call("paint", {"thing": "box", "colour": "red"})


def test_one_tool_fails_once_in_the_middle() -> None:
    world = FailingWorkshop(fails=1)
    results = [world.run_sync(PAINT) for _ in range(3)]
    assert [result.error for result in results] == [None, BUSY, None]
    assert len(world.state()) == 2


def test_an_article_makes_no_other_thing() -> None:
    world = FailingWorkshop()
    world.run_sync(Call("pack", {"thing": "the vase"}))
    assert world.state() == [["pack", {"thing": "vase"}]]


def test_the_system_judges_as_it_should() -> None:
    trials = run_sync(tried, Challenges())
    assert (len(trials), [trial for trial in trials if trial.problem]) == (282, [])
    assert accepted(Challenges(), wrong_answers.challenges) == []


def test_plans_have_the_same_steps_whether_something_fails_or_not() -> None:
    tasks = {task.id: task for task in Challenges().tasks()}
    assert tasks["8 steps/1"].data["plan"] == tasks["8 steps, one fails once/1"].data["plan"]
    assert tasks["8 steps, one fails once/1"].data["fails"] == 4
    assert Counter(task.group for task in tasks.values())["8k of history"] == 4


def test_a_history_has_about_the_tokens_it_is_named_after() -> None:
    lengths = {task.group: len(task.say) / 4 for task in Challenges().tasks() if "history" in task.group}
    assert {group: round(length / 1000) for group, length in lengths.items()} == {
        "1k of history": 1,
        "2k of history": 2,
        "4k of history": 4,
        "8k of history": 8,
    }


def played(way: str, task: str, model: Scripted) -> tuple[Bench, list[list[object]]]:
    system = Challenges()
    bench = Bench(model, steps=system.steps)
    chosen: AgentTask = next(each for each in system.tasks() if each.id == task)
    return bench, run_sync(system.solve, bench, chosen, load_way(system, way)[1])


def test_a_refused_step_is_said_again_in_a_talk() -> None:
    model = Scripted(["paint(thing='box', colour='red')"])
    _, done = played("step_by_step", "2 steps, one fails once/0", model)
    said = [request.messages[-1].content for request in model.requests]
    assert (len(done), said[2]) == (2, "Do that again.")


def test_a_model_that_has_no_room_is_a_result_and_no_fault() -> None:
    def script(request: Request) -> Reply:
        raise ModelError("2,048 tokens fit, 8,000 were asked")

    bench, done = played("at_once", "8k of history/0", Scripted(script))
    assert (done, bench.events[-1]) == ([], Guarded(1, "no_reply", "2,048 tokens fit, 8,000 were asked"))


def test_progress_is_the_share_before_the_first_wrong_step() -> None:
    system = Challenges()
    task = next(each for each in system.tasks() if each.id == "4 steps/0")
    plan = system.reference(task)
    scored = system.score(task, [*plan[:3], plan[0]])
    assert (scored.value, scored.why, scored.figures) == (0.0, "3 of 4 steps", {"progress": 0.75})
