"""Objects and lists of objects for which a model gave no fields."""

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.objects import in_fields

TEXT = {"type": "string"}
WHO = {
    "type": "object",
    "properties": dict.fromkeys(("name", "street", "postcode", "city"), TEXT),
    "required": ["name"],
}
DISH = {
    "type": "object",
    "properties": {"dish": TEXT, "quantity": {"type": "integer"}, "note": TEXT},
    "required": ["dish", "quantity"],
}
SEND = ToolSpec("send", "", {"type": "object", "properties": {"to": WHO}, "required": ["to"]})
ORDER = ToolSpec("order", "", {"type": "object", "properties": {"items": {"type": "array", "items": DISH}}})


@pytest.mark.parametrize(
    ("sentence", "text", "fields"),
    [
        ("parcel to Marta Kovac in Zagreb, 2.5 kilos", "Marta Kovac", {"name": "Marta Kovac", "city": "Zagreb"}),
        ("fetch it from Piet Visser, Havenstraat 9 in Delft", "Piet Visser",
         {"name": "Piet Visser", "street": "Havenstraat 9", "city": "Delft"}),
        ("4 kg to Henrik Dahl, Strandgata 12, 5004 Bergen, express", "Henrik Dahl, Strandgata 12",
         {"name": "Henrik Dahl", "street": "Strandgata 12", "postcode": "5004", "city": "Bergen"}),
        ("send it to Ana Reis, she waits", "Ana Reis", {"name": "Ana Reis"}),
        ("2 kg to Ana Reis, 3 of them", "Ana Reis", {"name": "Ana Reis"}),
    ],
)  # fmt: skip
def test_a_person_has_an_address(sentence: str, text: str, fields: dict[str, str]) -> None:
    assert in_fields(SEND, {"to": text}, sentence) == {"to": fields}


@pytest.mark.parametrize(
    ("sentence", "value", "items"),
    [
        ("table 12: three minestrone, one ramen extra spicy", "three minestrone, one ramen extra spicy",
         [{"dish": "minestrone", "quantity": "three"}, {"dish": "ramen", "quantity": "1", "note": "extra spicy"}]),
        ("Table 4: two lasagne and a Caesar salad", [{"dish": "lasagne", "quantity": "2"}, "items"],
         [{"dish": "lasagne", "quantity": "two"}, {"dish": "Caesar salad", "quantity": "1"}]),
        ("table nine takes one burger without onions", [{"dish": "burger", "quantity": "1", "note": "onions"}, "?"],
         [{"dish": "burger", "quantity": "1", "note": "without onions"}]),
        ("two colas", [{"dish": "colas", "quantity": "two"}], [{"dish": "colas", "quantity": "two"}]),
    ],
)  # fmt: skip
def test_things_are_listed_with_their_numbers(sentence: str, value: object, items: list[dict[str, str]]) -> None:
    assert in_fields(ORDER, {"items": value}, sentence) == {"items": items}


def test_what_has_its_fields_stays() -> None:
    words = {"to": {"name": "Ana Reis"}}
    assert in_fields(SEND, words, "to Ana Reis in Porto") == words
