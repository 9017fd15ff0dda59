"""Requests about several entries, on literal examples."""

import re
from datetime import date, time
from random import Random

import pytest

from toolmend.training.dialogues import Talk
from toolmend.training.meaning import Entry, Meant
from toolmend.training.phrases import Phrases
from toolmend.training.words import Words

ONE = Entry("swimming", date(2024, 12, 31), time(23, 30), 60)
TWO = Entry("swimming", date(2025, 1, 7), time(23, 30), 60)
PHRASES = Phrases("phrases.txt moves.txt")


def talk(seed, *entries, group=()):
    made = Talk(Random(seed), Words(), PHRASES)
    made.entries, made.group = list(entries), group
    made.last = Meant(entries[-1]) if entries else None
    return made


def entries_of(meant):
    return [meant.entry, *(each.entry for each in meant.also)]


def test_one_title_on_several_days_differs_in_nothing_but_the_day():
    for seed in range(100):
        made = entries_of(talk(seed)._days()[1])
        assert len({(e.bare, e.time, e.duration) for e in made}) == 1
        assert len({e.date for e in made}) == len(made) >= 2


def test_several_days_are_said_with_their_numbers():
    for seed in range(100):
        said, meant = talk(seed)._days()
        if "every" not in said and not re.search(r"\d/\d|teenth|ieth|[nrt]h of|first|second|third|fth|th", said):
            assert all(re.search(rf"\b{e.date.day}", said) for e in entries_of(meant)), said


@pytest.mark.parametrize("act", ["_three", "_again_days"])
def test_what_is_due_is_kept_as_the_group(act):
    for seed in range(50):
        made = talk(seed, ONE)
        _, meant = getattr(made, act)()
        assert list(made.group) == entries_of(meant) and set(made.group) <= set(made.entries)


@pytest.mark.parametrize(
    ("act", "field"),
    [("_group_time", "time"), ("_group_duration", "duration"), ("_group_days", "date")],
)
def test_a_change_of_the_group_changes_that_of_each(act, field):
    for seed in range(50):
        made = talk(seed, ONE, TWO, group=(ONE, TWO))
        new = entries_of(getattr(made, act)()[1])
        for old, now in zip((ONE, TWO), new, strict=True):
            assert getattr(now, field) != getattr(old, field)
            same = {"bare", "date", "time", "duration"} - {field}
            assert all(getattr(now, each) == getattr(old, each) for each in same)


def test_the_group_moves_across_midnight_and_the_year():
    for seed in range(200):
        said, meant = talk(seed, ONE, TWO, group=(ONE, TWO))._group_shift()
        if re.search(r"(?<!half )\b(an|1|one) hour later", said):
            assert [(e.date, e.time) for e in entries_of(meant)] == [
                (date(2025, 1, 1), time(0, 30)),
                (date(2025, 1, 8), time(0, 30)),
            ]
            return
    pytest.fail("no request moved the group by an hour")


def test_the_second_one_is_the_second():
    for seed in range(200):
        said, meant = talk(seed, ONE, TWO, group=(ONE, TWO))._group_one()
        if "the second one" in said:
            assert meant == Meant(TWO, remove=True)
        if "the first" in said:
            assert meant == Meant(ONE, remove=True)


def test_a_cancelled_group_is_gone():
    made = talk(3, ONE, TWO, group=(ONE, TWO))
    _, meant = made._group_cancel()
    assert (meant.remove, entries_of(meant), made.entries, made.group) == (True, [ONE, TWO], [], ())
