"""A request in quotation marks is the request; a quotation in a request is a name."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from toolmend.base.messages import Message, ToolSpec
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.said import unquoted
from toolmend.models.scripted import Scripted
from toolmend.reading.spoken import read_spoken
from toolmend.session import Session, ask_once
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar


def note(text: str, euros: int = 0, who: str = "") -> None:
    """Note something that was spent."""


NOTE: tuple[ToolSpec, ...] = tuple(Toolbox.of(note).specs)


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ('"Dentist on Tuesday at 9"', "Dentist on Tuesday at 9"),
        ("“Lunch with Ada tomorrow at noon.”", "Lunch with Ada tomorrow at noon."),
        ("'Yoga on Friday at 6 pm'", "Yoga on Friday at 6 pm"),
        ("'Tom's birthday on Friday'", "Tom's birthday on Friday"),
        ("«Meeting at 3 pm tomorrow»", "Meeting at 3 pm tomorrow"),
        ("„Treffen um acht“", "Treffen um acht"),
        ("‘Tea at four’.", "Tea at four"),
        ('  "Tea at four"!  ', "Tea at four"),
        ("`Tea at four`", "Tea at four"),
        ("\"Play 'Help' at eight\"", "Play 'Help' at eight"),
    ],
)
def test_the_marks_around_a_whole_sentence_are_none_of_it(said: str, plain: str) -> None:
    assert unquoted(said) == plain


@pytest.mark.parametrize("said", ['"Book club" and "Tea"', 'Add "Book club"', '""', '"Tea at four', "'tis 'nice'", ""])
def test_a_quotation_in_a_sentence_stays(said: str) -> None:
    assert unquoted(said) == said


@pytest.mark.parametrize("strategy", ["spoken", "oneline", "native"])
def test_every_model_hears_the_request(strategy: str) -> None:
    model = Scripted(["Hm."])
    Session(model, "calendar", strategy).say('"Dentist on Tuesday at 9"')
    ask_once('"Dentist on Tuesday at 9"', model=model, tools="calendar", strategy=strategy)
    heard = {request.messages[-1].content for request in model.requests}
    assert heard == {"Dentist on Tuesday at 9"}


def test_a_quoted_correction_is_one() -> None:
    box = Calendar(now=dt.datetime(2026, 11, 28, 10))
    reply = 'add_calendar_entry(title="Dentist", date="Tuesday", time="9")'
    session = Session(Scripted([reply, 'change(time="10")']), box, "spoken")
    session.say('"Dentist on Tuesday at 9"')
    session.say('"No, at 10"')
    assert [str(entry) for entry in box.entries] == ["2026-12-01 10:00  30 min  Dentist"]
    assert session.messages[0] == Message("user", "Dentist on Tuesday at 9")


@pytest.mark.parametrize(
    ("reply", "text", "arguments"),
    [
        ('note(text="coffee", euros="4")', 'Please: "note coffee, 4 euros"', {"text": "coffee", "euros": 4}),
        ('note(text="coffee", who="Ada")', 'She said "coffee for Ada"', {"text": "coffee", "who": "Ada"}),
        ('note(text="book club")', 'Note "the old book club"', {"text": "the old book club"}),
        (
            'note(text="Night", euros="4")',
            'Note "The 4 Seasons at Night" for 4',
            {"text": "The 4 Seasons at Night", "euros": 4},
        ),
    ],
)
def test_a_quotation_is_a_name_unless_other_arguments_are_in_it(
    reply: str, text: str, arguments: dict[str, Any]
) -> None:
    [call] = compute(read_spoken(reply, NOTE).lines, NOTE, Background(text=text)).calls
    assert {name: value for name, value in call.arguments.items() if value} == arguments
