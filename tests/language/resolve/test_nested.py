"""Fields of objects that were said in words."""

from __future__ import annotations

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.said import Said

ITEM = {"type": "object", "properties": {"product": {"type": "string"}, "count": {"type": "integer"}}}
ORDER = ToolSpec(
    "order", "", {"type": "object", "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/Item"}}},
                  "$defs": {"Item": ITEM}, "required": ["items"]},
)  # fmt: skip


def items(words: object, **background: object) -> object:
    background_ = Background(**background)  # type: ignore[arg-type]
    (call,) = compute([Said("order", {"items": words})], [ORDER], background_).calls
    return call.arguments["items"]


def test_each_field_is_computed() -> None:
    assert items([{"product": "jugs", "count": "a dozen"}]) == [{"product": "jugs", "count": 12}]


def test_a_field_may_name_a_thing_that_is_there() -> None:
    things = {"product": ({"product": "Seed box"}, {"product": "Copper kettle"})}
    assert items([{"product": "seed boxes", "count": "two"}], things=things) == [{"product": "Seed box", "count": 2}]


def test_words_that_mean_no_number_stay() -> None:
    assert items([{"product": "jugs", "count": "some"}]) == [{"product": "jugs", "count": "some"}]
