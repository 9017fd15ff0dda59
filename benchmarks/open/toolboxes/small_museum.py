"""Inventory of the Fishermen's Museum. Objects have numbers like M-1042."""

import datetime as dt
from typing import Literal, Optional

Room = Literal["hall", "attic", "boathouse", "depot"]
_items: dict[str, dict] = {"M-1042": {"title": "Eel trap", "room": "hall"}}
_loans: list[dict] = []


def register_object(title: str, room: Room, donor: Optional[str] = None, year_made: Optional[int] = None) -> str:
    """Enter a newly arrived object into the inventory. It gets its number by itself."""
    number = f"M-{1043 + len(_items)}"
    _items[number] = {"title": title, "room": room, "donor": donor, "year": year_made}
    return number


def relocate(object_id: str, room: Room) -> str:
    """Move an object to another room of our own house."""
    _items.setdefault(object_id, {})["room"] = room
    return f"{object_id} is in the {room}"


def lend_out(object_id: str, borrower: str, until: dt.date, insured_value_eur: Optional[int] = None) -> str:
    """Lend an object to another institution until a date (YYYY-MM-DD)."""
    _loans.append({"id": object_id, "to": borrower, "until": until, "value": insured_value_eur})
    return f"{object_id} to {borrower} until {until}"


def report_condition(object_id: str, condition: Literal["good", "worn", "damaged", "lost"], remark: str = "") -> str:
    """Report the condition of an object."""
    _items.setdefault(object_id, {})["condition"] = condition
    return f"{object_id}: {condition}"


def where_is(object_id: str) -> str:
    """Look up in which room an object is. Read-only."""
    return _items.get(object_id, {}).get("room", "unknown")
