"""Appointments and deposits for Black Heron Tattoo."""
from __future__ import annotations

import datetime
from dataclasses import dataclass
from enum import Enum


class Style(str, Enum):
    BLACKWORK = "blackwork"
    FINELINE = "fineline"
    LETTERING = "lettering"
    TRADITIONAL = "traditional"


@dataclass
class Entry:
    client: str
    what: str
    detail: str = ""


BOOK: list[Entry] = []


def book_session(
    client: str,
    day: datetime.date,
    start: str,
    hours: float = 2.0,
    style: Style | None = None,
) -> str:
    """Book a tattoo session (needle on skin).

    Args:
        client: Name of the client.
        day: Date of the session, YYYY-MM-DD.
        start: Start time, HH:MM.
        hours: How long the session lasts.
        style: Style of the piece, if known.
    """
    BOOK.append(Entry(client, "session", f"{day} {start} {hours} h {style}"))
    return f"{client} on {day} at {start}"


def book_consultation(client: str, day: datetime.date, start: str, by_video: bool = False) -> str:
    """Book a consultation, where a design is only talked about.

    Args:
        client: Name of the client.
        day: Date, YYYY-MM-DD.
        start: Start time, HH:MM.
        by_video: True for a video call instead of a visit.
    """
    BOOK.append(Entry(client, "consultation", f"{day} {start} video={by_video}"))
    return f"consultation {client} {day} {start}"


def take_deposit(client: str, amount_eur: float, cash: bool = False) -> str:
    """Record a deposit.

    Args:
        client: Who paid.
        amount_eur: Amount in euros.
        cash: Whether it was paid in cash.
    """
    BOOK.append(Entry(client, "deposit", f"{amount_eur:.2f} cash={cash}"))
    return f"{amount_eur:.2f} EUR from {client}"


def rate_healing(client: str, score: int, touch_up: bool = False) -> str:
    """Record how a tattoo has healed.

    Args:
        client: Name of the client.
        score: 1 (bad) to 5 (perfect).
        touch_up: Whether it needs a touch-up.
    """
    BOOK.append(Entry(client, "healing", f"{score} touch_up={touch_up}"))
    return f"{client} healed {score}/5"


def sessions_on(day: datetime.date) -> list[str]:
    """List what is booked on a day (read only).

    Args:
        day: Date, YYYY-MM-DD.
    """
    return [e.client for e in BOOK if str(day) in e.detail]
