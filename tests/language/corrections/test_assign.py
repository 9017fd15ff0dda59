"""One joint assignment of a sentence's parts to arguments: properties, and a table of sentences (ours)."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.assign import assign, best, weights
from toolmend.language.corrections.evidence import Pair
from toolmend.language.corrections.slots import Slot, slots_of
from toolmend.language.corrections.spans import TypedSpan
from toolmend.language.corrections.values import Surroundings

FERRY = ToolSpec(
    "book_ferry",
    parameters={
        "type": "object",
        "properties": {
            "harbour": {"type": "string"},
            "to_port": {"type": "string"},
            "departure_date": {"type": "string", "format": "date"},
            "departure_time": {"type": "string", "format": "time"},
            "passengers": {"type": "integer"},
            "cabins": {"type": "integer"},
            "deck": {"type": "string", "enum": ["upper", "lower", "sun deck"]},
            "meals": {"type": "boolean"},
        },
    },
)
TRIP = Call(
    "book_ferry",
    {
        "harbour": "Kiel",
        "to_port": "Oslo",
        "departure_date": "2026-03-10",
        "departure_time": "08:00",
        "passengers": 2,
        "cabins": 1,
        "deck": "lower",
        "meals": False,
    },
)
SLOTS = slots_of(TRIP, (FERRY,))
SAID = Surroundings("A ferry from Kiel to Oslo next Tuesday at eight in the morning", dt.datetime(2026, 3, 4, 9))


@pytest.mark.parametrize(
    ("said", "edits"),
    [
        ("No, at half past ten in the morning.", {"departure_time": "10:30"}),
        ("Sorry, I meant 4 passengers.", {"passengers": 4}),
        ("Make it two cabins.", {"cabins": 2}),
        ("The upper deck, please.", {"deck": "upper"}),
        ("No, March 12, and three passengers.", {"departure_date": "2026-03-12", "passengers": 3}),
        ("I want meals.", {"meals": True}),
    ],
)
def test_a_part_goes_to_the_argument_that_it_is_for(said, edits):
    assert assign(said, SLOTS, SAID).edits == edits


@pytest.mark.parametrize("said", ["Thanks a lot!", "Is there a shop on board?", "", "¿Y eso?", "7" * 400])
def test_a_sentence_that_gives_nothing_fills_nothing(said):
    assert assign(said, SLOTS, SAID).edits == {}


@pytest.mark.parametrize(
    "said",
    ["No, at noon, unless Otto is late.", "Not the 12th or the 13th.", "At ten, and tell Runa.", "Only 3 cabins?"],
)
def test_what_is_left_and_could_turn_the_sense_is_not_explained(said):
    assert not assign(said, SLOTS, SAID).explained


def test_of_two_pairs_with_a_word_in_common_the_likelier_set_is_taken():
    here, there = Slot("a", {}, "number", 1, frozenset(), "a"), Slot("b", {}, "number", 1, frozenset(), "b")
    five, long = TypedSpan("number", "5", 0, 1), TypedSpan("length", "5 days", 0, 6)
    pairs = [
        Pair(five, here, (5,), likely=0.9),
        Pair(long, there, (5,), likely=0.95),
        Pair(five, there, (5,), likely=0.4),
    ]
    assert best(pairs) == (pairs[1],)


def test_the_weights_are_readable_numbers():
    assert len(weights()) > 5000
    assert all(abs(weight) < 20 for weight in weights().values())


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=120))
def test_no_argument_gets_a_value_that_no_part_of_the_sentence_gives(text):
    found = assign(text, SLOTS, SAID)
    assert all(pair.span.text in text and pair.values for pair in found.taken)
    assert len({pair.slot.name for pair in found.taken}) == len(found.taken)
