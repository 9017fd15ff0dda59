"""The shop and its tools put together: as data, written and read back strictly, and as text for a model. The second
domain beside the dungeon: other words, other shapes of arguments (nested, lists, dates, choices), dangers.

As data, lists of things with a name are mappings from it to the rest: {"products": {"Seed box": {"category": "garden",
"cents": 1400, "stock": 9}}, "customers": {...}, "discounts": {...}, "orders": {"104": {"customer": "Luis Ortega",
"lines": {"Seed box": {...}}, ...}}, "returns": [...], "losses": [...]}
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from toolmend.base.errors import BadFile, ToolError
from toolmend.extras.worlds.shop.books import Books, Order, euros
from toolmend.extras.worlds.shop.orders import OrderTools
from toolmend.extras.worlds.shop.stock import StockTools
from toolmend.tools.tool import jsonable

_NAME = "shop JSON"
_KEYS = {"products": "name", "customers": "name", "orders": "number", "discounts": "code"}
_ALL = (*_KEYS, "returns", "losses")


def write_books(books: Books) -> dict[str, Any]:
    """The books as JSON-able data."""
    data: dict[str, Any] = jsonable(books)
    for order in data["orders"]:
        order["lines"] = _by(order["lines"], "product")
    return {**data, **{name: _by(data[name], key) for name, key in _KEYS.items()}}


def read_books(data: Any) -> Books:
    """The books that such data says. Raises BadFile, which says where it is wrong."""
    import pydantic

    if not isinstance(data, Mapping) or not set(data) <= set(_ALL):
        raise BadFile(_NAME, f"should be an object with {', '.join(_ALL)}")
    listed = {**data, **{name: _listed(data.get(name, {}), name, key) for name, key in _KEYS.items()}}
    for order in listed["orders"]:
        order["lines"] = _listed(order.get("lines", {}), f"orders/{order['number']}/lines", "product")
    try:
        books = pydantic.TypeAdapter(Books).validate_json(json.dumps(listed), strict=True)
        for placed in books.orders:
            books.customer(placed.customer)
            for line in placed.lines:
                books.product(line.product)
    except (ValueError, TypeError, ToolError) as error:
        raise BadFile(_NAME, " ".join(str(error).split())[:300]) from error
    return books


def _by(items: list[dict[str, Any]], key: str) -> dict[str, dict[str, Any]]:
    return {str(item[key]): {name: value for name, value in item.items() if name != key} for item in items}


def _listed(data: Any, where: str, key: str) -> list[dict[str, Any]]:
    if not isinstance(data, Mapping) or not all(isinstance(item, Mapping) for item in data.values()):
        raise BadFile(_NAME, f"{where}: should be an object of objects")
    if key == "number" and (wrong := [name for name in data if not str(name).isdecimal()]):
        raise BadFile(_NAME, f"{where}: {wrong[0]!r} is no number of an order")
    return [{key: int(name) if key == "number" else name, **item} for name, item in data.items()]


_NOW = dt.datetime(2025, 9, 15, 9, 0)
_NAMED: Mapping[str, Mapping[str, str]] = {
    "set_price": {"product": "product"},
    "write_off": {"product": "product"},
    "change_address": {"customer": "customer"},
    "place_order": {"customer": "customer"},
    "change_quantity": {"order": "order", "product": "product"},
    "cancel_order": {"order": "order"},
    "take_return": {"order": "order"},
    "show_order": {"order": "order"},
    "plan_delivery": {"order": "order"},
    "end_discount": {"code": "code"},
}


class Shop(OrderTools, StockTools):  # a toolbox lists the tools of the last base first
    """A small shop on the morning of Monday, 15 September 2025, unless other books and another clock are given.

    >>> shop = Shop()
    >>> shop.set_price("seed box", 12.5)
    "'Seed box' costs 12.50 now, 14.00 before"
    """

    def __init__(self, books: Books | None = None, *, now: dt.datetime = _NOW) -> None:
        super().__init__(_opening() if books is None else books, now)

    named = _NAMED

    def things(self) -> dict[str, list[dict[str, Any]]]:
        """Products, customers, orders and codes; the first value of each is what a tool is given."""
        books = self.books
        return {
            "product": [{"product": product.name, "category": product.category} for product in books.products],
            "customer": [{"customer": customer.name, "email": customer.email} for customer in books.customers],
            "order": [_told(order) for order in books.orders],
            "code": [{"code": discount.code, "products": ", ".join(discount.products)} for discount in books.discounts],
        }

    def state(self) -> dict[str, Any]:
        """The books as JSON-able data (its shape: files.py); equal for equal books."""
        return write_books(self.books)

    def set_state(self, data: Mapping[str, Any]) -> None:
        """Become what `state` gave; what is left out is empty. Raises BadFile, the shop unchanged."""
        self.books = read_books(data)

    def view(self) -> str:
        """The shop as text for a model."""
        books = self.books
        products = [
            f"- {product.name} ({product.category}) {euros(product.cents)}, {product.stock}"
            for product in books.products
        ]
        people = [customer.name + ("" if customer.address else " (no address)") for customer in books.customers]
        codes = [
            f"- {code.code}: {code.percent} % off {', '.join(code.products) or 'everything'} until {code.until}"
            for code in books.discounts
        ]
        parts = [
            f"Today: {self.today:%A} {self.today}",
            *_block("Products (category) price in euros, stock:", products),
            f"Customers: {', '.join(people) or 'none'}",
            *_block("Orders:", [_order_line(order) for order in books.orders]),
            *_block("Discount codes:", codes),
        ]
        return "\n".join(parts)

    __str__ = view


@cache
def _opening() -> Books:
    """Ten products, four customers, five orders and two codes."""
    return read_books(json.loads(files(__package__).joinpath("opening.json").read_text(encoding="utf-8")))


def _told(order: Order) -> dict[str, Any]:
    """An order as people tell it from others."""
    products = ", ".join(line.product for line in order.lines)
    return {
        "order": order.number,
        "customer": order.customer,
        "status": order.status,
        "products": products,
        "placed": order.placed.isoformat(),
    }


def _block(head: str, lines: list[str]) -> list[str]:
    return [head, *lines] if lines else [f"{head.partition(' ')[0].rstrip(':')}: none"]


def _order_line(order: Order) -> str:
    """One order in one line."""
    items = ", ".join(
        f"{line.quantity} {line.product}" + (f" ({line.returned} came back)" if line.returned else "")
        for line in order.lines
    )
    code = f", code {order.code}" if order.code else ""
    when = f", delivery {order.delivery.date} {order.delivery.slot}" if order.delivery else ""
    return f"- {order.number} {order.customer}, {order.status}: {items} = {euros(order.cents)}{code}{when}"
