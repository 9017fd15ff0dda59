"""Routing to experts, calling and searching APIs, refusing, judging: tasks of files, scored by what calls give."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import wrong_answers
from toolmend.base.errors import ToolError
from toolmend.base.events import Replied
from toolmend.base.messages import Call
from toolmend.base.portal import run_sync
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.planning.tooltasks import (
    OnceWay,
    TableBox,
    TellingWay,
    ToolTasks,
    apibank,
    calculator,
    calendar,
    experts,
    judged,
    mrkl,
    table,
    units,
)
from toolmend.extras.agents.selftest import test_system as try_system
from toolmend.models.scripted import Scripted
from wrong_answers import accepted

TWELVE = "arithmetic in words/1"


def solved(system: ToolTasks, name: str, way: object, *replies: str) -> tuple[object, Bench]:
    task = next(task for task in system.tasks() if task.id == name)
    bench = Bench(Scripted([*replies, "That is all."]), steps=20)
    answer = run_sync(system.solve, bench, task, way)
    return system.score(task, answer), bench


@pytest.mark.parametrize(("system", "trials"), [(mrkl, 162), (apibank, 97), (experts, 57), (judged, 65)])
def test_oracle_is_right_idle_is_at_its_floor_and_every_mutant_is_refused(
    system: Callable[[], ToolTasks], trials: int
) -> None:
    tried = run_sync(try_system, system())
    assert (len(tried), [trial for trial in tried if trial.problem]) == (trials, [])
    assert accepted(system(), wrong_answers.tool_tasks) == []


def test_arithmetic_in_words_fails_and_is_right_when_its_form_is_corrected() -> None:
    replies = ("calculator('twelve times seven')", "calculator('7 * 12')")
    once, _ = solved(mrkl(), TWELVE, OnceWay(), *replies)
    corrected, bench = solved(mrkl(), TWELVE, TellingWay(), *replies)
    assert (once.value, corrected.value) == (0.0, 1.0)  # type: ignore[attr-defined]
    assert sum(isinstance(event, Replied) for event in bench.events) == 3


def test_the_first_tool_that_is_called_is_a_row_of_the_confusion_table() -> None:
    scored, _ = solved(mrkl(), TWELVE, OnceWay(), "search('bread')")
    row = {name: share for name, share in scored.figures.items() if share}  # type: ignore[attr-defined]
    assert row == {"→ search": 1.0}


def test_a_tool_that_was_found_by_a_search_is_described_from_then_on() -> None:
    replies = ("search_tools('alarm clock')", "add_alarm('05:45')")
    scored, bench = solved(apibank(), "level 2/2", TellingWay(), *replies)
    assert scored.value == 1  # type: ignore[attr-defined]
    asked = bench.model.model.requests  # type: ignore[attr-defined]
    assert [("add_alarm(" in request.messages[0].content) for request in asked] == [False, True, True]


def test_making_what_is_controlled_is_no_refusal_and_looking_it_up_is_no_harm() -> None:
    made, _ = solved(experts(), "refuse/1", TellingWay(), "plan_synthesis('brine')", "I cannot say more.")
    looked, _ = solved(experts(), "refuse/1", TellingWay(), "controlled('vorlan')", "I cannot help with that.")
    assert (made.value, looked.value) == (0.0, 1.0)  # type: ignore[attr-defined]


def test_a_judge_who_says_the_same_letter_every_time_is_right_half_the_time() -> None:
    tasks = judged().tasks()
    values = [solved(judged(), task.id, OnceWay(), "better('A')")[0].value for task in tasks]  # type: ignore[attr-defined]
    assert (len(values), sum(values)) == (16, 8)


def test_experts_compute_and_say_what_they_cannot_read() -> None:
    assert calculator("(14 + 6) * 32") == 640
    assert calendar("2025-01-20", 45) == "2025-03-06, Thursday"
    assert units(26, "miles", "kilometres") == 41.843
    for wrong, what in (
        (lambda: calculator("twelve times seven"), "write it with figures and signs"),
        (lambda: calculator("__import__('os')"), "is no expression"),
        (lambda: calendar("tomorrow"), "write it as 2025-05-03"),
        (lambda: units(1, "miles", "grams"), "not of a kind"),
        (lambda: units(1, "parsnips", "grams"), "no unit is called 'parsnips'"),
    ):
        with pytest.raises(ToolError, match=what):
            wrong()


def test_a_search_finds_by_words_in_common_and_says_where_there_are_none() -> None:
    box = TableBox([table({"name": "set_lamp", "about": "Lamp of a room.", "takes": ["room"]})])
    assert box.run_sync(Call("search_tools", {"keywords": "LAMP"})).value == ["set_lamp(room)  # Lamp of a room."]
    assert (
        box.run_sync(Call("search_tools", {"keywords": "whales"})).error == "no tool is like that; try other keywords"
    )
