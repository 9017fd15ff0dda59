"""One line of Python that calls one of the tools, as a Lark grammar in the dialect of llguidance.

Arguments stand in the order of the signature, without their names until the first that has one. Values are those that
JSON and Python write alike, and True, False and None.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.messages import Constraint, ToolSpec
from toolmend.base.schemas import levels
from toolmend.strategies.constraints import DEPTH, LONGEST_LIST, LONGEST_TEXT, simplified

_ANY = f"""any: %json {{"type": "number"}} | text | "True" | "False" | "None"
  | "[" (any ("," " "? any){{0,{LONGEST_LIST}}})? "]"
  | "{{" (text ":" " "? any ("," " "? text ":" " "? any){{0,{LONGEST_LIST}}})? "}}"
text: %json {{"type": "string", "maxLength": {LONGEST_TEXT}}}"""


def line(tools: Sequence[ToolSpec]) -> Constraint:
    """A call of one of the tools, and nothing else."""
    rules = [f"start: {' | '.join(f't{number}' for number in range(len(tools)))}"]
    for number, spec in enumerate(tools):
        rules += _tool(f"t{number}", spec)
    return Constraint("lark", "\n".join([*rules, _ANY]))


def _tool(rule: str, spec: ToolSpec) -> list[str]:
    """`RULE_pN`: the arguments from N on, all before it written without names. `RULE_nN`: from N on, all with names;
    `RULE_fN` the same where nothing precedes."""
    named = [name for name in spec.properties if name.isidentifier()]
    made = [f'{rule}: {_quoted(f"{spec.full_name}(")} {rule}_p0 ")"']
    depth = levels(spec.parameters, DEPTH)
    for place, name in enumerate(named):
        schema = simplified(spec.properties[name], spec.parameters, depth, nullable=False)
        value, comma = f"{rule}_v{place}", '"," " "? ' if place else ""
        given = f"{_quoted(f'{name}=')} {value} {rule}_n{place + 1}"
        follows = f"{rule}_n{place}" if place else f"{rule}_f0"
        optional = name not in spec.required
        made += [
            f"{value}: {_value(schema)}",
            f"{rule}_p{place}: {comma}{value} {rule}_p{place + 1} | {follows}",
            f'{rule}_n{place}: "," " "? {given}' + (f" | {rule}_n{place + 1}" if optional else ""),
            f"{rule}_f{place}: {given}" + (f" | {rule}_f{place + 1}" if optional else ""),
        ]
    return [*made, *(f'{rule}_{kind}{len(named)}: ""' for kind in "pnf")]


def _value(schema: Mapping[str, Any]) -> str:
    """The right side of a rule for one value."""
    if _same_in_json(schema):
        return f"%json {json.dumps(schema)}"
    if "anyOf" in schema:
        return " | ".join(f"({_value(choice)})" for choice in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(
            _quoted(repr(value)) if not isinstance(value, str) else _json(value) for value in schema["enum"]
        )
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(f"({_value({**schema, 'type': name})})" for name in kind)
    if kind == "boolean":
        return '"True" | "False"'
    if kind == "null":
        return '"None"'
    if kind == "array" and "prefixItems" not in schema:
        item, most = f"({_value(schema['items'])})", max(int(schema["maxItems"]), 1)
        return f'"[" ({item} ("," " "? {item}){{0,{most - 1}}})? "]"'
    if kind == "object" and schema.get("properties"):
        return _members(schema)
    return "any"


def _members(schema: Mapping[str, Any]) -> str:
    """Properties in their order, optional ones at the end of what is there."""
    required = [name for name in schema["properties"] if name in schema.get("required", ())]
    others = [name for name in schema["properties"] if name not in required]
    written = {name: f'{_json(name)} ":" " "? ({_value(member)})' for name, member in schema["properties"].items()}
    parts = ' "," " "? '.join(written[name] for name in required)
    for name in others:
        parts += f' ("," " "? {written[name]})?' if required else f" ({written[name]})?"
    return f'"{{" {parts} "}}"'


def _same_in_json(schema: Any) -> bool:
    """Whether a value of this schema is written in Python as in JSON."""
    if isinstance(schema, Mapping) and "enum" in schema:
        return all(isinstance(value, str) or type(value) in (int, float) for value in schema["enum"])
    if not isinstance(schema, Mapping) or "anyOf" in schema:
        return False
    kind = schema.get("type")
    if kind == "array":
        return "prefixItems" not in schema and _same_in_json(schema["items"])
    return isinstance(kind, str) and kind in ("string", "integer", "number")


def _quoted(text: str) -> str:
    return json.dumps(text)


def _json(text: str) -> str:
    """A terminal for a text as JSON writes it."""
    return json.dumps(json.dumps(text, ensure_ascii=False), ensure_ascii=False)
