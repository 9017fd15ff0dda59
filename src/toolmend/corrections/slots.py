"""The arguments of a call that was made, each with the kind of its values and the words that name it.

Where a tool gives no schema for an argument, the shape of its value tells the kind. Knows no sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.corrections import names
from toolmend.messages import Call, ToolSpec

_SHAPES = (
    ("date", re.compile(r"\d{4}-\d\d-\d\d")),
    ("time", re.compile(r"\d\d:\d\d(:\d\d)?")),
    ("date-time", re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?\S*")),
)
_LENGTHS = {"seconds", "minutes", "hours", "days", "weeks"}
_MONEY = {"EUR", "USD", "GBP"}
_KIND_OF_UNIT = {
    **dict.fromkeys(_LENGTHS, "length"),
    **dict.fromkeys(_MONEY, "money"),
    "percent": "percent",
    **dict.fromkeys(("celsius", "fahrenheit", "kelvin"), "degrees"),
}
_ALSO = {
    "date": "day weekday month year",
    "time": "hour clock start beginning",
    "start": "time hour beginning begin",
    "end": "finish",
    "duration": "length",
    "length": "duration",
    "title": "name heading subject caption",
    "name": "title",
    "label": "name title",
    "subject": "title",
    "people": "size persons guests person guest diners party heads number covers seats of",
    "guests": "persons people person guest diners party heads number covers seats",
    "persons": "people guests person guest number",
    "passengers": "people persons passenger guests of us",
    "party": "people persons guests person guest size number",
    "tickets": "ticket number",
    "seats": "seat people number",
    "amount": "sum money quantity",
    "quantity": "number count amount many pieces piece times pack packs packet packets box boxes bottle bottles "
    "copy copies "
    "bag bags pair pairs unit units can cans jar jars bunch portion portions tin tins tube tubes sack sacks "
    "crate crates roll rolls bar bars carton cartons",
    "until": "end finish",
    "due": "deadline",
    "count": "number quantity amount",
    "recipient": "receiver payee person addressee",
    "to": "recipient receiver payee person",
    "payee": "recipient receiver person",
    "temperature": "degrees temp heat heating warmth",
    "target": "temperature degrees",
    "volume": "loudness",
    "brightness": "light",
    "place": "location venue",
    "location": "place venue room",
    "restaurant": "place name",
    "destination": "place",
    "artist": "singer band musician",
    "track": "song title piece",
    "song": "track title piece",
    "item": "product article thing",
    "product": "item article thing",
    "note": "message memo comment reference text",
    "message": "text note",
    "reference": "note text purpose",
    "colour": "color",
    "color": "colour",
    "room": "place zone",
    "days": "day",
    "priority": "prio importance",
    "repeat": "repeated repeating recurring",
}
_MEMBERS = {
    "none": "one-off|one off|once|just once|only once|just the once|no repeat|single time|one time|one time only|never",
    "once": "one-off|one off|just once|only once|just the once|no repeat|one time|one time only",
    "never": "once|one-off|no repeat",
    "daily": "every day|each day|everyday|every morning|every evening|every night|all week|seven days a week",
    "weekdays": "monday to friday|mon to fri|mon-fri|"
    "working days|work days|workdays|weekday|during the week|in the week",
    "weekends": "weekend|saturday and sunday|sat and sun|saturdays and sundays|sat n sun",
    "weekly": "every week|each week|once a week",
    "monthly": "every month|each month|once a month",
    "yearly": "every year|each year|once a year|annually",
    "small": "little|smallest|tiny|s",
    "large": "big|biggest|largest|l",
    "medium": "middle|middling|m",
    "first": "1st|first class|1st class",
    "second": "2nd|second class|2nd class|standard class",
}
"""What else members are called that many tools have."""
KNOWN_LABELS = frozenset(
    "date day time hour duration length title name people guests amount quantity recipient temperature volume place "
    "location artist note message colour color size room price address email phone priority category reminder currency "
    "number song track album seats deadline humidity brightness speed language currency weight flavour "
    "material brand height width deadline".split()
)


@dataclass(frozen=True, slots=True)
class Slot:
    """An argument: its name, its schema as resolve() takes it, the kind of its values, its value (None where it was
    left out), the words that name it."""

    name: str
    schema: Mapping[str, Any]
    kind: str
    old: Any
    labels: frozenset[str]
    label: str
    required: bool = False

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers, with a unit or without."""
        return self.kind in ("length", "money", "percent", "degrees", "number", "unit")


def slots_of(call: Call, specs: Sequence[ToolSpec]) -> tuple[Slot, ...]:
    """The arguments that the call has or could have, in the order of the tool."""
    spec = next((spec for spec in specs if call.tool in (spec.full_name, spec.name)), None)
    known = list(spec.properties) if spec else []
    required = spec.required if spec else tuple(call.arguments)
    order = [*known, *(name for name in call.arguments if name not in known)]
    return tuple(_slot(spec, name, call.arguments.get(name), name in required) for name in order if name[:1] != "*")


def _slot(spec: ToolSpec | None, name: str, value: Any, required: bool) -> Slot:
    given = dict(names.schema_of(spec, name))
    kind, schema = _kind(name, given, value)
    if value is None and "default" in given:
        value = given["default"]
    split = names.split_name(name)
    labels = {*split, names.label(name)}
    for word in split:
        labels |= set(_ALSO.get(word, "").split())
    labels |= {f"{word}s" if not word.endswith("s") else word[:-1] for word in labels if len(word) > 3}
    return Slot(name, schema, kind, value, frozenset(labels), names.label(name), required)


def _kind(name: str, schema: dict[str, Any], value: Any) -> tuple[str, dict[str, Any]]:
    """The kind, and the schema that resolve() is given."""
    types = schema.get("type")
    kind = next((each for each in types if each != "null"), None) if isinstance(types, list) else types
    if "enum" in schema:
        members = [member for member in schema["enum"] if member is not None]
        also = {member: words.split("|") for member in members if (words := _MEMBERS.get(str(member).lower()))}
        return "enum", {"x-synonyms": also, **schema, "enum": members}
    if kind is None:
        kind = _type_of(value)
        schema = {**schema, "type": kind}
    if kind == "string":
        return _text_kind(schema, value)
    if kind in ("integer", "number"):
        unit = schema.get("x-unit") or (f"{names.unit(name, schema)}s".strip("s") and f"{names.unit(name, schema)}s")
        if unit in ("minutes", "seconds", "hours"):
            schema = {**schema, "x-unit": unit}
        return _KIND_OF_UNIT.get(unit, "unit" if unit else "number"), schema
    return {"boolean": "truth", "array": "list", "object": "object"}.get(str(kind), "text"), schema


def _text_kind(schema: dict[str, Any], value: Any) -> tuple[str, dict[str, Any]]:
    form = schema.get("format")
    if form in ("date", "time", "date-time"):
        return str(form), schema
    if isinstance(value, str) and not form:
        for shape, pattern in _SHAPES:
            if pattern.fullmatch(value):
                return shape, {**schema, "format": shape}
    return "text", schema


def _type_of(value: Any) -> str:
    kinds = {bool: "boolean", int: "integer", float: "number", list: "array", tuple: "array", dict: "object"}
    return kinds.get(type(value), "string")
