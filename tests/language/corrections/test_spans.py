"""Every part of a sentence that could be a value (sentences: ours)."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.slots import slots_of
from toolmend.language.corrections.spans import spans
from toolmend.language.corrections.values import Surroundings

SPEC = ToolSpec(
    "order",
    parameters={
        "type": "object",
        "properties": {
            "shop": {"type": "string"},
            "size": {"type": "string", "enum": ["small", "medium", "extra large"]},
            "gift_wrap": {"type": "boolean"},
        },
    },
)
SLOTS = slots_of(Call("order", {"shop": "Oliva", "size": "small", "gift_wrap": False}), (SPEC,))


def parts(text: str, kind: str) -> set[str]:
    return {span.text for span in spans(text, SLOTS, Surroundings()) if span.kind == kind}


@pytest.mark.parametrize(
    ("said", "kind", "found"),
    [
        ("two of them at 5 pm", "number", {"two"}),
        ("evening 5:30 would do", "clock", {"evening 5:30"}),
        ("the extra large one", "member", {"extra large"}),
        ("with a gift wrap", "flag", {"gift", "wrap"}),
        ('call it "My Shop, no. 2"', "quoted", {"My Shop, no. 2"}),
        ("I am Ben", "clock", set()),
    ],
)
def test_parts_of_a_kind_are_found(said, kind, found):
    assert parts(said, kind) == found


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("No, from Shop of the Two Bears in Kiel", "Shop of the Two Bears"),
        ("take it to 12 Harbour Lane please", "12 Harbour Lane"),
        ("make it Dr. Ude", "Dr. Ude"),
        ("I live in Washington D.C. now", "Washington D.C."),
        ("from the little bakery instead", "little bakery"),
    ],
)
def test_names_and_what_a_word_leads_to_are_texts(said, name):
    assert name in parts(said, "text")


def test_a_part_stands_where_it_says():
    text = "No, two medium ones from Oliva Due, at noon."
    assert all(text[span.start : span.end].startswith(span.text) for span in spans(text, SLOTS, Surroundings()))
