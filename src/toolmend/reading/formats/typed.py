"""The value of a text that stands between marks, by its parameter's schema. Knows no format and no marks."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.base.schemas import plain, types_of
from toolmend.reading.value import constant_of

_BLANK_LINES = re.compile(r"\A[ \t]*\r?\n|\r?\n[ \t]*\Z")


def typed(raw: str, schema: Any, root: Mapping[str, Any], indent: int = 0) -> Any:
    """The value of a text between its marks, by its schema.

    For a parameter that is a text it is that text as it stands, quotes and blank lines too, without the line's ends and
    the indentation (`indent` columns) that are the markup's. Anything else is read as JSON or as a Python constant.
    """
    text = raw
    if raw[:1] in "\r\n" or _BLANK_LINES.match(raw):
        text = _BLANK_LINES.sub("", raw)
        text = text.strip(" \t") if "\n" not in text else textwrap.dedent(text) if indent else text
    types = types_of(schema, root) if schema is not None else set()
    if types == {"string"}:
        return text
    known, value = constant_of(text.strip())
    if not known or (types and not types & _types(value)):
        return text
    return text if isinstance(value, str) and "string" in types else value


def _types(value: Any) -> set[str]:
    if value is None or isinstance(value, bool):
        return {"null"} if value is None else {"boolean"}
    if isinstance(value, (int, float)):
        return {"integer", "number"} if float(value).is_integer() else {"number"}
    return {"string"} if isinstance(value, str) else {"array"} if isinstance(value, list) else {"object"}


def schema_of(spec: ToolSpec | None, name: str) -> tuple[Any, Mapping[str, Any]]:
    """The schema of a parameter, and the root that it refers to; None where it is unknown."""
    if spec is None or name not in spec.properties:
        return None, {}
    return plain(spec.properties[name], spec.parameters), spec.parameters
