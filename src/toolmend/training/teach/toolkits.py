"""A tool as talks over it are made: its parameters, and the sentences in which people ask for it. It says no value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import Resolved, resolve

SLOT = re.compile(r"\{(\w+)(?:=([^{}]*))?\}")
_WHOLE = ("minutes", "seconds", "days", "weeks", "grams")
SAID_UNITS = (*_WHOLE, *"hours EUR USD GBP percent celsius kilograms litres kilometres metres centimetres".split())
_FORMATS = ("date", "time", "date-time")


@dataclass(frozen=True, slots=True)
class ValueKind:
    """What a parameter takes. `name` is text, date, time, date-time, a unit, int, number, yes|no, enum or list;
    `members` are the examples of a text and the members of an enum, `item` what a list is of."""

    name: str
    members: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    item: ValueKind | None = None

    def schema(self) -> dict[str, Any]:
        """The JSON Schema."""
        if self.item:
            return {"type": "array", "items": self.item.schema()}
        if self.name in SAID_UNITS:
            return {"type": "integer" if self.name in _WHOLE else "number", "x-unit": self.name}
        if self.name in ("int", "number"):
            whole = self.name == "int"
            low, high = (int(self.low), int(self.high)) if whole else (self.low, self.high)
            return {"type": "integer" if whole else "number", "minimum": low, "maximum": high}
        if self.name == "enum":
            return {"type": "string", "enum": list(self.members)}
        if self.name == "yes|no":
            return {"type": "boolean"}
        return {"type": "string", **({"format": self.name} if self.name in _FORMATS else {})}

    def read(self, text: str) -> Any:
        """A value as it stands in a wording. Raises ValueError where it is none of this kind."""
        if self.name == "enum" and text in self.members:
            return text
        if self.name == "yes|no" and text in ("yes", "no"):
            return text == "yes"
        if self.name in ("text", *_FORMATS):
            return text
        if text.isdigit() and self.name in _WHOLE:
            return int(text)
        result = resolve(text, self.schema()) if self.name in (*SAID_UNITS, "int", "number") else None
        if not isinstance(result, Resolved):
            raise ValueError(text)
        return result.value


@dataclass(frozen=True, slots=True)
class MadeParameter:
    """One parameter of a tool. `default` is None where it has none."""

    name: str
    kind: ValueKind
    about: str
    required: bool = True
    default: Any = None

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema with description and default."""
        told = {} if self.default is None else {"default": self.default}
        return {**self.kind.schema(), "description": self.about, **told}


@dataclass(frozen=True, slots=True)
class MadeTool:
    """A tool, with the wordings that ask for it, and those that lack a required parameter."""

    name: str
    about: str
    parameters: Mapping[str, MadeParameter]
    wordings: tuple[str, ...] = ()
    lacking: tuple[tuple[str, str], ...] = ()

    def spec(self, name: str, names: Mapping[str, str]) -> ToolSpec:
        """As a model sees it, under other names."""
        properties = {names[old]: parameter.schema() for old, parameter in self.parameters.items()}
        required = [names[old] for old, parameter in self.parameters.items() if parameter.required]
        return ToolSpec(name, self.about, {"type": "object", "properties": properties, "required": required})
