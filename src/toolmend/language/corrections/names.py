"""Names of parameters and tools in readable words, and what a parameter's schema says about its values.

Knows nothing of mistakes or sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.base.schemas import branches
from toolmend.language.corrections import words
from toolmend.language.resolve import vocabulary

_UNITS = {"second": "sec", "minute": "min", "hour": "hr", "day": "", "week": "", "month": "", "year": ""}
_UNIT_OF = {
    form: unit
    for unit, short in _UNITS.items()
    for form in (unit, f"{unit}s", *((short, f"{short}s") if short else ()))
}
_LENGTHS = {"duration", "length", "delay", "timeout", "interval"}
_NAMED_UNITS = {"second", "minute", "hour"}  # "day" or "year" in a name is more often a date than a length
_CREATING = vocabulary.words("creating verbs")
_VERBS = vocabulary.words("verbs")
_PARTICLES = vocabulary.words("particles")
_TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "boolean": "a plain yes or no",
    "array": "a list",
    "object": "an object with named fields",
}


def split_name(name: str) -> list[str]:
    """The words of an identifier, lower-cased: "startTime", "start_time", "start-time" -> start, time."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    found = re.findall(r"[^\W_]+", spaced.lower())
    return [spelled for word in found for spelled in (words.text(word) if re.search(r"\d", word) else (word,))]


def label(argument: str) -> str:
    """A parameter's name as a person says it: "start_time" -> "start time", "timeout_seconds" -> "timeout"."""
    found = split_name(argument)
    if len(found) > 1 and _UNIT_OF.get(found[-1]) in _NAMED_UNITS:
        found.pop()
    return " ".join(found) or "value"


def unit(argument: str, schema: Mapping[str, Any]) -> str:
    """The unit of a number that is a length of time, "" if it is none: duration -> "minute" or as described."""
    found = split_name(argument)
    if found and _UNIT_OF.get(found[-1]) in _NAMED_UNITS:  # the last word only: "min_price", "second_name"
        return _UNIT_OF[found[-1]]
    if not _LENGTHS & set(found):
        return ""
    said = [_UNIT_OF[word] for word in split_name(str(schema.get("description", ""))) if word in _UNIT_OF]
    if said:
        return said[0]
    return "minute" if "duration" in found else ""


def schema_of(spec: ToolSpec | None, argument: str | None) -> Mapping[str, Any]:
    """The parameter's own schema: `$ref` followed, the first alternative that is not null; {} if not known."""
    if spec is None or argument is None:
        return {}
    schema: Mapping[str, Any] = spec.properties.get(argument, {})
    for _ in range(8):  # a schema that refers to itself ends somewhere
        schema = next(iter(branches(schema, spec.parameters)), {})
        if not (schema.get("anyOf") or schema.get("oneOf")):
            return schema
    return {}


def type_words(schema: Mapping[str, Any], expected: Any) -> str | None:
    """What a value must be: "a whole number". From the schema, else from the value that was expected."""
    kind = schema.get("type")
    if kind is None and expected is not None and not isinstance(expected, Mapping):
        by_python = {bool: "boolean", int: "integer", float: "number", str: "string"}
        kind = by_python.get(type(expected), "array" if isinstance(expected, (list, tuple)) else None)
    return _TYPES.get(kind) if isinstance(kind, str) else None


def notation(argument: str, schema: Mapping[str, Any], expected: Any) -> str:
    """Whether values are written as a "date", a "time" or neither (""); from the value, its schema, its name."""
    if isinstance(expected, Mapping) and len(expected) == 1:
        rule = next(iter(expected))
        return rule if rule in ("date", "time") else ""
    if words.as_date(expected):
        return "date"
    if words.as_time(expected):
        return "time"
    form = str(schema.get("format", "")).lower()
    known = {"date": "date", "yyyy-mm-dd": "date", "time": "time", "hh:mm": "time"}
    if form or expected is not None:
        return known.get(form, "")
    return next((word for word in split_name(argument) if word in ("date", "time")), "")


def function(tool: str) -> str:
    """A tool's name in words, without its receiver: "action.add_calendar_entry" -> "add calendar entry"."""
    return " ".join(split_name(tool.rpartition(".")[2]))


def action(tool: str) -> str | None:
    """What a tool does, after "to": "add a calendar entry"; None where its name is no verb with an object."""
    found = split_name(tool.rpartition(".")[2])
    if len(found) < 2 or found[0] not in _VERBS:
        return None
    if any(word in _PARTICLES for word in found[1:]):
        return " ".join(found)
    article = "the"
    if found[0] in _CREATING and not found[-1].endswith("s"):
        article = "an" if found[1][0] in "aeiou" else "a"
    return " ".join([found[0], article, *found[1:]])


def is_plural(name: str) -> bool:
    """Whether a readable name takes "are": "guests", not "address" or "status"."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))
