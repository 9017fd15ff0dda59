"""The shipped dungeon suite: what it holds, whether it is judged right, and that right replies are accepted."""

from __future__ import annotations

from collections import Counter

import anyio
import pytest

from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.selftest import test_suite as try_suite
from toolmend.evals.suites.suite import Step, Suite, load_suite
from toolmend.grading.worlds import Change
from toolmend.tools import Toolbox


@pytest.fixture(scope="module")
def dungeon() -> Suite:
    """The suite."""
    return load_suite("dungeon")


def steps(suite: Suite) -> list[Step]:
    """Every request."""
    return [step for case in suite.experiments[0].cases for step in case.steps]


def changes(step: Step) -> list[Change]:
    """Every change that is due."""
    return [change for world in (step.world, *step.world.others) for change in world.changes] if step.world else []


def test_how_much_there_is(dungeon: Suite) -> None:
    cases = dungeon.experiments[0].cases
    assert (len(cases), len(steps(dungeon))) == (10, 70)
    assert min(len(case.steps) for case in cases) >= 6


def test_what_kinds_of_requests_there_are(dungeon: Suite) -> None:
    kinds = Counter(
        "refused" if step.attempt
        else "asked back" if step.expected.asks
        else "talk" if not step.reference
        else "several edits" if "\n" in step.reference
        else "amends" if step.amends is not None
        else "one edit"
        for step in steps(dungeon)
    )  # fmt: skip
    assert kinds == {
        "one edit": 41, "several edits": 11, "refused": 10, "asked back": 3, "talk": 3, "amends": 2,
    }  # fmt: skip


def test_every_tool_is_needed(dungeon: Suite) -> None:
    used = {line.partition("(")[0] for step in steps(dungeon) for line in step.reference.splitlines()}
    assert used == {spec.full_name for spec in Toolbox.load(dungeon.tools).specs}


def test_no_request_says_what_another_says(dungeon: Suite) -> None:
    said = [step.say.casefold() for step in steps(dungeon)]
    assert len(set(said)) == len(said)


def test_every_change_has_a_sentence(dungeon: Suite) -> None:
    due = [change for step in steps(dungeon) for change in changes(step) if change.op != "free"]
    assert [change.name for change in due if not change.say] == []


def test_the_self_test_has_no_failure(dungeon: Suite) -> None:
    tried = try_suite(dungeon)
    assert [str(each) for each in tried if not each.ok] == []
    assert len(tried) > 500


@pytest.mark.parametrize("strategy", ["oneline", "native", "freyr", "react", "spoken"])
def test_right_replies_are_right_whatever_the_strategy(dungeon: Suite, store: Store, strategy: str) -> None:
    finished = anyio.run(run, Plan.make(dungeon, ["scripted/oracle"], [strategy]), store)
    wrong = [
        (sample.case, marked.step, [str(mistake) for mistake in marked.mistakes])
        for sample in store.samples(finished.id)
        for marked in sample.marked
        if marked.mistakes
    ]
    assert wrong == []


def test_doing_nothing_is_right_where_nothing_was_asked_for(dungeon: Suite, store: Store) -> None:
    finished = anyio.run(run, Plan.make(dungeon, ["scripted/idle"], ["native"]), store)
    firsts = {
        (sample.case, marked.step): not marked.mistakes
        for sample in store.samples(finished.id)
        for marked in sorted(sample.marked, key=lambda each: -each.turn)
    }
    assert sum(firsts.values()) == 1
