"""The books as JSON-able data, and read back strictly. Lists of things with a name are mappings from it to the rest.

{"products": {"Seed box": {"category": "garden", "cents": 1400, "stock": 9}}, "customers": {...}, "discounts": {...},
"orders": {"104": {"customer": "Luis Ortega", "lines": {"Seed box": {...}}, ...}}, "returns": [...], "losses": [...]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolmend.errors import BadFile, ToolError
from toolmend.toolboxes.shop.books import Books
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
        for each in books.orders:
            books.customer(each.customer)
            for line in each.lines:
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
