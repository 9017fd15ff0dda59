"""Lists of tools as servers write them, made such as the SDK reads them: it refuses a whole list for one odd tool.

What can only mean one thing is mended (no schema is a schema of nothing), what is only decoration is dropped, and a
tool that cannot be read is left out with a line. Knows no connection.
"""

from __future__ import annotations

from typing import Any

_TEXTS = ("title", "description")
_KNOWN = {"name", "inputSchema", "annotations", "outputSchema", *_TEXTS}


def readable(result: Any, left: list[str]) -> Any:
    """The result of a request; in a list of tools only those that can be read, a line in `left` for each other."""
    if not isinstance(result, dict) or not isinstance(result.get("tools"), list):
        return result
    rows = [row for tool in result["tools"] if (row := _tool(tool, left)) is not None]
    cursor = result.get("nextCursor")
    return {**result, "tools": rows, "nextCursor": cursor if isinstance(cursor, str) else None}


def _tool(tool: Any, left: list[str]) -> dict[str, Any] | None:
    from mcp_types import Tool
    from pydantic import ValidationError

    if not isinstance(tool, dict):
        left.append(f"{str(tool)[:40]!r} is left out: it is no tool")
        return None
    row = {key: value for key, value in tool.items() if key in _KNOWN and value is not None}
    row.update({key: str(row[key]) for key in _TEXTS if key in row})
    schema = row.get("inputSchema", {})
    row["inputSchema"] = {**schema, "type": schema.get("type") or "object"} if isinstance(schema, dict) else schema
    for key in ("annotations", "outputSchema"):
        given = row.get(key)
        if not isinstance(given, dict) or (key == "outputSchema" and given.get("type") != "object"):
            row.pop(key, None)
    why = "" if isinstance(schema, dict) else "inputSchema is no object"
    if isinstance(schema, dict) and row["inputSchema"]["type"] != "object":
        why = f"inputSchema is of type {row['inputSchema']['type']!r}, and arguments are an object"
    try:
        Tool.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        why = why or f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    if why:
        left.append(f"{tool.get('name')!r} is left out: {why}")
        return None
    return row
