"""The tools for orders: placing, changing, cancelling and showing them, what comes back, what was sold, and deliveries:
two vans each morning, afternoon and evening, not on Sundays."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any, get_args

from toolmend.base.errors import ToolError
from toolmend.extras.worlds.shop.books import (
    Address,
    Cause,
    Delivery,
    Line,
    Order,
    OrderLine,
    Return,
    Slot,
    address_of,
    at_least_one,
    distinct,
    euros,
    text_of,
)
from toolmend.extras.worlds.shop.people import PeopleTools, reduced
from toolmend.tools import tool
from toolmend.tools.texts import shown
from toolmend.tools.tool import jsonable

RETURN_DAYS = 30
AHEAD = 30
VANS = 2
SLOTS: tuple[Slot, ...] = get_args(Slot)
_SUNDAY = 6


class OrderTools(PeopleTools):
    """Orders from the first line to the last return. What is ordered is off the shelf."""

    @tool
    def place_order(
        self, customer: str, items: list[OrderLine], code: str | None = None, note: str | None = None
    ) -> str:
        """Place an order for a customer, at today's prices.

        Args:
            customer: the name of the customer
            items: which products, and how many of each
            code: a discount code
            note: a remark of the customer, for example that it is a gift
        """
        buyer, books = self.books.customer(customer), self.books
        discount = self.running(code) if code is not None else None
        lines = []
        for item in distinct(items, books):
            found = books.product(item.product)
            there = f"{found.stock} of {shown(found.name)} are on the shelf"
            at_least_one(f"quantity of {shown(found.name)}", item.quantity, found.stock, there)
            lines.append(Line(found.name, item.quantity, reduced(found, discount)))
            books = books.moved(found.name, -item.quantity)
        if discount and discount.products and not any(line.product in discount.products for line in lines):
            raise ToolError(f"code: {discount.code} is only for {', '.join(discount.products)}; leave it out")
        order = Order(
            max((other.number for other in books.orders), default=100) + 1,
            buyer.name,
            self.today,
            tuple(lines),
            code=discount.code if discount else None,
            note=text_of("note", note) if note is not None else None,
        )
        self.books = books.having(order)
        return f"order {order.number} for {buyer.name}: {euros(order.cents)}"

    @tool
    def change_quantity(self, order: int, product: str, quantity: int) -> str:
        """Change how many of a product an open order has. 0 takes the product out; a new product is put in.

        Args:
            order: the number of the order
            product: the name of the product
            quantity: how many there should be in the end
        """
        found, item = self.open_order(order, "changed"), self.books.product(product)
        line = found.line(item.name)
        had = line.quantity if line else 0
        most = had + item.stock
        if not 0 <= quantity <= most or quantity == had:
            now = f"the order has {had}, {item.stock} more are on the shelf"
            raise ToolError(f"quantity: should be 0 to {most} and not {had} ({now}), got {quantity}")
        if quantity == 0 and len(found.lines) == 1:
            raise ToolError(f"{shown(item.name)} is all there is in order {order}; cancel_order cancels the order")
        discount = self.running(found.code) if found.code and line is None else None
        changed = Line(item.name, quantity, line.cents if line else reduced(item, discount))
        lines = [changed if other is line else other for other in found.lines] if line else [*found.lines, changed]
        order_ = replace(found, lines=tuple(kept for kept in lines if kept.quantity))
        self.books = self.books.moved(item.name, had - quantity).having(order_)
        return f"order {order} has {quantity} of {shown(item.name)} now: {euros(order_.cents)}"

    @tool
    def cancel_order(self, order: int, reason: str | None = None) -> str:
        """Cancel an open order; what was in it goes back on the shelf.

        Args:
            order: the number of the order
            reason: why, if the customer said so
        """
        found = self.open_order(order, "cancelled")
        books = self.books
        for line in found.lines:
            books = books.moved(line.product, line.quantity)
        note = text_of("reason", reason) if reason is not None else found.note
        self.books = books.having(replace(found, status="cancelled", note=note, delivery=None))
        return f"order {order} is cancelled"

    @tool
    def take_return(self, order: int, items: list[OrderLine], cause: Cause, refund: bool = True) -> str:
        """Take back goods of a shipped order, up to 30 days after the delivery. Undamaged goods go back on the shelf.

        Args:
            order: the number of the order
            items: which products come back, and how many of each
            cause: why they come back
            refund: whether the customer gets the money back
        """
        found, books = self._returnable(order), self.books
        lines, money = list(found.lines), 0
        back = distinct(items, books)
        for item in back:
            line = found.line(item.product)
            if line is None:
                had = ", ".join(bought.product for bought in found.lines)
                raise ToolError(f"items: order {order} has no {shown(item.product)}; it has {had}")
            left = line.quantity - line.returned
            why = f"{left} of {shown(item.product)} have not come back yet"
            at_least_one(f"quantity of {shown(item.product)}", item.quantity, left, why)
            lines[lines.index(line)] = replace(line, returned=line.returned + item.quantity)
            money += line.cents * item.quantity if refund else 0
            books = books if cause == "damaged" else books.moved(item.product, item.quantity)
        books = books.having(replace(found, lines=tuple(lines)))
        self.books = replace(books, returns=(*books.returns, Return(order, self.today, tuple(back), cause, money)))
        return f"taken back from order {order}; refunded: {euros(money)}"

    @tool(effect="read")
    def show_order(self, order: int) -> dict[str, Any]:
        """Everything about one order.

        Args:
            order: the number of the order
        """
        found = self.books.order(order)
        return {**jsonable(found), "total": found.cents / 100}

    @tool(effect="read")
    def sales_report(self, since: dt.date, until: dt.date | None = None) -> dict[str, Any]:
        """What was ordered in a time: number of orders, euros, and pieces of each product. Cancelled ones do not count.

        Args:
            since: the first day, as YYYY-MM-DD
            until: the last day, as YYYY-MM-DD; left out: today
        """
        last = until or self.today
        if since > last:
            raise ToolError(f"since: should not be after {last}, got {since}")
        orders = [order for order in self.books.orders if since <= order.placed <= last and order.status != "cancelled"]
        pieces: dict[str, int] = {}
        for line in (line for order in orders for line in order.lines):
            pieces[line.product] = pieces.get(line.product, 0) + line.quantity - line.returned
        return {"orders": len(orders), "euros": sum(order.cents for order in orders) / 100, "pieces": pieces}

    @tool(effect="read")
    def free_times(self, date: dt.date) -> list[Slot]:
        """Which times of a day are free for a delivery.

        Args:
            date: the day, as YYYY-MM-DD
        """
        self._check_day(date)
        return self._free(date)

    @tool
    def plan_delivery(self, order: int, date: dt.date, slot: Slot = "morning", address: Address | None = None) -> str:
        """Plan when an open order is delivered, or plan it anew. Tomorrow at the earliest, within 30 days, no Sundays.

        Args:
            order: the number of the order
            date: the day, as YYYY-MM-DD
            slot: the time of day
            address: where to, if not to the customer's own address
        """
        found = self.open_order(order, "planned")
        self._check_day(date)
        free = self._free(date, without=found)
        if slot not in free:
            raise ToolError(f"slot: the {slot} of {date} is full; free that day: {', '.join(free) or 'none'}")
        where = address_of(address) if address else self.books.customer(found.customer).address
        if where is None:
            raise ToolError(f"address: {found.customer} has none; give one, or use change_address first")
        delivery = Delivery(date, slot, where)
        if found.delivery == delivery:
            raise ToolError(f"order {order} is planned like this already; give another day, slot or address")
        self.books = self.books.having(replace(found, delivery=delivery))
        return f"order {order} is delivered on {date} in the {slot} to {where.street}, {where.postcode} {where.city}"

    @tool(effect="danger")
    def ship_orders(self, orders: list[int]) -> str:
        """Hand open orders over to the van. From then on they can be neither changed nor cancelled.

        Args:
            orders: the numbers of the orders; each needs a planned delivery
        """
        if not orders or len(set(orders)) < len(orders):
            raise ToolError(f"orders: name at least one order, each once, got {orders}")
        books = self.books
        for number in orders:
            found = self.open_order(number, "shipped")
            if found.delivery is None:
                ready = [str(order.number) for order in books.orders if order.status == "open" and order.delivery]
                raise ToolError(
                    f"order {number} has no delivery yet: plan_delivery first; ready: {', '.join(ready) or 'none'}"
                )
            books = books.having(replace(found, status="shipped"))
        self.books = books
        return f"shipped: {', '.join(f'{number} ({euros(books.order(number).cents)})' for number in orders)}"

    def _check_day(self, date: dt.date) -> None:
        first, last = self.today + dt.timedelta(days=1), self.today + dt.timedelta(days=AHEAD)
        if not first <= date <= last or date.weekday() == _SUNDAY:
            named = f"{date} ({date:%A})"
            raise ToolError(f"date: should be a day from {first} to {last} that is no Sunday, got {named}")

    def _free(self, date: dt.date, without: Order | None = None) -> list[Slot]:
        taken = [
            order.delivery.slot
            for order in self.books.orders
            if order.delivery and order.delivery.date == date and (without is None or order.number != without.number)
        ]
        return [slot for slot in SLOTS if taken.count(slot) < VANS]

    def _returnable(self, number: int) -> Order:
        """An order of which something can come back today."""
        found = self.books.order(number)
        if found.status != "shipped" or found.delivery is None:
            raise ToolError(f"order {number} is {found.status}; only shipped orders can come back")
        first, last = found.delivery.date, found.delivery.date + dt.timedelta(days=RETURN_DAYS)
        if not first <= self.today <= last:
            raise ToolError(f"order {number} can come back from {first} to {last}; today is {self.today}")
        return found
