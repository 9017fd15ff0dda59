"""Which words say which argument, and other words in their place."""

from random import Random

import pytest

from toolmend.messages import Call
from toolmend.training.teach.examples import Example
from toolmend.training.teach.fresh import Values
from toolmend.training.teach.templates import Filling, Slot, template_of

COLLECT, MOVE = "depot.collect", "depot.move"


@pytest.fixture
def specs(box):
    return {spec.full_name: spec for spec in box.specs}


def template(specs, said, tool, arguments, base=None):
    return template_of(Example(said, (Call(tool, arguments),)), specs, base)


def shape(found):
    """The sentence with `{path}` for slots and `{path*}` for lists."""
    return "".join(
        part
        if isinstance(part, str)
        else "{" + "/".join(map(str, part.path)) + ("" if isinstance(part, Slot) else "*") + "}"
        for part in found.parts
    )


@pytest.mark.parametrize(
    ("said", "arguments", "expected"),
    [
        ("Move 3 crates to B7", {"crates": 3, "shelf": "B7"}, "Move {crates} crates to {shelf}"),
        ("three crates, shelf b7!", {"crates": 3, "shelf": "B7"}, "{crates} crates, shelf {shelf}!"),
        ("Move a dozen to B12", {"crates": 12, "shelf": "B12"}, "Move {crates} to {shelf}"),
        ("Move a crate to shelf B1", {"crates": 1, "shelf": "B1"}, "Move {crates} crate to shelf {shelf}"),
        ("It goes up", {"crates": 3, "shelf": "B7"}, "It goes up"),
    ],
)
def test_numbers_and_texts_are_found(specs, said, arguments, expected):
    assert shape(template(specs, said, MOVE, arguments)) == expected


@pytest.mark.parametrize(
    "day",
    [
        "2025-05-03",
        "May 3, 2025",
        "the 3rd of May 2025",
        "Saturday, May 3, 2025",
        "May third 2025",
        "Saturday the 3rd of May, 2025",
    ],
)
def test_dates_are_found_however_they_are_said(specs, day):
    found = template(
        specs, f"Collect tea on {day} by bike", COLLECT, {"goods": ["tea"], "day": "2025-05-03", "by": "bike"}
    )
    assert shape(found) == "Collect {goods*} on {day} by {by}"


def test_a_number_beside_a_date_is_no_part_of_it(specs):
    found = template(specs, "Move 12 to B2, 19 May 2025", MOVE, {"crates": 12, "shelf": "B2"})
    assert shape(found) == "Move {crates} to {shelf}, 19 May 2025"


def test_a_list_is_one_part(specs):
    found = template(
        specs, "Get jam, tea and salt on May 3, 2025", COLLECT, {"goods": ["jam", "tea", "salt"], "day": "2025-05-03"}
    )
    assert shape(found) == "Get {goods*} on {day}"


def test_what_no_word_says_is_fixed(specs):
    found = template(
        specs, "Corn on May 3, 2025, it's heavy", COLLECT, {"goods": ["corn"], "day": "2025-05-03", "by": "van"}
    )
    assert found.fixed == ("by='van'",)


def test_filling_puts_the_same_value_into_the_sentence_and_the_call(specs):
    found = template(specs, "Move 3 crates to B7", MOVE, {"crates": 3, "shelf": "B7"})
    for seed in range(50):
        filled = Filling(found, Values({"shelf text": ["B7"]}), Random(seed))
        said, call = "".join(text for text, _ in filled.said), filled.calls[0]
        assert call.arguments["shelf"] in said
        assert set(call.arguments) == {"crates", "shelf"}


def test_lists_grow_and_shrink(specs):
    found = template(specs, "Get jam and tea on May 3, 2025", COLLECT, {"goods": ["jam", "tea"], "day": "2025-05-03"})
    sizes = {
        len(Filling(found, Values({"good text": ["jam"]}), Random(seed)).calls[0].arguments["goods"])
        for seed in range(60)
    }
    assert sizes == {1, 2, 3}


def test_an_amending_example_changes_only_what_it_says(specs):
    base = template(specs, "Move 3 crates to B7", MOVE, {"crates": 3, "shelf": "B7"})
    found = template(specs, "No, 5", MOVE, {"crates": 5, "shelf": "B7"}, base)
    before = Call(MOVE, {"crates": 9, "shelf": "Z1"})
    filled = Filling(found, Values(), Random(1), (before,))
    assert shape(found) == "No, {crates}"
    assert filled.calls[0].arguments["shelf"] == "Z1"


def test_an_amending_example_may_add_to_a_list(specs):
    base = template(specs, "Get jam on May 3, 2025", COLLECT, {"goods": ["jam"], "day": "2025-05-03"})
    found = template(specs, "And tea", COLLECT, {"goods": ["jam", "tea"], "day": "2025-05-03"}, base)
    before = Call(COLLECT, {"goods": ["a", "b", "c"], "day": "2025-01-01"})
    filled = Filling(found, Values(), Random(1), (before,))
    assert filled.calls[0].arguments["goods"][:3] == ["a", "b", "c"] and len(filled.calls[0].arguments["goods"]) == 4
    assert before.arguments["goods"] == ["a", "b", "c"]


def test_a_day_without_its_year_keeps_the_examples_year(specs):
    found = template(specs, "Tea on May 3", COLLECT, {"goods": ["tea"], "day": "2025-05-03"})
    days = [Filling(found, Values(), Random(seed)).calls[0].arguments["day"] for seed in range(30)]
    assert {day[:4] for day in days} == {"2025"} and len(set(days)) > 10


def test_nested_objects_and_plurals():
    from toolmend.tools import Toolbox

    specs = {spec.full_name: spec for spec in Toolbox.load("shop").specs}
    items = [{"product": "Seed box", "quantity": 12}, {"product": "Watering can", "quantity": 6}]
    found = template(specs, "We got 12 seed boxes and six watering cans", "shop.receive_goods", {"items": items})
    assert shape(found) == "We got {items*}"
    filled = Filling(found, Values({"product text": ["Seed box"]}), Random(2))
    assert all(set(item) == {"product", "quantity"} for item in filled.calls[0].arguments["items"])
