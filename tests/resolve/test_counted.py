"""Numbers in words that are one too many or too few."""

from typing import Any

import pytest

from toolmend.messages import ToolSpec
from toolmend.resolve.counted import counted_in_full

PRESSURE = ToolSpec(
    "measured",
    "",
    {
        "type": "object",
        "properties": {"upper": {"type": "integer"}, "lower": {"type": "integer"}, "pulse": {"type": "integer"}},
        "required": ["upper", "lower"],
    },
)


@pytest.mark.parametrize(
    ("sentence", "words", "told"),
    [
        ("BP 151/92", {"upper": "151/92", "lower": "?"}, ("151", "92")),
        ("129 over 80 again", {"upper": "?", "lower": "?"}, ("129", "80")),
        ("129 over 80", {"upper": "129 over 80", "lower": "129 over 80"}, ("129", "80")),
        ("BP 151/92, pulse 77", {"upper": "151/92", "lower": "77"}, ("151", "92")),
        ("129 over 80", {"upper": "129", "lower": "80"}, ("129", "80")),
        ("on 8/11/2026", {"upper": "?", "lower": "?"}, ("?", "?")),
        ("upper 151, page 3/4", {"upper": "151", "lower": "?"}, ("151", "?")),
    ],
)
def test_a_pair_is_two_numbers(sentence: str, words: dict[str, str], told: tuple[str, str]) -> None:
    heard = counted_in_full(PRESSURE, words, sentence)
    assert (heard["upper"], heard["lower"]) == told


def one(name: str, **schema: Any) -> ToolSpec:
    return ToolSpec("do", "", {"type": "object", "properties": {name: schema}, "required": [name]})


@pytest.mark.parametrize(
    ("name", "sentence", "told"),
    [
        ("loaves", "a spelt loaf for Jonas", "1"),
        ("parcels", "another parcel from Bo", "1"),
        ("boxes", "one big box", "1"),
        ("loaves", "spelt loaves for Jonas", "?"),
        ("parcels", "the parcel of last week", "?"),
    ],
)
def test_what_is_said_with_an_article_is_one(name: str, sentence: str, told: str) -> None:
    assert counted_in_full(one(name, type="integer"), {name: "?"}, sentence) == {name: told}


@pytest.mark.parametrize(
    ("sentence", "copied", "told"),
    [
        ("ran two hours and five minutes", "two hours", "two hours and five minutes"),
        ("an hour and a half of yoga", "an hour", "an hour and a half"),
        ("two hours, five minutes of it fast", "two hours", "two hours"),
        ("two hours and then home", "two hours", "two hours"),
    ],
)
def test_a_length_is_whole(sentence: str, copied: str, told: str) -> None:
    spec = one("length", type="integer", description="how long, in minutes")
    assert counted_in_full(spec, {"length": copied}, sentence) == {"length": told}


def test_a_length_does_not_take_the_number_of_another_thing() -> None:
    spec = one("minutes", type="integer", **{"x-unit": "minutes"})
    words = {"minutes": "a quarter of an hour"}
    assert counted_in_full(spec, words, "bend it a quarter of an hour two times each day") == words
