"""From lines in words to full calls: values, edits, things, questions."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.extras.worlds.shop import Shop
from toolmend.language.resolve.background import Background, Computed
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.said import Said
from toolmend.language.resolve.standing import without_removed
from toolmend.reading.spoken import read_spoken
from toolmend.tools.toolboxes import Calendar

ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"
SPECS = Calendar().specs
NOW = dt.datetime(2023, 1, 1)
NAMED = {REMOVE: {"entry": "entry"}}
TEA = Call(ADD, {"title": "Tea", "date": "2025-06-08", "time": "15:00"}, "c1")
DENTIST = Call(ADD, {"title": "Dentist", "date": "2025-06-10", "time": "08:00", "duration": 60}, "c2")


def background(*calls: Call, **more: Any) -> Background:
    given = {"now": dt.datetime(2025, 1, 1), "hours": "07-19", "named": NAMED, **more}
    given.setdefault("things", {"entry": tuple(dict(call.arguments) for call in calls)})
    return Background(calls, **given)


def computed(reply: str, /, *calls: Call, **more: Any) -> Computed:
    return compute(read_spoken(reply, SPECS).lines, SPECS, background(*calls, **more))


def made(reply: str, /, *calls: Call, **more: Any) -> list[dict[str, Any]]:
    result = computed(reply, *calls, **more)
    assert result.question is None, result.question
    return [dict(call.arguments) for call in result.calls]


def test_words_become_values() -> None:
    text = 'add_calendar_entry(title="tea with Elsie", date="Sunday the 8th of June", time="half past three")'
    assert made(text) == [{"title": "tea with Elsie", "date": "2025-06-08", "time": "15:30"}]


def test_a_call_keeps_its_words_and_the_rules_that_computed_them() -> None:
    [call] = computed('add_calendar_entry(title="tea", date="8 June", time="noon")').calls
    assert call.said == {"title": "tea", "date": "8 June", "time": "noon"}
    assert set(call.rules) == {"date", "time"}


def test_every_value_means_itself() -> None:
    text = 'action.add_calendar_entry("Tea", date="2025-06-08", time="15:00", duration=45)'
    assert made(text) == [{"title": "Tea", "date": "2025-06-08", "time": "15:00", "duration": 45}]


def test_what_need_not_be_said_is_not_asked_for() -> None:
    text = 'add_calendar_entry(title="x", date="8 June 2025", time="noon", duration="?")'
    assert made(text) == [{"title": "x", "date": "2025-06-08", "time": "12:00"}]


def test_a_range_gives_time_and_duration() -> None:
    text = 'add_calendar_entry(title="x", date="tomorrow", time="from 2 till 3:30 pm")'
    assert made(text) == [{"title": "x", "date": "2025-01-02", "time": "14:00", "duration": 90}]


@pytest.mark.parametrize(
    ("words", "start", "minutes"),
    [("9 am to 1 pm", "09:00", 240), ("18 h to 21 h", "18:00", 180), ("10 to 16", "10:00", 360)],
)
def test_a_range_is_taken_whole_by_new_calls_and_by_changes(words: str, start: str, minutes: int) -> None:
    text = f'add_calendar_entry(title="x", date="tomorrow", time="{words}")'
    assert made(text) == [{"title": "x", "date": "2025-01-02", "time": start, "duration": minutes}]
    fair = Call(ADD, {"title": "Fair", "date": "2025-06-08", "time": "09:00", "duration": 420}, "c1")
    [changed] = made(f'change(time="{words}")', fair)
    assert (changed["time"], changed["duration"]) == (start, minutes)


def test_what_is_at_somebodys_is_named_so() -> None:
    text = 'add_calendar_entry(title="dinner at Luigi\'s", date="tomorrow", time="8 pm")'
    [arguments] = made(text, text="dinner at Luigi's, tomorrow at 8 pm")
    assert arguments["title"] == "dinner at Luigi's"


def test_the_end_gives_the_duration() -> None:
    text = 'add_calendar_entry(title="x", date="tomorrow", time="10 am", duration="until noon")'
    assert made(text) == [{"title": "x", "date": "2025-01-02", "time": "10:00", "duration": 120}]


def test_a_time_against_the_call_before_takes_its_day() -> None:
    [arguments] = made('add_calendar_entry(title="walk", time="an hour before")', TEA)
    assert (arguments["date"], arguments["time"]) == ("2025-06-08", "14:00")


def test_after_an_entry_is_at_its_end() -> None:
    [arguments] = made('add_calendar_entry(title="walk", date="10 June", time="after the dentist")', TEA, DENTIST)
    assert arguments["time"] == "09:00"


@pytest.mark.parametrize(
    "words", ["directly afterwards", "right afterwards", "immediately after that", "after this one"]
)
def test_right_after_the_last_entry_is_at_its_end(words: str) -> None:
    [arguments] = made(f'add_calendar_entry(title="walk", time="{words}")', DENTIST)
    assert (arguments["date"], arguments["time"]) == ("2025-06-10", "09:00")


def test_right_before_the_last_entry_it_is_over_when_that_begins() -> None:
    text = "journal club straight before it, 45 minutes"
    reply = 'add_calendar_entry(title="journal club", time="straight before it", duration="45 minutes")'
    [arguments] = made(reply, DENTIST, text=text)
    assert (arguments["date"], arguments["time"], arguments["duration"]) == ("2025-06-10", "07:15", 45)


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("the 3rd 4th and 5th of November", ["2025-11-03", "2025-11-04", "2025-11-05"]),
        ("the fourth the seventh and the ninth of July", ["2025-07-04", "2025-07-07", "2025-07-09"]),
        ("monday the twelfth to wednesday the fourteenth of may", ["2025-05-12", "2025-05-13", "2025-05-14"]),
        ("30–31 July", ["2025-07-30", "2025-07-31"]),
        ("From 1 to 2 September", ["2025-09-01", "2025-09-02"]),
        ("thu + sat", ["2025-01-02", "2025-01-04"]),
        ("Thu-Sat", ["2025-01-02", "2025-01-03", "2025-01-04"]),
        ("Thursday to Saturday", ["2025-01-02", "2025-01-03", "2025-01-04"]),
    ],
)
def test_days_that_are_listed_or_run_through_are_a_call_each(words: str, days: list[str]) -> None:
    calls = made(f'add_calendar_entry(title="x", date="{words}", time="noon")')
    assert [arguments["date"] for arguments in calls] == days


@pytest.mark.parametrize("words", ["Monday Friday", "mon wed"])
def test_two_weekdays_side_by_side_are_no_run_of_days(words: str) -> None:
    assert computed(f'add_calendar_entry(title="x", date="{words}", time="noon")').question is not None


def test_two_figures_are_no_run_of_days() -> None:
    assert computed('add_calendar_entry(title="x", date="7-10", time="noon")').question is not None


def test_the_next_morning_is_the_day_after() -> None:
    [arguments] = made('add_calendar_entry(title="walk", date="the next morning", time="9 am")', DENTIST)
    assert arguments["date"] == "2025-06-11"


@pytest.mark.parametrize(
    ("words", "time"), [("9 hours and 40 minutes in the morning", "09:40"), ("from 16 until 18 hour", "16:00")]
)
def test_hours_as_other_languages_count_them(words: str, time: str) -> None:
    [arguments] = made(f'add_calendar_entry(title="x", date="tomorrow", time="{words}")')
    assert arguments["time"] == time


def test_that_day_is_no_length() -> None:
    [arguments] = made('add_calendar_entry(title="check in", date="that day", time="15:00")', DENTIST)
    assert "duration" not in arguments


def test_the_year_said_elsewhere_in_the_sentence_counts() -> None:
    [arguments] = made('add_calendar_entry(title="x", date="8 June", time="noon")', text="in 2027, on 8 June at noon")
    assert arguments["date"] == "2027-06-08"


def test_a_change_amends_the_last_call_and_keeps_the_rest() -> None:
    [call] = computed('change(time="an hour later")', TEA, DENTIST).calls
    assert (call.amends, call.arguments) == ("c2", {**DENTIST.arguments, "time": "09:00"})


def test_a_change_of_an_earlier_call_by_its_words() -> None:
    [call] = computed('change(of="the tea", date="a day later")', TEA, DENTIST).calls
    assert (call.amends, call.arguments["date"]) == ("c1", "2025-06-09")


def test_a_change_of_both() -> None:
    calls = computed('change(of="both", date="a week later")', TEA, DENTIST).calls
    assert [(call.amends, call.arguments["date"]) for call in calls] == [("c1", "2025-06-15"), ("c2", "2025-06-17")]


def test_a_change_of_nothing_is_the_call_as_it_was() -> None:
    [call] = computed("change()", TEA).calls
    assert (call.amends, call.arguments) == ("c1", TEA.arguments)


def test_what_is_corrected_comes_before_what_stands() -> None:
    [call] = computed('change(time="4 pm")', DENTIST, amended=(TEA,)).calls
    assert call.amends == "c1"


def test_of_two_corrected_calls_the_other_is_made_again() -> None:
    calls = computed('change(of="the dentist", time="9 am")', amended=(TEA, DENTIST)).calls
    assert [(call.amends, call.arguments["time"]) for call in calls] == [("c1", "15:00"), ("c2", "09:00")]


def test_a_call_of_the_same_reply_is_changed_in_place() -> None:
    assert made('add_calendar_entry(title="x", date="8 June", time="noon")\nchange(time="an hour later")') == [
        {"title": "x", "date": "2025-06-08", "time": "13:00"}
    ]


def test_again_makes_another_call_beside_the_old() -> None:
    [call] = computed('again(date="the day after")', TEA).calls
    assert (call.amends, call.arguments["date"], call.arguments["time"]) == (None, "2025-06-09", "15:00")


def test_undo_names_the_call() -> None:
    assert computed("undo()", TEA, DENTIST).undo == ("c2",)
    assert computed('undo(of="the tea")', TEA, DENTIST).undo == ("c1",)


def test_a_removal_taken_back_makes_the_call_anew() -> None:
    removal = Call(REMOVE, {"title": "Tea", "date": "2025-06-08", "time": "15:00"}, "c2")
    calls, gone = without_removed((TEA, removal), SPECS, NAMED)
    assert (calls, gone) == ((removal,), (TEA,))
    result = computed("undo()", *calls, gone=gone)
    assert ([call.arguments for call in result.calls], result.undo) == ([TEA.arguments], ())


def test_a_thing_is_named_by_words() -> None:
    [call] = computed('remove_calendar_entry(entry="the dentist")', TEA, DENTIST).calls
    assert call.arguments == {"title": "Dentist", "date": "2025-06-10", "time": "08:00"}


def test_it_is_what_was_spoken_of_last() -> None:
    things = {"entry": (dict(TEA.arguments), {"title": "Fair", "date": "2025-07-01", "time": "10:00"})}
    [call] = computed('remove_calendar_entry(entry="it")', TEA, things=things).calls
    assert call.arguments["title"] == "Tea"


def test_all_things_are_taken_by_one_line() -> None:
    assert len(computed('remove_calendar_entry(entry="everything")', TEA, DENTIST).calls) == 2


def test_a_full_removal_stays_what_it_is() -> None:
    text = 'remove_calendar_entry(title="Tea", date="2025-06-08", time="15:00")'
    assert made(text, TEA, DENTIST) == [{"title": "Tea", "date": "2025-06-08", "time": "15:00"}]


def test_not_that_thing_but_another() -> None:
    removal = Call(REMOVE, {"title": "Tea", "date": "2025-06-08", "time": "15:00"}, "c3")
    things = {"entry": (dict(TEA.arguments), dict(DENTIST.arguments))}
    [call] = computed('change(entry="the dentist")', DENTIST, amended=(removal,), things=things).calls
    assert (call.amends, call.arguments["title"]) == ("c3", "Dentist")


def test_what_is_corrected_and_not_wanted_is_undone() -> None:
    result = computed('remove_calendar_entry(entry="it")', DENTIST, amended=(TEA,))
    assert (result.calls, result.undo) == ((), ("c1",))


def test_a_thing_is_given_by_its_first_value() -> None:
    shop = Shop()
    things = {kind: tuple(each) for kind, each in shop.things().items()}
    given = Background(things=things, named={"shop.cancel_order": {"order": "order"}})
    [call] = compute(read_spoken('cancel_order(order="the one of Luis")', shop.specs).lines, shop.specs, given).calls
    assert call.arguments == {"order": 104}


def test_what_nothing_is_called_is_left_to_the_tool() -> None:
    shop = Shop()
    given = Background(
        things={"order": ({"order": 1, "customer": "Ada"},)}, named={"shop.show_order": {"order": "order"}}
    )
    [call] = compute(read_spoken('show_order(order="77")', shop.specs).lines, shop.specs, given).calls
    assert call.arguments == {"order": 77}


@pytest.mark.parametrize(
    ("text", "argument", "candidates"),
    [
        ('add_calendar_entry(title="x", date="8 June", time="?")', "time", ()),
        ('add_calendar_entry(title="x", date="8 June")', "time", ()),
        ('add_calendar_entry(title="x", date="8 June", time="at 7")', "time", ("07:00", "19:00")),
        ('change(of="the opera", time="noon")', "of", ()),
        ('remove_calendar_entry(entry="the opera")', "entry", ()),
    ],
)
def test_what_is_open_is_asked(text: str, argument: str, candidates: tuple[str, ...]) -> None:
    question = computed(text, TEA, DENTIST).question
    assert question is not None
    assert (question.argument, question.candidates) == (argument, candidates)


@pytest.mark.parametrize("text", ["undo()", 'change(time="noon")'])
def test_where_nothing_was_called_it_is_asked_what_is_meant(text: str) -> None:
    question = computed(text).question
    assert question is not None
    assert question.argument == "of"


def test_a_question_stops_every_line_and_the_answer_makes_them_all() -> None:
    first = 'add_calendar_entry(title="a", date="8 June", time="9 am")'
    asked = computed(f'{first}\nadd_calendar_entry(title="b", date="9 June", time="?")')
    assert (asked.calls, asked.question is not None) == ((), True)
    arguments = made('change(time="at four")', open=asked.open)
    assert [(each["title"], each["time"]) for each in arguments] == [("a", "09:00"), ("b", "16:00")]


@pytest.mark.parametrize("words", ["in the evening", "pm", "the second", "7 pm"])
def test_an_answer_chooses_among_what_was_offered(words: str) -> None:
    asked = computed('add_calendar_entry(title="x", date="8 June", time="at 7")')
    assert [each["time"] for each in made(f'change(time="{words}")', open=asked.open)] == ["19:00"]


def test_an_answer_chooses_among_things() -> None:
    other = Call(ADD, {"title": "Dentist", "date": "2025-06-17", "time": "10:00"}, "c3")
    asked = computed('remove_calendar_entry(entry="the dentist")', TEA, DENTIST, other)
    assert asked.question is not None
    assert len(asked.question.candidates) == 2
    arguments = made('change(entry="the one at 10")', TEA, DENTIST, other, open=asked.open)
    assert arguments == [{"title": "Dentist", "date": "2025-06-17", "time": "10:00"}]


def test_a_new_call_forgets_the_question() -> None:
    asked = computed('add_calendar_entry(title="x", date="8 June", time="?")')
    assert made('add_calendar_entry(title="y", date="9 June", time="noon")', open=asked.open)[0]["title"] == "y"


def test_without_being_whole_a_call_goes_as_far_as_it_goes() -> None:
    lines = read_spoken('add_calendar_entry(title="x")', SPECS).lines
    assert compute(lines, SPECS, background(), whole=False).calls[0].arguments == {"title": "x"}


@pytest.mark.parametrize(
    "text",
    ["change()", "undo()", 'change(of="x", a="b")', "add_calendar_entry()", 'change(duration="long")', "again()"],
)
def test_nothing_that_is_said_raises(text: str) -> None:
    for calls in ((), (TEA,), (TEA, DENTIST)):
        computed(text, *calls)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"date": "New entry", "time": "2 pm"}, "New entry, 5 May 2023, 2 pm"),
        ({"date": "?", "time": "2 pm"}, "on 5 May 2023 at 2 pm"),
        ({"time": "2 pm"}, "2 pm on 5 May 2023"),
    ],
)
def test_a_day_that_was_said_counts_whatever_the_reply_has_for_it(words: dict[str, str], sentence: str) -> None:
    computed = compute([Said(ADD, {"title": "gym", **words})], SPECS, Background(text=sentence, now=NOW))
    assert [call.arguments["date"] for call in computed.calls] == ["2023-05-05"]


def test_a_day_that_another_argument_holds_was_not_said() -> None:
    said = Said(ADD, {"title": "Review of 5 May 2023", "time": "2 pm"})
    computed = compute([said], SPECS, Background(text="Review of 5 May 2023 at 2 pm", now=NOW))
    assert computed.question is not None
    assert computed.question.argument == "date"


def test_each_day_of_a_list_is_a_call() -> None:
    said = Said(ADD, {"title": "swim", "date": "the 6th and the 13th of May 2023", "time": "9 am"})
    computed = compute([said], SPECS, Background(now=NOW))
    assert [call.arguments["date"] for call in computed.calls] == ["2023-05-06", "2023-05-13"]


@pytest.mark.parametrize(
    ("words", "start", "minutes"),
    [
        ("6.45 to 14.45", "06:45", 480),
        ("13:30 till half nine", "13:30", 480),
        ("8pm till 11", "20:00", 180),
        ("1 to 5", "13:00", 240),
    ],
)
def test_a_range_ends_when_that_time_comes_next(words: str, start: str, minutes: int) -> None:
    [call] = made(f'add_calendar_entry(title="Shift", date="8 June", time="{words}")')
    assert (call["time"], call["duration"]) == (start, minutes)


@pytest.mark.parametrize(
    ("words", "sentence", "day"),
    [
        ("exactly one week", "The tea has been put off by exactly one week.", "2025-06-15"),
        ("by two days", "Can you bring the tea forward by two days?", "2025-06-06"),
    ],
)
def test_a_length_alone_is_what_the_sentence_moves_a_day_by(words: str, sentence: str, day: str) -> None:
    assert made(f'change(date="{words}")', TEA, text=sentence)[0]["date"] == day


def test_a_time_in_digits_is_as_written_where_the_day_has_no_habit() -> None:
    spec = ToolSpec("walk", "", {"type": "object", "properties": {"at": {"type": "string", "format": "time"}}})
    lines = read_spoken('walk(at="7:30")', [spec]).lines
    assert [call.arguments for call in compute(lines, [spec], Background(text="walk at 7:30")).calls] == [
        {"at": "07:30"}
    ]
