"""Text -> JSON values by a ladder, each rung recorded: strict JSON, Python literals, repair.

A repair must leave every scalar as it stands in the source (repairing `60*3` to `60` would change a value), or it is
a syntax problem. Knows nothing of calls.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toolmend.reading.literals import Unreadable, depth_of, fold, parse_expression
from toolmend.reading.reading import MAX_DEPTH
from toolmend.reading.scan import TYPOGRAPHIC

MAX_REPAIR = 8_000
"""Texts longer than this many characters are not repaired."""
_MAX_SCALARS = 200
_MAX_BRACKETS = 60  # json_repair takes time by the square of them
_OPENING = re.compile(r"[\[{]")
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_DIGITS = 300
_QUOTES = "\"'" + "".join(chr(code) for code in TYPOGRAPHIC)


@dataclass(frozen=True, slots=True)
class DecodedValue:
    """A value and what it took; `problem` says why it must not be used as it is."""

    value: Any
    notes: tuple[str, ...] = ()
    problem: str = ""


class _Twice(ValueError):
    """A key given twice."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _Twice(f"a key is given twice among {', '.join(key for key, _ in pairs)}"[:120])
    return result


def _int(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError("a number is too large")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=_int, parse_float=_float, parse_constant=_constant)


def too_deep(text: str) -> bool:
    """Whether brackets are nested deeper than any reader goes."""
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return False
    return depth_of(text) > MAX_DEPTH and depth_of(_STRINGS.sub("", text)) > MAX_DEPTH


def decode_string(text: str) -> Any:
    """The value of strict JSON text; raises ValueError."""
    if too_deep(text):
        raise ValueError("nested too deep")
    return _DECODER.decode(text)


def decode_at(text: str, place: int) -> tuple[Any, int | None]:
    """The strict JSON value that begins at this place, and where it ends; None for the end if there is none."""
    if too_deep(text):
        return None, None
    try:
        return _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return None, None


def values(text: str) -> Iterator[tuple[int, int, DecodedValue]]:
    """Strict JSON objects and arrays in a text, each with its place. Linear: gives up after reading it ten times."""
    place, budget = 0, 10 * len(text) + 1_000
    while budget > 0 and (opening := _OPENING.search(text, place)) is not None:
        start = opening.start()
        try:
            value, stop = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as fault:
            budget -= max(fault.pos - start, 50)
            place = start + 1
        except _Twice as fault:
            yield start, len(text), DecodedValue(None, (), str(fault))
            return
        except (ValueError, RecursionError):  # brackets after an odd quote are within a string for `too_deep`
            budget -= len(text) - start
            place = start + 1
        else:
            yield start, stop, DecodedValue(value)
            place = stop


def mended(text: str) -> DecodedValue | None:
    """One value out of text that is no JSON: as a Python literal, else repaired. None if nothing is there."""
    for source in (text, text.translate(TYPOGRAPHIC)):
        node = parse_expression(source.strip())
        if node is None:
            continue
        notes: set[str] = set()
        try:
            value = fold(node, notes)
        except Unreadable:
            continue
        return DecodedValue(value, ("python_literal", *sorted(notes), *(["quotes"] if source is not text else [])))
    return _repaired(text)


def _repaired(text: str) -> DecodedValue | None:
    if len(text) > MAX_REPAIR or too_deep(text) or text.count("{") + text.count("[") > _MAX_BRACKETS:
        return None
    from json_repair import repair_json

    try:
        result = repair_json(text, return_objects=True, logging=True)
    except (ValueError, RecursionError, AssertionError):  # its own words for: this cannot be repaired
        return None
    value = result[0] if isinstance(result, tuple) else result
    if not isinstance(value, (dict, list)) or not value:
        return None
    return DecodedValue(value, ("repaired",), _changed(value, text))


def _changed(value: Any, source: str) -> str:
    """The first scalar of a repaired value that does not stand in its source as a whole value; "" if all do."""
    scalars = list(_scalars(value))
    if len(scalars) > _MAX_SCALARS:
        return "too much to repair"
    for scalar in scalars:
        if not _stands(scalar, source):
            return f"repair would change a value to {scalar!r}"[:120]
    return ""


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _scalars(item)
    elif isinstance(value, list):
        for item in value:
            yield from _scalars(item)
    else:
        yield value


def _stands(scalar: Any, source: str) -> bool:
    if isinstance(scalar, str):
        spellings = {scalar, json.dumps(scalar)[1:-1], json.dumps(scalar, ensure_ascii=False)[1:-1]}
        spellings |= {scalar.replace("'", "\\'")}
        before, after = rf"(?:^|[:,\[{{=]\s*|[{_QUOTES}])", rf"(?=[{_QUOTES}]|\s*[,}}\]:])"
    elif scalar is None or isinstance(scalar, bool):
        spellings = {"none", "null"} if scalar is None else {str(scalar).lower()}
        source, before, after = source.lower(), r"(?:^|[:,\[{])\s*", r"\s*(?=[,}\]])"
    else:
        if isinstance(scalar, float) and not math.isfinite(scalar):
            return False
        spellings = {repr(scalar)}
        before, after = r"(?:^|[:,\[{])\s*", r"\s*(?=[,}\]])"
    return any(re.search(before + re.escape(text) + after, source) for text in spellings)
