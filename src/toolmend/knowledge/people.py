"""Names of authors: lists of them, and by-lines in a text. Knows nobody, and judges nobody."""

from __future__ import annotations

import re

from toolmend.knowledge.source import Found

_NOBODY = frozenset(
    "admin administrator anonymous author desk editor editorial marketing newsroom staff team unknown user guest "
    "webmaster none editorial-team".split()
)
_NAME = r"[A-ZÀ-Þ][\w'’.-]*(?:[ \t]+(?:de|van|von|der|den|la|le|da|di|bin|al|[A-ZÀ-Þ][\w'’.-]*)){1,4}"
_BYLINE = re.compile(
    rf"^[ \t]*(?i:written by|posted by|authors?:|by:?)[ \t]+"
    rf"({_NAME}(?:(?:,?[ \t]+and[ \t]+|,[ \t]*|[ \t]*&[ \t]*){_NAME})*)"
    r"[ \t]*(?=$|[|·•—–(,.]|\d|[ \t]on[ \t])",
    re.MULTILINE,
)
_FOLLOWED = re.compile(r"^(?P<name>[^\n]{2,60})\n[\w.-]{2,40}\nFollow$", re.MULTILINE)
_HEAD = 3000


def split_names(text: str) -> list[str]:
    """`Ann Lee, Bo Wu and Cy Doe` as three; `Lee, Ann and Wu, Bo` as two, first names first; nobody is left out."""
    pieces = [piece for piece in re.split(r"\s+and\s+|\s*[;&]\s*|\n", " ".join(text.split("\t"))) if piece.strip()]
    names: list[str] = []
    for piece in pieces:
        parts = [part.strip() for part in piece.split(",") if part.strip()]
        turned = len(parts) == 2 and (len(pieces) > 1 or ";" in text) and " " not in parts[0]
        names += [f"{parts[1]} {parts[0]}"] if turned else parts
    return [name for name in dict.fromkeys(" ".join(name.split()) for name in names) if not is_nobody(name)]


def is_nobody(name: str) -> bool:
    """Whether a name is none: empty, `admin`, `Editorial Team`, an address, a number."""
    words = re.findall(r"[\w-]+", name.lower())
    return not words or all(word in _NOBODY for word in words) or "://" in name or name.replace(" ", "").isdigit()


def bylines(text: str) -> list[Found]:
    """The authors that the beginning of a text names: "By Ann Lee", or names with their handle and a Follow button."""
    head = text[:_HEAD]
    found = []
    for line in _BYLINE.finditer(head):
        for name in split_names(line[1]):
            at = head.find(name, line.start(1))
            found.append(Found(name, "byline", at, at + len(name)) if at >= 0 else Found(name, "byline"))
    for line in _FOLLOWED.finditer(head):
        if not is_nobody(line["name"]):
            found.append(Found(line["name"].strip(), "byline", *line.span("name")))
    return found
