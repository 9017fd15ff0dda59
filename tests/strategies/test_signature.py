"""A tool as one line of Python."""

import datetime as dt
import enum
from dataclasses import dataclass
from typing import Literal

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.strategies.signature import signature
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


def line(function):
    return signature(Toolbox.of(function, receiver="shop").specs[0])


def schema(**properties):
    return signature(ToolSpec("f", parameters={"type": "object", "properties": properties}))


def test_the_calendar_as_in_the_experiment():
    add, remove = map(signature, Calendar().specs)
    assert add == (
        'action.add_calendar_entry(title, date="YYYY-MM-DD", time="HH:MM", duration=30)'
        "  # duration: how long it lasts, in minutes"
    )
    assert remove == 'action.remove_calendar_entry(title, date="YYYY-MM-DD", time="HH:MM")'


def test_no_parameters():
    def now():
        """The time."""

    assert line(now) == "shop.now()"


def test_an_enum_shows_its_choices():
    def order(size: Size):
        """Order."""

    assert line(order) == "shop.order(size='s'|'l')"


def test_a_literal_shows_its_choices():
    def order(size: Literal["s", "l"] = "s", count: Literal[1, 2] = 1):
        """Order."""

    assert line(order) == "shop.order(size='s'|'l', count=1|2)"


def test_a_list_is_explained():
    def order(extras: list[str] = []):  # noqa: B006
        """Order.

        Args:
            extras: what comes with it
        """

    assert line(order) == "shop.order(extras=[])  # extras: what comes with it"


@dataclass
class Item:
    sku: str
    size: Size
    extras: list[str]
    when: dt.date | None = None


def test_lists_and_objects_show_what_is_in_them():
    def order(items: list[Item], gift: Item | None = None, sizes: list[Size] = [], tags: list[str] | None = None):  # noqa: B006
        """Order."""

    item = '{"sku": ..., "size": \'s\'|\'l\', "extras": [...], "when": "YYYY-MM-DD"}'
    assert line(order) == f"shop.order(items=[{item}], gift={item}, sizes=['s'|'l'], tags=None)"


def test_a_list_that_must_be_given_is_shown_as_one():
    def order(extras: list[str]):
        """Order."""

    assert line(order) == "shop.order(extras=[...])"


def test_dates_and_times_show_their_formats():
    def book(day: dt.date, start: dt.time, end: dt.datetime):
        """Book."""

    assert line(book) == 'shop.book(day="YYYY-MM-DD", start="HH:MM", end="YYYY-MM-DDTHH:MM")'


def test_what_may_be_none_shows_what_else_it_may_be():
    def book(day: dt.date | None = None, size: Size | None = None, count: int | None = None):
        """Book.

        Args:
            count: how many
        """

    assert line(book) == "shop.book(day=\"YYYY-MM-DD\", size='s'|'l', count=None)  # count: how many"


def test_defaults_are_shown():
    def order(item: str, note: str = "", price: float = 1.5, wrapped: bool = False):
        """Order."""

    assert line(order) == "shop.order(item, note='', price=1.5, wrapped=False)"


def test_a_text_explains_itself():
    def order(item: str):
        """Order.

        Args:
            item: what is ordered
        """

    assert line(order) == "shop.order(item)"


def test_a_text_of_a_certain_form_is_explained():
    assert schema(code={"type": "string", "pattern": "^[XO]{4}$", "description": "four of X and O"}) == (
        "f(code)  # code: four of X and O"
    )


def test_several_notes_stand_side_by_side():
    def order(count: int, price: float):
        """Order.

        Args:
            count: how many
            price: in euro
        """

    assert line(order) == "shop.order(count, price)  # count: how many; price: in euro"


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"n": {"type": ["integer", "null"], "description": "how many"}}, "f(n)  # n: how many"),
        ({"n": {"type": ["string", "null"], "description": "which"}}, "f(n)"),
        ({"n": {}}, "f(n)"),
        ({"n": {"$ref": "#/$defs/none"}}, "f(n)"),
        ({"n": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}, "f(n)"),
        ({"n": {"type": "object", "description": "two\n  lines"}}, "f(n)  # n: two lines"),
    ],
)
def test_foreign_schemas_are_one_line_too(properties, expected):
    assert schema(**properties) == expected


def test_a_definition_that_names_itself_ends():
    parameters = {"properties": {"n": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert signature(ToolSpec("f", parameters=parameters)) == "f(n)"
