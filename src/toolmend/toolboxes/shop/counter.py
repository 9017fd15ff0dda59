"""What all tools of the shop share: its books, its clock, and the checks of texts, money and quantities."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Sequence

from toolmend.errors import ToolError
from toolmend.toolboxes.shop.books import Address, Books, Item, Order
from toolmend.toolboxes.valued import ValueBox
from toolmend.tools.texts import shown

DEAREST = 10_000
SHELF = 500
_LONGEST = 200
_POSTCODE = re.compile(r"[0-9]{5}")


class Counter(ValueBox):
    """A toolbox with the books of a shop and a clock: `now`, which stands still until it is set."""

    receiver = "shop"
    kept = ("_books",)

    def __init__(self, books: Books, now: dt.datetime) -> None:
        self._books, self._now = books, now

    @property
    def books(self) -> Books:
        """The books as they are: a value, which later calls do not change."""
        return self._books

    @property
    def now(self) -> dt.datetime:
        """The time it is in the shop."""
        return self._now

    @now.setter
    def now(self, moment: dt.datetime) -> None:
        self._now = moment

    @property
    def today(self) -> dt.date:
        """The day it is in the shop."""
        return self._now.date()

    def open_order(self, number: int, deed: str) -> Order:
        """An order that can still be changed. Raises ToolError naming those that can."""
        order = self._books.order(number)
        if order.status != "open":
            still = ", ".join(str(each.number) for each in self._books.orders if each.status == "open")
            raise ToolError(f"order {number} is {order.status} and cannot be {deed}; open orders: {still or 'none'}")
        return order


def text_of(what: str, text: str) -> str:
    """A text for the books, white space collapsed. Raises ToolError for one that nobody could read there."""
    made = " ".join(text.split())
    if not made or len(made) > _LONGEST:
        raise ToolError(f"{what}: should have 1 to {_LONGEST} characters, got {shown(text)}")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in made):
        raise ToolError(f"{what}: it holds a control character; write plain text")
    return made


def cents_of(what: str, amount: float) -> int:
    """Whole cents. Raises ToolError for what is no price."""
    cents = round(amount * 100) if 0 < amount <= DEAREST else 0
    if cents < 1 or abs(amount * 100 - cents) > 1e-6:
        raise ToolError(f"{what}: should be 0.01 to {DEAREST} euros with at most two decimals, got {amount!r}")
    return cents


def at_least_one(what: str, quantity: int, most: int, why: str) -> None:
    """Raises ToolError for a quantity that is not from 1 to `most`, which `why` explains."""
    if most < 1:
        raise ToolError(f"{what}: {why}, so none can be taken")
    if not 1 <= quantity <= most:
        raise ToolError(f"{what}: should be 1 to {most} ({why}), got {quantity}")


def distinct(items: Sequence[Item], books: Books) -> list[Item]:
    """The items with the names as the books write them. Raises ToolError for none, and for a product named twice."""
    if not items:
        raise ToolError("items: name at least one product with its quantity")
    named = [Item(books.product(item.product).name, item.quantity) for item in items]
    names = [item.product for item in named]
    for name in names:
        if names.count(name) > 1:
            raise ToolError(f"items: {shown(name)} stands twice; name it once with the whole quantity")
    return named


def address_of(address: Address) -> Address:
    """An address for the books. Raises ToolError for one that no post would find."""
    if not _POSTCODE.fullmatch(address.postcode):
        raise ToolError(f"postcode: should be five digits, got {shown(address.postcode)}")
    return Address(text_of("street", address.street), text_of("city", address.city), address.postcode)
