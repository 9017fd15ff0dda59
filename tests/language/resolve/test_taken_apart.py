"""An argument that takes one value and is given several makes a call of each."""

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.said import Said


def spec(**properties):
    return ToolSpec("tool", "", {"type": "object", "properties": properties, "required": list(properties)})


NUMBER, TEXT = {"type": "number"}, {"type": "string"}
CONVERT = spec(amount=NUMBER, target=TEXT)
BMI = spec(weight=NUMBER, height=NUMBER)
LAMP = spec(room={"type": "string", "enum": ["kitchen", "living_room", "hall"]})


def made(tool, sentence, **words):
    computed = compute([Said("tool", words)], [tool], Background(text=sentence))
    return [tuple(call.arguments.values()) for call in computed.calls]


def test_names_that_are_listed_are_a_call_each():
    said = "Convert 750 CHF into SEK, NOK and DKK"
    assert made(CONVERT, said, amount="750", target="SEK, NOK and DKK") == [(750, "SEK"), (750, "NOK"), (750, "DKK")]


def test_two_names_may_be_one():
    assert made(CONVERT, "2 of Salt and Plums", amount="2", target="Salt and Plums") == [(2, "Salt and Plums")]


def test_lists_of_one_length_go_in_pairs():
    said = "three patients of 58, 81 and 102 kg who are 1.64, 1.79 and 1.85 m tall"
    pairs = made(BMI, said, weight="58, 81 and 102 kg", height="1.64, 1.79 and 1.85 m")
    assert pairs == [(58, 1.64), (81, 1.79), (102, 1.85)]


def test_lists_of_other_lengths_go_in_every_combination():
    said = "2 and 3 kilos at 10, 20 and 30 metres"
    assert made(BMI, said, weight="2 and 3", height="10, 20 and 30") == [
        (2, 10),
        (2, 20),
        (2, 30),
        (3, 10),
        (3, 20),
        (3, 30),
    ]


def test_members_that_are_listed_are_a_call_each():
    assert made(LAMP, "light in the kitchen and the living room", room="kitchen and living room") == [
        ("kitchen",),
        ("living_room",),
    ]


RAIN = spec(city=TEXT, year={"type": "integer"})
DOSE = spec(drug=TEXT, amount={"type": "integer", "x-unit": "milligrams"})


def both(tool, sentence, first, second):
    computed = compute([Said("tool", first), Said("tool", second)], [tool], Background(text=sentence))
    return [tuple(call.arguments.values()) for call in computed.calls]


def test_two_lists_that_a_sentence_crosses_are_every_combination():
    said = "Compare the rain in Manila and Jakarta in 2018 and 2021"
    made = both(RAIN, said, {"city": "Manila", "year": "2018"}, {"city": "Jakarta", "year": "2021"})
    assert made == [("Manila", 2018), ("Manila", 2021), ("Jakarta", 2018), ("Jakarta", 2021)]


@pytest.mark.parametrize(
    "said", ["rain in Manila and Jakarta in 2018 and 2021, respectively", "rain in Manila in 2018 and Jakarta in 2021"]
)
def test_what_goes_in_pairs_is_not_crossed(said):
    made = both(RAIN, said, {"city": "Manila", "year": "2018"}, {"city": "Jakarta", "year": "2021"})
    assert made == [("Manila", 2018), ("Jakarta", 2021)]


def test_both_of_something_else_crosses_nothing():
    said = "75 mg clopidogrel and 40 mg atorvastatin, both at 20:00"
    doses = {"drug": "clopidogrel", "amount": "75 mg"}, {"drug": "atorvastatin", "amount": "40 mg"}
    assert both(DOSE, said, *doses) == [("clopidogrel", 75), ("atorvastatin", 40)]


@pytest.mark.parametrize("words", ["4,300", "one and a half", "2 or 3", "two hundred and ten"])
def test_what_says_one_number_is_one_call(words):
    assert len(made(spec(count=NUMBER), f"I need {words} of it", count=words)) <= 1


def test_a_message_is_one_text():
    said = "tell them we need bread, milk and eggs"
    assert made(spec(message=TEXT), said, message="bread, milk and eggs") == [("bread, milk and eggs",)]


def test_a_list_stays_where_a_list_is_taken():
    items = spec(items={"type": "array", "items": TEXT})
    assert made(items, "bread, milk and eggs", items="bread, milk and eggs") == [(["bread", "milk", "eggs"],)]
