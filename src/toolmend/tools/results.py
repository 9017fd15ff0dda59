"""What a tool returned, as JSON-able data. Knows nothing of tools; imports pydantic when something needs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.errors import ToolError

_PLAIN = (type(None), bool, int, float, str)


def jsonable(value: Any) -> Any:
    """Plain data: a `to_json` method decides where there is one, else pydantic's rules (dates, enums, dataclasses).

    Raises ToolError for a value that JSON cannot carry.
    """
    if type(value) in _PLAIN:
        return value
    own = getattr(value, "to_json", None)
    if callable(own) and not isinstance(value, type):
        return own()
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: jsonable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    from pydantic_core import to_jsonable_python

    try:
        return to_jsonable_python(value)
    except ValueError as error:
        raise ToolError(f"the tool returned a {type(value).__name__}, which JSON cannot carry: {error}") from error
