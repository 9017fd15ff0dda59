"""Sentences that only complain hold no value, in whatever words they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.base.mistakes import Kind, Mistake
from toolmend.extras.worlds.shop import Shop
from toolmend.language.corrections import answer_for, open_pool, understand, wordings
from toolmend.language.corrections.complaining import is_again, no_value
from toolmend.session.mend.complaints import is_complaint
from toolmend.tools.toolboxes import Calendar

ENTRY = Call(
    "action.add_calendar_entry",
    {"title": "Lunch with Ida", "date": "2026-03-06", "time": "05:00", "duration": 30},
    id="c1",
)
PRODUCT = Call("shop.add_product", {"name": "Garden gnome", "category": "garden", "price": 12.5, "stock": 3}, id="c1")
VALUES = (Kind.MISSING_ARGUMENT, Kind.WRONG_FORMAT, Kind.WRONG_TYPE)
AS_SUCH = (
    Kind.NO_CALL,
    Kind.CHATTER,
    Kind.SYNTAX,
    Kind.WRONG_TOOL,
    Kind.MISSING_CALL,
    Kind.EXTRA_CALL,
    Kind.REPEATED_CALL,
    Kind.UNWANTED_CALL,
)


def complaints(call: Call, specs: Sequence[ToolSpec]) -> Iterator[str]:
    """What is said at levels 0 to 2 of such a call, and to a question about it."""
    spec = next(spec for spec in specs if spec.full_name == call.tool)
    values = [Mistake(Kind.WRONG_VALUE, name, call.tool, "x", value) for name, value in call.arguments.items()]
    texts = [Mistake(kind, next(iter(call.arguments)), call.tool, "x", "y") for kind in VALUES]
    for level in (0, 1):
        yield from (*wordings(values[0], level), *wordings(values[0], level, pool=open_pool()))
    for mistake in (*values, *texts, *(Mistake(kind, None, call.tool, call.tool, "zz()") for kind in AS_SUCH)):
        yield from wordings(mistake, 2, spec=spec, pool=open_pool())
    yield from (answer_for(texts[0], level, seed, open_pool()).text for level in (1, 2) for seed in range(40))


@pytest.mark.parametrize(("call", "specs"), [(ENTRY, Calendar().specs), (PRODUCT, Shop().specs)])
def test_no_complaint_gives_a_value(call: Call, specs: tuple[ToolSpec, ...]):
    understood = {said: understand(said, [call], specs, request="put the lunch with Ada in") for said in
                  complaints(call, specs)}  # fmt: skip
    assert {said: one for said, one in understood.items() if one.edits or one.candidates} == {}
    assert len(understood) > 400


@pytest.mark.parametrize(
    ("said", "blamed"),
    [
        ("The title is wrong.", ((0, "title"),)),
        ("the time isn't right", ((0, "time"),)),
    ],
)
def test_it_blames_what_it_names(said: str, blamed: Any):
    understood = understand(said, [ENTRY], Calendar().specs)
    assert (understood.edits, understood.blamed) == ({}, blamed)


@pytest.mark.parametrize(
    ("said", "title"),
    [('call it "Gibberish"', "Gibberish"), ("the title is Let It Be", "Let It Be")],
)
def test_what_is_named_outright_is_a_value(said: str, title: str):
    assert understand(said, [ENTRY], Calendar().specs).edits == {0: {"title": title}}


def test_words_that_were_said_before_are_values():
    assert no_value("Rubbish", "Lunch", "") and not no_value("Rubbish", "Lunch", "put the rubbish out at nine")


def test_another_try_is_no_quantity():
    assert is_again("One more time.") and not is_again("one more")


@pytest.mark.parametrize("said", ["Title?", "Would you mind correcting the title?", "check the title pls"])
def test_a_complaint_asks_for_nothing_new(said: str):
    assert is_complaint(said)
