"""The shop and its tools put together: what it is as data, as text for a model, and as a value to go back to.

The second domain beside the dungeon: other words, other shapes of arguments (nested, lists, dates, choices), dangers.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from toolmend.toolboxes.shop.books import Books, Order, euros
from toolmend.toolboxes.shop.files import read_books, write_books
from toolmend.toolboxes.shop.orders import OrderTools
from toolmend.toolboxes.shop.stock import StockTools

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
        super().__init__(books or _opening(), now)

    named = _NAMED

    def things(self) -> dict[str, list[dict[str, Any]]]:
        """Products, customers, orders and codes; the first value of each is what a tool is given."""
        books = self._books
        return {
            "product": [{"product": each.name, "category": each.category} for each in books.products],
            "customer": [{"customer": each.name, "email": each.email} for each in books.customers],
            "order": [_told(order) for order in books.orders],
            "code": [{"code": each.code, "products": ", ".join(each.products)} for each in books.discounts],
        }

    def snapshot(self) -> Books:
        """The books."""
        return self._books

    def restore(self, state: Books) -> None:
        """Exactly these books."""
        self._books = state

    def state(self) -> dict[str, Any]:
        """The books as JSON-able data (its shape: files.py); equal for equal books."""
        return write_books(self._books)

    def set_state(self, data: Mapping[str, Any]) -> None:
        """Become what `state` gave; what is left out is empty. Raises BadFile, the shop unchanged."""
        self._books = read_books(data)

    def view(self) -> str:
        """The shop as text for a model."""
        books = self._books
        products = [f"- {each.name} ({each.category}) {euros(each.cents)}, {each.stock}" for each in books.products]
        people = [each.name + ("" if each.address else " (no address)") for each in books.customers]
        codes = [
            f"- {each.code}: {each.percent} % off {', '.join(each.products) or 'everything'} until {each.until}"
            for each in books.discounts
        ]
        parts = [
            f"Today: {self.today:%A} {self.today}",
            *_block("Products (category) price in euros, stock:", products),
            f"Customers: {', '.join(people) or 'none'}",
            *_block("Orders:", [_order_line(order) for order in books.orders]),
            *_block("Discount codes:", codes),
        ]
        return "\n".join(parts)

    def __str__(self) -> str:
        """As a model sees it."""
        return self.view()


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
