"""For the babysitter: what the children ate, when they slept, what is owed."""

from typing import Literal

Child = Literal["Nils", "Ayla", "Bo"]
LOG: list[dict] = []
OWED: dict[str, float] = {}


def fed(child: Child, food: str, all_eaten: bool = True) -> str:
    """Write down what a child ate."""
    LOG.append({"child": child, "food": food, "all": all_eaten})
    return f"{child} ate {food}"


def nap(child: Child, start: str, minutes: int) -> str:
    """Write down a nap with its start ("HH:MM") and length."""
    LOG.append({"child": child, "nap": start, "minutes": minutes})
    return f"{child} slept {minutes} minutes from {start}"


def give_medicine(child: Child, medicine: str, drops: int) -> str:
    """Write down medicine that was given, in drops."""
    LOG.append({"child": child, "medicine": medicine, "drops": drops})
    return f"{drops} drops of {medicine} for {child}"


def work_time(sitter: str, hours: float, rate: float = 12.0) -> str:
    """Count the hours of a sitter, at a rate in euros an hour."""
    OWED[sitter] = OWED.get(sitter, 0) + hours * rate
    return f"{sitter} gets {OWED[sitter]:.2f}"


def message_parents(text: str, urgent: bool = False) -> str:
    """Send the parents a message."""
    LOG.append({"message": text, "urgent": urgent})
    return "sent"
