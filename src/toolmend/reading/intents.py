"""A list of intents: names of tools, in whatever list a model writes. Nothing raises; every leniency is recorded.

add_enemy, add_enemy, "add_trap"      1. add_enemy x2      * Add Enemy (a goblin)      add_enemy: because ...
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from toolmend.messages import ToolSpec
from toolmend.reading.leftover import without_reasoning
from toolmend.reading.reading import Names

TALK = "talk"
_TALK_WORDS = frozenset({"talk", "chat", "conversation", "none", "nothing", "no operation", "message", "answer"})
_FENCE = re.compile(r"```\w*")
_LIST_MARK = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,3}[.)\]:])\s*")
_TIMES = re.compile(
    r"\s*(?:[x×*]\s*(?P<after>\d{1,2})|\((?:x\s*)?(?P<inside>\d{1,2})(?:\s*(?:x|times))?\))\s*$", re.IGNORECASE
)
_MOST_TIMES = 32


@dataclass(frozen=True, slots=True)
class Intents:
    """Full names of tools in order, repeated where repeated; what was listed and is none; reasons given, by place.

    `talk` tells that the model wants to answer in words instead (alone, or beside names).
    """

    names: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    talk: bool = False
    leniencies: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


def read_intents(text: str, specs: Sequence[ToolSpec]) -> Intents:
    """The intents in a text."""
    reader = _Intents(specs)
    start = without_reasoning(text)
    if start:
        reader.note("reasoning")
    body = text[start:]
    if "```" in body:
        reader.note("fence")
        body = _FENCE.sub("\n", body)
    for line in body.split("\n"):
        reader.line(line.strip())
    return reader.made()


class _Intents:
    def __init__(self, specs: Sequence[ToolSpec]) -> None:
        self.known = Names(specs)
        self.folded = {_fold(spec.name): spec for spec in specs} | {_fold(spec.full_name): spec for spec in specs}
        self.names: list[str] = []
        self.reasons: list[str] = []
        self.unknown: list[str] = []
        self.notes: dict[str, None] = {}
        self.talk = False

    def note(self, leniency: str) -> None:
        self.notes[leniency] = None

    def line(self, line: str) -> None:
        """One line: a name with a reason, several names, or prose with or without a name in it."""
        bare = _LIST_MARK.sub("", line)
        if bare != line:
            self.note("list")
        bare = bare.strip("[]{} \t")
        if not bare:
            return
        name, sign, reason = bare.partition(":") if ":" in bare else bare.partition(" - ")
        if sign and self._one(name) and not self._one(reason.split(",")[0]):
            self._take(name, reason.strip())
            return
        if sign and not self._one(name) and any(self._one(part) for part in reason.split(",")):
            self.note("prose")
            bare = reason
        parts = [part for part in re.split(r"[,;|]|\s+(?:and|then|->)\s+", bare) if part.strip()]
        for part in parts:
            self._take(part, "", prose=len(part.split()) > 4)

    def _take(self, written: str, reason: str, prose: bool = False) -> None:
        times = _TIMES.search(written)
        count = min(int(times["after"] or times["inside"]), _MOST_TIMES) if times else 1
        if times:
            self.note("times")
            written = written[: times.start()]
        found = self._one(written)
        if found == TALK:
            self.talk = True
        elif found:
            self.names += [found] * max(1, count)
            self.reasons += [reason] * max(1, count)
        elif prose:
            inside = [
                name
                for name in re.findall(r"[\w.]+", written)
                if self.known.full.get(name) or self.known.bare.get(name)
            ]
            self.note("prose")
            self.names += [self.known.find(name).full_name for name in inside]  # type: ignore[union-attr]
            self.reasons += [""] * len(inside)
        elif written.strip("\"'`*. "):
            self.unknown.append(written.strip("\"'`*. ")[:80])

    def _one(self, written: str) -> str:
        """The full name that this means, TALK, or ""."""
        plain = re.sub(r"\(.*?\)\s*$", "", written.strip()).strip("\"'`*_.[]{} \t")
        if not plain:
            return ""
        exact = self.known.full.get(plain) or self.known.bare.get(plain)
        if exact:
            return exact.full_name
        folded = _fold(plain)
        if folded in _TALK_WORDS or folded.replace("_", " ") in _TALK_WORDS:
            return TALK
        spec = self.folded.get(folded)
        if spec is None and len(folded) >= 6:
            near = get_close_matches(folded, self.folded, n=2, cutoff=0.88)
            spec = self.folded[near[0]] if len(near) == 1 or (near and near[0] != near[-1]) else None
        if spec is None:
            return ""
        self.note("names")
        return spec.full_name

    def made(self) -> Intents:
        return Intents(tuple(self.names), tuple(self.unknown), self.talk, tuple(self.notes), tuple(self.reasons))


def _fold(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().casefold()).removesuffix("()")
