"""Where the values of a call came from, for people: `time 19:00 ← "seven in the evening"`."""

from __future__ import annotations

from toolmend.base.messages import Call


def origins(call: Call, *, explain: bool = False) -> tuple[str, ...]:
    """A line for each argument that was computed from other words; told to `explain`, with the rule that did it."""
    lines = []
    for name, words in call.said.items():
        value = call.arguments.get(name)
        if str(value) != words:
            rule = f" ({call.rules[name]})" if explain and call.rules.get(name) else ""
            lines.append(f'{name} {value} ← "{words}"{rule}')
    return tuple(lines)
