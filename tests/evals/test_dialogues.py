"""The project's own dialogues: two halves alike, graded right, playable, and nothing in them that was published.

That nothing of them is trained on is seen to in tests/training/adapter/test_written_talks.py.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from specimens import self_test
from toolmend.base.events import Called, Marked, Refused, Undone
from toolmend.base.mistakes import Mark
from toolmend.evals.suites.suite import Case, Step, load_suite
from toolmend.grading import OneOf
from toolmend.tools import Toolbox

# Changed on purpose only, here and in docs/log.md: whoever trained on the old halves has to say so.
HASHES = {
    "calendar_dev": "2a11fd6827af994543ea9a693cde87dc41e7633df17cdf223d39a0ea31ef38ce",
    "calendar_test": "943b3e2ba890a52ba9cc7447b547fea26e00144f7c8463010336c8c8a6192fde",
    "calendar_unseen": "6ff688004ba7758805628ce95ef53f1123cbd5789a23a1c5b8502da005cf848f",
}
HALVES = ("calendar_dev", "calendar_test")
TOPICS = dict(moves=3, names=3, several=3, unclear=3, beyond=2, days=3, clock=3, years=2, mended=3, speech=5)
WORDS_IN_A_ROW = 6
SUITES = Path(__file__).parents[2] / "src" / "toolmend" / "evals" / "suites" / "shipped"
LOG = Path(__file__).parents[2] / "docs" / "log.md"


def cases(half: str) -> tuple[Case, ...]:
    """The dialogues of a half."""
    return load_suite(half).experiments[0].cases


def steps(*halves: str) -> list[Step]:
    """Every request of some halves."""
    return [step for half in halves for case in cases(half) for step in case.steps]


def runs(texts: Iterable[str]) -> set[tuple[str, ...]]:
    """Every six words in a row, letter case folded."""
    found = set()
    for text in texts:
        words = re.findall(r"[\w']+", text.casefold().replace("\u2019", "'"))
        found |= {tuple(words[i : i + WORDS_IN_A_ROW]) for i in range(len(words) - WORDS_IN_A_ROW + 1)}
    return found


def plain(title: str) -> str:
    """A title as the grader compares it."""
    return " ".join(title.casefold().split())


def titles(of: Iterable[Step]) -> set[str]:
    """Every title that is acceptable somewhere."""
    found = set()
    for step in of:
        for call in step.expected.calls:
            value = call.arguments["title"]
            found |= {plain(each) for each in (value.values if isinstance(value, OneOf) else (value,))}
    return found


def published() -> list[Step]:
    """Every request of the published experiment."""
    return [step for case in load_suite("calendar").cases().values() for step in case.steps]


# two halves -----------------------------------------------------------------------------------------------------------


def test_there_are_sixty_dialogues_half_of_them_for_measuring() -> None:
    assert [len(cases(half)) for half in HALVES] == [30, 30]


@pytest.mark.parametrize("half", HALVES)
def test_a_half_has_as_many_of_each_topic(half: str) -> None:
    assert Counter(case.group for case in cases(half)) == TOPICS


@pytest.mark.parametrize("half", HALVES)
def test_a_dialogue_has_four_to_eight_requests(half: str) -> None:
    assert {case.id: len(case.steps) for case in cases(half) if not 4 <= len(case.steps) <= 8} == {}


@pytest.mark.parametrize("half", HALVES)
def test_what_was_spoken_has_no_case_no_punctuation_and_no_digits(half: str) -> None:
    said = [step.say for case in cases(half) if case.group == "speech" for step in case.steps]
    assert [text for text in said if not re.fullmatch(r"[a-z]+('[a-z]+)?( [a-z]+('[a-z]+)?)*", text)] == []


def test_the_halves_share_no_words_and_no_title() -> None:
    dev, test = steps("calendar_dev"), steps("calendar_test")
    assert runs(step.say for step in dev) & runs(step.say for step in test) == set()
    assert titles(dev) & titles(test) == set()


def test_the_halves_are_told_the_same() -> None:
    dev, test = map(load_suite, HALVES)
    assert dev.system == test.system


@pytest.mark.parametrize("half", HASHES)
def test_a_half_is_the_one_that_was_recorded(half: str) -> None:
    assert sha256((SUITES / f"{half}.yaml").read_bytes()).hexdigest() == HASHES[half]


@pytest.mark.parametrize("half", HASHES)
def test_the_log_has_the_hash(half: str) -> None:
    assert HASHES[half] in LOG.read_text(encoding="utf-8")


# right ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("half", HALVES)
def test_references_are_accepted_and_mutants_are_not(half: str) -> None:
    different = {repr(step.expected): step.expected for step in steps(half)}
    report = self_test(different.values(), Toolbox.load("calendar").specs)
    assert [str(failure) for failure in report.failures] == []


@pytest.mark.parametrize("half", HALVES)
def test_the_right_answers_can_be_played(half: str, played: Callable[..., Any]) -> None:
    """Every call works in the calendar, what is amended is there to be undone, and no entry is there twice."""
    for case in cases(half):
        answers = [step.reference or "Which one?" for step in case.steps]
        made = played(answers, case)
        assert [event.marks for event in made.of(Marked)] == [(Mark.CORRECT,)] * len(answers), case.id
        assert [event.result.text for event in made.of(Called) if not event.result.ok] == [], case.id
        assert made.of(Refused) == [], case.id
        assert len(made.of(Undone)) == sum(step.amends is not None for step in case.steps), case.id
        entries = [(entry.title, entry.start) for entry in made.session.tools.entries]
        assert len(entries) == len(set(entries)), case.id


# nothing published ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("half", HALVES)
def test_nothing_is_from_the_published_experiment(half: str) -> None:
    own, theirs = steps(half), published()
    assert runs(step.say for step in own) & runs(step.say for step in theirs) == set()
    assert titles(own) & titles(theirs) == set()
    texts = " ".join([*(step.say for step in own), *titles(own)]).casefold()
    assert re.findall(r"\b(?:fred|paul|rock|concert)\b", texts) == []
