"""What the worlds of agent systems share: values that are replaced and never changed, and tools that take texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolmend.messages import Effect, ToolSpec
from toolmend.tools import Tool, Toolbox, foreign


class ValueBox(Toolbox):
    """A world of values that are replaced and never changed: the attributes named in `kept`."""

    quick = True
    kept: tuple[str, ...] = ()

    def snapshot(self) -> Any:
        """The values."""
        return tuple(getattr(self, name) for name in self.kept)

    def restore(self, state: Any) -> None:
        """Exactly these."""
        for name, value in zip(self.kept, state, strict=True):
            setattr(self, name, value)


def text_tool(
    name: str, about: str, parameters: Sequence[str], send: Callable[..., Any], effect: Effect = "write"
) -> Tool:
    """A tool that takes texts, all of them required; `send` gets them in a dict."""
    properties = {parameter: {"type": "string"} for parameter in parameters}
    schema = {"type": "object", "properties": properties, "required": [*parameters], "additionalProperties": False}
    return foreign(ToolSpec(name, about, schema, effect=effect), send)
