"""A tool's signature as one line of Python, the way the published experiment shows its API to the model.

action.add_calendar_entry(title, date="YYYY-MM-DD", time="HH:MM", duration=30)  # duration: how long it lasts
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.messages import ToolSpec

_FORMATS = {"date": '"YYYY-MM-DD"', "time": '"HH:MM"', "date-time": '"YYYY-MM-DDTHH:MM"'}
_EXPLAINED = {"integer", "number", "array", "object"}


def signature(spec: ToolSpec) -> str:
    """The line for one tool. Parameters whose name cannot say it all are explained in a comment."""
    required, definitions = set(spec.required), spec.parameters.get("$defs") or {}
    schemas = {name: _bare(schema, definitions) for name, schema in spec.properties.items()}
    shown = [_parameter(name, schema, name in required) for name, schema in schemas.items()]
    notes = [f"{name}: {text}" for name, schema in schemas.items() if (text := _note(schema))]
    return f"{spec.full_name}({', '.join(shown)})" + (f"  # {'; '.join(notes)}" if notes else "")


def _bare(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without what hides it: a reference to a definition, or the choice of giving nothing."""
    branches = [branch for branch in schema.get("anyOf", ()) if branch.get("type") != "null"]
    inner = branches[0] if len(branches) == 1 else schema
    meant = definitions.get(str(inner.get("$ref", "")).rpartition("/")[2], {})
    return {**meant, **inner, **schema}


def _parameter(name: str, schema: Mapping[str, Any], required: bool) -> str:
    if example := _FORMATS.get(str(schema.get("format"))):
        return f"{name}={example}"
    if choices := schema.get("enum"):
        return f"{name}={'|'.join(map(repr, choices))}"
    if "default" in schema and not required:
        return f"{name}={schema['default']!r}"
    return name


def _note(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    kinds = {kind} if isinstance(kind, str) else set(kind or ())
    explained = kinds & _EXPLAINED or "pattern" in schema
    return " ".join(str(schema.get("description", "")).split()) if explained else ""
