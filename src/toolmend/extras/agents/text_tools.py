"""Tools that take texts, for the worlds of agent systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolmend.base.messages import Effect, ToolSpec
from toolmend.tools import Tool, foreign


def text_tool(
    name: str, about: str, parameters: Sequence[str], send: Callable[..., Any], effect: Effect = "write"
) -> Tool:
    """A tool that takes texts, all of them required; `send` gets them in a dict."""
    properties = {parameter: {"type": "string"} for parameter in parameters}
    schema = {"type": "object", "properties": properties, "required": [*parameters], "additionalProperties": False}
    return foreign(ToolSpec(name, about, schema, effect=effect), send)
