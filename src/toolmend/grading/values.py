"""When two values are the same, and what is wrong with one that is not the one expected.

Numbers compare as numbers (never with True), texts after NFC, case folding and collapsing of white space, lists in
order, sets and mappings by content, at any depth. Knows one value at a time and nothing of calls.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from toolmend.base.mistakes import Kind
from toolmend.grading import notation
from toolmend.grading.expected import (
    AcceptedValue,
    Any_,
    Contains,
    Date,
    Duration,
    OneOf,
    Optional_,
    Range,
    Regex,
    Time,
)
from toolmend.grading.schemas import Shape, json_type

RULES_OF_VALUES = (OneOf, Date, Time, Duration, Regex, Range, Contains, Any_, Optional_)
_DATE_TEXT = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_TIME_TEXT = re.compile(r"(\d{2}):(\d{2})(?::(\d{2}))?")
_NUMBERS = frozenset({"integer", "number"})


def folded(text: str) -> str:
    """What of a text counts: NFC, letter case folded, white space collapsed and trimmed."""
    if text.isascii():
        return " ".join(text.lower().split())
    composed = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return " ".join(composed.split())


def same(left: Any, right: Any, shape: Shape | None = None) -> bool:
    """Whether two plain values are equal, the lists that `shape` calls sets by content."""
    return bool(canonical(left, shape) == canonical(right, shape))


def canonical(value: Any, shape: Shape | None = None) -> Any:
    """A hashable form that two values share exactly when they are equal."""
    if isinstance(value, str):
        return ("s", folded(value))
    if value is None or isinstance(value, bool):
        return ("c", value)
    if isinstance(value, (int, float)):
        return ("n", value)
    if isinstance(value, (set, frozenset)):
        return ("u", frozenset(canonical(item) for item in value))
    if isinstance(value, (list, tuple)):
        items = shape.items if shape else None
        parts = [canonical(item, items) for item in value]
        return ("u", frozenset(parts)) if shape is not None and shape.unique else ("l", tuple(parts))
    if isinstance(value, Mapping):
        return ("m", frozenset((key, canonical(item, shape.of(key) if shape else None)) for key, item in value.items()))
    return ("o", repr(value))


def accepts(expected: AcceptedValue, got: Any, shape: Shape | None = None) -> bool:
    """Whether a value is acceptable. Rules may stand at any depth of `expected`."""
    return check_of(expected, shape).accepts(got)


@dataclass(frozen=True, slots=True)
class ValueCheck:
    """An acceptable value made ready: `accepts` says whether a value is it, `fault` what is wrong with another."""

    accepts: Callable[[Any], bool]
    fault: Callable[[Any], Kind]


def check_of(expected: AcceptedValue, shape: Shape | None = None) -> ValueCheck:
    """The check for one acceptable value of a parameter of this shape."""
    if isinstance(expected, Optional_):
        return check_of(expected.value, shape)
    if isinstance(expected, OneOf):
        if all(type(value) is str for value in expected.values):
            return ValueCheck(_one_of_texts(expected.values), lambda got: _fault_of_several(expected, got, shape))
        checks = [check_of(value, shape) for value in expected.values]
        return ValueCheck(lambda got: any(check.accepts(got) for check in checks), lambda got: _mildest(checks, got))
    return ValueCheck(_accepting(expected, shape), lambda got: fault(expected, got, shape))


def _one_of_texts(texts: tuple[str, ...]) -> Callable[[Any], bool]:
    """Many texts at the price of one: they are folded when the first does not fit as it is."""
    folds: set[str] = set()

    def accepting(got: Any) -> bool:
        if not isinstance(got, str):
            return False
        if got in texts:
            return True
        if not folds:
            folds.update(map(folded, texts))
        return folded(got) in folds

    return accepting


def _fault_of_several(expected: OneOf, got: Any, shape: Shape | None) -> Kind:
    """What is wrong with a value that is none of several."""
    return _mildest([check_of(value, shape) for value in expected.values], got)


_MILDEST = (Kind.WRONG_FORMAT, Kind.WRONG_TYPE, Kind.WRONG_VALUE)


def _mildest(checks: list[ValueCheck], got: Any) -> Kind:
    """Of several alternatives the one that comes nearest says what is wrong."""
    kinds = {check.fault(got) for check in checks}
    return next((kind for kind in _MILDEST if kind in kinds), Kind.WRONG_VALUE)


def _accepting(expected: AcceptedValue, shape: Shape | None) -> Callable[[Any], bool]:
    if isinstance(expected, RULES_OF_VALUES):
        return _rule(expected, shape)
    if isinstance(expected, str):
        text = folded(expected)
        return lambda got: got == expected or (isinstance(got, str) and folded(got) == text)
    if expected is None or isinstance(expected, bool):
        return lambda got: got is expected
    if isinstance(expected, (int, float)):
        return lambda got: got == expected and not isinstance(got, bool)
    if _holds_rule(expected):
        return lambda got: _deep(expected, got, shape)
    whole = canonical(expected, shape)
    return lambda got: bool(canonical(got, shape) == whole) or _same_content(expected, got)


def _same_content(left: Any, right: Any) -> bool:
    """Whether one is a set and the other, perhaps a list, has the same content."""
    kinds = (set, frozenset, list, tuple)
    if not (isinstance(left, (set, frozenset)) or isinstance(right, (set, frozenset))):
        return False
    if not (isinstance(left, kinds) and isinstance(right, kinds)):
        return False
    return frozenset(map(canonical, left)) == frozenset(map(canonical, right))


def _rule(rule: AcceptedValue, shape: Shape | None) -> Callable[[Any], bool]:
    if isinstance(rule, Any_):
        return lambda got: True
    if isinstance(rule, Date):
        return lambda got: isinstance(got, str) and _is_date(rule, got)
    if isinstance(rule, Time):
        return lambda got: isinstance(got, str) and _is_time(rule, got)
    if isinstance(rule, Duration):
        return _length(rule, shape)
    if isinstance(rule, Range):
        return lambda got: isinstance(got, (int, float)) and not isinstance(got, bool) and rule.low <= got <= rule.high
    if isinstance(rule, Contains):
        parts = [folded(text) for text in rule.texts]
        return lambda got: isinstance(got, str) and any(part in folded(got) for part in parts)
    if isinstance(rule, Regex):
        pattern = re.compile(rule.pattern, re.IGNORECASE)
        return lambda got: isinstance(got, str) and _matches(pattern, got)
    return check_of(rule, shape).accepts


def _matches(pattern: re.Pattern[str], got: str) -> bool:
    return pattern.fullmatch(" ".join(unicodedata.normalize("NFC", got).split())) is not None


def _is_date(rule: Date, got: str) -> bool:
    match = _DATE_TEXT.fullmatch(got.strip())
    if match is None:
        return False
    parts = zip((rule.year, rule.month, rule.day), match.groups(), strict=True)
    return all(due is None or due == int(part) for due, part in parts)


def _is_time(rule: Time, got: str) -> bool:
    match = _TIME_TEXT.fullmatch(got.strip())
    if match is None or (match[3] is None) != (rule.second is None):
        return False
    return (int(match[1]), int(match[2]), int(match[3] or 0)) == (rule.hour, rule.minute, rule.second or 0)


def _length(rule: Duration, shape: Shape | None) -> Callable[[Any], bool]:
    if shape is not None and "string" in shape.types and not shape.types & _NUMBERS:
        # a free text may say it in any way; one with the format "duration" only as ISO 8601
        return lambda got: (
            isinstance(got, str)
            and (shape.format != "duration" or got.strip().upper().startswith("P"))
            and rule.minutes in notation.minutes(got)
        )
    return lambda got: isinstance(got, (int, float)) and not isinstance(got, bool) and got == rule.minutes


def _holds_rule(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(_holds_rule(item) for item in value.values())
    if isinstance(value, (list, tuple)):
        return any(_holds_rule(item) for item in value)
    return isinstance(value, RULES_OF_VALUES)


def _deep(expected: Any, got: Any, shape: Shape | None) -> bool:
    """Item by item, because a rule has no canonical form. Lists with rules in them are compared in order."""
    if isinstance(expected, Mapping):
        return (
            isinstance(got, Mapping)
            and got.keys() <= expected.keys()
            and all(
                accepts(item, got[key], shape.of(key) if shape else None) if key in got else isinstance(item, Optional_)
                for key, item in expected.items()
            )
        )
    return (
        isinstance(got, (list, tuple))
        and len(expected) == len(got)
        and all(accepts(*pair, shape.items if shape else None) for pair in zip(expected, got, strict=True))
    )


def fault(expected: AcceptedValue, got: Any, shape: Shape | None = None) -> Kind:
    """What is wrong with a value that is not acceptable: its notation, its type, or itself."""
    types = shape.types if shape is not None and shape.types else _types_of(expected)
    if expected is None and not (shape and shape.types):
        return Kind.WRONG_VALUE
    if isinstance(got, str):
        if _is_number_due(expected):
            return _fault_of_number_text(expected, got, types)
        if denotes(expected, got):
            return Kind.WRONG_FORMAT
        if isinstance(expected, str):
            return Kind.WRONG_VALUE if "string" in types else Kind.WRONG_TYPE
        if isinstance(expected, bool) and got.strip().lower() == str(not expected).lower():
            return Kind.WRONG_VALUE
    if not json_type(got) & types:
        return Kind.WRONG_TYPE
    if isinstance(expected, RULES_OF_VALUES) or _holds_rule(expected):
        return Kind.WRONG_VALUE
    return Kind.WRONG_TYPE if _same_but_type(expected, got) else Kind.WRONG_VALUE


def _is_number_due(expected: AcceptedValue) -> bool:
    return isinstance(expected, (int, float, Duration)) and not isinstance(expected, bool)


def _fault_of_number_text(expected: AcceptedValue, got: str, types: frozenset[str]) -> Kind:
    due = expected.minutes if isinstance(expected, Duration) else expected
    bare = notation.number(got)
    meant = notation.minutes(got) if bare is None else {bare}
    if due in meant:
        return Kind.WRONG_TYPE if bare is not None and types & _NUMBERS else Kind.WRONG_FORMAT
    return Kind.WRONG_VALUE if meant or "string" in types else Kind.WRONG_TYPE


def denotes(expected: AcceptedValue, got: str) -> bool:
    """Whether a text that is not acceptable means the expected date or time in another notation.

    A part that it leaves out counts as right.
    """
    if _DATE_TEXT.fullmatch(got):
        return False
    rule = expected
    if isinstance(expected, str):
        stripped = expected.strip()
        if match := _DATE_TEXT.fullmatch(stripped):
            rule = Date(int(match[1]), int(match[2]), int(match[3]))
        elif match := _TIME_TEXT.fullmatch(stripped):
            rule = Time(int(match[1]), int(match[2]), int(match[3] or 0))
        elif len(stripped) > 10 and stripped[10] in "T " and _DATE_TEXT.fullmatch(stripped[:10]):
            return denotes(stripped[:10], got) and denotes(stripped[11:], got)
    if isinstance(rule, Date):
        due = (rule.year, rule.month, rule.day)
        return any(_agrees(due, day) for day in notation.days(got))
    if isinstance(rule, Time):
        return (rule.hour, rule.minute, rule.second or 0) in notation.clocks(got)
    return False


def _agrees(due: tuple[int | None, ...], day: notation.Day) -> bool:
    return all(wanted is None or said is None or wanted == said for wanted, said in zip(due, day, strict=True))


def _types_of(expected: AcceptedValue) -> frozenset[str]:
    if isinstance(expected, (Date, Time, Regex, Contains)):
        return frozenset({"string"})
    if isinstance(expected, (Duration, Range)):
        return _NUMBERS
    if isinstance(expected, (int, float)) and not isinstance(expected, bool):
        return _NUMBERS
    return json_type(expected)


def _same_but_type(expected: Any, got: Any) -> bool:
    """Whether two values differ only in the type of a scalar at some depth: "180" and 180, ["1"] and [1]."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return expected.keys() == got.keys() and all(_same_but_type(expected[key], got[key]) for key in expected)
    if isinstance(expected, (list, tuple)) and isinstance(got, (list, tuple)):
        return len(expected) == len(got) and all(map(_same_but_type, expected, got))
    if isinstance(expected, str) is isinstance(got, str):
        return same(expected, got)
    text, value = (expected, got) if isinstance(expected, str) else (got, expected)
    if value is None or isinstance(value, bool):
        return bool(text.strip().lower() in (str(value).lower(), "null" if value is None else ""))
    return isinstance(value, (int, float)) and notation.number(text) == value
