"""The suite of given mistakes."""

from __future__ import annotations

import pytest

from toolmend.evals.suites.suite import Case, Suite
from toolmend.grading import grade
from toolmend.tools import Toolbox
from toolmend.training.studies.mending import LONGEST, mending_suite

SPECS = Toolbox.load("calendar").specs


@pytest.fixture(scope="module")
def suite() -> Suite:
    return mending_suite(12)


def cases(suite: Suite, experiment: str) -> list[Case]:
    return [case for name, case in suite.cases().items() if name.startswith(f"{experiment}/")]


def test_every_dialogue_is_asked_and_told(suite: Suite) -> None:
    assert [case.id for case in cases(suite, "asked")] == [str(number) for number in range(1, 13)]
    assert [case.id for case in cases(suite, "told")] == [str(number) for number in range(1, 13)]


def test_the_given_reply_is_wrong_and_the_reference_right(suite: Suite) -> None:
    for case in cases(suite, "told"):
        last = case.steps[-1]
        assert last.given is not None and grade(last.given, last.expected, SPECS).mistakes
        assert not any(grade(step.reference, step.expected, SPECS).mistakes for step in case.steps)


def test_only_the_last_reply_is_given(suite: Suite) -> None:
    given = [step.given for case in cases(suite, "told") for step in case.steps[:-1]]
    assert set(given) <= {None} and max(len(case.steps) for case in cases(suite, "told")) <= LONGEST
    assert all(step.given is None for case in cases(suite, "asked") for step in case.steps)


def test_the_same_number_gives_the_same_suite(suite: Suite) -> None:
    assert mending_suite(12) == suite
    assert mending_suite(13).hash != suite.hash
    assert mending_suite(13).cases()["told/12"] == suite.cases()["told/12"]
