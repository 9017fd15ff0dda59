"""JSON Schemas of any origin: references followed, and one budget for all who read, write out or apply them.

Only references inside a schema (`#/…`) are followed. What would cost too much is refused at the door (`check`),
written out less deep (`levels`) or given up (`Budget`). Steps are counted, not seconds: a schema costs the same
everywhere (`budget`). Knows no tool and no model.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from itertools import islice
from typing import Any
from urllib.parse import unquote

from toolmend.base.budget import Budget
from toolmend.base.errors import BadOption

NODES = 5_000
"""Objects and lists in one schema, and four times as many values in all."""
DEPTH = 64
"""Levels of nesting in one, and references that lead on to references."""
COMBINATIONS = 1_024
"""Schemas that one value is held against, all references and alternatives counted."""
STEPS = 20_000
"""Keywords that are tried in one check of a value; long lists, texts and choices count for more."""
WRITTEN = 5_000
"""Schemas in one whose references are written out."""
ERRORS = 100
"""Errors of a value that are told."""

_HOPS = 16
_WEIGHT = 64  # so many items or characters are looked at in the time of a step
_MANY = ("allOf", "anyOf", "oneOf")
# Each schema in these is tried, and each item against one, also where it demands nothing and no keyword is counted.
_WEIGHTS = {**dict.fromkeys(_MANY, 1), "items": 8, "additionalProperties": 8, "propertyNames": 8, "contains": 8}
_ONE = ("not", "if", "then", "else")
_INSIDE = ("items", "additionalProperties", "contains")
# Regular expressions may never end, and jsonschema looks for what is unevaluated on ways that nobody can count.
_ENDLESS = frozenset({"pattern", "patternProperties", "unevaluatedItems", "unevaluatedProperties"})
_DATA = frozenset({"enum", "const", "default", "examples"})


def followed(schema: Any, root: Mapping[str, Any]) -> dict[str, Any]:
    """The schema that a reference means, with what stands beside the reference; {} for what is no schema."""
    merged = dict(schema) if isinstance(schema, Mapping) else {}
    for _ in range(_HOPS):
        target = merged.pop("$ref", None)
        if target is None:
            break
        merged = {**meant, **merged} if isinstance(meant := _target(target, root), Mapping) else merged
    merged.pop("$ref", None)
    return merged


def alternatives(schema: Any, root: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a value may be, null too, each followed; nothing where there is no choice."""
    whole = followed(schema, root)
    if isinstance(kinds := whole.get("type"), list):
        return [{**whole, "type": kind} for kind in kinds]
    return [followed(part, root) for key in ("anyOf", "oneOf") for part in _listed(whole.get(key))]


def branches(schema: Any, root: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a value may be, each followed, but for nothing at all; the schema itself where there is no choice."""
    choices = alternatives(schema, root)
    return [choice for choice in choices if choice.get("type") != "null"] if choices else [followed(schema, root)]


def plain(schema: Any, root: Mapping[str, Any]) -> dict[str, Any]:
    """The schema followed; where only one thing or null may be given, that one thing with what was said of it."""
    whole, choices = followed(schema, root), branches(schema, root)
    said = {key: value for key, value in whole.items() if key not in ("anyOf", "oneOf", "type")}
    return {**choices[0], **said} if len(choices) == 1 else whole


def types_of(schema: Any, root: Mapping[str, Any]) -> set[str]:
    """The JSON types a value may have; none where the schema does not say."""
    return {kind for choice in branches(schema, root) if isinstance(kind := choice.get("type"), str)}


def applied(schema: Any, root: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The schema, itself first, and all that it refers to or offers or demands besides, each once."""
    seen, waiting = dict[int, Mapping[str, Any]](), [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping) and id(part) not in seen:
            seen[id(part)] = part
            waiting += reversed([*_in_place(part, root, ones=())])
    return list(seen.values())


def levels(root: Mapping[str, Any], deepest: int) -> int:
    """How deep the properties of a schema may be written out, `deepest` at most, and be no more than `WRITTEN`."""
    sizes: dict[tuple[int, ...], int] = {}

    def size(schema: Any, left: int) -> int:
        if not left:
            return 1
        whole = followed(schema, root)
        key = (left, *(id(whole.get(name)) for name in ("type", "properties", *_MANY, "prefixItems", *_ONE, *_INSIDE)))
        if key not in sizes:  # of many references to one schema the first is looked at
            kinds = len(_listed(whole.get("type"))) or 1
            total = 1
            for part in _written(whole):
                total += kinds * size(part, left - 1)
                if total > WRITTEN:
                    break
            sizes[key] = total
        return sizes[key]

    return next((depth for depth in range(deepest, 0, -1) if size(root, depth + 1) <= WRITTEN), 0)


def steps() -> Budget:
    """The steps of one check of one value."""
    return Budget("to hold this value against its schema", steps=STEPS)


def check(schema: Any) -> None:
    """Raise BadOption for what is no JSON Schema or goes beyond the budget."""
    weights: dict[int, int] = {}
    for node in nodes(schema):
        if isinstance(node, Mapping):
            _weigh(node, schema, weights, 0)
    from jsonschema import Draft202012Validator, SchemaError  # type: ignore[import-untyped,unused-ignore]

    try:
        Draft202012Validator.check_schema(harmless(schema))
    except SchemaError as error:
        raise BadOption(error.message[:300]) from error
    except (RecursionError, TypeError, AttributeError, ValueError) as error:
        raise BadOption("it cannot be read") from error


def nodes(schema: Any, most: int = NODES) -> list[Any]:
    """The objects and lists in a schema, or in many, in any order. Raises BadOption for too many, or too deep ones."""
    return list(Budget("it", depth=DEPTH, nodes=most).nodes(schema))


def errors(schema: Mapping[str, Any], value: Any) -> list[Any]:
    """What jsonschema says against a value, `ERRORS` at most; the schema is one that `harmless` made.

    Raises BadOption where that takes more steps than there are, or a reference leads nowhere: none is fetched.
    """
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    token = _budget.set(steps())
    try:
        return list(islice(_validator()(schema, registry=Registry()).iter_errors(value), ERRORS))
    except Unresolvable as error:
        raise BadOption(f"a reference leads nowhere: {str(error.ref)[:80]!r}") from error
    except RecursionError as error:
        raise BadOption("the schema, or the value, is nested too deep") from error
    finally:
        _budget.reset(token)


def harmless(schema: Any) -> Any:
    """A schema without the keywords that could take for ever, regular expressions first of all."""
    if isinstance(schema, list):
        return [harmless(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            kept[key] = {name: harmless(part) for name, part in value.items()}
        elif key not in _ENDLESS:
            kept[key] = value if key in _DATA else harmless(value)
    return kept


_budget: ContextVar[Budget] = ContextVar("steps of the check that is under way")


@functools.cache
def _validator() -> Any:
    """jsonschema's validator, each keyword counted."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    known = Draft202012Validator.VALIDATORS
    made: Any = extend  # untyped where jsonschema has no types
    return made(Draft202012Validator, {name: _counted(name, keyword) for name, keyword in known.items()})


def _counted(name: str, keyword: Callable[..., Any]) -> Callable[..., Any]:
    def counted(validator: Any, wanted: Any, value: Any, schema: Any) -> Iterable[Any]:
        size = sum(len(part) for part in (wanted, value) if isinstance(part, (str, list, dict)))
        _budget.get().spend(
            "steps", 1 + (size * size if name == "uniqueItems" else size) // _WEIGHTS.get(name, _WEIGHT)
        )
        return keyword(validator, wanted, value, schema) or ()

    return counted


def _weigh(schema: Mapping[str, Any], root: Any, weights: dict[int, int], depth: int) -> int:
    """How many schemas a value is held against where this one applies. Raises BadOption for too many or no end."""
    if depth > DEPTH:
        raise BadOption(f"its references lead on more than {DEPTH} times")
    weight = weights.get(id(schema))
    if weight == 0:
        raise BadOption("it refers to itself, and not from an item or a property")
    if weight is None:
        weights[id(schema)] = 0  # under way
        parts = (part for part in _in_place(schema, root, ones=_ONE) if isinstance(part, Mapping))
        weight = 1
        for part in parts:
            weight += _weigh(part, root, weights, depth + 1)
            if weight > COMBINATIONS:
                raise BadOption(f"one value would be held against more than {COMBINATIONS:,} schemas")
        weights[id(schema)] = weight
    return weight


def _in_place(schema: Mapping[str, Any], root: Any, ones: tuple[str, ...]) -> Iterator[Any]:
    """The schemas that the same value is held against."""
    yield _target(schema.get("$ref"), root)
    for key in _MANY:
        yield from _listed(schema.get(key))
    for key in ones:
        yield schema.get(key)
    if ones and isinstance(dependent := schema.get("dependentSchemas"), Mapping):
        yield from dependent.values()


def _written(schema: Mapping[str, Any]) -> Iterator[Any]:
    """The schemas that are written out inside this one."""
    properties = schema.get("properties")
    yield from properties.values() if isinstance(properties, Mapping) else ()
    for key in (*_MANY, "prefixItems"):
        yield from _listed(schema.get(key))
    yield from (schema[key] for key in (*_ONE, *_INSIDE) if isinstance(schema.get(key), Mapping))


def _target(reference: Any, root: Any) -> Any:
    """What a reference means, None where it is none of this schema."""
    if not isinstance(reference, str) or (reference != "#" and not reference.startswith("#/")):
        return None
    meant = root
    for step in unquote(reference[2:]).split("/") if reference != "#" else ():
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(meant, list):
            meant = meant[int(name)] if re.fullmatch("[0-9]{1,4}", name) and int(name) < len(meant) else None
        else:
            meant = meant.get(name) if isinstance(meant, Mapping) else None
    return meant


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
