"""The calendar world: adding, removing, refusing, and taking back."""

import datetime as dt
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.errors import BadFile, ToolError
from toolmend.base.messages import Call, CallResult
from toolmend.tools.toolboxes.calendar import Calendar, Entry

DAY = dt.date(2024, 11, 11)
FRED = Entry("Meeting with Fred", DAY, dt.time(17))
CONCERT = Entry("Rock Concert", DAY, dt.time(20), 180)
ADD = "action.add_calendar_entry"
REMOVE = "action.remove_calendar_entry"


def arguments(entry: Entry, *, duration: bool = True) -> dict[str, Any]:
    plain = entry.to_json()
    return plain if duration else {name: plain[name] for name in ("title", "date", "time")}


def add(entry: Entry, call_id: str = "") -> Call:
    return Call(ADD, arguments(entry), call_id)


def remove(entry: Entry, call_id: str = "") -> Call:
    return Call(REMOVE, arguments(entry, duration=False), call_id)


def test_the_api_is_that_of_the_experiment() -> None:
    first, second = Calendar().specs
    assert (first.full_name, list(first.properties), first.required) == (
        ADD,
        ["title", "date", "time", "duration"],
        ("title", "date", "time"),
    )
    assert (second.full_name, list(second.properties), second.required) == (
        REMOVE,
        ["title", "date", "time"],
        ("title", "date", "time"),
    )


def test_formats_defaults_and_units_are_in_the_schema() -> None:
    properties = Calendar().specs[0].properties
    assert properties["date"]["format"] == "date"
    assert properties["time"]["format"] == "time"
    assert properties["duration"] == {
        "type": "integer",
        "default": 30,
        "description": "how long it lasts, in minutes",
    }
    assert "YYYY-MM-DD" in properties["date"]["description"]
    assert "HH:MM" in properties["time"]["description"]


def test_adding_answers_with_the_entry() -> None:
    calendar = Calendar()
    result = calendar.run_sync(
        Call(ADD, {"title": "Rock Concert", "date": "2024-11-11", "time": "20:00", "duration": 180}, "c1")
    )
    assert result == CallResult("c1", {"title": "Rock Concert", "date": "2024-11-11", "time": "20:00", "duration": 180})
    assert calendar.entries == [CONCERT]


def test_half_an_hour_is_the_default() -> None:
    calendar = Calendar()
    calendar.run_sync(Call(ADD, arguments(FRED, duration=False)))
    assert calendar.entries == [FRED]


def test_a_duration_in_quotes_is_taken_and_said() -> None:
    result = Calendar().run_sync(Call(ADD, {**arguments(FRED), "duration": "30"}))
    assert result.coerced == ("duration: '30' -> 30",)


def test_entries_stand_in_the_order_of_time() -> None:
    calendar = Calendar()
    for entry in (CONCERT, FRED):
        calendar.run_sync(add(entry))
    assert calendar.entries == [FRED, CONCERT]


def test_equal_entries_are_equal_states_whatever_the_order() -> None:
    assert Calendar([FRED, CONCERT]).state() == Calendar([CONCERT, FRED]).state()


def test_the_list_of_entries_is_a_copy() -> None:
    calendar = Calendar([FRED])
    calendar.entries.clear()
    assert calendar.entries == [FRED]


def test_removing_answers_with_the_entry() -> None:
    calendar = Calendar([FRED, CONCERT])
    assert calendar.run_sync(remove(CONCERT)).value == CONCERT.to_json()
    assert calendar.entries == [FRED]


@pytest.mark.parametrize("title", ["rock concert", " ROCK   Concert", "Rock\tConcert"])
def test_removing_by_a_title_that_a_person_would_call_the_same(title: str) -> None:
    calendar = Calendar([CONCERT])
    assert calendar.run_sync(Call(REMOVE, {"title": title, "date": "2024-11-11", "time": "20:00"})).ok


def test_titles_compare_after_composition() -> None:
    calendar = Calendar([Entry("Cafe\u0301", DAY, dt.time(9))])
    assert calendar.run_sync(Call(REMOVE, {"title": "CAF\u00c9", "date": "2024-11-11", "time": "09:00"})).ok


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"date": "2024-02-30"}, "argument 'date': '2024-02-30' is no day of the calendar; should be a date as"),
        ({"date": "11/11/2024"}, "argument 'date': should be a date as YYYY-MM-DD, got '11/11/2024'"),
        ({"date": "Nov 11"}, "argument 'date': should be a date as YYYY-MM-DD, got 'Nov 11'"),
        ({"date": 2024}, "argument 'date': should be a date as YYYY-MM-DD, got 2024"),
        ({"time": "25:00"}, "argument 'time': '25:00' is no time of day; should be a time of day as HH:MM"),
        ({"time": "5PM"}, "argument 'time': should be a time of day as HH:MM (24 hours), got '5PM'"),
        ({"time": 1020}, "argument 'time': should be a time of day as HH:MM (24 hours), got 1020"),
        ({"time": "17:00Z"}, "time: should be hours and minutes without a time zone (HH:MM)"),
        ({"time": "17:00:30"}, "time: should be hours and minutes without a time zone (HH:MM)"),
        ({"duration": -30}, "duration: should be 1 to 10080 minutes (7 days), got -30"),
        ({"duration": 0}, "duration: should be 1 to 10080 minutes (7 days), got 0"),
        ({"duration": 10081}, "duration: should be 1 to 10080 minutes (7 days), got 10081"),
        ({"duration": True}, "argument 'duration': should be a valid integer, got True"),
        ({"duration": "60*3"}, "argument 'duration': should be a valid integer, got '60*3'"),
        ({"title": " "}, "title: an entry needs a title"),
        ({"title": "a\x00b"}, "title: it holds a control character"),
        ({"where": "here"}, "there is no argument 'where' (it takes title, date, time, duration)"),
    ],
)
def test_what_is_refused_leaves_the_calendar_as_it_was(changed: dict[str, Any], text: str) -> None:
    calendar = Calendar([CONCERT])
    calendar.spoken_values = False
    result = calendar.run_sync(Call(ADD, {**arguments(FRED), **changed}))
    assert str(result.error).startswith(text)
    assert calendar.entries == [CONCERT]


def test_a_removal_that_matches_nothing_says_what_is_there() -> None:
    calendar = Calendar([FRED, CONCERT])
    result = calendar.run_sync(Call(REMOVE, {"title": "Fred", "date": "2024-11-11", "time": "17:00"}))
    assert result.error == (
        "there is no 'Fred' on 2024-11-11 at 17:00; that day has 'Meeting with Fred' at 17:00, 'Rock Concert' at 20:00"
    )
    assert calendar.entries == [FRED, CONCERT]


def test_a_removal_on_an_empty_day() -> None:
    error = Calendar([FRED]).run_sync(Call(REMOVE, {"title": "Fred", "date": "2024-11-12", "time": "17:00"})).error
    assert error == "there is no 'Fred' on 2024-11-12 at 17:00; that day is empty"


def test_a_removal_lists_three_at_most() -> None:
    calendar = Calendar([Entry(f"Talk {hour}", DAY, dt.time(hour)) for hour in range(9, 14)])
    error = str(calendar.run_sync(remove(FRED)).error)
    assert error.endswith("that day has 'Talk 9' at 09:00, 'Talk 10' at 10:00, 'Talk 11' at 11:00 and 2 more")


def test_python_types_are_checked_too() -> None:
    with pytest.raises(ToolError, match=r"^date: should be a datetime.date, got '2024-11-11'$"):
        Calendar().add_calendar_entry("x", "2024-11-11", dt.time(17))  # type: ignore[arg-type]


def test_undoing_an_addition_removes_that_entry() -> None:
    calendar = Calendar()
    calendar.run_sync(add(FRED, "c1"))
    calendar.run_sync(add(CONCERT, "c2"))
    calendar.undo_sync("c1")
    assert calendar.entries == [CONCERT]


def test_undoing_a_removal_puts_it_back_in_its_place() -> None:
    calendar = Calendar([FRED, CONCERT])
    calendar.run_sync(remove(FRED, "c1"))
    calendar.run_sync(add(Entry("Breakfast", DAY, dt.time(8)), "c2"))
    calendar.undo_sync("c1")
    assert [entry.title for entry in calendar.entries] == ["Breakfast", "Meeting with Fred", "Rock Concert"]


def test_undo_does_not_touch_what_was_done_by_hand() -> None:
    calendar = Calendar()
    calendar.run_sync(add(FRED, "c1"))
    calendar.add_calendar_entry("Rock Concert", DAY, dt.time(20), 180)
    calendar.undo_sync("c1")
    assert calendar.entries == [CONCERT]


def test_an_addition_that_was_removed_since_cannot_be_undone() -> None:
    calendar = Calendar()
    calendar.run_sync(add(FRED, "c1"))
    calendar.run_sync(remove(FRED, "c2"))
    with pytest.raises(ToolError, match=r"^'Meeting with Fred' is no longer there: a later call removed it"):
        calendar.undo_sync("c1")
    calendar.undo_sync("c2")
    calendar.undo_sync("c1")
    assert calendar.entries == []


def test_undoing_twice_is_an_error() -> None:
    calendar = Calendar()
    calendar.run_sync(add(FRED, "c1"))
    calendar.undo_sync("c1")
    with pytest.raises(ToolError, match=r"is already undone$"):
        calendar.undo_sync("c1")


def test_redo() -> None:
    calendar = Calendar()
    calendar.run_sync(add(FRED, "c1"))
    calendar.undo_sync("c1")
    calendar.redo_sync("c1")
    assert calendar.entries == [FRED]
    calendar.undo_sync("c1")
    assert calendar.entries == []


def test_calls_can_be_undone_until_they_are() -> None:
    calendar = Calendar()
    call = add(FRED, "c1")
    calendar.run_sync(call)
    assert calendar.can_undo(call)
    calendar.undo_sync("c1")
    assert not calendar.can_undo(call)


def test_the_clock_can_be_set() -> None:
    calendar = Calendar(now=dt.datetime(2024, 11, 1, 9))
    assert calendar.now == dt.datetime(2024, 11, 1, 9)
    calendar.now = dt.datetime(2024, 12, 1, 9)
    assert calendar.now.month == 12


def test_an_unset_clock_is_the_real_one() -> None:
    assert Calendar().now.tzinfo is not None


def test_it_prints_as_a_list() -> None:
    assert str(Calendar([CONCERT, FRED])) == (
        "2024-11-11 17:00  30 min  Meeting with Fred\n2024-11-11 20:00  180 min  Rock Concert"
    )
    assert str(Calendar()) == "(no entries)"


_ENTRIES = st.builds(
    Entry,
    title=st.sampled_from(["Lunch", "LUNCH", "Gym"]),
    date=st.sampled_from([DAY, dt.date(2024, 11, 12)]),
    time=st.just(dt.time(12)),
    duration=st.sampled_from([30, 60]),
)
_CALLS = st.lists(st.tuples(st.booleans(), _ENTRIES), max_size=8)


def played(actions: list[tuple[bool, Entry]]) -> tuple[Calendar, list[tuple[Call, CallResult]]]:
    calendar = Calendar()
    calls = [(add if adds else remove)(entry, f"c{number}") for number, (adds, entry) in enumerate(actions)]
    return calendar, [(call, calendar.run_sync(call)) for call in calls]


@settings(deadline=None, max_examples=100)
@given(_CALLS, st.randoms(use_true_random=False))
def test_any_calls_undone_in_any_order_leave_the_others(actions: list[tuple[bool, Entry]], random: Any) -> None:
    calendar, done = played(actions)
    active = {call.id: (call.tool, tuple(result.value.values())) for call, result in done if result.ok}
    order = random.sample(sorted(active), k=random.randint(0, len(active)))
    for call_id in order:
        before = calendar.state()
        try:
            calendar.undo_sync(call_id)
            del active[call_id]
        except ToolError as error:
            assert "undo that first" in str(error)
            assert calendar.state() == before
    expected: Counter[tuple[Any, ...]] = Counter()
    for tool_name, entry in active.values():
        expected[entry] += 1 if tool_name == ADD else -1
    assert Counter(tuple(entry.to_json().values()) for entry in calendar.entries) == +expected


@settings(deadline=None, max_examples=100)
@given(_CALLS)
def test_all_undone_backwards_and_redone_forwards_is_where_it_was(actions: list[tuple[bool, Entry]]) -> None:
    calendar, done = played(actions)
    there = calendar.state()
    ids = [call.id for call, result in done if result.ok]
    for call_id in reversed(ids):
        calendar.undo_sync(call_id)
    assert calendar.entries == []
    for call_id in ids:
        calendar.redo_sync(call_id)
    assert calendar.state() == there


_JSON = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.lists(st.text(max_size=3))


@settings(deadline=None, max_examples=150)
@given(st.sampled_from([ADD, REMOVE]), st.fixed_dictionaries({"title": _JSON, "date": _JSON, "time": _JSON}))
def test_no_arguments_raise_and_no_refusal_changes_anything(name: str, given_arguments: dict[str, Any]) -> None:
    calendar = Calendar([FRED])
    result = calendar.run_sync(Call(name, given_arguments))
    assert result.ok or calendar.entries == [FRED]


def test_its_entries_are_what_people_speak_of() -> None:
    assert Calendar([CONCERT]).things() == {"entry": [CONCERT.to_json()]}


def test_what_may_be_said_first_is_of_the_days_to_come() -> None:
    assert Calendar(now=dt.datetime(2026, 11, 23, 9)).openings() == (
        "Lunch with Ada tomorrow at noon",
        "Dentist on Wednesday at 9:30 am",
        "Yoga on Thursday at 6 pm, 45 minutes",
    )


def test_the_state_reads_back() -> None:
    calendar = Calendar()
    calendar.set_state(Calendar([CONCERT]).state())
    assert calendar.entries == [CONCERT]


ROW = {"title": "x", "date": "2024-11-11", "time": "17:00", "duration": 30}


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ([], r"^calendar JSON: should be an object with a list 'entries'$"),
        ({"entries": [{"title": "x"}]}, r"^calendar JSON: entry 1: should be an object with exactly title, date"),
        ({"entries": [{**ROW, "date": "11/11/2024"}]}, r"^calendar JSON: entry 1: date: '11/11/2024' is no date$"),
        ({"entries": [ROW, {**ROW, "time": 17}]}, r"^calendar JSON: entry 2: time: 17 is no time$"),
        ({"entries": [{**ROW, "duration": True}]}, r"^calendar JSON: entry 1: duration: should be 1 to 10080 minutes"),
        ({"entries": [{**ROW, "title": 3}]}, r"^calendar JSON: entry 1: title: should be text, got 3$"),
    ],
)
def test_a_state_that_cannot_be_says_where(state: Any, message: str) -> None:
    calendar = Calendar([CONCERT])
    with pytest.raises(BadFile, match=message):
        calendar.set_state(state)
    assert calendar.entries == [CONCERT]
