"""`response_format`: what a model is told and held to, and whether what it wrote is that. Knows no model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toolmend.apps.server.body import FormatBody
from toolmend.apps.server.refusals import invalid
from toolmend.messages import Constraint
from toolmend.tools.foreign import without_patterns

_FENCE = re.compile(r"\s*```(?:json)?\s*\n(?P<inside>.*?)\n?\s*```\s*", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Shape:
    """A JSON object, or what a schema says. Raises ApiError for what is no JSON Schema."""

    schema: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        """Look at the schema now, before a model is asked."""
        from jsonschema import SchemaError

        try:
            _ = self._validator
        except SchemaError as error:
            raise _bad_schema(error.message) from error
        except (RecursionError, TypeError, AttributeError, ValueError) as error:
            raise _bad_schema("it cannot be read") from error

    @property
    def constraint(self) -> Constraint:
        """For engines that can keep a reply to it."""
        return Constraint("json_schema", self.schema or {"type": "object"})

    @property
    def instruction(self) -> str:
        """What a model is told."""
        if self.schema is None:
            return "Answer with one JSON object and nothing else."
        return f"Answer with JSON of this schema and nothing else:\n{json.dumps(self.schema, ensure_ascii=False)}"

    def read(self, text: str) -> tuple[str, str]:
        """The JSON in a reply, without a fence around it, and what is wrong with it: "" if nothing is."""
        found = _FENCE.fullmatch(text)
        inside = (found["inside"] if found else text).strip()
        try:
            value = json.loads(inside, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            return inside, f"it is no JSON: {error}"
        if self.schema is None:
            return inside, "" if isinstance(value, dict) else "it is no JSON object"
        try:
            wrong = next(self._validator.iter_errors(value), None)
        except Exception as problem:  # a reference that leads nowhere, one that never ends: the schema is the client's
            return inside, f"it cannot be checked against the schema ({type(problem).__name__})"
        return inside, "" if wrong is None else f"{wrong.json_path}: {wrong.message}"[:300]

    @cached_property
    def _validator(self) -> Any:
        from jsonschema import Draft202012Validator
        from referencing import Registry

        schema = without_patterns(dict(self.schema or {}))
        Draft202012Validator.check_schema(schema)
        return Draft202012Validator(schema, registry=Registry())  # an empty one: nothing is fetched


def shape_of(given: FormatBody | None) -> Shape | None:
    """What is asked for; None for plain text. Raises ApiError."""
    if given is None or given.type == "text":
        return None
    if given.type == "json_object":
        return Shape()
    if given.json_schema is None:
        param = "response_format.json_schema"
        raise invalid(f"Missing required parameter: '{param}'.", param, "missing_required_parameter")
    return Shape(given.json_schema.schema_ or {})


def _bad_schema(why: str) -> Exception:
    return invalid(f"Invalid schema for response_format: {why}.", "response_format.json_schema.schema")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
