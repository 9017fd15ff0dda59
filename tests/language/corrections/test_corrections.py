"""From a mistake to a sentence: levels, wordings, nothing given away in the notation of calls."""

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, ToolSpec
from toolmend.base.mistakes import Correction, Kind, Mistake
from toolmend.language.corrections import (
    correction_for,
    false_correction,
    headline_level,
    name_first,
    wordings,
)
from toolmend.language.corrections.pool import sentences

ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"
SPEC = ToolSpec(
    "add_calendar_entry",
    parameters={
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "date": {"type": "string", "format": "date"},
            "time": {"type": "string", "format": "time"},
            "duration": {"type": "integer"},
        },
        "required": ["title", "date", "time"],
    },
    receiver="action",
)
CALL = 'action.add_calendar_entry("Rock Concert", date="2024-11-11", time="20:00", duration=180)'
ARGUMENTS = {"title": "Rock Concert", "date": "2024-11-11", "time": "20:00", "duration": 180}
VALUED = (Kind.WRONG_VALUE, Kind.MISSING_ARGUMENT, Kind.WRONG_FORMAT, Kind.WRONG_TYPE)
MISTAKES = [
    Mistake(Kind.NO_CALL, tool=ADD, expected=CALL),
    Mistake(Kind.CHATTER, tool=ADD, expected=CALL, got="Sure!"),
    Mistake(Kind.SYNTAX, tool=ADD, expected=CALL),
    Mistake(Kind.UNKNOWN_TOOL, tool=ADD, expected=ADD, got="create_event"),
    Mistake(Kind.WRONG_TOOL, tool=ADD, expected=ADD, got=REMOVE),
    Mistake(Kind.MISSING_CALL, tool=ADD, expected=CALL),
    Mistake(Kind.EXTRA_CALL, got=REMOVE),
    Mistake(Kind.REPEATED_CALL, tool=ADD, got=CALL),
    Mistake(Kind.UNWANTED_CALL, got=CALL),
    Mistake(Kind.UNKNOWN_ARGUMENT, "location", ADD, got="Office"),
    Mistake(Kind.UNKNOWN_ARGUMENT, "*5", ADD, got="Office"),
    *[Mistake(kind, name, ADD, value, "x") for kind in VALUED for name, value in ARGUMENTS.items()],
    Mistake(Kind.WRONG_STATE, "entries of that day", expected=["There should be just one concert."], got="2 added"),
    Mistake(Kind.WRONG_STATE, "everything else", expected=[], got="entries/Lunch was removed"),
    Mistake(Kind.WRONG_STATE, "reply", expected=["Tell me that the day is full."], got="no words"),
    Mistake(Kind.WRONG_VALUE, "date", ADD, "2024-11-11", "2023-11-11"),
    Mistake(Kind.WRONG_VALUE, "date", ADD, "2024-11-11", "2024-11-12"),
]
IDS = [f"{mistake}-{mistake.got}" for mistake in MISTAKES]


def _said(mistake, level, spec=SPEC):
    return {correction_for(mistake, level, seed, spec=spec).text for seed in range(300)}


def test_every_kind_is_tried_here():
    assert {mistake.kind for mistake in MISTAKES} == set(Kind)


@pytest.mark.parametrize("spec", [SPEC, None], ids=["with spec", "without"])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("mistake", MISTAKES, ids=IDS)
def test_five_wordings_at_least(mistake, level, spec):
    assert len(wordings(mistake, level, spec=spec)) >= 5


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("mistake", MISTAKES, ids=IDS)
def test_no_sentence_has_the_call_or_a_literal_of_it(mistake, level):
    for said in wordings(mistake, level, spec=SPEC):
        assert CALL not in said
        assert ADD not in said and "add_calendar_entry" not in said
        assert not re.search(r"Rock Concert|[0-9]", said.replace("24h", "")), said
        assert not re.search(r"[\"(=_]|\B'", said), said


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("mistake", MISTAKES, ids=IDS)
def test_a_sentence_begins_with_a_capital_and_ends(mistake, level):
    for said in wordings(mistake, level, spec=SPEC):
        assert said[0].isupper() and said[-1] in ".?!" and "{" not in said, said


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from(VALUED),
    st.sampled_from(["name", "count", "tags", "when"]),
    st.recursive(
        st.text(min_size=1) | st.integers() | st.floats() | st.booleans() | st.dates().map(str) | st.none(),
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=4,
    ),
)
def test_any_value_is_said_without_its_literal(kind, name, value):
    assume(not isinstance(value, str) or re.search(r"\w", value))
    said = correction_for(Mistake(kind, name, "box.put_thing", value, "x"), 3, 1).text
    literals = [str(value), repr(value)] if not isinstance(value, list) else [repr(value), *map(repr, value)]
    assert not any(re.search(rf"(?<!\w){re.escape(literal)}(?!\w)", said) for literal in literals)


def test_a_value_of_punctuation_hides_no_sentence():
    assert correction_for(Mistake(Kind.WRONG_VALUE, "title", ADD, "."), 3, 1).level == 2


def test_the_seed_decides_and_every_wording_comes():
    mistake = Mistake(Kind.WRONG_VALUE, "time", ADD, "17:00", "05:00")
    assert correction_for(mistake, 2, 7) == correction_for(mistake, 2, 7)
    assert _said(mistake, 2) == set(wordings(mistake, 2, spec=SPEC))
    assert correction_for(mistake, 3, 0) == Correction(correction_for(mistake, 3, 0).text, 3, mistake)


def test_a_seed_means_the_same_on_every_machine():
    mistake = Mistake(Kind.WRONG_VALUE, "time", ADD, "17:00", "05:00")
    assert [correction_for(mistake, level, 1).text for level in range(4)] == [
        "Please do that again.",
        "Something is wrong with that.",
        "You got the time wrong.",
        "It's at five o'clock in the afternoon.",
    ]


def test_level_0_knows_nothing():
    texts = {correction_for(mistake, 0, 5).text for mistake in MISTAKES}
    assert len(texts) == 1
    assert correction_for(MISTAKES[0], 0, 5).mistake is None


def test_level_1_does_not_tell_mistakes_apart():
    assert len({correction_for(mistake, 1, 5).text for mistake in MISTAKES}) == 1


@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        (Mistake(Kind.WRONG_VALUE, "time"), "The time is wrong."),
        (Mistake(Kind.CHATTER), "Just the API call, please."),
        (Mistake(Kind.WRONG_FORMAT, "date"), "Respect the date format."),
        (Mistake(Kind.WRONG_FORMAT, "time"), "Time in 24h format."),
        (Mistake(Kind.WRONG_TOOL), "Wrong API call."),
        (Mistake(Kind.MISSING_ARGUMENT, "duration"), "Duration is required."),
        (Mistake(Kind.WRONG_VALUE, "date", expected="2024-11-11", got="2023-11-11"), "The year is wrong."),
        (Mistake(Kind.WRONG_VALUE, "start_time"), "The start time is wrong."),
        (Mistake(Kind.WRONG_VALUE, "guests"), "The guests are wrong."),
        (Mistake(Kind.WRONG_TYPE, "duration", expected=30), "The duration must be a whole number."),
    ],
)
def test_level_2_names_the_argument_or_the_rule(mistake, sentence):
    assert sentence in wordings(mistake, 2)


@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        (Mistake(Kind.WRONG_VALUE, "time", expected="17:00"), "It's at five in the afternoon."),
        (Mistake(Kind.WRONG_VALUE, "start_time", expected="17:00"), "It starts at five in the afternoon."),
        (Mistake(Kind.MISSING_ARGUMENT, "duration", expected=45), "It should last forty-five minutes."),
        (Mistake(Kind.WRONG_VALUE, "title", expected="Rock Concert"), "It's called rock concert."),
        (Mistake(Kind.WRONG_VALUE, "title", expected="rock concert"), "It's called Rock Concert."),
        (
            Mistake(Kind.WRONG_VALUE, "date", expected="2024-11-11", got="2023-11-11"),
            "The current year is twenty twenty-four.",
        ),
        (
            Mistake(Kind.WRONG_VALUE, "date", expected="2024-11-11"),
            "It's on the eleventh of November twenty twenty-four.",
        ),
        (Mistake(Kind.WRONG_VALUE, "date", expected={"date": {"year": 2024}}), "The year is twenty twenty-four."),
        (
            Mistake(Kind.WRONG_VALUE, "date", expected={"date": {"month": 11, "day": 11}}),
            "It's on the eleventh of November.",
        ),
        (Mistake(Kind.WRONG_VALUE, "urgent", expected=True, got=False), "Turn urgent on."),
        (Mistake(Kind.WRONG_VALUE, "note", expected=None, got="x"), "The note should be empty."),
        (Mistake(Kind.WRONG_TOOL, tool=REMOVE, got=ADD), "I want to remove the calendar entry."),
        (Mistake(Kind.WRONG_TOOL, tool="weather"), "It must be the weather call."),
        (Mistake(Kind.UNKNOWN_TOOL, tool=ADD, got="add_calendar_entry"), "The call has to start with the word action."),
        (Mistake(Kind.EXTRA_CALL, got=Call(REMOVE)), "I didn't ask you to remove the calendar entry."),
        (Mistake(Kind.EXTRA_CALL, got={"tool": REMOVE}), "I didn't ask you to remove the calendar entry."),
    ],
)
def test_level_3_gives_the_value_in_words(mistake, sentence):
    assert sentence in wordings(mistake, 3)


def test_a_surplus_value_is_answered_by_the_parameters_there_are():
    said = wordings(Mistake(Kind.UNKNOWN_ARGUMENT, "*5", ADD), 3, spec=SPEC)
    assert "The API requires four parameters." in said
    assert "The call only takes title, date, time and duration." in said


def test_dates_of_one_year_are_told_apart_without_it():
    said = wordings(Mistake(Kind.WRONG_VALUE, "date", ADD, "2024-11-12", "2024-11-11"), 3)
    assert "It's on the twelfth of November." in said


@pytest.mark.parametrize("expected", [{"regex": "a+"}, {"any": True}, None, "日本"])
def test_what_cannot_be_said_is_named_only_and_the_level_says_so(expected):
    correction = correction_for(Mistake(Kind.WRONG_VALUE, "title", ADD, expected), 3, 1)
    assert correction.level == 2
    assert correction.text in wordings(Mistake(Kind.WRONG_VALUE, "title", ADD, expected), 2)


@pytest.mark.parametrize("level", [-1, 4])
def test_another_level_is_refused(level):
    with pytest.raises(BadOption, match="0, 1, 2 or 3"):
        correction_for(MISTAKES[0], level, 1)


def test_the_headline_gives_a_value_only_where_the_talk_does_not():
    assert headline_level(Mistake(Kind.WRONG_VALUE, "time"), recoverable=True) == 2
    assert headline_level(Mistake(Kind.WRONG_VALUE, "date"), recoverable=False) == 3
    assert headline_level(Mistake(Kind.MISSING_ARGUMENT, "date"), recoverable=False) == 3
    assert headline_level(Mistake(Kind.WRONG_FORMAT, "date"), recoverable=False) == 2
    assert headline_level(Mistake(Kind.CHATTER), recoverable=False) == 2


def test_a_person_names_the_worst_first_and_chatter_last():
    chatter, value, tool = Mistake(Kind.CHATTER), Mistake(Kind.WRONG_VALUE, "time"), Mistake(Kind.WRONG_TOOL)
    assert name_first([chatter, value, tool]) is tool
    assert name_first([chatter, value]) is value
    assert name_first([value, Mistake(Kind.WRONG_VALUE, "date")]) is value
    assert name_first([]) is None


def test_every_kind_has_a_place_in_the_naming_order():
    assert all(name_first([Mistake(kind)]) == Mistake(kind) for kind in Kind)


def test_a_false_correction_blames_an_argument_of_the_call():
    said = {false_correction(seed, Call(ADD, ARGUMENTS)) for seed in range(60)}
    assert len(said) > 10
    assert all(correction.mistake is None and correction.level == 2 for correction in said)
    assert all(re.search("title|date|time|duration", correction.text) for correction in said)


def test_a_false_correction_of_nothing_in_particular():
    assert false_correction(1).text in sentences(1)
    assert false_correction(1, Call("weather", {"*1": "x"})).level == 1
