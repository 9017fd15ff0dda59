"""What is due after each request, on literal examples, and that every due call is one the calendar takes."""

import re
from dataclasses import replace
from datetime import date, time
from random import Random

import pytest

from toolmend.reading import read_python
from toolmend.toolboxes import Calendar
from toolmend.training.asides import CANNOT, WELCOME, WHAT_NAME, WHAT_TIME, WHICH_DAY, WHICH_ONE
from toolmend.training.dialogues import Talk, _in_year
from toolmend.training.meaning import Entry, Meant
from toolmend.training.moves import NOTHING_TO_DO, WHEN
from toolmend.training.phrases import Phrases
from toolmend.training.words import Words

CALENDAR = Calendar()
PHRASES = Phrases("phrases.txt moves.txt")
WORDS = {CANNOT, WELCOME, WHAT_NAME, WHAT_TIME, WHICH_DAY, WHICH_ONE, WHEN, NOTHING_TO_DO}


def talk(seed, *entries):
    """A talk in which these entries were made, the last one just now."""
    made = Talk(Random(seed), Words(), PHRASES)
    made.entries, made.last = list(entries), Meant(entries[-1])
    return made


def after(base, act, pattern):
    """The entries that are due where the request says what the pattern finds."""
    found = set()
    for seed in range(400):
        said, meant = getattr(talk(seed, base), act)()
        if re.search(pattern, said):
            found.add(meant.entry.date)
    return found


@pytest.mark.parametrize(
    ("base", "pattern", "due"),
    [
        (date(2024, 5, 3), r"the (very )?same day(?! the| of| a | one| two| 3| \w+ weeks?)", date(2024, 5, 3)),
        (date(2024, 5, 3), r"(?<!the )(next|following) day|the (next|following) day", date(2024, 5, 4)),
        (date(2024, 1, 31), r"the (next|following) day|the day after", date(2024, 2, 1)),
        (date(2024, 2, 28), r"the (next|following) day|the day after", date(2024, 2, 29)),
        (date(2023, 2, 28), r"the (next|following) day|the day after", date(2023, 3, 1)),
        (date(2023, 12, 31), r"the (next|following) day|the day after", date(2024, 1, 1)),
        (date(2024, 3, 1), r"the (previous|preceding) day|the day before", date(2024, 2, 29)),
        (
            date(2024, 12, 28),
            r"week (later|after that)|the week after|the following week|7 days later",
            date(2025, 1, 4),
        ),
        (date(2024, 2, 27), r"\b(three|3) days (later|after that)", date(2024, 3, 1)),
        (date(2024, 1, 2), r"\b(two|2) days (earlier|before that)", date(2023, 12, 31)),
    ],
)
def test_days_relative_to_the_last_entry(base, pattern, due):
    assert after(Entry("lunch", base, time(12)), "_relative", pattern) == {due}


def test_a_day_of_the_month_is_in_the_month_of_the_last_entry():
    found = set()
    for seed in range(800):
        said, meant = talk(seed, Entry("lunch", date(2024, 2, 29), time(12)))._relative()
        if match := re.search(r"on the (\d+)(?:st|nd|rd|th)\b", said):
            found.add(meant.entry.date == date(2024, 2, int(match[1])))
    assert found == {True}


@pytest.mark.parametrize(
    ("pattern", "due"),
    [
        (r"same day as|the day of", date(2024, 2, 29)),
        (r"day after|day following", date(2024, 3, 1)),
        (r"day before", date(2024, 2, 28)),
        (r"week after", date(2024, 3, 7)),
    ],
)
def test_days_relative_to_a_named_entry(pattern, due):
    found = set()
    for seed in range(800):
        other = Entry("yoga class", date(2023, 1, 1), time(9))
        made = talk(seed, other, Entry("dinner with Tom", date(2024, 2, 29), time(19)))
        said, meant = made._relative_to()
        if re.search(rf"({pattern}) (the|my) (dinner|one with Tom)", said):
            found.add(meant.entry.date)
    assert found == {due}


@pytest.mark.parametrize("act", ["_relative", "_relative_to"])
def test_right_after_begins_when_the_other_ends(act):
    starts = set()
    for seed in range(300):
        said, meant = getattr(talk(seed, Entry("dinner", date(2024, 2, 28), time(23, 30), 60)), act)()
        if re.search(r"(?<!day )(right|immediately|directly) after", said):
            starts.add((meant.entry.date, meant.entry.time))
    assert starts == {(date(2024, 2, 29), time(0, 30))}


def test_the_same_time_is_the_time_of_the_last_entry():
    times = set()
    for seed in range(400):
        said, meant = talk(seed, Entry("dinner", date(2024, 5, 3), time(19, 15)))._relative()
        if re.search(r"same time|at that time", said):
            times.add(meant.entry.time)
    assert times == {time(19, 15)}


@pytest.mark.parametrize(
    ("day", "year", "due"),
    [
        (date(2024, 2, 29), 2023, date(2023, 2, 28)),
        (date(2024, 2, 29), 2028, date(2028, 2, 28)),
        (date(2023, 11, 11), 2024, date(2024, 11, 11)),
    ],
)
def test_another_year(day, year, due):
    assert _in_year(day, year) == due


def test_a_year_that_is_said_is_the_year_of_what_was_made_and_of_what_follows():
    made = talk(1, Entry("lunch", date(2023, 5, 3), time(12)))
    said, meant = made._year()
    assert str(made.year) in said and meant.entry.date == date(made.year, 5, 3)
    assert made.entries == [meant.entry]


@pytest.mark.parametrize(
    ("act", "changed"),
    [
        ("_duration", "duration"),
        ("_time", "time"),
        ("_date", "date"),
        ("_rename", "bare"),
        ("_person", "bare"),
        ("_year", "date"),
    ],
)
def test_a_change_changes_that_and_nothing_else(act, changed):
    old = Entry("lunch with Anna", date(2023, 5, 3), time(12), 45)
    for seed in range(100):
        made = talk(seed, old)
        _, meant = getattr(made, act)()
        assert not meant.remove and made.entries == [meant.entry]
        for field in {"bare", "date", "time", "duration"} - {changed}:
            assert getattr(meant.entry, field) == getattr(old, field)


def test_later_and_earlier_move_across_midnight():
    due = set()
    for seed in range(400):
        said, meant = talk(seed, Entry("dinner", date(2023, 12, 31), time(23, 0)))._shift()
        if re.search(r"(?<!of )(?<!half )\b(an hour|one hour|1 hour|60 min|60 minutes)( later| earlier|$)", said):
            due.add((meant.entry.date, meant.entry.time))
    assert due == {(date(2024, 1, 1), time(0, 0)), (date(2023, 12, 31), time(22, 0))}


def test_a_cancelled_entry_is_gone_and_what_is_restored_is_back():
    entry = Entry("lunch", date(2023, 5, 3), time(12))
    made = talk(0, entry)
    _, meant = made._cancel_last()
    assert meant == Meant(entry, remove=True)
    made.entries, made.last = [], meant
    assert made._restore()[1] == Meant(entry)
    assert made.entries == [entry]


@pytest.mark.parametrize(
    ("meant", "written"),
    [
        (Meant(Entry("meeting with Anna", date(2024, 5, 3), time(9, 5), 45)),
         'action.add_calendar_entry("Meeting with Anna", date="2024-05-03", time="09:05", duration=45)'),
        (Meant(Entry("lunch", date(2023, 12, 1), time(12)), remove=True),
         'action.remove_calendar_entry("Lunch", "2023-12-01", "12:00")'),
    ],
)  # fmt: skip
def test_a_due_call_as_it_is_written(meant, written):
    assert str(meant) == written


@pytest.mark.parametrize("source", ["dialogues", "held_out"])
def test_every_due_call_reads_back_and_the_calendar_takes_its_arguments(request, source):
    replies = {str(meant) for talk in request.getfixturevalue(source)[:400] for _, _, meant in talk}
    for reply in replies - WORDS:
        reading = read_python(reply, CALENDAR.specs)
        assert (len(reading.calls), reading.problem) == (reply.count("action."), None), reply
        assert (reading.leniencies, reading.rest) == ((), ""), reply
        for call in reading.calls:
            values, coerced = CALENDAR.tool(call.tool).validate(call.arguments)
            assert coerced == () and values["title"] == call.arguments["title"], reply


@pytest.mark.parametrize("held_out", [False, True])
def test_the_calendar_can_do_whatever_is_due(held_out):
    """Replayed on a real calendar, each removal finds its entry. "Not that one" takes the last removal back first."""
    for seed in range(200):
        made = Talk(Random(seed), Words(held_out), PHRASES)
        box, last = Calendar(), ""
        for turn in range(8):
            act, _, meant = made.step()
            if act == "not_that":
                box.undo_sync(last)
            for place, call in enumerate(read_python(str(meant), box.specs).calls):
                last = f"c{turn}.{place}"
                result = box.run_sync(replace(call, id=last))
                assert result.ok, (made.entries, result.error)


def test_every_kind_of_request_is_made(dialogues):
    kinds = {kind for talk in dialogues for kind, _, _ in talk if not kind.startswith("complaint")}
    assert kinds == {
        "add", "relative", "relative_to", "duration", "time", "date", "duration_of", "time_of", "date_of", "shift",
        "rename", "person", "year", "cancel", "cancel_last", "restore", "not_that",
        "thanks", "cannot", "without_time", "without_day", "without_name", "answer", "which",
        "two", "cancel_two", "clear", "both", "both_of", "shift_days", "until", "rename_of", "again",
        "days", "three", "again_days", "group_time", "group_duration", "group_shift", "group_days", "group_one",
        "group_cancel", "shift_of", "until_of", "longer", "time_and_length", "span_to", "move_days", "weekday", "near",
        "word", "head", "revive", "without_both", "vague", "idle", "question",
    }  # fmt: skip
