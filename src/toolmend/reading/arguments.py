"""The arguments of one call in Python notation, from a syntax tree or, mended, from text that is none.

Knows nothing of which tools exist; a value that is no constant is kept as its source text and named in `detail`.
Typographic quotes alone are forgiven; all other mending leaves a `detail` behind, which is a syntax problem.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from toolmend.reading.literals import MAX_SOURCE, Unreadable, fold, parse_expression
from toolmend.reading.scan import TYPOGRAPHIC, scan, unclosed_stop

_WORDS = {"true": True, "false": False, "null": None, "none": None}
_KEY = re.compile(r"\s*([^\W\d]\w*)\s*[=:](?!=)\s*")
_MARKS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_CLOSING = {mark: re.compile(rf"{mark}(?=\s*(?:,|$))|(?=,\s*[^\W\d]\w*\s*=)") for mark in "\"'"}

_MAX_UNCLOSED = 2_000
_CURLY = re.compile(f"[{''.join(map(chr, TYPOGRAPHIC))}]")
_DOUBLE = {char: mark for char, mark in TYPOGRAPHIC.items() if mark == '"'}


@dataclass(slots=True)
class Arguments:
    """Positional and named values. `detail` is empty if all were constants, else it names the first that was not."""

    positional: list[Any] = field(default_factory=list)
    named: dict[str, Any] = field(default_factory=dict)
    notes: set[str] = field(default_factory=set)
    detail: str = ""
    variables: set[str] = field(default_factory=set)

    def complain(self, detail: str) -> None:
        """Keep the first complaint."""
        self.detail = self.detail or detail

    def name(self, key: str, value: Any) -> None:
        """Give a named argument; the first of two of one name is kept, which is no fault where both are the same."""
        if key in self.named and self.named[key] == value:
            self.notes.add("given_twice")
        elif key in self.named:
            self.complain(f"argument {key} is given twice")
        else:
            self.named[key] = value


def excerpt(text: str) -> str:
    """At most 80 characters of a text on one line."""
    line = " ".join(text[:320].split())
    return line if len(line) <= 80 else f"{line[:79]}…"


def from_node(node: ast.Call, source: str) -> Arguments:
    """The arguments of a call, constants folded. `source` is the text that `node` was parsed from."""
    found = Arguments()
    for arg in node.args:
        found.positional.append(_value(arg, source, found))
    for keyword in node.keywords:
        if keyword.arg is not None:
            found.name(keyword.arg, _value(keyword.value, source, found))
            continue
        spread = _value(keyword.value, source, found) if isinstance(keyword.value, ast.Dict) else None
        if not isinstance(spread, dict):
            found.complain(f"**{excerpt(ast.get_source_segment(source, keyword.value) or '')} is not a constant")
            continue
        for key, value in spread.items():
            found.name(key, value)
    return found


def _value(node: ast.expr, source: str, found: Arguments) -> Any:
    try:
        return fold(node, found.notes)
    except Unreadable as fault:
        part = ast.get_source_segment(source, fault.node) or type(fault.node).__name__
        found.complain(f"{excerpt(part)} {fault.why}")
    if isinstance(node, ast.Name):
        found.variables.add(node.id)
        return _WORDS.get(node.id, node.id)
    return ast.get_source_segment(source, node) or ""


def _from_text(body: str) -> Arguments:
    """Arguments out of text between parentheses that Python cannot read: quotes or commas are missing or wrong."""
    found = Arguments()
    for key, raw in _split(body):
        value = _loose(raw)
        if key is None:
            found.positional.append(value)
        else:
            found.name(key, value)
    return found


def _split(body: str) -> Iterator[tuple[str | None, str]]:
    place = 0
    while place < len(body):
        key = _KEY.match(body, place)
        start = key.end() if key else place + len(body[place:]) - len(body[place:].lstrip())
        stop = _value_stop(body, start)
        raw = body[start:stop].strip()
        if key or raw.strip("()[]{} "):
            yield (key[1] if key else None), raw
        place = stop + 1


def _value_stop(body: str, start: int) -> int:
    closing = _CLOSING.get(body[start : start + 1])
    if closing and (end := closing.search(body, start + 1)):
        comma = body.find(",", end.end())
        return len(body) if comma < 0 else comma
    depth = 0
    for place in range(start, len(body)):
        depth += _MARKS.get(body[place], 0)
        if body[place] == "," and depth <= 0:
            return place
    return len(body)


def _loose(raw: str) -> Any:
    node = parse_expression(raw)
    if node is not None:
        try:
            return fold(node, set())
        except Unreadable:
            pass  # an unquoted word: the text itself is the best reading
    return _WORDS.get(raw.lower(), raw.strip("\"'"))


def mended(text: str, start: int, opening: int, closed: int) -> tuple[Arguments | None, int]:
    """The best reading of the call whose name is at `start` and whose `(` is at `opening`, and where it ends.

    `closed` is the place after its closing parenthesis if the brackets match, else -1. No arguments at all: None.
    """
    open_stop = min(unclosed_stop(text, opening), start + _MAX_UNCLOSED)
    region = text[start : min(max(closed, open_stop), start + MAX_SOURCE)]
    inside = opening - start
    for table in (_DOUBLE, TYPOGRAPHIC) if _CURLY.search(region) else ():
        plain = region.translate(table)
        if plain == region:
            continue
        end, missing = scan(plain, inside, len(plain))
        found = _parsed(plain[:end], "quotes") if missing == "" else None
        if found is not None:
            return found, start + end
    plain = region.translate(_DOUBLE) if _CURLY.search(region) else region
    end, missing = scan(plain, inside, len(plain))
    if missing:
        whole = plain.rstrip().rstrip("`; ")
        found = _parsed(whole + missing, "brackets")
        if found is not None:
            found.complain(f"{missing} is missing at the end of {excerpt(whole)}")
            return found, start + len(whole)
    return _loosely(plain, inside, end if missing == "" else -1, start)


def _parsed(source: str, note: str) -> Arguments | None:
    node = parse_expression(source)
    if not isinstance(node, ast.Call):
        return None
    found = from_node(node, source)
    found.notes.add(note)
    return found


def _loosely(plain: str, inside: int, end: int, start: int) -> tuple[Arguments | None, int]:
    last = plain.rfind(")") if end < 0 else end - 1
    stop = last if last > inside else len(plain.rstrip().rstrip("`; "))
    found = _from_text(plain[inside + 1 : stop])
    found.notes.add("brackets" if end < 0 else "quotes")
    found.complain(f"cannot be read as Python: {excerpt(plain)}")
    after = start + (last + 1 if last > inside else len(plain))
    return (found if found.positional or found.named else None), after
