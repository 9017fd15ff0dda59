"""Fits arguments to a JSON Schema where models are known to slip, and records each change: `duration: '30' -> 30`.

It converts only what cannot be meant otherwise: digits in a string, a list or object sent as JSON text, the one thing
that an object must have, a number where text is due, the letter case of a choice; and, told to, words that mean one
value. It never turns a bool into a number.
Whether the result is valid is not its business (schema.py and foreign.py check that), except for what a validator would
let through in silence.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolmend.base.budget import Budget
from toolmend.base.schemas import alternatives, followed, steps
from toolmend.tools.speech import Speech, format_problem
from toolmend.tools.texts import shown

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}(\.0+)?")
_NUMBER = re.compile(r"[+-]?([0-9]{1,18}(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


@dataclass(slots=True)
class Fitting:
    """One pass over the arguments of one call. `root` is the schema that `$ref` points into; with `speech`, words that
    mean one value are taken for it."""

    root: Mapping[str, Any]
    speech: Speech | None = None
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    budget: Budget = field(default_factory=steps)

    def fit(self, value: Any, schema: Any, path: str) -> Any:
        """The value, converted where the schema asks for it; `notes` and `problems` grow on the way.

        Raises BadOption where that takes too many steps.
        """
        self.budget.spend("steps")
        schema = followed(schema, self.root)
        if choices := alternatives(schema, self.root):
            return self._fit_union(value, choices, path)
        convert = _CONVERSIONS.get(schema.get("type", ""))
        if convert is not None and value is not None:
            fitted = convert(value, schema)
            if fitted is not value:
                self.notes.append(f"{path}: {shown(value)} -> {shown(fitted)}")
                value = fitted
        if self.speech and (meant := self.speech.meant(value, schema, path)) is not value:
            self.notes.append(f"{path}: {shown(value)} -> {shown(meant)} as spoken")
            value = meant
        self._report(path, _silent_problem(value, schema))
        return self._fit_inside(value, schema, path)

    def _fit_inside(self, value: Any, schema: Mapping[str, Any], path: str) -> Any:
        kind = schema.get("type")
        if kind == "array" and isinstance(value, (list, tuple)):
            first = schema.get("prefixItems") or ()
            rest = schema.get("items", {})
            return [
                self.fit(item, first[index] if index < len(first) else rest, f"{path}[{index}]")
                for index, item in enumerate(value)
            ]
        if kind == "object" and isinstance(value, Mapping):
            known = schema.get("properties") or {}
            other = schema.get("additionalProperties", {})
            return {key: self.fit(item, known.get(key, other), f"{path}.{key}") for key, item in value.items()}
        return value

    def _fit_union(self, value: Any, choices: Sequence[Mapping[str, Any]], path: str) -> Any:
        """Descend where exactly one branch has the value's type; convert only where none has."""
        self.budget.spend("steps", len(choices))
        typed = [branch for branch in choices if _has_type(value, branch)]
        if len(typed) == 1:
            return self.fit(value, typed[0], path)
        if typed:
            problems = [_silent_problem(value, branch) for branch in typed]
            self._report(path, problems[0] if all(problems) else "")
            return value
        trials = [Fitting(self.root, self.speech, budget=self.budget) for _ in choices]
        for trial, branch in zip(trials, choices, strict=True):
            fitted = trial.fit(value, branch, path)
            if trial.notes and not trial.problems:
                self.notes += trial.notes
                return fitted
        self.problems += next((trial.problems for trial in trials if trial.problems), [])
        return value

    def _report(self, path: str, problem: str) -> None:
        if problem:
            self.problems.append(f"argument {path!r}: {problem}")


def _choices(schema: Mapping[str, Any]) -> Sequence[Any] | None:
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _has_type(value: Any, schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    if isinstance(kind, str):
        test = _TYPES.get(kind)
        return test is None or test(value)
    choices = _choices(schema)
    return choices is None or any(choice == value and type(choice) is type(value) for choice in choices)


def _silent_problem(value: Any, schema: Mapping[str, Any]) -> str:
    """What validators let through although nobody can mean it: True for the choice 1, a number for a date."""
    if "format" in schema:
        return format_problem(value, schema["format"])
    if isinstance(value, bool) and schema.get("type") != "boolean":
        choices = _choices(schema)
        if choices and not any(choice is value for choice in choices):
            return f"should be {' or '.join(map(repr, choices))}, got {value}"
    return ""


def _to_integer(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
        return int(value.strip().partition(".")[0])
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def _to_number(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        text = value.strip()
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    return value


def _to_boolean(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower(), value)
    if type(value) is int and value in (0, 1):
        return bool(value)
    return value


def _to_string(value: Any, schema: Mapping[str, Any]) -> Any:
    choices = _choices(schema)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        text = str(value)
        return text if "format" not in schema and (choices is None or text in choices) else value
    if isinstance(value, str) and choices and value not in choices:
        same = [choice for choice in choices if isinstance(choice, str) and choice.casefold() == value.casefold()]
        return same[0] if len(same) == 1 else value
    return value


def _from_json_text(kind: type) -> Any:
    def convert(value: Any, schema: Mapping[str, Any]) -> Any:
        if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
            return value
        try:
            decoded = json.loads(value)
        except (ValueError, RecursionError):
            return value  # not JSON: the validator says what it should have been
        return decoded if isinstance(decoded, kind) else value

    return convert


def _to_object(value: Any, schema: Mapping[str, Any]) -> Any:
    """Also the one thing that such an object must have, a plain value: "oat" for {"kind": "oat"}."""
    decoded, needed = _from_json_text(dict)(value, schema), schema.get("required", ())
    inner = (schema.get("properties") or {}).get(needed[0]) if len(needed) == 1 else None
    plain = isinstance(inner, Mapping) and inner.get("type") in ("string", "integer", "number")  # no object in itself
    return {needed[0]: value} if plain and isinstance(decoded, (str, int, float)) else decoded


_CONVERSIONS = {
    "integer": _to_integer,
    "number": _to_number,
    "boolean": _to_boolean,
    "string": _to_string,
    "array": _from_json_text(list),
    "object": _to_object,
}

_TYPES = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, (list, tuple, set, frozenset)),
    "object": lambda value: isinstance(value, Mapping),
}
