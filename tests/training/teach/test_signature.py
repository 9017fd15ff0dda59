"""What is made of a signature alone: wordings, and what each value can be."""

from __future__ import annotations

from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.tools import Toolbox
from toolmend.training.teach.signature import parameters_of, wordings_of

TEXT, NUMBER = {"type": "string"}, {"type": "number"}


def signed(description: str, **properties: Any) -> ToolSpec:
    """A tool that needs all its arguments."""
    return ToolSpec("tool", description, {"type": "object", "properties": properties, "required": list(properties)})


def test_a_description_becomes_sentences(box: Toolbox) -> None:
    spec = box.specs[0]
    assert wordings_of(spec, parameters_of(spec, {})) == [
        "Move {crates} crates to {shelf}",
        "(Please|Can you|Could you) move {crates} crates to {shelf}",
        "(I'd like to|I want to|I need to|We have to) move {crates} crates to {shelf}",
        "Move: crates {crates}, shelf {shelf}",
        "move {crates} {shelf}",
    ]


def test_a_sentence_may_lack_a_value(box: Toolbox) -> None:
    spec = box.specs[0]
    assert wordings_of(spec, parameters_of(spec, {}), without="shelf")[0] == "Move {crates} crates to a shelf"


def test_values_have_their_kinds(box: Toolbox) -> None:
    kinds = {slot: one.kind.name for spec in box.specs for slot, one in parameters_of(spec, {}).items()}
    assert kinds == {
        "crates": "int", "shelf": "text", "goods": "list", "day": "date", "by": "enum",
        "things__0__what": "text", "things__0__count": "int",
    }  # fmt: skip


def test_codes_bring_others_like_them(box: Toolbox) -> None:
    texts = parameters_of(box.specs[0], {"shelf": ["B7"]})["shelf"].kind.members
    assert {text for text in texts if len(text) == 2 and text[1].isdigit()} > {"B7"}


def test_numbers_reach_beyond_those_seen(box: Toolbox) -> None:
    kind = parameters_of(box.specs[0], {"crates": [3, 700]})["crates"].kind
    assert (kind.low, kind.high) == (1, 1400)


def first_wording(spec: ToolSpec) -> str:
    return wordings_of(spec, parameters_of(spec, {}))[0]


def test_a_quality_is_changed_to_its_value() -> None:
    assert first_wording(signed("Change the price of a product.", product=TEXT, price=NUMBER)) == (
        "Change the price of {product} to {price}"
    )


def test_of_two_qualities_each_has_its_name() -> None:
    told = first_wording(signed("Change the colour and the size of a sign.", sign=TEXT, colour=TEXT, size=NUMBER))
    assert told == "Change the colour and the size of {sign}: colour {colour}, size {size}"


def test_a_switch_is_on_or_off() -> None:
    told = first_wording(signed("Switch the lights of a room on or off.", room=TEXT, on={"type": "boolean"}))
    assert told == "Switch the lights of {room} (on{on=yes}|off{on=no})"


def test_things_stand_behind_their_number() -> None:
    thing = {"type": "object", "properties": {"what": TEXT, "count": {"type": "integer"}}, "required": ["what"]}
    told = first_wording(signed("Place an order for a guest.", guest=TEXT, things={"type": "array", "items": thing}))
    assert told == "Place an order for {guest}: {things__0__count} {things__0__what}"


def test_an_aside_is_said_only_where_it_speaks_of_a_parameter() -> None:
    assert first_wording(signed("Book a table for a guest, at the latest at noon.", guest=TEXT)) == (
        "Book a table for {guest}"
    )
    assert first_wording(signed("Book the large table, for a guest.", guest=TEXT)) == (
        "Book the large table, for {guest}"
    )


def test_what_gets_a_name_is_called_so() -> None:
    assert first_wording(signed("Add a new customer.", name=TEXT, email=TEXT)) == (
        "Add a new customer called {name}, email {email}"
    )


def test_addresses_look_like_addresses() -> None:
    spec = signed("Add a new customer.", email=TEXT)
    assert all("@" in text for text in parameters_of(spec, {})["email"].kind.members)
