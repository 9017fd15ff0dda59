"""Calls and the things they stand for: which arguments name one, which calls take one away, which calls are left."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.resolve.background import Background

_GOES = re.compile(
    r"\b(?:can|could|may|has to|have to|must|should|needs to) go\b(?! (?:to|in|on|at|for|back|from))", re.IGNORECASE
)


def stands_for(spec: ToolSpec, parameter: str, named: Mapping[str, str]) -> tuple[str, ...]:
    """The arguments that a parameter of the spoken signature stands for, which names a thing: itself, or, where the
    tool has no such argument, every one that must be given and names nothing itself."""
    return (parameter,) if parameter in spec.properties else tuple(name for name in spec.required if name not in named)


def removes(call: Call, spec: ToolSpec | None, named: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether a call takes a thing as a whole, as calls do that remove one."""
    return spec is not None and any(name not in spec.properties for name in named.get(call.tool, {}))


def removal_of(call: Call, specs: Mapping[str, ToolSpec], background: Background) -> Call | None:
    """The call that takes away what a call made, where the sentence says that it can go."""
    for spec in specs.values() if _GOES.search(background.text) else ():
        named = background.named.get(spec.full_name, {})
        keys = [key for name in named if name not in spec.properties for key in stands_for(spec, name, named)]
        if keys and spec.full_name != call.tool and all(key in call.arguments for key in keys):
            return Call(spec.full_name, {key: call.arguments[key] for key in keys})
    return None


def without_removed(
    calls: Sequence[Call], specs: Sequence[ToolSpec], named: Mapping[str, Mapping[str, str]]
) -> tuple[tuple[Call, ...], tuple[Call, ...]]:
    """Calls that stand, oldest first, without those whose thing a later one removed; and those."""
    known, gone = {spec.full_name: spec for spec in specs}, list[Call]()
    for place, call in enumerate(calls):
        if removes(call, known.get(call.tool), named):
            gone += [
                old
                for old in calls[:place]
                if old not in gone and old.tool != call.tool and holds(old.arguments, call.arguments)
            ]
    return tuple(call for call in calls if call not in gone), tuple(gone)


def holds(arguments: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """Whether a call's arguments are those that are given, whatever else they are."""
    return all(str(arguments.get(name)).casefold() == str(value).casefold() for name, value in given.items())
