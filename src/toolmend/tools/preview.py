"""What a call would change, found out by making it and setting the world back. For worlds that can be set back only."""

from __future__ import annotations

import difflib
import inspect
import json

from toolmend.base.errors import ToolError, UnknownName
from toolmend.base.messages import Call
from toolmend.tools.toolbox import Toolbox

MOST_LINES = 20
REFUSED = "it would be refused: "


def preview(box: Toolbox, call: Call) -> str:
    """The lines of the world that would come (`+`) and go (`-`); "" where trying is not possible or not safe.

    Only a `quick` world with snapshots is tried, and only a tool that can be taken back: what a tool of the effect
    "danger" does may leave the world.
    """
    try:
        tool = box.tool(call.tool)
    except UnknownName:
        return ""
    if tool.effect != "write" or not (box.quick and box.has_snapshots) or inspect.iscoroutinefunction(tool.function):
        return ""
    before, was = box.snapshot(), world_lines(box)
    try:
        values, _ = box.validate(call)
        tool.function(**values)
        now = world_lines(box)
    except ToolError as error:
        return f"{REFUSED}{error}"
    except Exception as error:  # whatever a tool does
        return f"it would fail: {type(error).__name__}: {error}"
    finally:
        box.restore(before)
    changes = [line for line in difflib.ndiff(was, now) if line[:2] in ("+ ", "- ")]
    more = [f"… {len(changes) - MOST_LINES} lines more"] if len(changes) > MOST_LINES else []
    return "\n".join([*changes[:MOST_LINES], *more]) or "nothing would change"


def world_lines(box: Toolbox) -> list[str]:
    """The world as lines: its own text if it has one, else its state."""
    if type(box).__str__ is not object.__str__:
        return str(box).splitlines()
    return json.dumps(box.state(), ensure_ascii=False, indent=1, default=str).splitlines()
