"""A tool's signature as one line of Python, the way the published experiment shows its API to the model.

    action.add_calendar_entry(title, date="YYYY-MM-DD", time="HH:MM", duration=m) # duration in minutes
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.messages import ToolSpec

_FORMATS = {"date": '"YYYY-MM-DD"', "time": '"HH:MM"', "date-time": '"YYYY-MM-DDTHH:MM"'}


def signature(spec: ToolSpec) -> str:
    """The line for one tool; notes about units follow as a comment."""
    required = set(spec.required)
    shown = [_parameter(name, schema, name in required) for name, schema in spec.properties.items()]
    notes = [note for name, schema in spec.properties.items() if (note := _note(name, schema))]
    return f"{spec.full_name}({', '.join(shown)})" + (f" # {'; '.join(notes)}" if notes else "")


def _parameter(name: str, schema: Mapping[str, Any], required: bool) -> str:
    if example := _FORMATS.get(str(schema.get("format"))):
        return f"{name}={example}"
    if unit := schema.get("unit"):
        return f"{name}={str(unit)[0]}"
    if choices := schema.get("enum"):
        return f"{name}={'|'.join(map(repr, choices))}"
    kind = schema.get("type")
    if kind == "string" and required:
        return name
    if "default" in schema and not required:
        return f"{name}={schema['default']!r}"
    return f"{name}: {kind}" if isinstance(kind, str) and kind != "string" else name


def _note(name: str, schema: Mapping[str, Any]) -> str:
    if unit := schema.get("unit"):
        return f"{name} in {unit}"
    items = schema.get("items")
    return f"{name}: a list of {items.get('type', 'value')}s" if isinstance(items, Mapping) else ""


def default_notes(specs: tuple[ToolSpec, ...]) -> list[str]:
    """Sentences about defaults that a reader of the API should know, one per tool and defaulted number with a unit."""
    notes = []
    for spec in specs:
        for name, schema in spec.properties.items():
            if schema.get("unit") and "default" in schema:
                notes.append(f"You can use {schema['default']} {schema['unit']} as the default {name} for new events.")
    return notes
