"""What a talk offers, and how a person asks for one of its tools: a sentence, and words and value of each argument.

Knows tools and wordings; no earlier calls and no reply but the line that is due.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.said import MISSING, Said
from toolmend.training.phrases import expand
from toolmend.training.teach.tool_names import plain_name, renamed_parameter, renamed_tool
from toolmend.training.teach.tool_values import SaidValue, tell, understood
from toolmend.training.teach.toolkits import SLOT, MadeParameter, MadeTool, ValueKind

_TRIES = 200
RENAMED_SHARE, DESCRIBED_SHARE = 0.2, 0.85
FIELD = "__"
"""Joins the path of a field: `items__0__name`."""
_COUNTS, _COUNT_WEIGHTS = range(1, 13), (12, 14, 14, 13, 11, 9, 7, 5, 4, 3, 2, 2)
_NO_ON = re.compile(r"(?:today|tomorrow|the day after|in \S+ days|this )", re.IGNORECASE)  # nobody says "on tomorrow"
_PAIRED = ("text", "enum", "date", "time")
_FAMILIES = {
    **dict.fromkeys(("minutes", "hours", "seconds", "days", "weeks"), "length"),
    **dict.fromkeys(("int", "number"), "number"),
    **dict.fromkeys(("EUR", "USD", "GBP"), "money"),
    **dict.fromkeys(("kilograms", "grams"), "weight"),
    **dict.fromkeys(("kilometres", "metres", "centimetres"), "distance"),
}
_ALSO_CALLED = {
    "date": ("date", "day"), "time": ("time",), "date-time": ("time", "date and time"),
    "length": ("duration", "length"),
    "money": ("amount", "price", "sum"), "weight": ("weight",), "distance": ("distance",), "percent": ("percentage",),
    "celsius": ("temperature",), "number": ("number",), "list": ("list",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Offered:
    """A made-up tool under the names it has in this talk."""

    tool: MadeTool
    spec: ToolSpec
    names: Mapping[str, str]

    @property
    def arguments(self) -> list[str]:
        """The names shown of the parameters that are arguments themselves, and no fields of one."""
        return [name for name in self.spec.properties if name in self.names.values()]

    def parameter(self, shown: str) -> MadeParameter:
        """The parameter that has this name here."""
        return next(self.tool.parameters[own] for own, name in self.names.items() if name == shown)

    def called(self, shown: str, random: Random) -> str:
        """What a person calls a parameter: its own plain name, or what it is, where no other is like it."""
        parameter = self.parameter(shown)
        kind = family(parameter.kind)
        plain = plain_name(parameter.name)
        also = _ALSO_CALLED.get(kind, ()) if self.alone(shown) else ()
        return random.choice((plain, plain, *also))

    def alone(self, shown: str) -> bool:
        """Whether no other parameter takes the like: its words alone tell which is meant."""
        kinds = [family(parameter.kind) for parameter in self.tool.parameters.values()]
        return kinds.count(family(self.parameter(shown).kind)) == 1


@dataclass(frozen=True, slots=True)
class ToolAsk:
    """A request for one call. `told` are words and values by the names shown; `lacks` are the parameters not said."""

    offered: Offered
    sentence: str
    told: Mapping[str, SaidValue]
    lacks: tuple[str, ...] = ()

    @property
    def whole(self) -> list[str]:
        """The parameters said that are arguments themselves, and no fields of one."""
        return [name for name in self.told if name in self.offered.spec.properties]

    def line(self) -> Said:
        """The line that is due."""
        words = folded({name: told.words for name, told in self.told.items()}, self.offered.spec, self.offered.names)
        return Said(self.offered.spec.full_name, words | dict.fromkeys(self.lacks, MISSING))

    def values(self) -> dict[str, Any]:
        """The arguments that are due."""
        return folded({name: told.value for name, told in self.told.items()}, self.offered.spec)


def folded(flat: Mapping[str, Any], spec: ToolSpec, order: Iterable[str] = ()) -> dict[str, Any]:
    """The arguments, fields in their places and in an order: {"items__0__name": "x"} -> {"items": [{"name": "x"}]}."""
    whole = {name: value for name, value in flat.items() if name in spec.properties}
    for name in order or flat:
        if name in flat and name not in whole:
            first, *path = name.split(FIELD)
            whole[first] = _put(whole.get(first), path, flat[name])
    return whole


def _put(held: Any, path: Sequence[str], value: Any) -> Any:
    """What is held with the value at the path; a list takes a place that it does not have as its next one."""
    if not path:
        return value
    step, *rest = path
    if not step.isdigit():
        return {**(held or {}), step: _put((held or {}).get(step), rest, value)}
    items, place = list(held or ()), int(step)
    items[place : place + 1] = [_put(items[place] if place < len(items) else None, rest, value)]
    return items


def family(kind: ValueKind) -> str:
    """Kinds that one cannot tell apart by the words have one family."""
    own = kind.item or kind
    return _FAMILIES.get(own.name, own.name) if not kind.item or own.name != "text" else "list"


def offer(random: Random, kits: Mapping[str, Sequence[MadeTool]]) -> tuple[list[Offered], bool]:
    """One to twelve tools of one to three fields, and whether their descriptions are shown."""
    fields = random.sample(sorted(kits), min(random.choices((1, 2, 3), (55, 28, 17))[0], len(kits)))
    pool = list({tool.name: tool for topic in fields for tool in kits[topic]}.values())
    tools = random.sample(pool, min(random.choices(_COUNTS, _COUNT_WEIGHTS)[0], len(pool)))
    if random.random() >= RENAMED_SHARE:
        plain = [Offered(tool, tool.spec(tool.name, {p: p for p in tool.parameters}), {p: p for p in tool.parameters})
                 for tool in tools]  # fmt: skip
        return plain, random.random() < DESCRIBED_SHARE
    nonsense = random.random() < 0.1
    taken = {tool.name for tool in tools}
    offered: list[Offered] = []
    for tool in tools:
        names: dict[str, str] = {}
        for own, parameter in tool.parameters.items():
            used = {"of", *tool.parameters, *names.values()}
            names[own] = renamed_parameter(parameter, random, used, nonsense=nonsense and random.random() < 0.7)
        name = renamed_tool(tool, random, taken, nonsense=nonsense and random.random() < 0.7)
        taken.add(name)
        offered.append(Offered(tool, tool.spec(name, names), names))
    return offered, nonsense or random.random() < DESCRIBED_SHARE


@dataclass(slots=True)
class Asking:
    """Makes requests. `lower` writes all in small letters."""

    random: Random
    now: dt.datetime
    lower: bool = False

    def say(self, kind: ValueKind) -> SaidValue:
        """A value of a kind in words that are understood by themselves, where any of many are."""
        for _ in range(_TRIES):
            told = tell(kind, self.random, self.now)
            if self.lower:
                told = _lowered(told, kind)
            if understood(told, kind, self.now):
                break
        return told

    def ask(self, offered: Offered, *, lacks: bool = False) -> ToolAsk:
        """A request for a call, or (`lacks`) one without a parameter that must be given."""
        missing, wording = self.random.choice(offered.tool.lacking) if lacks else ("", "")
        return self.ask_by(offered, wording or self.random.choice(offered.tool.wordings), missing)

    def ask_by(self, offered: Offered, wording: str, missing: str = "") -> ToolAsk:
        """A request in that wording, which may be `missing` a parameter."""
        template = self._template(wording)
        told = self._filled(template, offered)
        lacks = (offered.names[missing],) if missing else ()
        return ToolAsk(offered, _said(template, told, offered), told, lacks)

    def pair(self, offered: Offered) -> tuple[ToolAsk, ToolAsk] | None:
        """Two calls that one sentence asks for: "the front and the back". None where no parameter can be said so."""
        template = self._template(self.random.choice(offered.tool.wordings))
        told = self._filled(template, offered)
        slots = {match[1] for match in SLOT.finditer(template) if match[2] is None}
        parameters = [offered.tool.parameters[own] for own in sorted(slots)]
        twice = [parameter.name for parameter in parameters
                 if parameter.kind.name in _PAIRED and offered.names[parameter.name] in offered.arguments
                 and not re.search(r"\bwho|person|people", f"{parameter.name} {parameter.about}")]  # fmt: skip
        if not twice:
            return None
        own = self.random.choice(twice)
        name, kind = offered.names[own], offered.tool.parameters[own].kind
        one, other = told[name], self.say(kind)
        if one.value == other.value or any(re.search(r"\band\b|,|&", told.words) for told in (one, other)):
            return None
        both = SaidValue(f"{one.words} and {other.words}", None)
        sentence = _said(template, {**told, name: both}, offered)
        return ToolAsk(offered, sentence, told), ToolAsk(offered, "", {**told, name: other})

    def _template(self, wording: str) -> str:
        """A wording with its choices made, clean but for the slots."""
        text = re.sub(r"\s+", " ", expand(wording, self.random)).strip()
        return re.sub(r" ([,.?!;:])", r"\1", text)

    def _filled(self, template: str, offered: Offered) -> dict[str, SaidValue]:
        told: dict[str, SaidValue] = {}
        for match in SLOT.finditer(template):
            parameter, name = offered.tool.parameters[match[1]], offered.names[match[1]]
            if match[2] is not None:
                told[name] = SaidValue(match[2], parameter.kind.read(match[2]))
            else:
                told[name] = told.get(name) or self.say(parameter.kind)
        return told


def _said(template: str, told: Mapping[str, SaidValue], offered: Offered) -> str:
    bare = SLOT.sub(lambda match: match[0] if match[2] is None else "", template)
    bare = re.sub(r" ([,.?!;:])", r"\1", re.sub(r" +", " ", bare)).strip()
    for match in reversed(list(SLOT.finditer(bare))):
        words = told[offered.names[match[1]]].words
        before = bare[: match.start()]
        if _NO_ON.match(words):
            before = re.sub(r"(^|(?<= ))[Oo]n $", "", before)
        bare = before + words + bare[match.end() :]
    return bare


def _lowered(told: SaidValue, kind: ValueKind) -> SaidValue:
    value = told.value
    if kind.name == "text":
        value = value.lower()
    elif kind.item and kind.item.name == "text":
        value = [item.lower() for item in value]
    return replace(told, words=told.words.lower(), value=value)
