"""What a reader makes of a text: the calls in it, what had to be forgiven, and the text left over.

Also what all readers share: the table of known names and the binding of positional arguments.
Knows nothing of what was expected; nothing a model wrote is ever evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from toolmend.base.messages import Call, ToolSpec

Problem = Literal["no_call", "syntax"]

# Noise around a readable call, and mending of the call itself. A strict reader forgives neither.
NOISE = frozenset({"fence", "comment", "print", "assignment", "await", "semicolon", "list", "reasoning"})
MENDED = frozenset(
    {"quotes", "brackets", "constructor", "python_literal", "repaired", "unclosed"}
    | {"json_literal", "repeated", "name", "string_arguments", "flat", "keyed", "wrapped", "names", "empty"}
)

MAX_DEPTH = 40
"""Brackets nested deeper than this are not read."""
MAX_BITS = 1000
"""Integers longer than this are not read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The calls of a text. `rest` is the text outside them, stripped: what may be chatter.

    `leniencies` names what was forgiven (see NOISE and MENDED). `problem` is "no_call" if nothing callable is there,
    "syntax" if a call is recognisable but broken: then `calls` holds the mended call if one could be made.
    """

    calls: tuple[Call, ...] = ()
    rest: str = ""
    leniencies: tuple[str, ...] = ()
    problem: Problem | None = None
    detail: str = ""


class Names:
    """The names of some tools as a model may write them: with or without a receiver."""

    __slots__ = ("bare", "full", "receivers")

    def __init__(self, specs: Sequence[ToolSpec]) -> None:
        self.full = {spec.full_name: spec for spec in specs}
        self.bare: dict[str, ToolSpec] = {}
        for spec in specs:
            self.bare.setdefault(spec.name.rpartition(".")[2], spec)
        self.receivers = {spec.receiver for spec in specs if spec.receiver}

    def find(self, written: str) -> ToolSpec | None:
        """The tool of this exact name, or else of this last component."""
        return self.full.get(written) or self.bare.get(written.rpartition(".")[2])

    def known(self, written: str) -> bool:
        """Whether the name is a tool's, or at least its receiver is one."""
        return self.find(written) is not None or written.rpartition(".")[0] in self.receivers


def bind(positional: Sequence[Any], named: Mapping[str, Any], spec: ToolSpec | None) -> dict[str, Any]:
    """Arguments by name: positional ones take the parameters in the order of the signature.

    One without a parameter to take, or whose parameter was also named, stays under `*N`, N its place from 1.
    """
    arguments: dict[str, Any] = {}
    parameters = list(spec.properties) if spec else []
    for place, value in enumerate(positional):
        name = parameters[place] if place < len(parameters) else None
        arguments[f"*{place + 1}" if name is None or name in named else name] = value
    arguments.update(named)
    return arguments


def judged(reading: Reading, lenient: bool) -> Reading:
    """The reading as it is, or, for a strict reader, with mended calls called a syntax problem."""
    if lenient or reading.problem or MENDED.isdisjoint(reading.leniencies):
        return reading
    mended = sorted(MENDED.intersection(reading.leniencies))
    return replace(reading, problem="syntax", detail=f"needed mending: {', '.join(mended)}")
