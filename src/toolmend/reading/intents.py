"""A list of intents: names of tools, in whatever list a model writes. Nothing raises; every leniency is recorded.

add_enemy, add_enemy, "add_trap"    1. add_enemy x2    * Add Enemy (a goblin)    add_enemy: because …    ["add_enemy"]

Names that stand in a list count; those in sentences only where there is no list. What is in a list and no name is told.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.reading.json_values import decode_string
from toolmend.reading.mention import refused
from toolmend.reading.reading import Names
from toolmend.reading.thoughts import unthought

TALK = "talk"
MOST_TIMES = 32
"""More of one thing than this are not counted."""
MOST = 4_000
"""Texts are read up to this many characters."""

_TALK_WORDS = frozenset({"talk", "chat", "conversation", "none", "nothing", "no_operation", "no_operations", "message"})
_FENCE = re.compile(r"```\w*|~~~\w*")
_MARK = re.compile(r"^\s*(?:[-*+•–]\s+|\(?\d{1,3}[.):]\s*)")
_COUNTED = r"\d{1,3}\s*(?:x|×|times)|(?:x|×)\s*\d{1,3}|once|twice|thrice"
_BEFORE = re.compile(rf"(\d{{1,3}}\s*(?:x|×)?)\s+(?=\D)|({_COUNTED})\s+", re.IGNORECASE)
_AFTER = re.compile(rf"\s*[*(\[,]?\s*({_COUNTED})\s*[)\]]?\s*$", re.IGNORECASE)
_WORDS_COUNTED = {"once": 1, "twice": 2, "thrice": 3}
_HEAD = re.compile(r"(?P<head>[^:]{1,100}?)(?:\s*:|\s+[-–—]|\s*→|\s+because)\s*(?P<reason>.*)", re.DOTALL)
_HEAD_ONLY = re.compile(r":|\s[-–—]|→| because")
_INSIDE = re.compile(r"\s*\((?P<inside>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*$")
_PARTS = re.compile(r"[,;|/](?![^(]*\))|\s+(?:and|then|->)\s+", re.IGNORECASE)
_LINKS = re.compile(r"(?:first|and|then|next|finally|also|lastly|after that)\s*,?\s+", re.IGNORECASE)
_NAMELIKE = re.compile(r"[\w.-]+(?: [\w.-]+){0,2}")
_EDGES = "\"'`*_#[]{}<>“”’‘ \t.,"
_WORDS = "*talk"  # what `means` says of a word for talk; no tool can be called so
_NEAR = 0.88
_LEAST = 6  # letters a name must have before one that is merely near it is taken for it

_NAMED = ("name", "operation", "intent", "tool", "function", "action")
_REASONS = ("reason", "why", "explanation", "because", "description")
_TIMES = ("count", "times", "repeat")


@dataclass(frozen=True, slots=True)
class Intents:
    """Full names of tools in order, repeated where repeated; what was listed and is none; reasons given, by place.

    `talk` tells that the model wants to answer in words (alone, or beside names).
    """

    names: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    talk: bool = False
    leniencies: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """Names with reasons; `whole` if the part is one, and no sentence with some in it."""

    names: tuple[tuple[str, str], ...]
    whole: bool = False


def read_intents(text: str, specs: Sequence[ToolSpec]) -> Intents:
    """The intents in a text."""
    reader = _Reader(specs)
    words, thought = unthought(text)
    if thought:
        reader.note("reasoning")
    written = words[:MOST]
    body = _FENCE.sub("\n", written)
    if body != written:
        reader.note("fence")
    try:
        reader.value(decode_string(body.strip()) if body.lstrip()[:1] in ("[", "{") else body)
    except ValueError:  # no JSON: lines, brackets and all
        reader.value(body)
    return reader.made()


class _Reader:
    def __init__(self, specs: Sequence[ToolSpec]) -> None:
        self.known = Names(specs)
        self.folded = {_fold(name): spec for spec in specs for name in (spec.name, spec.full_name)}
        self.harmless = {name: spec for name, spec in self.folded.items() if spec.effect != "danger"}
        self.listed: list[tuple[str, str]] = []
        self.mentioned: list[tuple[str, str]] = []
        self.unknown: list[str] = []
        self.alone: list[str] = []
        self.notes: dict[str, None] = {}
        self.talk = False
        self.means = functools.cache(self._means)

    def note(self, leniency: str) -> None:
        self.notes[leniency] = None

    # JSON ------------------------------------------------------------------------------------------------------

    def value(self, value: Any) -> None:
        """A JSON value, or the text itself."""
        if isinstance(value, str):
            for line in value.split("\n"):
                self.line(line)
        elif isinstance(value, list):
            self.note("json")
            for item in value:
                self.add(self.part(item, listed=True)) if isinstance(item, str) else self.value(item)
        elif isinstance(value, Mapping):
            self.note("json")
            self.object(value)

    def object(self, value: Mapping[str, Any]) -> None:
        """`{"name": …, "reason": …}`, `{"add_enemy": "why"}`, or one with the list in it."""
        name = next((value[key] for key in _NAMED if isinstance(value.get(key), str)), None)
        if name is not None:
            reason = next((value[key] for key in _REASONS if isinstance(value.get(key), str)), "")
            count = next((value[key] for key in _TIMES if type(value.get(key)) is int), 1)
            self.add(self.item(name, reason, count, listed=True))
            return
        for key, item in value.items():
            if self.means(key):
                count = item if type(item) is int else 1
                self.add(self.item(key, item if isinstance(item, str) else "", count, listed=True))
            else:
                self.value(item)

    # lines -----------------------------------------------------------------------------------------------------

    def line(self, line: str) -> None:
        """A name with a reason, several names, or a sentence with or without a name in it: one that refuses
        it names none."""
        if (
            refused(line)
            and not _MARK.match(line)
            and not self.means(_uncounted(_HEAD_ONLY.split(line, maxsplit=1)[0]))
        ):
            return
        line = " ".join(line.split())
        bare = _MARK.sub("", line, count=1)
        marked = bare != line
        if marked:
            self.note("list")
        head = _HEAD.fullmatch(bare)
        if head and self.means(_uncounted(head["head"])) and not self.means(_PARTS.split(head["reason"])[0]):
            self.add(self.part(head["head"], listed=True, reason=head["reason"].strip()))
            return
        if head and ":" in bare and not self.means(head["head"]):
            rest = bare.partition(":")[2]
            if any(self.means(_uncounted(part)) for part in _PARTS.split(rest)):
                self.note("prose")
                bare = rest
        parts = [part for part in _PARTS.split(bare) if part.strip(_EDGES)]
        listed = marked or any(self.means(_uncounted(part)) for part in parts)
        before = len(self.alone)
        self.add(*(self.part(part, listed=listed) for part in parts))
        if len(self.alone) - before < len(parts):  # a sentence with a comma in it
            del self.alone[before:]

    def add(self, *parts: _Part) -> None:
        """What a line, or an item, named. In a line where one part is a name, the sentences around it count too."""
        names = [name for part in parts for name in part.names]
        if any(part.whole for part in parts):
            self.listed += names
        else:
            self.mentioned += names

    def part(self, written: str, *, listed: bool, reason: str = "") -> _Part:
        """One item of a list, or a line that is no list."""
        count, name = _counted(_LINKS.sub("", " ".join(written.split()), count=1).strip(_EDGES))
        inside = _INSIDE.search(name)
        if inside and not self.means(name):
            name, reason = name[: inside.start()], reason or inside["inside"].strip()
        return self.item(name, reason, count, listed=listed, written=written)

    def item(self, name: str, reason: str, count: int, *, listed: bool, written: str = "") -> _Part:
        """A name, so many times; or the names in what is a sentence; or an unknown name."""
        found = self.means(name)
        if count != 1:
            self.note("times")
        if found == _WORDS:
            self.talk = True
            return _Part(())
        if found:
            return _Part(((found, reason),) * min(max(count, 1), MOST_TIMES), whole=True)
        mentioned = tuple((inside, "") for inside in self.inside(written or name))
        if not mentioned and _NAMELIKE.fullmatch(plain := name.strip(_EDGES)[:80]):
            (self.unknown if listed or "_" in plain else self.alone).append(plain)
        return _Part(mentioned)

    def inside(self, sentence: str) -> Iterator[str]:
        """Names that stand in a sentence exactly as they are."""
        for word in re.findall(r"[\w.]+", sentence):
            spec = self.known.full.get(word.strip(".")) or self.known.bare.get(word.strip("."))
            if spec and ("_" in spec.name or "." in word.strip(".")):
                yield spec.full_name

    def _means(self, written: str) -> str:
        """The full name that this is, _WORDS for talk, or ""."""
        plain = written.strip(_EDGES)
        exact = self.known.full.get(plain) or self.known.bare.get(plain)
        if exact:
            return exact.full_name
        folded = _fold(plain)
        spec = self.folded.get(folded)
        if spec is None and folded.partition("_(")[0] in _TALK_WORDS:
            return _WORDS
        if spec is None and _LEAST <= len(folded) <= 80:
            near = {self.harmless[name].full_name for name in get_close_matches(folded, self.harmless, 3, _NEAR)}
            spec = self.known.full[near.pop()] if len(near) == 1 else None
        if spec is None:
            return ""
        self.note("names")
        return spec.full_name

    def made(self) -> Intents:
        """What was read comes to these."""
        names = self.listed
        if not names and self.mentioned and not self.talk:
            self.note("prose")
            names = self.mentioned
        unknown = self.unknown or ([] if names or self.talk else self.alone)
        return Intents(
            tuple(name for name, _ in names),
            tuple(dict.fromkeys(unknown)),
            self.talk,
            tuple(self.notes),
            tuple(reason for _, reason in names),
        )


def _counted(written: str) -> tuple[int, str]:
    """How often, and what: `2x add_enemy`, `add_enemy (3 times)`."""
    for place in (_AFTER.search(written), _BEFORE.match(written)):
        if place:
            said = next(filter(None, place.groups()))
            digits = re.search(r"\d+", said)
            count = int(digits[0]) if digits else _WORDS_COUNTED[said.strip().lower()]
            return count, written[: place.start()] + written[place.end() :]
    return 1, written


def _uncounted(written: str) -> str:
    return _INSIDE.sub("", _counted(written.strip(_EDGES))[1])


def _fold(name: str) -> str:
    """The same text for names that differ in case, blanks and dashes only; `addEnemy` is `add_enemy`."""
    broken = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\s_-]+", "_", broken.casefold()).removesuffix("()").strip("_")
