"""What a person's sentence says about calls that were made, as a value, and how it is put into the calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from toolmend.base.messages import Call

What = Literal["edit", "blame", "wrong", "back", "new", "unclear"]
Place = tuple[int, str]
"""The number of a call among those that are spoken of, and the name of an argument."""


@dataclass(frozen=True, slots=True)
class Understood:
    """One sentence, understood.

    "edit": it gives the new values (`edits`; None for an argument that is to be left out), `words` are those that give
    them. "blame": `blamed` arguments are wrong, `excluded` holds values they must not have; `edits` are what was given
    besides. "wrong": only that something is. "back": the calls are to be taken back. "new": it is no correction.
    "unclear": `candidates` are edits it could mean (none where nothing fits). `praised` arguments are right. `reason`
    tells why, in words fit to be shown; `likely` how likely exactly
    this edit is meant, 0 where words are left that could turn it.
    """

    kind: What
    edits: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    blamed: tuple[Place, ...] = ()
    praised: tuple[Place, ...] = ()
    excluded: Mapping[Place, tuple[Any, ...]] = field(default_factory=dict)
    words: Mapping[Place, str] = field(default_factory=dict)
    candidates: tuple[Mapping[int, Mapping[str, Any]], ...] = ()
    reason: str = ""
    likely: float = 0.0


def edited(call: Call, changes: Mapping[str, Any]) -> Call:
    """The call with other values, as one that amends it; an argument that becomes None is left out."""
    values = {name: value for name, value in {**call.arguments, **changes}.items() if value is not None}
    said = {name: words for name, words in call.said.items() if name not in changes}
    return Call(call.tool, values, amends=call.id or None, said=said)


def edited_calls(calls: Sequence[Call], edits: Mapping[int, Mapping[str, Any]]) -> tuple[Call, ...]:
    """All the calls, those that are edited with their new values, the others as they were."""
    return tuple(edited(call, edits.get(number, {})) for number, call in enumerate(calls))
