"""The value that a text stands for, by the schema of its parameter: text is kept as it stands. Knows no call."""

from __future__ import annotations

import ast
from typing import Any

from toolmend.reading.json_values import decode_string
from toolmend.reading.literals import Unreadable, fold, parse_expression

NOTHING = frozenset({"", "none", "null", "n/a", "-"})
"""What stands for no value, in lower case."""


def _types(schema: Any) -> set[str]:
    if not isinstance(schema, dict):
        return set()
    written = schema.get("type")
    types = {written} if isinstance(written, str) else {item for item in written or () if isinstance(item, str)}
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        types |= _types(part)
    return types


def value_of(text: str, schema: Any) -> Any:
    """The value that the text after the colon means for a parameter of this schema.

    A quoted text is a string, a text between backticks the constant in it, `null` nothing. For a parameter that can
    only be a string everything else is; otherwise JSON and Python constants are read as such, the rest stays text.
    """
    if text == "null":
        return None
    if text[:1] == "`" and len(text) > 1 and text[-1] == "`":
        inner = _constant(text[1:-1], sums=True)
        return text[1:-1] if inner is _NO_VALUE else inner
    if text[:1] in "\"'" and len(text) > 1 and text[-1] == text[0]:
        quoted = _constant(text)
        return quoted if isinstance(quoted, str) else text[1:-1]
    types = _types(schema)
    if types == {"string"}:
        return text
    value = _constant(text, bool(types & {"integer", "number"}))
    return value if value is not _NO_VALUE and (not types or types & _types_of(value)) else text


def constant_of(text: str) -> tuple[bool, Any]:
    """Whether a text is a JSON or Python constant, and which."""
    value = _constant(text)
    return (False, None) if value is _NO_VALUE else (True, value)


_NO_VALUE = object()


def _types_of(value: Any) -> set[str]:
    if value is None or isinstance(value, bool):
        return {"null"} if value is None else {"boolean"}
    if isinstance(value, (int, float)):
        return {"integer", "number"}
    return {"string"} if isinstance(value, str) else {"array"} if isinstance(value, list) else {"object"}


def _constant(text: str, sums: bool = False) -> Any:
    """The constant that a text is; a sum such as `60*3` only where a number is due (2024-11-11 is none)."""
    try:
        return decode_string(text)
    except ValueError:
        pass  # not JSON: Python's constants come next
    node = parse_expression(text)
    if node is None or (isinstance(node, ast.BinOp) and not sums):
        return _NO_VALUE
    try:
        return fold(node, set())
    except Unreadable:
        return _NO_VALUE
