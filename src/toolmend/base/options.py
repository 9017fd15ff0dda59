"""Options that stand in a name: `name?option=value&option=value`, typed by the fields of a dataclass.

Models and strategies are named so. Knows neither. A key is never part of a name.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from difflib import get_close_matches
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints
from urllib.parse import unquote

from toolmend.base.errors import BadOption

T = TypeVar("T")
Bounds = tuple[float | None, float | None]
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_KEYS = ("key", "api_key", "apikey", "token", "password", "secret")


def split_name(name: str, kind: str = "model") -> tuple[str, dict[str, str]]:
    """The name proper and its options as text. Raises BadOption where an option has no value or stands twice."""
    bare, _, rest = name.partition("?")
    if not bare:
        raise BadOption(f"{kind} {name!r}: a name is missing before the '?'")
    given: dict[str, str] = {}
    for part in filter(None, rest.split("&")):
        option, sign, value = part.partition("=")
        if option.lower() in _KEYS:
            raise BadOption(
                f"{kind} {bare!r}: a key is no option, because names are stored; "
                f"put it into the environment, and key_env=NAME says where"
            )
        if not sign:
            raise BadOption(f"{kind} {bare!r}: option {option!r} has no value; write {option}=VALUE")
        if option in given:
            raise BadOption(f"{kind} {bare!r}: option {option!r} is given twice")
        given[option] = unquote(value)
    return bare, given


def read_options(kind: type[T], given: Mapping[str, Any], who: str) -> T:
    """The dataclass `kind` with the fields that are given, as text or as values. Raises BadOption.

    A field with the metadata `least` takes numbers from there on, one with `most` up to there.
    """
    types = get_type_hints(kind)
    fields = {field.name: field.metadata for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for option in given:
        if option not in fields:
            near = get_close_matches(option, fields, 1)
            meant = f" (did you mean {near[0]}?)" if near else ""
            raise BadOption(f"{who}: unknown option {option!r}{meant}; known: {', '.join(sorted(fields)) or 'none'}")
    bounds = {name: (about.get("least"), about.get("most")) for name, about in fields.items()}
    return kind(**{name: _value(value, types[name], f"{who}: {name}", bounds[name]) for name, value in given.items()})


def _value(value: Any, kind: Any, what: str, bounds: Bounds) -> Any:
    """A value of the type of its field. Numbers are finite, within the bounds, above 0 where there is no lower one."""
    if get_origin(kind) is UnionType:
        kind = next(member for member in get_args(kind) if member is not type(None))
        return None if value is None else _value(value, kind, what, bounds)
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise BadOption(
                f"{what} is {value!r}, not one of {', '.join(choice for choice in get_args(kind) if choice)}"
            )
        return value
    if get_origin(kind) is tuple:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value
    if kind is bool:
        return _bool(value, what)
    if kind in (int, float):
        return _number(value, kind, what, bounds)
    return str(value)


def _bool(value: Any, what: str) -> bool:
    found = value if isinstance(value, bool) else _WORDS.get(str(value).lower())
    if found is None:
        raise BadOption(f"{what} is {value!r}, neither true nor false")
    return found


def _number(value: Any, kind: type[int] | type[float], what: str, bounds: Bounds) -> int | float:
    least, most = bounds
    try:
        number = kind(value)
    except (TypeError, ValueError, OverflowError):
        raise BadOption(f"{what} is {value!r}, not {'a whole number' if kind is int else 'a number'}") from None
    if not math.isfinite(number) or (number <= 0 if least is None else number < least):
        raise BadOption(f"{what} is {value}; it must be {'above 0' if least is None else f'{least:g} or more'}")
    if most is not None and number > most:
        raise BadOption(f"{what} is {value}; it must be {most:,g} or less")
    return number
