"""The shop suite can be played: every right call works in the shop as it is by then, and what is to be refused is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from toolmend.base.messages import Call
from toolmend.evals.suites.suite import Case, load_suite
from toolmend.grading.worlds import Seen
from toolmend.reading import read_python
from toolmend.tools import Toolbox

SUITE = load_suite("shop")
CASES = {case.id: case for case in SUITE.experiments[0].cases}


def calls(text: str, box: Toolbox, name: str) -> Iterator[Call]:
    for place, call in enumerate(read_python(text, box.specs, lenient=False).calls if text else ()):
        yield Call(call.tool, call.arguments, f"{name}.{place}")


def test_it_has_forty_four_requests_in_eight_stories() -> None:
    assert (len(CASES), sum(len(case.steps) for case in CASES.values())) == (8, 44)


def test_questions_refusals_amendments_and_several_calls_are_in_it() -> None:
    steps = [step for case in CASES.values() for step in case.steps]
    assert sum(bool(step.expected.asks) for step in steps) == 4
    assert sum(step.amends is not None for step in steps) == 5
    assert sum(bool(step.attempt) for step in steps) == 4
    assert sum("\n" in step.reference for step in steps) == 3
    assert sum(step.world is not None for step in steps) == 8


def test_most_tools_are_needed() -> None:
    used = {
        call.tool for case in CASES.values() for step in case.steps for call in read_python(step.reference, []).calls
    }
    assert len(used) >= 15


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_the_right_calls_work_one_after_the_other(case: Case) -> None:
    box, made = SUITE.toolbox(case), list[list[str]]()
    for number, step in enumerate(case.steps):
        before = box.state()
        for refused in calls(step.attempt, box, "x"):
            assert box.run_sync(refused).fault == "refused"
        for earlier in reversed(made[step.amends] if step.amends is not None else []):
            box.undo_sync(earlier)
        made.append([])
        for call in calls(step.reference, box, f"s{number}"):
            assert box.run_sync(call).error is None, call
            made[-1].append(call.id)
        if step.world is not None:
            assert step.world.mistakes(Seen(before, box.state(), "No.")) == ()
