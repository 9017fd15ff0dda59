"""Names of authors: lists of them, by-lines in a text, BibTeX entries. Knows nobody, and judges nobody."""

from __future__ import annotations

import re
from itertools import islice

from toolmend.knowledge.source import Found

_NOBODY = frozenset(
    "admin administrator anonymous author desk editor editorial marketing newsroom staff team unknown user guest "
    "webmaster none "
    "editorial-team".split()
)
_ENTRY = re.compile(r"@\w+\s*\{")
_FIELD = re.compile(r"(\w+)\s*=\s*(?:\{((?:[^{}]++|\{[^{}]*+\})*+)\}|\"([^\"]*+)\"|(\d+))")
_NAME = r"[A-ZÀ-Þ][\w'’.-]*(?:[ \t]+(?:de|van|von|der|den|la|le|da|di|bin|al|[A-ZÀ-Þ][\w'’.-]*)){1,4}"
_BYLINE = re.compile(
    rf"^[ \t]*(?i:written by|posted by|authors?:|by:?)[ \t]+"
    rf"({_NAME}(?:(?:,?[ \t]+and[ \t]+|,[ \t]*|[ \t]*&[ \t]*){_NAME})*)"
    r"[ \t]*(?=$|[|·•—–(,.]|\d|[ \t]on[ \t])",
    re.MULTILINE,
)
_FOLLOWED = re.compile(r"^(?P<name>[^\n]{2,60})\n(?P<handle>[\w.-]{2,40})\nFollow$", re.MULTILINE)
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
        name = line["name"].strip()
        if not is_nobody(name):
            found.append(Found(name, "byline", line.start("name"), line.start("name") + len(line["name"].rstrip())))
    return found


def bibtex_entries(text: str) -> list[dict[str, str]]:
    """The BibTeX entries in a text, fields by small name, with `start` and `end` as digits."""
    entries = []
    for head in islice(_ENTRY.finditer(text), 100):
        end = _closing(text, head.end())
        body = text[head.end() : end]
        entry = {name.lower(): braced or quoted or bare for name, braced, quoted, bare in _FIELD.findall(body)}
        if entry:
            entries.append({**entry, "start": str(head.start()), "end": str(end)})
    return entries


def bibtex_names(authors: str) -> list[str]:
    """`Weng, Lilian and Wu, Bo` as `Lilian Weng`, `Bo Wu`."""
    names = []
    for each in re.split(r"\s+and\s+", " ".join(authors.split())):
        last, comma, first = each.partition(",")
        names.append(f"{first.strip(' ,')} {last.strip()}" if comma else each.strip(" ,"))
    return [name for name in names if not is_nobody(name)]


def _closing(text: str, start: int) -> int:
    """The offset of the brace that closes an entry, at most 5000 characters on."""
    depth = 1
    for at in range(start, min(len(text), start + 5000)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if not depth:
            return at
    return min(len(text), start + 5000)
