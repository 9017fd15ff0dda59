"""What need not be given and was not said is left out; what is said stays."""

from __future__ import annotations

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.unsaid import borne_out

LEND = ToolSpec(
    "lend_tool",
    "",
    {
        "type": "object",
        "properties": {
            "tool": {"type": "string"},
            "who": {"type": "string"},
            "kind": {"type": "string", "enum": ["power_tool", "hand_tool"]},
            "rush": {"type": "boolean", "description": "Whether it is urgent."},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        "required": ["tool", "who"],
    },
)


@pytest.mark.parametrize(
    ("sentence", "words", "kept"),
    [
        ("the saw goes to Ada", {"tool": "saw", "who": "Ada", "kind": "hand_tool"}, {"tool", "who"}),
        (
            "the saw, a hand tool, goes to Ada",
            {"tool": "saw", "who": "Ada", "kind": "hand_tool"},
            {"tool", "who", "kind"},
        ),
        ("the saw goes to Ada", {"tool": "saw", "who": "Ada", "rush": "yes"}, {"tool", "who"}),
        ("urgent: the saw to Ada", {"tool": "saw", "who": "Ada", "rush": "yes"}, {"tool", "who", "rush"}),
        ("the saw goes to Ada Byron", {"tool": "saw", "who": "Ada Byron", "note": "Byron"}, {"tool", "who"}),
        ("the saw to Ada, it is blunt", {"tool": "saw", "who": "Ada", "note": "it is blunt"}, {"tool", "who", "note"}),
    ],
)
def test_only_what_the_sentence_bears_out_is_kept(sentence: str, words: dict[str, str], kept: set[str]) -> None:
    assert set(borne_out(LEND, words, sentence)) == kept


def test_what_must_be_given_is_kept_whatever_was_said() -> None:
    assert borne_out(LEND, {"tool": "drill", "who": "Bo"}, "the usual for him") == {"tool": "drill", "who": "Bo"}


def test_the_one_member_that_is_said_takes_the_place_of_another() -> None:
    words = {"tool": "drill", "who": "Bo", "kind": "hand_tool"}
    assert borne_out(LEND, words, "a drill for Bo, a power tool")["kind"] == "power_tool"


def test_a_word_of_the_tools_own_name_is_no_text() -> None:
    assert set(borne_out(LEND, {"tool": "saw", "who": "Ada", "note": "lend"}, "lend Ada the saw")) == {"tool", "who"}


PAY = ToolSpec(
    "send_money",
    "Send money.",
    {
        "type": "object",
        "properties": {
            "to": {"type": "string"},
            "price": {"type": "number"},
            "currency": {"type": "string", "enum": ["EUR", "GBP"]},
            "speed": {"type": "string", "enum": ["slow", "fast"]},
            "hours": {"type": "number"},
            "note": {"type": "string"},
        },
        "required": ["to", "price", "currency", "speed"],
    },
)


@pytest.mark.parametrize(
    ("sentence", "words", "argument", "heard"),
    [
        ("send Ada five", {"to": "Ada", "price": "five", "speed": "fast"}, "speed", "?"),  # nothing else was said
        ("send Ada five at once", {"to": "Ada", "price": "five", "speed": "fast"}, "speed", "fast"),  # it may mean that
        ("send Ada five, the fastest way", {"to": "Ada", "price": "five", "speed": "slow"}, "speed", "fast"),
        ("send Ada five euros", {"to": "Ada", "price": "five", "currency": "EUR"}, "currency", "EUR"),
        ("send Ada £5", {"to": "Ada", "price": "5", "currency": "GBP"}, "currency", "GBP"),
    ],
)
def test_a_member_that_must_be_given_is_asked_for_where_nothing_can_mean_it(
    sentence: str, words: dict[str, str], argument: str, heard: str
) -> None:
    assert borne_out(PAY, words, sentence)[argument] == heard


def test_a_number_that_is_a_part_of_anothers_words_is_left_out() -> None:
    words = {"to": "Ada", "price": "forty-five fifty", "hours": "fifty"}
    assert set(borne_out(PAY, words, "forty-five fifty to Ada")) == {"to", "price"}
    assert set(borne_out(PAY, words, "forty-five fifty to Ada in fifty hours")) == {"to", "price", "hours"}


def test_all_of_the_tools_own_name_is_no_text() -> None:
    words = {"to": "Ada", "price": "5", "note": "send money"}
    assert set(borne_out(PAY, words, "send money to Ada, 5")) == {"to", "price"}


@pytest.mark.parametrize(
    ("sentence", "on"),
    [
        ("lights off on Big Boy", "off"),
        ("switch the lights of Big Boy off", "off"),
        ("lights on for Big Boy", "on"),
        ("I'm off now, lights on for Big Boy", "on"),
        ("turn them on, the offer stands", "on"),
    ],
)
def test_what_is_put_off_is_off_in_the_word_that_was_said(sentence: str, on: str) -> None:
    properties = {"loco": {"type": "string"}, "on": {"type": "boolean"}}
    lights = ToolSpec("headlights", "", {"type": "object", "properties": properties, "required": ["loco", "on"]})
    assert borne_out(lights, {"loco": "Big Boy", "on": "on"}, sentence)["on"] == on


@pytest.mark.parametrize(
    ("sentence", "words", "kept"),
    [
        ("a cake for Jo, there'll be fourteen", {"people": "fourteen", "text": "there'll be fourteen"}, {"people"}),
        (
            "cake for Jo, 14, Happy 14",
            {"people": "14", "text": "Happy 14"},
            {"people", "text"},
        ),
        ("Jo didn't finish her cake", {"all_eaten": "no"}, {"all_eaten"}),
        ("Jo had cake", {"all_eaten": "no"}, set()),
    ],
)
def test_a_no_is_borne_out_by_a_refusal_and_a_number_is_no_text(
    sentence: str, words: dict[str, str], kept: set[str]
) -> None:
    properties = {"who": {"type": "string"}, "people": {"type": "integer"}, "text": {"type": "string"}}
    properties |= {"all_eaten": {"type": "boolean", "default": True}}
    cake = ToolSpec("serve", "", {"type": "object", "properties": properties, "required": ["who"]})
    assert set(borne_out(cake, {"who": "Jo", **words}, sentence)) == {"who", *kept}
