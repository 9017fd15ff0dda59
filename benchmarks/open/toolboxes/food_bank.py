"""The food bank in the old school."""

from datetime import date
from typing import Literal

STOCK: list[dict] = [
    {"item": "rice", "count": 40},
    {"item": "tinned tomatoes", "count": 85},
]
PARCELS: list[dict] = []
SHIFTS: list[dict] = []
WANTED: list[dict] = []


def receive(item: str, quantity: int, donor: str | None = None, best_before: date | None = None) -> str:
    """Put given food into the stock."""
    STOCK.append({"item": item, "count": quantity, "donor": donor, "best_before": best_before})
    return f"{quantity} {item}"


def give_parcel(
    family: str, adults: int, children: int = 0, diet: Literal["any", "vegetarian", "vegan", "halal"] = "any"
) -> str:
    """Hand out a parcel to a family."""
    PARCELS.append({"family": family, "adults": adults, "children": children, "diet": diet})
    return f"parcel for {family}"


def add_volunteer(name: str, shift: str, jobs: list[str] | None = None) -> str:
    """Put a volunteer on a shift."""
    SHIFTS.append({"name": name, "shift": shift, "jobs": jobs or []})
    return f"{name}: {shift}"


def ask_for(items: list[str], urgent: bool = False) -> str:
    """Put what we are short of on the poster outside."""
    for item in items:
        WANTED.append({"item": item, "urgent": urgent})
    return "we need " + ", ".join(items)
