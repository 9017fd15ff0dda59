"""The spoken notation as a Lark grammar in the dialect of llguidance: lines of calls, or words for the person.

Values are short texts on one line; what they say is free. Only lists and objects have a form of their own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolmend.base.messages import Constraint, ToolSpec

_VALUES = r"""VALUE: /"([^"\\\n\r]|\\["\\\/]){1,160}"/
list: "[" (inner (", " inner){0,15})? "]"
inner: VALUE | "{" VALUE ": " VALUE (", " VALUE ": " VALUE){0,15} "}"
WORDS: /[^a-z()_\n][^()_\n]{1,300}/"""
_SAID = _VALUES.replace("\\n\\r]", "\\n\\r?]").partition("\nWORDS")[0]


def spoken_lines(tools: Sequence[ToolSpec], *, words: bool = True) -> Constraint:
    """Calls of these tools (their parameters being those of the notation), the verbs for earlier calls, or `words`.
    Without these nothing may be asked for, either."""
    calls, rules = ["change", "again", "undo"], list[str]()
    changed = dict.fromkeys(name for spec in tools for name in spec.properties if name.isidentifier())
    for number, spec in enumerate(tools):
        calls.append(f"t{number}")
        rules += _signed(f"t{number}", spec, needed=words)
    rules += [_call(verb, verb, ["of", *changed]) for verb in ("change", "again")]
    rules.append(_call("undo", "undo", ["of"]))
    lines = [r'start: line ("\n" line){0,7}' + (" | WORDS" if words else ""), f"line: {' | '.join(calls)}"]
    return Constraint("lark", "\n".join([*lines, *rules, _VALUES if words else _SAID]))


def _signed(rule: str, spec: ToolSpec, *, needed: bool) -> list[str]:
    """A call with arguments in the order of its signature, each at most once; those that must be given always, as a
    "?" where they were not said, if they are `needed`; a day or a time goes on from the call before."""
    names = [name for name in spec.properties if name.isidentifier()]
    must = {place for place, name in enumerate(names) if needed and name in spec.required and not _is_when(spec, name)}

    def following(first: int) -> tuple[str, bool]:
        """What can stand from this argument on, and whether nothing must."""
        last = next((place for place in range(first, len(names)) if place in must), len(names))
        return " | ".join(f"{rule}_{place}" for place in range(first, min(last + 1, len(names)))), last == len(names)

    rules = []
    for place, name in enumerate(names):
        options, free = following(place + 1)
        rest = f' (", " ({options})){"?" if free else ""}' if options else ""
        rules.append(f'{rule}_{place}: "{name}=" (VALUE | list){rest}')
    options, free = following(0)
    given = f" ({options}){'?' if free else ''}" if options else ""
    return [f'{rule}: {json.dumps(spec.name + "(")}{given} ")"', *rules]


def _is_when(spec: ToolSpec, name: str) -> bool:
    return str(spec.properties[name].get("format", "")) in ("date", "time", "date-time")


def _call(rule: str, name: str, arguments: Sequence[str]) -> str:
    if not arguments:
        return f"{rule}: {json.dumps(name + '()')}"
    given = " | ".join(f'"{argument}="' for argument in arguments)
    one = f"({given}) (VALUE | list)"
    return f'{rule}: {json.dumps(name + "(")} ({one} (", " {one}){{0,15}})? ")"'
