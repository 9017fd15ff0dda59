"""Words of a new call as the sentence has them."""

from __future__ import annotations

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.copied import as_said, without_article

TEXT = {"type": "string"}
SPEC = ToolSpec(
    "find",
    parameters={"type": "object", "properties": {"place": TEXT, "kind": TEXT, "mark": TEXT}, "required": ["place"]},
)


@pytest.mark.parametrize(
    ("words", "sentence", "kept"),
    [
        ({"place": "Yellow Yellowstone Park"}, "in Yellowstone Park", {"place": "Yellowstone Park"}),
        ({"place": "Yellow Yellowstone"}, "a yellow sign in Yellowstone", {"place": "Yellow Yellowstone"}),
        ({"place": "New York"}, "somewhere in York", {"place": "New York"}),
        ({"place": "Paris", "kind": "?"}, "in Paris", {"place": "Paris"}),
        ({"place": "?", "kind": "x"}, "an x", {"place": "?", "kind": "x"}),
        ({"place": "Paris", "kind": "Paris"}, "in Paris", {"place": "Paris"}),
        ({"place": "Paris", "kind": "Paris"}, "from Paris to Paris", {"place": "Paris", "kind": "Paris"}),
        ({"place": "Ulm", "kind": "a", "mark": "a"}, "Ulm, a", {"place": "Ulm", "kind": "a"}),
        ({"place": ["Paris"], "kind": "b"}, "Paris", {"place": ["Paris"], "kind": "b"}),
    ],
)
def test_what_was_not_said_is_left_out(words: dict[str, object], sentence: str, kept: dict[str, object]) -> None:
    assert as_said(SPEC, words, sentence) == kept


@pytest.mark.parametrize("name", ["check in", "Sign in", "log on"])
def test_a_name_keeps_the_little_word_that_makes_it(name):
    assert as_said(SPEC, {"place": name}, f"put {name} on Friday") == {"place": name}


def test_a_little_word_that_leads_on_is_no_part_of_a_name():
    assert as_said(SPEC, {"place": "dinner on"}, "put dinner on Friday") == {"place": "dinner"}


def test_an_article_that_was_copied_goes():
    assert without_article("the Amazon rainforest", "rain in the Amazon rainforest") == "Amazon rainforest"
    assert without_article("The Hobbit", "read The Hobbit") == "The Hobbit"


@pytest.mark.parametrize(
    ("sentence", "copied", "said"),
    [
        ("a parcel for the Hashemi family", "Hassani", "Hashemi"),
        ("they left Pharaoh's Tomb", "Pahram's Tomb", "Pharaoh's Tomb"),
        ("bread from bakery Hoffmann", "baker Hoffmann", "bakery Hoffmann"),
        ("diner for two", "dinner", "dinner"),  # the model spells it better
        ("opening hours of the zoo", "opening_hours", "opening_hours"),
        ("Give Isadora pollen", "Give Isadora", "Isadora"),
    ],
)
def test_a_name_is_spelled_as_it_was_said(sentence: str, copied: str, said: str) -> None:
    spec = ToolSpec("feed", "", {"type": "object", "properties": {"hive": {"type": "string"}}, "required": ["hive"]})
    assert as_said(spec, {"hive": copied}, sentence) == {"hive": said}


@pytest.mark.parametrize(
    ("sentence", "copied", "first"),
    [
        ("stick cooking oil and tea on the poster", "stick cooking oil", "cooking oil"),
        ("put up that we need stick cinnamon", "stick cinnamon", "stick cinnamon"),
        ("buy tea", "buy", "buy"),
    ],
)
def test_the_word_that_orders_a_list_is_no_part_of_it(sentence: str, copied: str, first: str) -> None:
    items = {"type": "array", "items": {"type": "string"}}
    ask = ToolSpec("ask", "", {"type": "object", "properties": {"items": items}, "required": ["items"]})
    assert as_said(ask, {"items": [copied, "tea"]}, sentence)["items"] == [first, "tea"]
    assert as_said(ask, {"items": f"{copied} and tea"}, sentence)["items"] == f"{first} and tea"


def test_a_no_to_a_switch_is_no_empty_word() -> None:
    properties = {"done": {"type": "boolean", "default": True}, "note": {"type": "string"}}
    spec = ToolSpec("fed", "", {"type": "object", "properties": properties, "required": []})
    assert as_said(spec, {"done": "no", "note": "no"}, "no, she didn't finish") == {"done": "no"}
