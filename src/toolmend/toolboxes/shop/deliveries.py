"""The tools for deliveries: which times are free, planning one, sending orders off."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import get_args

from toolmend.errors import ToolError
from toolmend.toolboxes.shop.books import Address, Delivery, Order, Slot, euros
from toolmend.toolboxes.shop.counter import Counter, address_of
from toolmend.tools import tool

AHEAD = 30
VANS = 2
SLOTS: tuple[Slot, ...] = get_args(Slot)
_SUNDAY = 6


class DeliveryTools(Counter):
    """Deliveries: two vans each morning, afternoon and evening, not on Sundays."""

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
        where = address_of(address) if address else self._books.customer(found.customer).address
        if where is None:
            raise ToolError(f"address: {found.customer} has none; give one, or use change_address first")
        delivery = Delivery(date, slot, where)
        if found.delivery == delivery:
            raise ToolError(f"order {order} is planned like this already; give another day, slot or address")
        self._books = self._books.with_order(replace(found, delivery=delivery))
        return f"order {order} is delivered on {date} in the {slot} to {where.street}, {where.postcode} {where.city}"

    @tool(effect="danger")
    def ship_orders(self, orders: list[int]) -> str:
        """Hand open orders over to the van. From then on they can be neither changed nor cancelled.

        Args:
            orders: the numbers of the orders; each needs a planned delivery
        """
        if not orders or len(set(orders)) < len(orders):
            raise ToolError(f"orders: name at least one order, each once, got {orders}")
        books = self._books
        for number in orders:
            found = self.open_order(number, "shipped")
            if found.delivery is None:
                ready = [str(each.number) for each in books.orders if each.status == "open" and each.delivery]
                raise ToolError(
                    f"order {number} has no delivery yet: plan_delivery first; ready: {', '.join(ready) or 'none'}"
                )
            books = books.with_order(replace(found, status="shipped"))
        self._books = books
        return f"shipped: {', '.join(f'{number} ({euros(books.order(number).cents)})' for number in orders)}"

    def _check_day(self, date: dt.date) -> None:
        first, last = self.today + dt.timedelta(days=1), self.today + dt.timedelta(days=AHEAD)
        if not first <= date <= last or date.weekday() == _SUNDAY:
            named = f"{date} ({date:%A})"
            raise ToolError(f"date: should be a day from {first} to {last} that is no Sunday, got {named}")

    def _free(self, date: dt.date, without: Order | None = None) -> list[Slot]:
        taken = [
            order.delivery.slot
            for order in self._books.orders
            if order.delivery and order.delivery.date == date and (without is None or order.number != without.number)
        ]
        return [slot for slot in SLOTS if taken.count(slot) < VANS]
