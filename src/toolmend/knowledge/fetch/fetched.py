"""What a fetcher hands over, and how it says no. Knows no protocol."""

from __future__ import annotations

from dataclasses import dataclass

from toolmend.knowledge.outcome import Name


@dataclass(frozen=True, slots=True)
class Fetched:
    """Bytes with the address they were found at in the end, their Content-Type, and when (UTC, ISO 8601).

    `says` is what a person should know of it, "" for nothing.
    """

    data: bytes
    url: str
    header: str
    at: str
    says: str = ""


class Refused(Exception):
    """It was not fetched: the name of the outcome and why. Raised inside this room only."""

    def __init__(self, name: Name, says: str) -> None:
        self.name: Name = name
        super().__init__(says)
