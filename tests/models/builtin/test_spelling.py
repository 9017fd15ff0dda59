"""The spelling goes both ways, and gives a word one form wherever it stands."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.models.builtin.tokens import Spelling

SHORTHANDS = ('action.add_calendar_entry("', '", date="', '", duration=', '")', "ab", " x")
CALENDAR = Spelling(SHORTHANDS)
PLAIN = Spelling()
SURROGATES_AND_CONTROLS: Any = ("Cs", "Cc")
PIECES = st.sampled_from(
    [*SHORTHANDS, "Fred", "fred", "FRED", "PM", " ", "  ", "\n", "\t", "5", "É", "ß", "_", "^", "."]
)
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=SURROGATES_AND_CONTROLS)),
    st.lists(PIECES).map("".join),
    st.text(alphabet="aAbBxX \n5é-", max_size=20),
)


@given(TEXTS)
@settings(deadline=None, max_examples=400)
def test_what_is_spelled_is_read_back(text):
    assert PLAIN.decode(PLAIN.encode(text)) == text


@given(TEXTS)
@settings(deadline=None, max_examples=400)
def test_what_is_spelled_with_shorthands_is_read_back(text):
    assert CALENDAR.decode(CALENDAR.encode(text)) == text


@given(st.text(st.characters(codec=None, categories=("Cc", "Cs", "Ll", "Zs"))))
@settings(deadline=None, max_examples=200)
def test_control_characters_and_surrogates_never_crash(text):
    CALENDAR.decode(text)
    CALENDAR.encode(text).encode("utf-8")


@given(st.text())
@settings(deadline=None, max_examples=200)
def test_reserved_characters_come_back_as_replacements_and_all_else_as_it_was(text):
    expected = re.sub("[\x00-\x08\x0e-\x1f]", "\ufffd", text)
    assert CALENDAR.decode(CALENDAR.encode(text)) == expected


@pytest.mark.parametrize("character", ["\x00", "\x01", "\x05", "\x0e", "\x1f", "\ud800", "\udcff", "\udfff"])
def test_a_reserved_character_becomes_a_replacement(character):
    assert PLAIN.decode(PLAIN.encode(f"a{character}b")) == "a\ufffdb"


@pytest.mark.parametrize("text", ["a\tb\n", "\x0b\x0c\r", "\x7f\x80\x9f"])
def test_white_space_and_other_controls_are_kept(text):
    assert PLAIN.decode(PLAIN.encode(text)) == text


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("", ""),
        ("meeting", " meeting"),
        ("Meeting with Fred at 5PM", "\x02 meeting with\x02 fred at 5\x05 pm"),
        ('"Fred', '"\x03 fred'),
        ("HTMLParser", "\x04 html\x03 parser"),
        ("McDonald", "\x02 mc\x03 donald"),
        ("iPhone", " i\x03 phone"),
        ("A b", "\x02 a b"),
        ("ABc", "\x02 a\x03 bc"),
        ("a_b", " a_\x01 b"),
        (" a", "  a"),
        ("5 pm", "5 pm"),
        ("café au lait", " cafés".replace("és", "é") + " au lait"),
    ],
)
def test_how_texts_are_spelled(text, spelled):
    assert PLAIN.encode(text) == spelled


@pytest.mark.parametrize(
    "text", ["fred", "Fred", "FRED", 'x("Fred")', "5fred", "Anna's Fred", "two\nFRED", "xFred", "-fred-"]
)
def test_a_word_has_one_form_wherever_it_stands(text):
    assert " fred" in PLAIN.encode(text)


def test_shorthands_are_one_character_each():
    assert CALENDAR.encode('action.add_calendar_entry("') == "\x0e"


def test_the_longest_shorthand_goes_first():
    assert Spelling(("ab", "abc")).encode("abc") == "\x0f"


@pytest.mark.parametrize("text", ["\x01", "\x01 ", "\x02Fred", "\x03\x03 fred", "\x1f", " ", "  ", "\x04 5"])
def test_marks_out_of_place_are_dropped(text):
    assert not re.search("[\x01-\x05]", PLAIN.decode(text))
