from pathlib import Path

import anyio
import pytest

from toolmend.errors import BadOption
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.suites.mistake_cases import with_mistakes
from toolmend.evals.suites.suite import load_suite, select
from toolmend.models.scripted import Scripted
from toolmend.store import Sample, Store

RIGHT = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
LATE = RIGHT.replace("17:00", "19:00")


def played(folder: Path, replies: list[str]) -> list[Sample]:
    suite = select(load_suite("calendar"), ["reliability"])
    plan = Plan.make(suite, [Scripted(replies)], ["oneline"])
    with Store(folder / "others.db") as store:
        return list(store.samples(anyio.run(run, plan, store).id))


def test_a_wrong_reply_becomes_a_case_with_that_reply_given(tmp_path: Path) -> None:
    suite = with_mistakes(load_suite("calendar"), played(tmp_path, [RIGHT, LATE, RIGHT, RIGHT, RIGHT]))
    (case,) = suite.experiments[-1].cases
    assert case.id == "others/wrong_value(time) 1"
    assert case.steps[-1].given == LATE


def test_equal_mistakes_are_taken_once(tmp_path: Path) -> None:
    suite = with_mistakes(load_suite("calendar"), played(tmp_path, [LATE]))
    assert len(suite.experiments[-1].cases) == 1


def test_the_suite_is_another_one_for_the_store(tmp_path: Path) -> None:
    suite = load_suite("calendar")
    assert with_mistakes(suite, played(tmp_path, [LATE])).hash.startswith(f"{suite.hash}+")


def test_a_run_without_mistakes_gives_none(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no wrong reply to a case of suite 'calendar'"):
        with_mistakes(load_suite("calendar"), played(tmp_path, [RIGHT]))
