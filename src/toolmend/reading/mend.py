"""Mending one call that Python cannot parse: typographic quotes, brackets left open, quotes left out.

Typographic quotes alone are forgiven; everything else leaves a `detail` behind, which is a syntax problem.
"""

from __future__ import annotations

import ast
import re

from toolmend.reading.arguments import Arguments, excerpt, from_node, from_text
from toolmend.reading.literals import MAX_SOURCE, parse_expression
from toolmend.reading.scan import TYPOGRAPHIC, scan, unclosed_stop

_MAX_UNCLOSED = 2_000
_CURLY = re.compile(f"[{''.join(map(chr, TYPOGRAPHIC))}]")
_DOUBLE = {char: mark for char, mark in TYPOGRAPHIC.items() if mark == '"'}


def mend(text: str, start: int, opening: int, closed: int) -> tuple[Arguments | None, int]:
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
    return _split(plain, inside, end if missing == "" else -1, start)


def _parsed(source: str, note: str) -> Arguments | None:
    node = parse_expression(source)
    if not isinstance(node, ast.Call):
        return None
    found = from_node(node, source)
    found.notes.add(note)
    return found


def _split(plain: str, inside: int, end: int, start: int) -> tuple[Arguments | None, int]:
    last = plain.rfind(")") if end < 0 else end - 1
    stop = last if last > inside else len(plain.rstrip().rstrip("`; "))
    found = from_text(plain[inside + 1 : stop])
    found.notes.add("brackets" if end < 0 else "quotes")
    found.complain(f"cannot be read as Python: {excerpt(plain)}")
    after = start + (last + 1 if last > inside else len(plain))
    return (found if found.positional or found.named else None), after
