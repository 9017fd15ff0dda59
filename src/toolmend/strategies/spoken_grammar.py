"""The spoken notation as a Lark grammar in the dialect of llguidance: lines of calls, or words for the person.

Values are short texts on one line; what they say is free. Only lists and objects have a form of their own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolmend.messages import Constraint, ToolSpec

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
        rules.append(_call(f"t{number}", spec.name, [name for name in spec.properties if name.isidentifier()]))
    rules += [_call(verb, verb, ["of", *changed]) for verb in ("change", "again")]
    rules.append(_call("undo", "undo", ["of"]))
    lines = [r'start: line ("\n" line){0,7}' + (" | WORDS" if words else ""), f"line: {' | '.join(calls)}"]
    return Constraint("lark", "\n".join([*lines, *rules, _VALUES if words else _SAID]))


def _call(rule: str, name: str, arguments: Sequence[str]) -> str:
    if not arguments:
        return f"{rule}: {json.dumps(name + '()')}"
    given = " | ".join(f'"{argument}="' for argument in arguments)
    one = f"({given}) (VALUE | list)"
    return f'{rule}: {json.dumps(name + "(")} ({one} (", " {one}){{0,15}})? ")"'
