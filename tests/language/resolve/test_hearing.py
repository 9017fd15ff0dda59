"""What a sentence says beyond the words that were copied: edges, what was left out, what was misheard."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from toolmend.base.messages import Call
from toolmend.language.resolve.background import Background, Computed
from toolmend.language.resolve.calls import compute
from toolmend.reading.spoken import read_spoken
from toolmend.tools.toolboxes import Calendar

ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"
SPECS = Calendar().specs
CONCERT = Call(ADD, {"title": "Concert", "date": "2025-10-09", "time": "19:00", "duration": 120}, "c1")
PARTY = Call(ADD, {"title": "Party with Ines", "date": "2025-12-31", "time": "22:45"}, "c2")


def heard(text: str, reply: str, *calls: Call, **more: Any) -> Computed:
    things = {"entry": tuple(dict(call.arguments) for call in calls)}
    named = {REMOVE: {"entry": "entry"}}
    given = {"now": dt.datetime(2025, 1, 1), "hours": "07-19", "named": named, "things": things, **more}
    return compute(read_spoken(reply, SPECS).lines, SPECS, Background(calls, text=text, **given))


def values(text: str, reply: str, *calls: Call, **more: Any) -> list[tuple[Any, ...]]:
    computed = heard(text, reply, *calls, **more)
    assert computed.question is None, computed.question
    return [tuple(call.arguments.values()) for call in computed.calls]


@pytest.mark.parametrize(
    ("text", "reply", "expected"),
    [
        (
            "roof repair friday 17 january 2025 at 8 am",
            'title="repair friday", date="17 january", time="8 am"',
            ("roof repair", "2025-01-17", "08:00"),
        ),
        (
            "Year-end party on 5 May, 4 pm",
            'title="party", date="5 May", time="4 pm"',
            ("Year-end party", "2025-05-05", "16:00"),
        ),
        (
            "put um the plumber in on 5 may at 4 pm",
            'title="um the plumber", date="5 may", time="4 pm"',
            ("plumber", "2025-05-05", "16:00"),
        ),
        (
            "so may fifth four p m bowling with the twins",
            'title="may fifth bowling with the twins", date="july five", time="four p m"',
            ("bowling with the twins", "2025-05-05", "16:00"),
        ),
        (
            "Confirmed: ballet on 5 May at 4 pm",
            'title="ballet", date="5 May", time="4 pm"',
            ("ballet", "2025-05-05", "16:00"),
        ),
    ],
)
def test_words_end_where_the_sentence_ends_them(text: str, reply: str, expected: tuple[str, ...]) -> None:
    assert values(text, f"add_calendar_entry({reply})") == [expected]


@pytest.mark.parametrize(
    ("text", "reply", "expected"),
    [
        ("Drinks at quarter to ten that night", 'title="Drinks", time="quarter to ten"', ("2025-10-09", "21:45")),
        ("And tea with Bo before that, at 5.", 'title="tea with Bo", time="before that"', ("2025-10-09", "17:00")),
        (
            "ironing the evening before, eight o'clock",
            'title="ironing", time="the evening before", duration="two o\'clock"',
            ("2025-10-08", "20:00"),
        ),
        ("hike one day after, same time", 'title="hike one day after", date="one day after"', ("2025-10-10", "19:00")),
        ("ten days after that uh lunch five p m", 'title="lunch", date="five p m"', ("2025-10-19", "17:00")),
        ("Then a nap exactly at midnight", 'title="nap", date="exactly at midnight"', ("2025-10-10", "00:00")),
    ],
)
def test_a_new_entry_is_said_against_the_one_before(text: str, reply: str, expected: tuple[str, ...]) -> None:
    [(_, *rest)] = values(text, f"add_calendar_entry({reply})", CONCERT)
    assert tuple(rest) == expected


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("Add a 45 minute snack on 5 May at noon", 45),
        ("Add a snack on 5 May at noon for half an hour", 30),
        ("Add a snack on 5 May at noon, remind me 20 minutes before", None),
        ("Add a snack on 5 May at noon, in 20 minutes I am gone", None),
    ],
)
def test_a_length_that_was_left_out(text: str, duration: int | None) -> None:
    [call] = heard(text, 'add_calendar_entry(title="snack", date="5 May", time="noon")').calls
    assert call.arguments.get("duration") == duration


def test_an_answer_finds_the_words_as_the_sentence_had_them() -> None:
    asked = heard("roof repair friday 17 january 2026", 'add_calendar_entry(title="repair friday", date="17 january")')
    assert values("8 am", 'change(time="8 am")', open=asked.open) == [("roof repair", "2026-01-17", "08:00")]


GALA = Call(ADD, {"title": "Gala", "date": "2025-09-06", "time": "09:00"}, "c3")
LATER_GALA = Call(ADD, {"title": "Gala", "date": "2025-09-13", "time": "09:00"}, "c4")
DINNER = Call(ADD, {"title": "Dinner", "date": "2025-09-06", "time": "18:00"}, "c5")
GONE = Call(REMOVE, {"title": "Dinner", "date": "2025-09-06", "time": "18:00"}, "c6")


@pytest.mark.parametrize(
    ("text", "entry", "calls", "expected"),
    [
        ("Scrap the second one of those.", "one of those", (GALA, LATER_GALA), ("Gala", "2025-09-13", "09:00")),
        ("The dinner is too dear, skip all this", "all this", (DINNER, GALA), ("Dinner", "2025-09-06", "18:00")),
        ("Dinner won't happen. Take it off.", "it", (DINNER, GALA), ("Dinner", "2025-09-06", "18:00")),
        ("keep the tea, I meant the dinner", "the tea", (DINNER, GALA), ("Dinner", "2025-09-06", "18:00")),
        ("Something came up. Take it off.", "it", (DINNER, GALA), ("Gala", "2025-09-06", "09:00")),
    ],
)
def test_a_thing_is_told_by_the_sentence(
    text: str, entry: str, calls: tuple[Call, ...], expected: tuple[str, ...]
) -> None:
    assert values(text, f'remove_calendar_entry(entry="{entry}")', *calls, recent=2) == [expected]


def test_everything_that_is_corrected_moves_by_its_own_time() -> None:
    calls = heard("Everything starts an hour later", 'change(time="an hour later")', amended=(GALA, DINNER)).calls
    assert [(call.amends, call.arguments["time"]) for call in calls] == [("c3", "10:00"), ("c5", "19:00")]


@pytest.mark.parametrize("of", ["two days later", "the title"])
def test_words_for_a_call_that_name_none_leave_it_the_corrected_one(of: str) -> None:
    [call] = heard("No, two days later", f'change(of="{of}", date="two days later")', GALA, amended=(DINNER,)).calls
    assert (call.amends, call.arguments["date"]) == ("c5", "2025-09-08")


def test_words_for_several_calls_are_no_day() -> None:
    reply = 'change(of="those two", date="those two", time="seven in the evening")'
    calls = heard("Those two at seven in the evening", reply, GALA, LATER_GALA).calls
    assert [(call.arguments["date"], call.arguments["time"]) for call in calls] == [
        ("2025-09-06", "19:00"),
        ("2025-09-13", "19:00"),
    ]


def test_again_makes_no_removal_again() -> None:
    assert values("Same on Friday", 'again(date="Friday")', GALA, GONE) == [("Gala", "2025-09-12", "09:00")]


def test_a_thing_that_was_asked_for_may_be_named_as_one_to_change() -> None:
    asked = heard("Cancel the one on the 6th", 'remove_calendar_entry(entry="the one on the 6th")', GALA, DINNER)
    reply = 'change(of="the dinner", title="dinner")'
    assert values("The dinner", reply, GALA, DINNER, open=asked.open) == [("Dinner", "2025-09-06", "18:00")]


def test_a_removal_that_the_sentence_names_is_taken_back() -> None:
    known = (GALA, GONE)
    assert values("The tour is off! I want dinner back", 'undo(of="the tour")', *known, gone=(DINNER,)) == [
        ("Dinner", "2025-09-06", "18:00")
    ]


SPRING = Call(ADD, {"title": "Stocktaking", "date": "2025-04-30", "time": "16:00"}, "c7", said={"date": "the 30th"})
SUMMER = Call(ADD, {"title": "Stocktaking", "date": "2025-06-30", "time": "16:00"}, "c8")


@pytest.mark.parametrize(
    ("text", "reply", "expected"),
    [
        (
            "Tax day two days after the April stocktaking, at 9 am",
            'title="Tax day", date="two days after", time="9 am"',
            ("Tax day", "2025-05-02", "09:00"),
        ),
        (
            "rehearsal one hour before the concert, 45m",
            'title="rehearsal one hour before the concert", time="45m"',
            ("rehearsal", "2025-10-09", "18:00", 45),
        ),
        (
            "gym the second Monday of that June at 17:00",
            'title="gym", date="Monday of that June", time="17:00"',
            ("gym", "2025-06-09", "17:00"),
        ),
        (
            "the lease ends in August 2026, so put pastport office on its very first day, 8 am",
            'title="papper office", date="put pastport office", time="8 am"',
            ("pastport office", "2026-08-01", "08:00"),
        ),
        (
            "uh lunch the same day at one thirty ninety minutes",
            'title="uh lunch", date="the same day", time="one thirty ninety minutes"',
            ("lunch", "2025-06-30", "13:30", 90),
        ),
        (
            "movers january the twentieth next i mean twenty twenty six quarter to eight a m",
            'title="movers", date="twenty twenty six quarter to eight a m", '
            'time="twenty twenty six quarter to eight a m"',
            ("movers", "2026-01-20", "07:45"),
        ),
        (
            "soup same day at noon no not noon at one",
            'title="soup", date="same day", time="noon at one"',
            ("soup", "2025-06-30", "13:00"),
        ),
        ("jump on the next leap day, 7 am", 'title="jump", date="the next leap day", time="7 am"',
         ("jump", "2028-02-29", "07:00")),
    ],
)  # fmt: skip
def test_a_day_or_time_is_found_whole(text: str, reply: str, expected: tuple[Any, ...]) -> None:
    assert values(text, f"add_calendar_entry({reply})", SPRING, CONCERT, SUMMER) == [expected]


def test_of_two_times_the_one_that_is_refused_is_not_meant() -> None:
    [call] = heard("no not four make it four fifty", 'change(time="four make it four fifty")', SPRING).calls
    assert call.arguments["time"] == "16:50"


def test_a_correction_is_said_against_what_the_corrected_words_were() -> None:
    rehearsal = {"title": "Rehearsal", "date": "2025-10-09", "time": "18:00"}
    wrong = Call(ADD, rehearsal, "c9", said={"time": "one hour before the concert"})
    [call] = heard("no, two hours before", 'change(time="two hours before")', CONCERT, amended=(wrong,)).calls
    assert call.arguments["time"] == "17:00"


def test_after_the_end_of_a_year_comes_the_next() -> None:
    reply = 'add_calendar_entry(title="walk", date="New Year\'s Day", time="2 pm")'
    assert values("New Year's Day walk, 2 pm", reply, PARTY) == [("walk", "2026-01-01", "14:00")]


def test_it_lasts_as_long_as_the_one_before() -> None:
    reply = 'add_calendar_entry(title="tea", date="the same day", time="noon")'
    assert values("tea the same day at noon, just as long", reply, CONCERT) == [("tea", "2025-10-09", "12:00", 120)]


def test_a_change_of_nothing_is_a_removal_where_it_can_go() -> None:
    calls = heard("the concert that day can go", 'change(of="the concert", date="the 9th")', CONCERT).calls
    assert [(call.tool, call.arguments["title"]) for call in calls] == [(REMOVE, "Concert")]


def test_an_answer_keeps_the_day_that_the_question_was_about() -> None:
    asked = heard("And put the ranking in for the 12th.", 'change(title="ranking")', CONCERT)
    assert asked.question is not None
    assert asked.question.argument == "time"
    assert values("nine", 'change(time="nine")', CONCERT, open=asked.open) == [("ranking", "2025-10-12", "09:00")]


def test_a_word_at_the_beginning_of_a_sentence_joins_nothing() -> None:
    said = values(
        "Please also schedule a follow-up a week later.", 'again(title="follow-up", date="a week later")', CONCERT
    )
    assert said == [("follow-up", "2025-10-16", "19:00", 120)]


def test_a_refusal_before_a_time_is_no_new_thing() -> None:
    assert values("nah 7pm", 'change(time="7pm")', PARTY) == [("Party with Ines", "2025-12-31", "19:00")]


@pytest.mark.parametrize(
    ("text", "title", "heard_as"),
    [
        ("n pizza with Bo tomorrow 8 pm", "pizza with Bo", "pizza with Bo"),
        ("& pizza with Bo tomorrow 8 pm", "pizza with Bo", "pizza with Bo"),
        ("League match A2. tomorrow 8 pm", "League match A2. tomorrow", "League match A2"),
        ("Squeeze in a roof check tomorrow 8 pm", "Squeeze in a roof check", "roof check"),
        ("Gotta clean the gutter tomorrow 8 pm", "Gotta clean the gutter", "clean the gutter"),
        ("Note taking course tomorrow 8 pm", "Note taking course", "Note taking course"),
    ],
)
def test_what_orders_or_joins_an_entry_is_no_part_of_its_name(text: str, title: str, heard_as: str) -> None:
    reply = f'add_calendar_entry(title="{title}", date="tomorrow", time="8 pm")'
    [call] = heard(text, reply).calls
    assert call.arguments["title"] == heard_as


def test_the_part_of_the_day_that_stands_before_a_time_is_its_half() -> None:
    reply = 'add_calendar_entry(title="swim", date="Tomorrow", time="5:45")'
    [call] = heard("Tomorrow morning at 5:45: swim", reply, hours="07-19").calls
    assert call.arguments["time"] == "05:45"


def test_a_time_that_a_correction_takes_up_is_not_heard_anew() -> None:
    reply = 'add_calendar_entry(title="Radio", date="9 June", time="quarter past eleven")'
    before = "Radio on 9 June, quarter past eleven"
    [made] = values("There were two interviews in that sentence.", reply, amended=(CONCERT,), before=before)
    assert made[2] == "11:15"
