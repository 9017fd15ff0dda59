"""A value that a correction spells otherwise than the request did is the request's."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Call
from toolmend.language.corrections import understand
from toolmend.language.corrections.as_written import as_written
from toolmend.tools.toolboxes import Calendar

CALL = Call("action.add_calendar_entry", {"title": "Fitting", "date": "2025-07-14", "time": "17:00"}, "c1")


@pytest.mark.parametrize(
    ("sentence", "request_", "title"),
    [
        ("No, I meant flat viewing four b.", "Flat viewing 4B, April 14, 5.20pm", "Flat viewing 4B"),
        ("the title is deck run w keiko", "Deck run w/ Keiko, Mon 7:30", "Deck run w/ Keiko"),
    ],
)
def test_the_title_is_written_as_in_the_request(sentence: str, request_: str, title: str) -> None:
    assert understand(sentence, [CALL], Calendar().specs, request=request_).edits == {0: {"title": title}}


@pytest.mark.parametrize(
    ("sentence", "request_"),
    [
        ("I said fifteen euros", "Pay 15 euros to Ada"),
        ("No, large, green", "a large green one"),
        ("No, the meeting with Ada is at six", "the meeting with Ada at five"),
        ("tomorrow at half past five", "Tea tomorrow, half past five"),
    ],
)
def test_what_is_no_name_or_spelled_alike_stays_as_it_is(sentence: str, request_: str) -> None:
    assert as_written(sentence, request_) == sentence


@pytest.mark.parametrize(
    "sentence", ['Call it "Games: no. 2".', 'It should be called "Games: no. 2".', '"Games: no. 2"']
)
def test_words_in_quotes_are_not_taken_apart(sentence: str) -> None:
    assert understand(sentence, [CALL], Calendar().specs).edits == {0: {"title": "Games: no. 2"}}
