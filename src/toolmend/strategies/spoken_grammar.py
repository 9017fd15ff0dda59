"""The spoken notation as a Lark grammar in the dialect of llguidance: lines of calls, or words for the person.

Values are short texts on one line; what they say is free. Lists and objects have a form, an object the fields of its
schema in their order.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from toolmend.messages import Constraint, ToolSpec
from toolmend.schemas import plain

_DEEPEST = 3  # objects in objects
_VALUES = r"""VALUE: /"([^"\\\n\r]|\\["\\\/]){1,160}"/
list: "[" (inner (", " inner){0,15})? "]"
inner: VALUE | "{" VALUE ": " VALUE (", " VALUE ": " VALUE){0,15} "}"
WORDS: /[^a-z()_\n][^()_\n]{1,300}/"""
_SAID = _VALUES.replace("\\n\\r]", "\\n\\r?]").partition("\nWORDS")[0]


def spoken_lines(tools: Sequence[ToolSpec], *, words: bool = True) -> Constraint:
    """Calls of these tools (their parameters being those of the notation), the verbs for earlier calls, or `words`.
    Without these nothing may be asked for, either."""
    calls, rules, changed = ["change", "again", "undo"], list[str](), dict[str, str]()
    for number, spec in enumerate(tools):
        calls.append(f"t{number}")
        signed, arguments = _signed(f"t{number}", spec, needed=words)
        rules += signed
        changed |= {argument: argument for argument in arguments}
    rules += [_verb(verb, ['"of=" (VALUE | list)', *changed]) for verb in ("change", "again")]
    rules.append(_verb("undo", ['"of=" (VALUE | list)']))
    lines = [r'start: line ("\n" line){0,7}' + (" | WORDS" if words else ""), f"line: {' | '.join(calls)}"]
    return Constraint("lark", "\n".join([*lines, *rules, _VALUES if words else _SAID]))


def _signed(rule: str, spec: ToolSpec, *, needed: bool) -> tuple[list[str], list[str]]:
    """The rules of a call, and its arguments as they may be written.

    They stand in the order of the signature, each at most once; those that must be given always, as a "?" where they
    were not said, if they are `needed`; a day or a time goes on from the call before.
    """
    names = [name for name in spec.properties if name.isidentifier()]
    must = {place for place, name in enumerate(names) if needed and name in spec.required and not _is_when(spec, name)}
    arguments, rules = list[str](), list[str]()
    for name in names:
        form, inner = _form(f"{rule}_{len(rules)}", spec.properties[name], spec.parameters)
        arguments.append(f'"{name}=" ({form})')
        rules += inner
    given, ordered = _in_order(rule, arguments, must)
    return [f'{rule}: {json.dumps(spec.name + "(")}{given} ")"', *ordered, *rules], arguments


def _form(rule: str, schema: Any, root: Mapping[str, Any], depth: int = _DEEPEST) -> tuple[str, list[str]]:
    """How the words for a value may be written, and the rules for it: objects have the fields of their schema."""
    one = plain(schema, root)
    several = one.get("type") == "array"
    fields = (plain(one.get("items"), root) if several else one).get("properties") or {}
    if not fields or not depth:
        return "VALUE | list", []
    parts, rules = list[str](), list[str]()
    for place, (field, inner) in enumerate(fields.items()):
        form, further = _form(f"{rule}_{place}", inner, root, depth - 1)
        parts.append(f"{json.dumps(json.dumps(field) + ': ')} ({form})")
        rules += further
    given, ordered = _in_order(f"{rule}o", parts, set())
    rules += [f'{rule}o: "{{"{given.removesuffix("?")} "}}"', *ordered]
    return f'VALUE | "[" {rule}o (", " {rule}o){{0,15}} "]"' if several else f"VALUE | {rule}o", rules


def _in_order(rule: str, parts: Sequence[str], must: Collection[int]) -> tuple[str, list[str]]:
    """Parts with commas between them, in their order, each at most once, those in `must` always; and their rules."""

    def following(first: int) -> tuple[str, bool]:
        """What can stand from this part on, and whether nothing must."""
        last = next((place for place in range(first, len(parts)) if place in must), len(parts))
        return " | ".join(f"{rule}_{place}" for place in range(first, min(last + 1, len(parts)))), last == len(parts)

    rules = []
    for place, part in enumerate(parts):
        options, free = following(place + 1)
        rules.append(f"{rule}_{place}: {part}" + (f' (", " ({options})){"?" if free else ""}' if options else ""))
    options, free = following(0)
    return f" ({options}){'?' if free else ''}" if options else "", rules


def _is_when(spec: ToolSpec, name: str) -> bool:
    return str(spec.properties[name].get("format", "")) in ("date", "time", "date-time")


def _verb(verb: str, arguments: Sequence[str]) -> str:
    one = f"({' | '.join(arguments)})"
    return f'{verb}: {json.dumps(verb + "(")} ({one} (", " {one}){{0,15}})? ")"'
