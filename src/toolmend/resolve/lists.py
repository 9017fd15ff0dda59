"""Several values in one text: "Monday and Thursday", "5, 7 and 9", "the kitchen as well as the hall"."""

from __future__ import annotations

import re

_BETWEEN = re.compile(
    r"\s*(?:,(?!\d{3}(?!\d))\s*(?:and\b|&)?|;|\+|&|\band\b(?! a (?:half|quarter))(?: also\b)?|\bas well as\b|\bplus\b|\n)\s*",
    re.I,
)


def parts(text: str) -> list[tuple[str, int]]:
    """The items and where each begins."""
    items, start = [], 0
    for match in _BETWEEN.finditer(text):
        items.append((text[start : match.start()], start))
        start = match.end()
    items.append((text[start:], start))
    return [(item, place) for item, place in items if item.strip()]
