"""The tools for what is on the shelf: finding, adding, pricing, receiving and writing off products."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from toolmend.base.errors import ToolError
from toolmend.extras.worlds.shop.books import (
    SHELF,
    Category,
    Counter,
    Loss,
    OrderLine,
    Product,
    WrittenOff,
    at_least_one,
    cents_of,
    distinct,
    euros,
    text_of,
)
from toolmend.tools import tool
from toolmend.tools.texts import folded, shown


class StockTools(Counter):
    """Products, their prices and their stock."""

    @tool(effect="read")
    def find_products(
        self, text: str = "", category: Category | None = None, max_price: float | None = None, in_stock: bool = False
    ) -> list[dict[str, Any]]:
        """List the products that fit, with price and stock. Without arguments: all of them.

        Args:
            text: a part of the name
            category: only products of this category
            max_price: only products that cost at most this many euros
            in_stock: only products that are on the shelf now
        """
        return [
            {
                "product": product.name,
                "category": product.category,
                "price": product.cents / 100,
                "stock": product.stock,
            }
            for product in self.books.products
            if folded(text) in folded(product.name)
            and category in (None, product.category)
            and (max_price is None or product.cents <= max_price * 100 + 1e-6)
            and (product.stock or not in_stock)
        ]

    @tool
    def add_product(self, name: str, category: Category, price: float, stock: int = 0) -> str:
        """Add a new product to the range.

        Args:
            name: what it is called, for example "Watering can"
            category: the part of the shop it belongs to
            price: in euros
            stock: how many of it are on the shelf already
        """
        name = text_of("name", name)
        if any(folded(known.name) == folded(name) for known in self.books.products):
            raise ToolError(f"there is a product {shown(name)} already; set_price or receive_goods change it")
        if not 0 <= stock <= SHELF:
            raise ToolError(f"stock: should be 0 to {SHELF}, got {stock}")
        product = Product(name, category, cents_of("price", price), stock)
        self.books = self.books.having(product)
        return f"added {shown(name)} at {euros(product.cents)}"

    @tool
    def set_price(self, product: str, price: float) -> str:
        """Change the price of a product; open orders keep the old one. A price changes by at most half at a time.

        Args:
            product: the name of the product
            price: the new price in euros
        """
        found, cents = self.books.product(product), cents_of("price", price)
        low, high = -(-found.cents // 2), found.cents * 3 // 2
        if not low <= cents <= high:
            raise ToolError(
                f"price: {shown(found.name)} costs {euros(found.cents)}, so {euros(low)} to {euros(high)} is allowed, "
                f"got {euros(cents)}"
            )
        if cents == found.cents:
            raise ToolError(f"price: {shown(found.name)} costs {euros(cents)} already; give another price")
        self.books = self.books.having(replace(found, cents=cents))
        return f"{shown(found.name)} costs {euros(cents)} now, {euros(found.cents)} before"

    @tool
    def receive_goods(self, items: list[OrderLine]) -> str:
        """Put goods from a supplier on the shelf.

        Args:
            items: which products came, and how many of each
        """
        books = self.books
        for item in distinct(items, books):
            found = books.product(item.product)
            room = SHELF - found.stock
            at_least_one(f"quantity of {shown(found.name)}", item.quantity, room, f"the shelf has room for {room} more")
            books = books.moved(found.name, item.quantity)
        self.books = books
        return "; ".join(f"{books.product(item.product).name}: {books.product(item.product).stock}" for item in items)

    @tool(effect="danger")
    def write_off(self, product: str, quantity: int, cause: Loss) -> str:
        """Take goods off the shelf that can no longer be sold.

        Args:
            product: the name of the product
            quantity: how many of it
            cause: what happened to them
        """
        found = self.books.product(product)
        at_least_one("quantity", quantity, found.stock, f"{found.stock} of {shown(found.name)} are on the shelf")
        books = self.books.moved(found.name, -quantity)
        self.books = replace(books, losses=(*books.losses, WrittenOff(found.name, quantity, cause)))
        return f"wrote off {quantity} of {shown(found.name)}, {found.stock - quantity} are left"
