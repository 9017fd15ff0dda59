"""Orders at the counter of our bakery."""

from typing import Literal

orders = []
sold_out = set()


def order_bread(customer: str, bread: str, loaves: int, day: str, sliced: bool = False) -> str:
    """Take an order for loaves of bread.

    Args:
        customer: who orders
        bread: which bread
        loaves: number of loaves
        day: day of collection, in the customer's words, e.g. "tomorrow"
        sliced: true if the bread is to be sliced
    """
    orders.append((customer, bread, loaves, day, sliced))
    return f"{loaves} {bread} for {customer}, {day}"


def order_cake(
    customer: str,
    flavour: Literal["chocolate", "carrot", "lemon", "cheesecake"],
    day: str,
    people: int = 8,
    inscription: str | None = None,
) -> str:
    """Take an order for a cake.

    Args:
        customer: who orders
        flavour: flavour of the cake
        day: day of collection, in the customer's words, e.g. "tomorrow"
        people: how many people it should feed
        inscription: text written on the cake
    """
    orders.append((customer, flavour, day, people, inscription))
    return f"{flavour} cake for {customer}, {day}"


def mark_sold_out(items: list[str]) -> str:
    """Mark goods as sold out for today."""
    sold_out.update(items)
    return "sold out: " + ", ".join(items)


def cancel_order(order_no: int) -> str:
    """Cancel an order by its number."""
    return f"order {order_no} cancelled"


def collected(order_no: int, paid_by: Literal["cash", "card"] = "cash") -> str:
    """An order was collected and paid for."""
    return f"order {order_no} collected, {paid_by}"
