"""The laundrette on the corner."""

from typing import Literal

RUNNING: list[dict] = []
BAGS: list[dict] = []
TILL: list[dict] = []
BROKEN: list[dict] = []


def start_washer(
    machine: int,
    degrees: int,
    programme: Literal["cotton", "delicates", "wool", "quick"] = "cotton",
    prewash: bool = False,
) -> str:
    """Start a washing machine."""
    RUNNING.append({"washer": machine, "degrees": degrees, "programme": programme, "prewash": prewash})
    return f"washer {machine} runs at {degrees}"


def start_dryer(machine: int, minutes: int) -> str:
    """Start a dryer for some minutes."""
    RUNNING.append({"dryer": machine, "minutes": minutes})
    return f"dryer {machine} runs {minutes} minutes"


def take_in(customer: str, items: list[str], ready_by: str | None = None) -> str:
    """Take in a customer's washing that we do for him."""
    BAGS.append({"customer": customer, "items": items, "ready_by": ready_by})
    return f"{customer}: {', '.join(items)}"


def charge(customer: str, amount: float, paid_by: Literal["cash", "card"] = "cash") -> str:
    """Take a customer's money."""
    TILL.append({"customer": customer, "amount": amount, "paid_by": paid_by})
    return f"{amount:.2f} from {customer}"


def out_of_order(kind: Literal["washer", "dryer"], machine: int, fault: str | None = None) -> str:
    """Put a machine out of order."""
    BROKEN.append({"kind": kind, "machine": machine, "fault": fault})
    return f"{kind} {machine} out of order"
