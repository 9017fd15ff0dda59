"""The text of a page as people read it: columns that a file writes row by row one after the other, words that a line's
end divides whole again. Knows no file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

_DIVIDED = re.compile(r"([^\W\d_]{2,})-\n([a-zß-öø-ÿœ][\w]*)")
_ROWS = 5  # that stand in two columns before they are taken for such
_SHARE = 0.6
_NEAR = 6.0
_APART = 90.0


class Fragment(NamedTuple):
    """A piece of text and where it begins, in points from the lower left."""

    x: float
    y: float
    text: str


def page_text(page: Any) -> str:
    """The text of a page of pypdf."""
    fragments: list[Fragment] = []

    def visit(text: str, cm: Sequence[float], tm: Sequence[float], _font: Any, _size: float) -> None:
        if bare := text.strip():
            x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
            y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            fragments.append(Fragment(x, y, bare))

    text = page.extract_text(visitor_text=visit) or ""
    return in_columns(fragments) or text


def in_columns(fragments: Sequence[Fragment]) -> str:
    """The text of two columns written row by row, the left one first; "" where there are none, or the file has them one
    after the other already. What stands above or below them stays there."""
    rows: list[list[Fragment]] = []
    for fragment in fragments:
        if rows and abs(rows[-1][0].y - fragment.y) < 2:
            rows[-1].append(fragment)
        else:
            rows.append([fragment])
    starts = Counter(round(row[1].x) for row in rows if len(row) == 2 and row[1].x - row[0].x > _APART)
    if not starts:
        return ""
    middle = starts.most_common(1)[0][0]
    double = [len(row) == 2 and abs(row[1].x - middle) < _NEAR and row[1].x - row[0].x > _APART for row in rows]
    if sum(double) < max(_ROWS, _SHARE * len(rows)):
        return ""
    first, last = double.index(True), len(double) - double[::-1].index(True)
    within = [fragment for row in rows[first:last] for fragment in row]
    left = [fragment for fragment in within if fragment.x < middle - _NEAR]
    right = [fragment for fragment in within if fragment.x >= middle - _NEAR]
    around = [fragment for row in rows[:first] for fragment in row], [f for row in rows[last:] for f in row]
    return "\n".join(fragment.text for fragment in (*around[0], *left, *right, *around[1]))


def undivided(text: str) -> str:
    """Words that a line's end divides as one; where the text itself writes one with a hyphen elsewhere, with it."""

    def joined(match: re.Match[str]) -> str:
        head, tail = match.groups()
        hyphened = re.search(rf"\b{re.escape(head)}-{re.escape(tail)}\b", text, re.IGNORECASE)
        return f"{head}-{tail}" if hyphened else f"{head}{tail}"

    return _DIVIDED.sub(joined, text)
