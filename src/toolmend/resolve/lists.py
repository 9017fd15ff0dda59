"""Several values in one text: "Monday and Thursday", "5, 7 and 9", "the kitchen as well as the hall"."""

from __future__ import annotations

import re

_BETWEEN = re.compile(
    r"\s*(?:,(?!\d{3}(?!\d))\s*(?:and\b|&)?|[;+&\n]|/(?=[^\W\d])|"
    r"(?<!hundred )(?<!thousand )(?<!million )\band\b(?! a (?:half|quarter))"
    r"(?: also\b)?|\bas well as\b|\bplus\b)\s*",
    re.IGNORECASE,
)
_SHARED = {"date": re.compile(r"month\d+"), "time": re.compile(r"(?<!\S)(?:am|pm)(?!\S)")}


def shares_end(items: list[str], kind: str) -> bool:
    """Whether what the last item says holds for the first, too: "the 9th and 10th of May", "5 and 7 pm"."""
    pattern = _SHARED.get(kind)
    return bool(pattern and pattern.search(items[-1]) and not pattern.search(items[0]))


def parts(text: str) -> list[tuple[str, int]]:
    """The items and where each begins."""
    items, start = [], 0
    for match in _BETWEEN.finditer(text):
        items.append((text[start : match.start()], start))
        start = match.end()
    items.append((text[start:], start))
    return [(item, place) for item, place in items if item.strip(" ~")]
