"""Blood donation evenings in the parish hall."""

from typing import Literal

BOOKINGS: list[dict] = []
DONATIONS: list[dict] = []
DEFERRED: list[dict] = []
SNACKS: list[str] = ["orange juice", "biscuits"]


def book_donor(name: str, when: str, kind: Literal["whole blood", "plasma", "platelets"] = "whole blood") -> str:
    """Book a donor in for a time."""
    BOOKINGS.append({"name": name, "when": when, "kind": kind})
    return f"{name} comes {when}"


def record_donation(
    name: str, millilitres: int, blood_group: Literal["A+", "A-", "B+", "B-", "AB+", "AB-", "0+", "0-"] | None = None
) -> str:
    """Write down how much somebody gave."""
    DONATIONS.append({"name": name, "ml": millilitres, "group": blood_group})
    return f"{millilitres} ml from {name}"


def check_iron(name: str, haemoglobin: float) -> str:
    """Write down a donor's haemoglobin value."""
    return f"{name}: {haemoglobin} " + ("ok" if haemoglobin >= 12.5 else "too low")


def defer_donor(name: str, weeks: int, reason: str | None = None) -> str:
    """Send a donor home for some weeks."""
    DEFERRED.append({"name": name, "weeks": weeks, "reason": reason})
    return f"{name} not for {weeks} weeks"


def buy_snacks(snacks: list[str], helper: str | None = None) -> str:
    """Put snacks on the list for the donors."""
    SNACKS.extend(snacks)
    return f"{helper or 'somebody'} buys {', '.join(snacks)}"
