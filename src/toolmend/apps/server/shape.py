"""`response_format`: what a model is told and held to, and whether what it wrote is that. Knows no model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolmend import schemas
from toolmend.apps.server.body import FormatBody
from toolmend.apps.server.refusals import invalid
from toolmend.errors import BadOption
from toolmend.messages import Constraint

_FENCE = re.compile(r"\s*```(?:json)?\s*\n(?P<inside>.*?)\n?\s*```\s*", re.DOTALL | re.IGNORECASE)
_WHERE = "response_format.json_schema.schema"


@dataclass(frozen=True)
class ReplyShape:
    """A JSON object, or what a schema says. Raises ApiError for what is no JSON Schema."""

    schema: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        """Look at the schema now, before a model is asked."""
        try:
            schemas.check(self.schema or {})
        except BadOption as error:
            raise invalid(f"Invalid schema for response_format: {error}.", _WHERE) from error

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
            wrong = schemas.errors(schemas.harmless(self.schema), value)
        except BadOption as error:
            return inside, f"it cannot be checked: {error}"
        return inside, f"{wrong[0].json_path}: {wrong[0].message}"[:300] if wrong else ""


def shape_of(given: FormatBody | None) -> ReplyShape | None:
    """What is asked for; None for plain text. Raises ApiError."""
    if given is None or given.type == "text":
        return None
    if given.type == "json_object":
        return ReplyShape()
    if given.json_schema is None:
        param = "response_format.json_schema"
        raise invalid(f"Missing required parameter: '{param}'.", param, "missing_required_parameter")
    return ReplyShape(given.json_schema.schema_ or {})


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
