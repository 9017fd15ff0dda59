"""Python expressions as text -> JSON-able constants, through `ast` and never by evaluation.

Folds arithmetic of constants within bounds and date, time and timedelta constructors into ISO strings.
Knows nothing of tools or calls.
"""

from __future__ import annotations

import ast
import json
import math
import operator
import re
import threading
import warnings
from collections.abc import Callable
from typing import Any

from toolmend.reading.reading import MAX_BITS, MAX_DEPTH

MAX_SOURCE = 8_000
"""Expressions longer than this many characters are not read."""
_MAX_FOLD = 100
_MAX_OPERATORS = 200
_STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*+"|\'(?:[^\'\\\n]|\\.)*+\'', re.DOTALL)
_JSON_WORDS = {"true": True, "false": False, "null": None}
_NUMBER_SIGNS = re.compile(r"(?<=[,(\[{=: ])[-+](?=[\d.])|(?<=\d)\.(?=\d)")
_OPERATORS = re.compile(r"[-+~*/%<>&|^@.]|\b(?:not|lambda|await|if|and|or|in|is|yield|for)\b")
_WARNS = re.compile(r"\\|[0-9a-fA-FjJ.](?:and|else|for|i[fns]|or|not)")
_QUIET = threading.Lock()


class Unreadable(Exception):
    """An expression that is no constant; `node` is the part that is none."""

    def __init__(self, node: ast.AST, why: str = "is not a constant") -> None:
        self.node, self.why = node, why
        super().__init__(why)


def depth_of(text: str) -> int:
    """How deep brackets are nested, strings not looked at."""
    depth = deepest = 0
    for char in text:
        if char in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in ")]}":
            depth -= 1
    return deepest


def tangled(source: str) -> bool:
    """Whether the source is too long or too nested to be given to the parser."""
    if len(source) > MAX_SOURCE:
        return True
    if len(source) < 300 and source.count("(") + source.count("[") + source.count("{") <= MAX_DEPTH:
        return False
    bones = _STRINGS.sub('""', source)
    return depth_of(bones) > MAX_DEPTH or len(_OPERATORS.findall(_NUMBER_SIGNS.sub("", bones))) > _MAX_OPERATORS


def parse_expression(source: str) -> ast.expr | None:
    """The syntax tree of one expression, None if it is none. Never raises, never warns."""
    if tangled(source):
        return None
    try:
        if _WARNS.search(source) is None:
            return ast.parse(source, mode="eval").body
        with _QUIET, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError):  # ValueError: NUL, lone surrogates, numbers of thousands of digits
        return None


def dotted(node: ast.expr) -> str | None:
    """`a.b.c` as text; None for anything but names joined by dots."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def fold(node: ast.expr, notes: set[str], depth: int = 0) -> Any:
    """The constant that an expression denotes. Adds "constructor" to notes where one was folded; raises Unreadable.

    Tuples and sets become lists (a set without its repetitions), so that every value is JSON-able.
    """
    if isinstance(node, ast.Constant):
        return _constant(node)
    if depth > _MAX_FOLD:
        raise Unreadable(node, "is nested too deep")
    if isinstance(node, ast.Name) and node.id in _JSON_WORDS:
        notes.add("json_literal")
        return _JSON_WORDS[node.id]
    if isinstance(node, ast.UnaryOp):
        return _unary(node, notes, depth)
    if isinstance(node, ast.BinOp):
        return _binary(node, notes, depth)
    if isinstance(node, (ast.List, ast.Tuple)):
        return [fold(item, notes, depth + 1) for item in node.elts]
    if isinstance(node, ast.Set):
        return _distinct([fold(item, notes, depth + 1) for item in node.elts])
    if isinstance(node, ast.Dict):
        return _dict(node, notes, depth)
    if isinstance(node, ast.JoinedStr):
        return _joined(node)
    if isinstance(node, ast.Call):
        return _constructed(node, notes, depth)
    raise Unreadable(node)


def _constant(node: ast.Constant) -> Any:
    value = node.value
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int) and value.bit_length() <= MAX_BITS:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise Unreadable(node, "is too large" if isinstance(value, (int, float)) else "is not a JSON value")


def _number(value: Any, node: ast.AST) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Unreadable(node)
    return value


def _unary(node: ast.UnaryOp, notes: set[str], depth: int) -> Any:
    value = _number(fold(node.operand, notes, depth + 1), node)
    if isinstance(node.op, ast.USub):
        return -value
    if isinstance(node.op, ast.UAdd):
        return value
    raise Unreadable(node)


def _power(base: Any, exponent: Any) -> Any:
    if abs(exponent) > MAX_BITS or (isinstance(base, int) and base.bit_length() * abs(exponent) > MAX_BITS):
        raise OverflowError("too large")
    return base**exponent


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}


def _binary(node: ast.BinOp, notes: set[str], depth: int) -> Any:
    left, right = fold(node.left, notes, depth + 1), fold(node.right, notes, depth + 1)
    if isinstance(left, str) and isinstance(right, str) and isinstance(node.op, ast.Add):
        return left + right
    operation = _ARITHMETIC.get(type(node.op))
    if operation is None:
        raise Unreadable(node)
    try:
        value = operation(_number(left, node), _number(right, node))
    except ZeroDivisionError:
        raise Unreadable(node, "divides by zero") from None
    except OverflowError:
        raise Unreadable(node, "is too large") from None
    if isinstance(value, complex) or (isinstance(value, int) and value.bit_length() > MAX_BITS):
        raise Unreadable(node, "is too large or not real")
    if isinstance(value, float) and not math.isfinite(value):
        raise Unreadable(node, "is too large")
    return value


def _distinct(items: list[Any]) -> list[Any]:
    return list({repr(item): item for item in reversed(items)}.values())[::-1]


def _dict(node: ast.Dict, notes: set[str], depth: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        if key_node is None:
            raise Unreadable(node)
        key = fold(key_node, notes, depth + 1)
        if isinstance(key, (list, dict)):
            raise Unreadable(key_node, "cannot be a key")
        text = key if isinstance(key, str) else json.dumps(key)
        if text in result:
            raise Unreadable(key_node, "is a key given twice")
        result[text] = fold(value_node, notes, depth + 1)
    return result


def _joined(node: ast.JoinedStr) -> str:
    parts = [part.value for part in node.values if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if len(parts) != len(node.values):
        raise Unreadable(node, "has holes")
    return "".join(parts)


_FIELDS = {
    "date": ("year", "month", "day"),
    "time": ("hour", "minute", "second"),
    "datetime": ("year", "month", "day", "hour", "minute", "second"),
    "timedelta": ("days", "seconds", "minutes", "hours", "weeks"),
}
_SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_REQUIRED = {"date": 3, "time": 0, "datetime": 3, "timedelta": 0}


def _constructed(node: ast.Call, notes: set[str], depth: int) -> str:
    """`date(2024, 11, 11)` -> "2024-11-11". Impossible dates are kept as they are written: refusing is the tool's."""
    name = (dotted(node.func) or "").rpartition(".")[2]
    fields = _FIELDS.get(name)
    if fields is None or len(node.args) > len(fields):
        raise Unreadable(node)
    given: dict[str, int] = {}
    pairs = [*zip(fields, node.args, strict=False), *((word.arg or "", word.value) for word in node.keywords)]
    for field, value_node in pairs:
        value = fold(value_node, notes, depth + 1)
        if field not in fields or field in given or type(value) is not int or not 0 <= value <= 9999:
            raise Unreadable(node)
        given[field] = value
    if not set(fields[: _REQUIRED[name]]) <= given.keys():
        raise Unreadable(node)
    notes.add("constructor")
    return _iso(name, given)


def _iso(name: str, given: dict[str, int]) -> str:
    if name == "timedelta":
        total = sum(_SECONDS[field] * count for field, count in given.items())
        minutes, seconds = divmod(total, 60)
        return "PT" + (f"{minutes}M" if minutes or not seconds else "") + (f"{seconds}S" if seconds else "")
    date = f"{given.get('year', 0):04}-{given.get('month', 0):02}-{given.get('day', 0):02}"
    clock = f"{given.get('hour', 0):02}:{given.get('minute', 0):02}"
    clock += f":{given['second']:02}" if given.get("second") else ""
    return {"date": date, "time": clock, "datetime": f"{date}T{clock}"}[name]
