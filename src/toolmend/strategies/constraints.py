"""What a reply must look like, made of the tools: JSON Schemas for servers, one line of Python for embedded models.

The schemas keep to what servers take: no references, no other properties, `anyOf` alone for choices, an object at the
root, texts and lists of bounded length. An optional value may be null, which means that it is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.messages import Call, Constraint, ToolSpec
from toolmend.base.schemas import followed, levels

LONGEST_TEXT = 400
LONGEST_LIST = 16
DEPTH = 6

_DAY = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
_TIME = r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?"
_PATTERNS = {"date": _DAY, "time": _TIME, "date-time": f"{_DAY}T{_TIME}"}
_KEPT = ("type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern")
_NULL = {"type": "null"}


def calls(tools: Sequence[ToolSpec], most: int = 1) -> Constraint:
    """`{"calls": [{"tool": NAME, "arguments": {…}}, …]}`, from one to `most` of them."""
    shapes = [_object({"tool": _one_of(spec.full_name), "arguments": arguments(spec)}) for spec in tools]
    call = shapes[0] if len(shapes) == 1 else {"anyOf": shapes}
    return Constraint("json_schema", _object({"calls": _list(call, most)}))


def values(spec: ToolSpec) -> Constraint:
    """The arguments of one tool as an object."""
    return Constraint("json_schema", arguments(spec))


def names(allowed: Sequence[str], most: int, *, reasons: bool = False) -> Constraint:
    """`{"intents": [NAME, …]}`; with `reasons` each is `{"name": NAME, "reason": TEXT}`."""
    name = _one_of(*allowed)
    item = _object({"name": name, "reason": {"type": "string", "maxLength": LONGEST_TEXT}}) if reasons else name
    return Constraint("json_schema", _object({"intents": _list(item, most)}))


def arguments(spec: ToolSpec) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments, as servers take it."""
    whole = {**spec.parameters, "type": "object"}
    made = simplified(whole, whole, levels(whole, DEPTH - 1) + 1)
    return {**made, "additionalProperties": False, "properties": made.get("properties", {})}


def without_nulls(call: Call, spec: ToolSpec) -> Call:
    """The call without the arguments that are null because something had to be written for them."""
    required = set(spec.required)
    kept = {name: value for name, value in call.arguments.items() if name in required or value is not None}
    return replace(call, arguments=kept)


def simplified(schema: Any, root: Mapping[str, Any], depth: int = DEPTH, *, nullable: bool = True) -> dict[str, Any]:
    """A schema with references written out and nothing in it but what servers take; {} for what is nested too deep.

    `nullable` lets optional properties be null.
    """
    schema = followed(schema, root)
    if depth == 0 or not schema:
        return {}
    if "const" in schema or "enum" in schema:
        return _one_of(*([schema["const"]] if "const" in schema else schema["enum"]))
    if branches := [*schema.get("anyOf", ()), *schema.get("oneOf", ())]:
        return {"anyOf": [simplified(branch, root, depth - 1, nullable=nullable) for branch in branches]}
    made = {key: schema[key] for key in _KEPT if key in schema}
    kinds = {made["type"]} if isinstance(made.get("type"), str) else set(made.get("type", ()))
    if "string" in kinds:
        made |= _text(schema)
    if "array" in kinds:
        items = simplified(schema.get("items", {}), root, depth - 1, nullable=nullable)
        made |= {"items": items, "maxItems": schema.get("maxItems", LONGEST_LIST)}
        made |= {key: schema[key] for key in ("minItems",) if key in schema}
        if fixed := schema.get("prefixItems"):
            made["prefixItems"] = [simplified(item, root, depth - 1, nullable=nullable) for item in fixed]
    if "object" in kinds:
        made |= _members(schema, root, depth, nullable)
    return made


def _members(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int, nullable: bool) -> dict[str, Any]:
    required = [name for name in schema.get("required", ()) if name in schema.get("properties", {})]
    properties = {}
    for name, member in (schema.get("properties") or {}).items():
        made = simplified(member, root, depth - 1, nullable=nullable)
        properties[name] = made if name in required or not nullable or not made else _or_null(made)
    others = schema.get("additionalProperties", not properties)
    if isinstance(others, Mapping):
        others = simplified(others, root, depth - 1, nullable=nullable)
    return {"properties": properties, "required": required, "additionalProperties": others}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    branches = schema.get("anyOf") or [schema]
    return schema if _NULL in branches else {"anyOf": [*branches, _NULL]}


def _text(schema: Mapping[str, Any]) -> dict[str, Any]:
    if pattern := _PATTERNS.get(str(schema.get("format"))):
        return {"pattern": f"^{pattern}$"}
    if "pattern" in schema:
        return {}
    bounds = {"maxLength": min(schema.get("maxLength", LONGEST_TEXT), LONGEST_TEXT)}
    return bounds | ({"minLength": schema["minLength"]} if "minLength" in schema else {})


def _one_of(*allowed: Any) -> dict[str, Any]:
    kinds = {"string" if isinstance(value, str) else "" for value in allowed}
    return ({"type": "string"} if kinds == {"string"} else {}) | {"enum": list(allowed)}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Mapping[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": dict(items), "minItems": 1, "maxItems": most}
