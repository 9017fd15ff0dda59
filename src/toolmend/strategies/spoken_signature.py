"""The system text of the spoken notation (docs/notation.md): a line for each tool, then those that are always there.

    add_calendar_entry(title, date: date, time: time, duration: minutes = 30)
    remove_calendar_entry(entry)

A parameter that names a thing of the world stands for the arguments that make it up. Knows no world and no model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.base.schemas import branches, followed, plain
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.standing import stands_for

Named = Mapping[str, Mapping[str, str]]

_ALWAYS = "change(of, ...)\nagain(of, ...)\nundo(of)\nWrite the words that were said. No call if none is due."
_KINDS = {"integer": "int", "number": "number", "boolean": "yes|no"}
_FORMATS = ("date", "time", "date-time")
DEPTH = 4
"""Values nested deeper than this are not shown."""


def spoken_system(tools: Sequence[ToolSpec], named: Named, *, describe: bool = False) -> str:
    """The whole system text."""
    return system_of([spoken_line(spoken_spec(spec, named), describe=describe) for spec in tools])


def system_of(lines: Sequence[str]) -> str:
    """The whole system text of tools that are lines already."""
    return "\n".join(["Tools:", *lines, _ALWAYS])


def spoken_spec(spec: ToolSpec, named: Named) -> ToolSpec:
    """The tool with the parameters that it has in the notation."""
    own = named.get(spec.full_name, {})
    instead = {argument: parameter for parameter in own for argument in stands_for(spec, parameter, own)}
    if not instead:
        return spec
    properties = {
        instead.get(name, name): {"type": "string"} if name in instead else schema
        for name, schema in spec.properties.items()
    }
    required = list(dict.fromkeys(instead.get(name, name) for name in spec.required))
    return replace(spec, parameters={**spec.parameters, "properties": properties, "required": required})


def spoken_line(spec: ToolSpec, *, describe: bool = False) -> str:
    """The line for one tool, its parameters being those of the notation."""
    shown = [_parameter(name, schema, name in spec.required, spec.parameters) for name, schema in _schemas(spec)]
    about = _about(spec) if describe else ""
    return f"{spec.name}({', '.join(shown)})" + (f"  # {about}" if about else "")


def _schemas(spec: ToolSpec) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name, typed(name, plain(schema, spec.parameters))) for name, schema in spec.properties.items()]


def _parameter(name: str, schema: Mapping[str, Any], required: bool, root: Mapping[str, Any]) -> str:
    kind, default = _kind(schema, root, DEPTH), schema.get("default")
    bare = not required and default in (None, "", [], {})
    text = f"{name}{'?' if bare else ''}" + (f": {kind}" if kind else "")
    return text if required or bare else f"{text} = {_default(default)}"


def _default(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _kind(schema: Any, root: Mapping[str, Any], depth: int) -> str:
    """What is wanted; "" for text, and for what the schema does not say."""
    choices = branches(schema, root) if depth else []
    if len(choices) != 1:
        kinds = list(dict.fromkeys(_kind(choice, root, depth - 1) for choice in choices))
        return "|".join(kinds) if all(kinds) else ""
    (one,) = choices
    if "const" in one or one.get("enum"):
        return "|".join(_default(value) for value in one.get("enum") or [one["const"]] if value != "")
    if one.get("format") in _FORMATS:
        return str(one["format"])
    if one.get("type") == "array":
        return f"[{_kind(one.get('items'), root, depth - 1) or '…'}]"
    if one.get("type") == "object" and one.get("properties"):
        must = one.get("required") or ()
        inner = [(name, followed(part, root)) for name, part in one["properties"].items()]
        return "{" + ", ".join(_parameter(name, part, name in must, root) for name, part in inner) + "}"
    return str(one.get("x-unit") or _KINDS.get(str(one.get("type")), ""))


def _about(spec: ToolSpec) -> str:
    """What the tool does and its parameters mean, in a line."""
    notes = [f"{name}: {text}" for name, schema in _schemas(spec) if (text := schema.get("description"))]
    said = [spec.description.strip().rstrip("."), "; ".join(notes)]
    return " ".join(". ".join(part for part in said if part).split())
