"""The books of a shop as one value: products, customers, orders, discount codes, what came back and what was lost.

Every change makes new books. Money is in whole cents. Looking something up that is not there is a ToolError that says
what is. What may be done to the books is in the files of the tools.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, NoReturn, TypeVar

from toolmend.errors import ToolError
from toolmend.tools.texts import folded, nearest, shown

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
class Item:
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
    items: tuple[Item, ...]
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
        found = next((each for each in self.products if folded(each.name) == folded(name)), None)
        return found if found else _missing("product", name, (each.name for each in self.products))

    def customer(self, name: str) -> Customer:
        """The customer of that name. Raises ToolError naming the nearest ones."""
        found = next((each for each in self.customers if folded(each.name) == folded(name)), None)
        return found if found else _missing("customer", name, (each.name for each in self.customers))

    def order(self, number: int) -> Order:
        """The order of that number. Raises ToolError naming those there are."""
        for order in self.orders:
            if order.number == number:
                return order
        numbers = [str(order.number) for order in self.orders[-8:]]
        raise ToolError(f"there is no order {number}; {_listed('the latest are', numbers)}")

    def discount(self, code: str) -> Discount:
        """The discount of that code. Raises ToolError naming those there are."""
        found = next((each for each in self.discounts if folded(each.code) == folded(code)), None)
        return found if found else _missing("discount code", code, (each.code for each in self.discounts))

    def with_product(self, product: Product) -> Books:
        """With this product, in place of the one of the same name."""
        return replace(self, products=_put(self.products, product, lambda each: each.name == product.name))

    def with_customer(self, customer: Customer) -> Books:
        """With this customer, in place of the one of the same name."""
        return replace(self, customers=_put(self.customers, customer, lambda each: each.name == customer.name))

    def with_order(self, order: Order) -> Books:
        """With this order, in place of the one of the same number."""
        return replace(self, orders=_put(self.orders, order, lambda each: each.number == order.number))

    def moved(self, product: str, change: int) -> Books:
        """With so many more (or fewer) of a product on the shelf."""
        found = self.product(product)
        return self.with_product(replace(found, stock=found.stock + change))


def euros(cents: int) -> str:
    """`34.90`."""
    return f"{cents // 100}.{cents % 100:02}"


def _listed(head: str, names: list[str]) -> str:
    return f"{head} {', '.join(names)}" if names else "there are none yet"


def _missing(kind: str, name: str, known: Iterable[str]) -> NoReturn:
    raise ToolError(f"there is no {kind} {shown(name)}; {_listed('nearest:', nearest(name, known))}")


def _put(things: tuple[T, ...], thing: T, same: Callable[[T], bool]) -> tuple[T, ...]:
    """The things with this one in the place of the same, or at the end."""
    if any(map(same, things)):
        return tuple(thing if same(each) else each for each in things)
    return (*things, thing)
