"""One parameter of a tool: of what kind its values are, in which unit or form, as its schema, name and text tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolmend.language.resolve.units import UNITS

Values = Mapping[str, Any]
"""The values of a call by parameter."""

_NUMBERS, _FORMATS = ("integer", "number", "boolean"), ("date", "time", "date-time")
_IN_UNITS = re.compile(r"\b(?:in|many) ([a-zA-Z]+)\b")
_IN_NAME = frozenset(
    "seconds minutes hours days weeks kg kilos kilograms grams mg milligrams litres liters ml millilitres milliliters"
    " km cm mm metres meters kilometres kilometers miles".split()
)
_PLURAL = re.compile(r"(?i)\b(?:in|how many|number of) (?!minutes?\b)[a-z]+s\b")  # "in beats": not in minutes
_WRITTEN = (("YYYY-MM-DDTHH:MM", "date-time"), ("YYYY-MM-DD", "date"), ("HH:MM", "time"))


def is_computed(schema: Mapping[str, Any]) -> bool:
    """Whether words for such a value are computed: dates, times, numbers, choices, and lists; text stays as it is."""
    options = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    if options or schema.get("type") == "array":
        inner = options or [schema.get("items") or {"type": "string"}]
        return all(is_computed(one) or (not options and one.get("type") == "string") for one in inner)
    kinds = schema.get("type")
    kind = next((one for one in kinds if one != "null"), None) if isinstance(kinds, list) else kinds
    return "enum" in schema or kind in _NUMBERS or (kind == "string" and schema.get("format") in _FORMATS)


def typed(name: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema, of a value that may be null the other one, with its `x-unit` or `format` where only its description
    or its name tells it ("how long it lasts, in minutes", "the day, as YYYY-MM-DD", `hours`)."""
    options = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    one = {key: value for key, value in schema.items() if key != "anyOf" or len(options) != 1}
    one |= options[0] if len(options) == 1 else {}
    text = str(schema.get("description", ""))
    if one.get("type") == "string" and not one.keys() & {"format", "enum", "pattern"}:
        form = next((form for written, form in _WRITTEN if written in text.upper()), "")
        return {**one, "format": form} if form else one
    if one.get("type") in _NUMBERS[:2] and not one.keys() & {"x-unit", "enum"}:
        told = [word.lower() for word in _IN_UNITS.findall(text)]
        unit = next((UNITS[word] for word in told if word in UNITS), "")
        unit = unit or ("minutes" if name == "duration" and not _PLURAL.search(text) else "")
        named = [word.lower() for word in re.split(r"_|(?<=[a-z])(?=[A-Z])", name)]  # `hours`, `heightCm`
        unit = unit or (UNITS[named[-1]] if named[-1] in _IN_NAME and "per" not in named else "")
        return {**one, "x-unit": unit} if unit else one
    return one
