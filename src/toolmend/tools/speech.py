"""A value that was sent as it was said ("7 in the evening", "two dozen"): what it means, where that is one thing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolmend.errors import BadOption
from toolmend.tools.formats import format_problem


@dataclass(frozen=True, slots=True)
class Speech:
    """What words are said against: the clock ("tomorrow") and the usual hours ("07-19": at nine is in the morning)."""

    now: dt.datetime | None = None
    hours: str | None = None

    def meant(self, value: Any, schema: Mapping[str, Any], name: str) -> Any:
        """The value that words for the argument of that name mean; itself, where it is valid or may mean several."""
        if not isinstance(value, str) or _fits(value, schema):
            return value
        from toolmend.resolve import Resolved, resolve
        from toolmend.resolve.arguments import typed, is_computed

        if not is_computed(schema):
            return value
        try:
            result = resolve(value, typed(name, schema), now=self.now, hours=self.hours)
        except BadOption:  # a schema that says what only its own tool understands
            return value
        return result.value if isinstance(result, Resolved) else value


def _fits(value: str, schema: Mapping[str, Any]) -> bool:
    if schema.get("type") not in (None, "string"):
        return False
    return value in schema["enum"] if "enum" in schema else not format_problem(value, str(schema.get("format")))
