"""What is understood of a sentence about calls, by the words alone."""

import datetime as dt
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections import Understood, edited, understand
from toolmend.tools.toolboxes.calendar import Calendar

DATA = Path(__file__).parent / "data"
TOOLS = json.loads((DATA / "tools.json").read_text(encoding="utf-8"))
SPECS = [
    ToolSpec(name.rpartition(".")[2], parameters=parameters, receiver=name.rpartition(".")[0])
    for name, parameters in TOOLS.items()
]
ROWS = [json.loads(line) for line in (DATA / "corrections.jsonl").read_text(encoding="utf-8").splitlines()]
SECOND = [json.loads(line) for line in (DATA / "second.jsonl").read_text(encoding="utf-8").splitlines()]
SECOND_SPECS = [
    ToolSpec(name, parameters=parameters)
    for name, parameters in json.loads((DATA / "second_tools.json").read_text(encoding="utf-8")).items()
]
NOW = dt.datetime(2026, 3, 4, 9)
DINNER = Call(
    "action.add_calendar_entry", {"title": "Dinner with Martha", "date": "2026-03-13", "time": "07:00", "duration": 30}
)
DENTIST = Call("action.add_calendar_entry", {"title": "Dentist", "date": "2026-03-14", "time": "10:00", "duration": 60})
ALARM = Call("set_alarm", {"time": "06:30", "days": ["mon", "tue"]})


def of(said: str, *calls: Call, request: str = "") -> Understood:
    return understand(said, calls or (DINNER,), SPECS, request=request, now=NOW)


@pytest.mark.parametrize(
    ("kind", "least"), [("value", 0.68), ("blame", 0.6), ("wrong", 1.0), ("back", 1.0), ("new", 0.9), ("unclear", 0.55)]
)
def test_the_open_sentences_are_understood_as_often_as_docs_say(kind, least):
    rows = [row for row in ROWS if row["kind"] == kind]
    right = [row["said"] for row in rows if is_right(row)]
    assert len(right) >= least * len(rows)


@pytest.mark.parametrize(("rows", "specs", "most"), [("ROWS", "SPECS", 0.03), ("SECOND", "SECOND_SPECS", 0.05)])
def test_hardly_anything_is_changed_that_was_not_said(rows, specs, most):
    rows, specs = globals()[rows], globals()[specs]
    changed = [row["said"] for row in rows if heard(row, specs).kind in ("edit", "back") and not is_right(row, specs)]
    assert len(changed) <= most * len(rows), changed


def heard(row, specs=SPECS):
    call = Call(row["call"]["tool"], row["call"]["arguments"])
    now = dt.datetime.fromisoformat(row["now"])
    return understand(row["said"], [call], specs, request=row["request"], now=now)


def is_right(row, specs=SPECS):
    call, understood = Call(row["call"]["tool"], row["call"]["arguments"]), heard(row, specs)
    if row["kind"] != "value":
        blamed = sorted(name for _, name in understood.blamed)
        return understood.kind == row["kind"] and blamed == row.get("blamed", [])
    changed, wanted = (edited(call, edits).arguments for edits in (understood.edits.get(0, {}), row["edit"]))
    return understood.kind == "edit" and {n: folded(v) for n, v in changed.items()} == {
        n: folded(v) for n, v in wanted.items()
    }


def folded(value):
    return value.casefold() if isinstance(value, str) else value


def test_the_open_half_is_as_large_as_it_says():
    assert len(ROWS) >= 150
    assert len({row["said"].casefold() for row in ROWS}) >= 100
    assert len({row["call"]["tool"] for row in ROWS}) >= 7
    assert min(Counter(row["kind"] for row in ROWS).values()) >= 10


def test_an_edit_says_the_words_it_is_from():
    understood = of("No, seven in the evening.")
    assert (understood.edits, understood.words) == ({0: {"time": "19:00"}}, {(0, "time"): "seven in the evening"})
    assert understood.reason == "'seven in the evening' is the time"


def test_blame_excludes_the_value_and_praise_is_told():
    understood = of("Everything is right except the time.")
    assert (understood.blamed, understood.excluded) == (((0, "time"),), {(0, "time"): ("07:00",)})
    assert understood.praised == ((0, "date"), (0, "duration"), (0, "title"))


def test_two_readings_are_candidates():
    understood = of("make it five", Call("book_table", {"restaurant": "Roma", "time": "19:00", "people": 4}))
    assert understood.kind == "unclear"
    assert understood.candidates == ({0: {"people": 5}}, {0: {"time": "17:00"}})


def test_an_argument_that_the_tool_has_not_is_unclear():
    understood = of("The colour should be red.")
    assert (understood.kind, understood.reason) == ("unclear", "there is no colour here")


def test_a_contradiction_is_unclear():
    understood = of("It's on the 14th, and it's on the 15th.")
    assert (understood.kind, understood.edits) == ("unclear", {})


def test_the_value_that_the_call_has_is_no_edit():
    understood = of("No, it's on the 13th.")
    assert (understood.kind, understood.reason) == ("unclear", "date 'the 13th' is what the call has")


def test_the_request_decides_between_morning_and_evening():
    assert of("at eight", request="dinner at 8 pm").edits == {0: {"time": "20:00"}}
    assert of("at four").kind == "unclear"


@pytest.mark.parametrize(
    ("said", "edits"),
    [
        ("all of them a day later", {0: {"date": "2026-03-14"}, 1: {"date": "2026-03-15"}}),
        ("the second one at 5 pm", {1: {"time": "17:00"}}),
        ("the dentist is at noon", {1: {"time": "12:00"}}),
        ("Marta, not Martha", {0: {"title": "Dinner with Marta"}}),
    ],
)
def test_which_of_several_calls_is_meant(said, edits):
    assert of(said, DINNER, DENTIST).edits == edits


def test_several_calls_with_different_values_are_asked_about():
    understood = of("It's at 5 pm.", DINNER, DENTIST)
    assert (understood.kind, understood.reason) == ("unclear", "which of the calls?")


def test_a_tool_without_a_schema_is_known_by_its_values():
    call = Call("anything", {"name": "Ada", "start": "08:00", "seats": 3})
    assert understand("at 8:30, for four", [call], ()).edits == {0: {"start": "08:30", "seats": 4}}


def test_a_title_that_was_not_heard_of_with_a_day_is_a_new_request():
    call = Call("add_entry", {"title": "Lunch with Laura", "date": "2026-03-13", "time": "13:00"})
    request = "Lunch with Nora on the 13th at one"
    assert understand("Lunch with Ben on the 14th.", [call], (), request=request).kind == "new"


def test_one_of_several_is_no_day():
    call = Call("add_entry", {"title": "Lunch", "date": "2026-03-13", "time": "13:00"})
    assert understand("Not this, the third one", [call], ()).edits == {}


def test_an_edit_makes_the_call_that_amends():
    call = Call("set_alarm", {"time": "06:30", "label": "gym"}, id="c3", said={"time": "half six", "label": "gym"})
    changed = edited(call, {"time": "07:30", "label": None})
    assert (changed.arguments, changed.amends, dict(changed.said)) == ({"time": "07:30"}, "c3", {})


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=60), st.sampled_from(ROWS))
def test_any_words_are_understood_as_something(words, row):
    call = Call(row["call"]["tool"], row["call"]["arguments"])
    for said in (words, f"{row['said']} {words}", words + row["said"][: len(words)]):
        understood = understand(said, [call], SPECS, request=row["request"], now=NOW)
        assert understood.kind in ("edit", "blame", "wrong", "back", "new", "unclear")
        assert all(name in TOOLS[call.tool]["properties"] for edits in understood.edits.values() for name in edits)


@pytest.mark.parametrize(
    "sentence", ["It's at two, and it isn't at two.", "Not Friday but Friday.", "At nine, not at nine."]
)
def test_a_sentence_that_contradicts_itself_is_no_edit(sentence):
    call = Call("add", {"title": "Lunch", "date": "2026-03-06", "time": "12:00"})
    read = understand(sentence, [call], ())
    assert (read.kind, read.edits, read.reason) == ("unclear", {}, "that contradicts itself")


@pytest.mark.parametrize(
    ("sentence", "edits"),
    [
        ("The time should be ten to five in the afternoon.", {"time": "16:50"}),
        ("Thursday at half past one, please", {"date": "2026-03-05", "time": "13:30"}),
        ("Anna, not Hanna", {"title": "Lunch with Anna"}),
        ("I meant an hour and a half.", {"duration": 90}),
    ],
)
def test_ways_of_saying_a_value(sentence, edits):
    call = Call("add", {"title": "Lunch with Hanna", "date": "2026-03-04", "time": "12:00", "duration": 60})
    specs = Calendar().specs
    call = replace(call, tool=specs[0].full_name)
    read = understand(sentence, [call], specs, request="Lunch with Hanna on Wednesday", now=NOW)
    assert (read.kind, read.edits) == ("edit", {0: edits})


def test_the_figure_of_a_temperature_is_not_reckoned_into_another_unit():
    heat = ToolSpec("heat", parameters={"properties": {"temperature": {"type": "number", "x-unit": "celsius"}}})
    assert understand("fahrenheit, not celsius", [Call("heat", {"temperature": 21})], [heat]).edits == {}
