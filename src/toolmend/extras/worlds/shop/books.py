"""The books of a shop as one value: products, customers, orders, discount codes, what came back and what was lost. And
what all tools of the shop share: its clock, and the checks of texts, money and quantities.

Every change makes new books. Money is in whole cents. Looking something up that is not there is a ToolError that says
what is. What may be done to the books is in the files of the tools.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from toolmend.base.errors import ToolError
from toolmend.tools.texts import folded, nearest, shown
from toolmend.tools.toolboxes.valued import ValueBox

T = TypeVar("T")

Category = Literal["kitchen", "garden", "home", "outdoor"]
Slot = Literal["morning", "afternoon", "evening"]
Status = Literal["open", "shipped", "cancelled"]
Loss = Literal["broken", "lost", "expired"]
Cause = Literal["damaged", "wrong item", "not wanted"]


@dataclass(frozen=True, slots=True)
class Product:
    """Something to sell: its price in cents, and how many are on the shelf."""

    name: str
    category: Category
    cents: int
    stock: int = 0


@dataclass(frozen=True, slots=True)
class Address:
    """Where somebody lives; the postcode has five digits."""

    street: str
    city: str
    postcode: str


@dataclass(frozen=True, slots=True)
class Customer:
    """Somebody who buys. Without an address, an order can only be delivered to one that is given."""

    name: str
    email: str
    address: Address | None = None


@dataclass(frozen=True, slots=True)
class OrderLine:
    """So many of a product."""

    product: str
    quantity: int = 1


@dataclass(frozen=True, slots=True)
class Line:
    """So many of a product in an order, at that many cents each; `returned` of them came back."""

    product: str
    quantity: int
    cents: int
    returned: int = 0


@dataclass(frozen=True, slots=True)
class Delivery:
    """When and where an order is brought."""

    date: dt.date
    slot: Slot
    address: Address


@dataclass(frozen=True, slots=True)
class Order:
    """What a customer ordered. The prices are those of the day of the order, any discount taken off."""

    number: int
    customer: str
    placed: dt.date
    lines: tuple[Line, ...]
    status: Status = "open"
    code: str | None = None
    note: str | None = None
    delivery: Delivery | None = None

    @property
    def cents(self) -> int:
        """What it comes to, without what came back."""
        return sum(line.cents * (line.quantity - line.returned) for line in self.lines)

    def line(self, product: str) -> Line | None:
        """The line of a product."""
        return next((line for line in self.lines if line.product == product), None)


@dataclass(frozen=True, slots=True)
class Discount:
    """A code that takes some per cent off, up to and including a day; off everything if no products are named."""

    code: str
    percent: int
    until: dt.date
    products: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Return:
    """What came back of an order, and why."""

    order: int
    date: dt.date
    items: tuple[OrderLine, ...]
    cause: Cause
    refunded: int


@dataclass(frozen=True, slots=True)
class WrittenOff:
    """What can no longer be sold."""

    product: str
    quantity: int
    cause: Loss


@dataclass(frozen=True, slots=True)
class Books:
    """Everything the shop knows. Products, customers and codes are found whatever the letter case."""

    products: tuple[Product, ...] = ()
    customers: tuple[Customer, ...] = ()
    orders: tuple[Order, ...] = ()
    discounts: tuple[Discount, ...] = ()
    returns: tuple[Return, ...] = ()
    losses: tuple[WrittenOff, ...] = ()

    def product(self, name: str) -> Product:
        """The product of that name. Raises ToolError naming the nearest ones."""
        return _named("product", name, self.products)

    def customer(self, name: str) -> Customer:
        """The customer of that name. Raises ToolError naming the nearest ones."""
        return _named("customer", name, self.customers)

    def order(self, number: int) -> Order:
        """The order of that number. Raises ToolError naming those there are."""
        for order in self.orders:
            if order.number == number:
                return order
        numbers = [str(order.number) for order in self.orders[-8:]]
        raise ToolError(f"there is no order {number}; {_listed('the latest are', numbers)}")

    def discount(self, code: str) -> Discount:
        """The discount of that code. Raises ToolError naming those there are."""
        return _named("discount code", code, self.discounts, "code")

    def having(self, thing: Product | Customer | Order) -> Books:
        """With this thing, in the place of the one of the same name or number, or as the last."""
        kind, key = _KEYS[type(thing)]
        others = getattr(self, kind)
        place = next((n for n, other in enumerate(others) if getattr(other, key) == getattr(thing, key)), len(others))
        return replace(self, **{kind: (*others[:place], thing, *others[place + 1 :])})

    def moved(self, product: str, change: int) -> Books:
        """With so many more (or fewer) of a product on the shelf."""
        found = self.product(product)
        return self.having(replace(found, stock=found.stock + change))


def euros(cents: int) -> str:
    """`34.90`."""
    return f"{cents // 100}.{cents % 100:02}"


def _listed(head: str, names: list[str]) -> str:
    return f"{head} {', '.join(names)}" if names else "there are none yet"


def _named(kind: str, name: str, things: Sequence[T], key: str = "name") -> T:
    for thing in things:
        if folded(getattr(thing, key)) == folded(name):
            return thing
    known = nearest(name, [getattr(thing, key) for thing in things])
    raise ToolError(f"there is no {kind} {shown(name)}; {_listed('nearest:', known)}")


_KEYS = {Product: ("products", "name"), Customer: ("customers", "name"), Order: ("orders", "number")}


DEAREST = 10_000
SHELF = 500
_LONGEST = 200
_POSTCODE = re.compile(r"[0-9]{5}")


class Counter(ValueBox):
    """A toolbox with the books of a shop, a value that later calls do not change, and a clock, `now`, which stands
    still until it is set."""

    receiver = "shop"
    kept = ("books",)

    def __init__(self, books: Books, now: dt.datetime) -> None:
        self.books, self.now = books, now

    @property
    def today(self) -> dt.date:
        """The day it is in the shop."""
        return self.now.date()

    def open_order(self, number: int, deed: str) -> Order:
        """An order that can still be changed. Raises ToolError naming those that can."""
        order = self.books.order(number)
        if order.status != "open":
            still = ", ".join(str(other.number) for other in self.books.orders if other.status == "open")
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


def distinct(items: Sequence[OrderLine], books: Books) -> list[OrderLine]:
    """The items with the names as the books write them. Raises ToolError for none, and for a product named twice."""
    if not items:
        raise ToolError("items: name at least one product with its quantity")
    named = [OrderLine(books.product(item.product).name, item.quantity) for item in items]
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
