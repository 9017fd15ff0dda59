"""Several things at once keep what is said of them; a word that is not understood is asked about."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from toolmend.base.messages import Call
from toolmend.language.resolve.background import Background, Computed
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.filters import filtered, says_several
from toolmend.reading.spoken import read_spoken
from toolmend.strategies.spoken_question import sentence
from toolmend.tools.toolboxes import Calendar

ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"
SPECS = Calendar().specs
SATURDAY = dt.datetime(2026, 11, 28, 10)
ROWS = [
    ("Lunch with Fred", "2026-12-04", "12:00"),
    ("Dentist", "2026-12-01", "09:00"),
    ("Yoga", "2026-12-01", "18:00"),
    ("Standup", "2026-12-02", "09:00"),
    ("Lunch", "2026-12-03", "12:00"),
    ("Call with Fred", "2026-12-09", "16:00"),
    ("Christmas party", "2026-12-18", "19:00"),
]
THINGS = [dict(zip(("title", "date", "time"), row, strict=True)) for row in ROWS]
CALLS = tuple(Call(ADD, {**thing, "duration": 30}, f"c{place}") for place, thing in enumerate(THINGS, 1))

# Made up for this test, after a report: what is said, and the places of the things that are meant.
SAID = [
    ("everything on Tuesday", (1, 2)),
    ("all lunches but Friday's", (4,)),
    ("both lunches", (0, 4)),
    ("everything with Fred", (0, 5)),
    ("everything before noon", (1, 3)),
    ("everything after 5 pm", (2, 6)),
    ("everything between 9 and 11 am", (1, 3)),
    ("all on Tuesday and Thursday", (1, 2, 4)),
    ("everything from Monday to Wednesday", (1, 2, 3)),
    ("everything before Thursday", (1, 2, 3)),
    ("everything until Thursday", (1, 2, 3, 4)),
    ("everything on Tuesday except the yoga", (1,)),
    ("everything on Tuesday morning", (1,)),
    ("everything next week", (0, 1, 2, 3, 4)),
    ("all in December but the party", (0, 1, 2, 3, 4, 5)),
    ("everything on the 1st and the 2nd of December", (1, 2, 3)),
    ("the whole 9th", (5,)),
    ("Clear Tuesday", (1, 2)),
    ("every Tuesday", (1, 2)),
    ("all calls and lunches", (0, 4, 5)),
    ("the last two", (5, 6)),
    ("both of the other lunches", (0, 4)),
    ("all my appointments this weekend", ()),
    ("everything on Sunday", ()),
]


@pytest.mark.parametrize(("phrase", "places"), SAID)
def test_what_is_said_of_them_holds(phrase: str, places: tuple[int, ...]) -> None:
    assert says_several(phrase, THINGS)
    found = filtered(phrase, THINGS, SATURDAY, "07-19")
    assert (found.places, found.filtering, found.unread) == (places, True, ())


@pytest.mark.parametrize(
    ("phrase", "unread"),
    [
        ("everything with Anna", ("Anna",)),
        ("all long meetings", ("long",)),
        ("everything urgent", ("urgent",)),
        ("everything on Friday that's work related", ("work", "related")),
        ("all three lunches", ("three",)),
        ("everything but the opera", ("opera",)),
        ("all the recurring ones", ("recurring",)),
        ("every unconfirmed booking", ("unconfirmed",)),
        ("all others", ("others",)),
        ("everything that Ruth asked for on Tuesday", ("Ruth", "asked")),
    ],
)
def test_a_word_that_is_not_understood_is_given_back(phrase: str, unread: tuple[str, ...]) -> None:
    assert filtered(phrase, THINGS, SATURDAY, "07-19").unread == unread


@pytest.mark.parametrize("words", ["the dentist", "it", "the all-day meeting", "the lunch on Friday", "the fifth"])
def test_one_thing_is_not_several(words: str) -> None:
    assert not says_several(words.replace("meeting", "fair"), THINGS)


def computed(reply: str, text: str, **more: Any) -> Computed:
    given = {"now": SATURDAY, "hours": "07-19", "named": {REMOVE: {"entry": "entry"}}, "text": text, **more}
    things = {"entry": tuple(dict(call.arguments) for call in CALLS)}
    return compute(read_spoken(reply, SPECS).lines, SPECS, Background(CALLS, things=things, **given))


@pytest.mark.parametrize(
    ("text", "words", "titles"),
    [
        ("Cancel everything on Tuesday", "everything", ["Dentist", "Yoga"]),
        ("Please cancel everything on Tuesday, I'm ill", "everything on Tuesday", ["Dentist", "Yoga"]),
        ("Cancel all lunches but Friday's", "all lunches", ["Lunch"]),
        ("Clear Tuesday", "Tuesday", ["Dentist", "Yoga"]),
        ("Delete my lunches next week", "my lunches", ["Lunch with Fred", "Lunch"]),
        ("Drop everything with Fred and book yoga on Monday at 9", "everything", ["Lunch with Fred", "Call with Fred"]),
    ],
)
def test_the_words_are_read_with_what_their_sentence_says_of_them(text: str, words: str, titles: list[str]) -> None:
    calls = computed(f'remove_calendar_entry(entry="{words}")', text).calls
    assert sorted(call.arguments["title"] for call in calls) == sorted(titles)


def test_what_is_not_understood_is_never_all_but_a_question() -> None:
    result = computed('remove_calendar_entry(entry="everything")', "Cancel everything that Anna asked for")
    assert result.calls == ()
    assert result.question is not None
    told = sentence(result.question, SPECS)
    assert told.startswith("'Anna', 'asked' was not understood. Which of these: the Dentist on 2026-12-01 at 09:00,")


def test_where_nothing_is_there_nothing_is_done() -> None:
    result = computed('remove_calendar_entry(entry="everything")', "Cancel everything on Sunday")
    assert result.calls == ()
    assert result.question is not None
    assert sentence(result.question, SPECS) == "There is nothing like 'Cancel everything on Sunday'."


@pytest.mark.parametrize(
    ("text", "reply", "changed"),
    [
        ("Move everything on Tuesday to Wednesday", 'change(of="everything", date="Wednesday")', {"c2", "c3"}),
        ("All lunches an hour later", 'change(of="all lunches", time="an hour later")', {"c1", "c5"}),
        ("Both of Tuesday's start at 5 pm", 'change(of="both of Tuesday\'s", time="5 pm")', {"c2", "c3"}),
    ],
)
def test_a_change_of_several_keeps_what_is_said_of_them(text: str, reply: str, changed: set[str]) -> None:
    assert {call.amends for call in computed(reply, text).calls} == changed


def test_a_removal_of_this_reply_is_not_given_another_day() -> None:
    reply = 'remove_calendar_entry(entry="all lunches")\nchange(date="Friday")'
    [call] = computed(reply, "Cancel all lunches but Friday's").calls
    assert call.arguments == THINGS[4]


def test_a_thing_that_is_on_another_day_is_asked_about() -> None:
    for reply in ('entry="the dentist on Friday"', 'entry="the dentist", date="Friday"'):
        result = computed(f"remove_calendar_entry({reply})", "Cancel the dentist on Friday")
        assert (result.calls, result.question is not None) == ((), True)


@pytest.mark.parametrize(
    "words", ["the dentist on Tuesday", "the dentist at 9", "the one on the 2nd", "Friday's lunch"]
)
def test_a_thing_that_is_there_as_said_is_not(words: str) -> None:
    result = computed(f'remove_calendar_entry(entry="{words}")', f"Cancel {words}")
    assert (len(result.calls), result.question) == (1, None)
