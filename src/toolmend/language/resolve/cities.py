"""The state of a large city of the United States, for arguments that want both: "Boston" → "Boston, MA". A table."""

from __future__ import annotations

import re

from toolmend.language.resolve import vocabulary

_BY_STATE = vocabulary.table("cities")
_STATES = {city: state for state, cities in _BY_STATE.items() for city in cities}
_FULL = {
    "Massachusetts": "MA",
    "California": "CA",
    "Texas": "TX",
    "Illinois": "IL",
    "Florida": "FL",
    "Washington": "WA",
}
_WANTED = re.compile(r"(?i)\bcity and (?:the )?state\b|\b[A-Z][a-z]+, [A-Z]{2}\b")


def with_state(text: str, description: str) -> str:
    """The city with its state's two letters, where the description asks for both and the text is the city alone."""
    if not _WANTED.search(description):
        return text
    city, comma, state = text.partition(", ")
    letters = _FULL.get(state) if comma else _STATES.get(city) or _STATES.get(city.removesuffix(" City"))
    return f"{city}, {letters}" if letters else text
