"""What each value of a call stands on: words that were said, a default, something that is there; and what does not fit.

For whoever shows a call to a person, or asks before it runs. Knows no model and runs nothing.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.names import split_name
from toolmend.language.corrections.slots import Slot, slots_of
from toolmend.language.corrections.values import Surroundings
from toolmend.session.mend.support import support

_WORD = re.compile(r"[^\W_]+(?:['’-](?!s\b)[^\W_]+)*")
AWAY = (
    r"cancel|remov|delet|drop|scrap|scratch|clear|erase|discard|forget|wipe|no longer|not happening"
    r"|get rid|rid of|(?:call|take|took|strike|cross)\w*\b.*\b(?:off|out)\b"
)
"""Words that say that something is to go, as the alternatives of a pattern."""
_AWAY = re.compile(rf"(?i)\b(?:{AWAY}|undo)")
_TAKING = frozenset("remove delete cancel clear drop erase discard wipe purge unbook".split())
_GIVING = frozenset("add create book schedule insert new make order put".split())
_SWITCH = {True: re.compile(r"(?i)\boff\b"), False: re.compile(r"(?i)\bon\b")}
WISHED = "your wish"
"""How the rule begins by which a value is what the person confirmed as usual (extras/memory/usual.py)."""
_SMALL = frozenset("a an the with of for at on in to and my our".split())


@dataclass(frozen=True, slots=True)
class Ground:
    """An argument with its value. `words` are those it stands on, `by` what else it stands on ("the default"), and
    `problem` why it does not fit what was said; each "" where there is none. `against`: the words say another value,
    which is `meant` where they say one."""

    name: str
    value: Any
    words: str = ""
    by: str = ""
    problem: str = ""
    against: bool = False
    meant: Any = None

    def __str__(self) -> str:
        """`time 19:00 ← "seven in the evening"`."""
        stands = f'← "{self.words}"' if self.words else f"← {self.by}" if self.by else ""
        return " ".join(part for part in (f"{self.name} {self.value}", stands, self.problem) if part)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a call is held against: what was said for it, the clock, and things there are, each as its values."""

    text: str
    now: dt.datetime | None = None
    hours: str | None = None
    things: Sequence[Mapping[str, Any]] = ()

    def has(self, words: str) -> bool:
        """Whether these words were said, whatever their capitals."""
        return bool(words) and bool(re.search(rf"(?i)(?<!\w){re.escape(words)}(?!\w)", self.text))


def removes(tool: str) -> bool:
    """Whether a tool's name says that it takes something away."""
    return bool(_TAKING & set(split_name(tool.rpartition(".")[2])))


def grounds(call: Call, spec: ToolSpec | None, heard: Heard) -> tuple[Ground, ...]:
    """What each argument of a call stands on."""
    slots = slots_of(call, [spec] if spec else [])
    given = [slot for slot in slots if slot.name in call.arguments]
    found = [_ground(slot, slots, call, heard) for slot in given]
    named = [slot for slot, one in zip(given, found, strict=True) if slot.kind == "text" and (one.words or one.by)]
    thing = _thing(given, named, heard)
    if thing is None:
        return tuple(found)
    sure = (
        removes(call.tool)
        and len(_alike(call, heard)) == 1
        and all(slot in named for slot in given if slot.kind == "text")
    )
    return tuple(_there(one, thing, sure) if one.problem and one.name in thing else one for one in found)


def _there(one: Ground, thing: Mapping[str, Any], sure: bool) -> Ground:
    """A value that was not said, beside that of the thing that is meant."""
    if thing[one.name] == one.value:
        return Ground(one.name, one.value, by="as it is there")
    return replace(one, meant=thing[one.name]) if sure and not one.against else one


def doubts(call: Call, spec: ToolSpec | None, heard: Heard) -> tuple[str, ...]:
    """Why somebody should look at a call before it runs: it does another thing than was said, or its values are not the
    words'. A call that takes something away must stand on words or on what is there wholly; others may have a value
    that was not said beside one that was."""
    name, away = set(split_name(call.tool.rpartition(".")[2])), bool(_AWAY.search(heard.text))
    gives = _GIVING & (said := {word.lower() for word in _WORD.findall(heard.text)})
    if away and name & _GIVING and not gives:
        return ("you asked for something to go; this adds",)
    stands = grounds(call, spec, heard)
    if removes(call.tool):
        reasons = [f"{one.name} {one.value!r} {one.problem}" for one in stands if one.problem]
        alike = _alike(call, heard)
        if len(alike) > 1 and not any(one.words for one in stands if one.name in alike[0][1]):
            reasons.append(f"there are {len(alike)} of that name")
        if not (away or said & name & _TAKING):
            reasons.insert(0, "you did not say that anything should go")
        return tuple(reasons)
    return tuple(f"{one.name} {one.value!r}: {one.problem}" for one in stands if one.against)


def from_words(call: Call, spec: ToolSpec | None, heard: Heard) -> Call:
    """The call with the values that the words say, where they say one and the call has another. One that was computed
    from words stays as it is."""
    if call.said:
        return call
    told = {one.name: one for one in grounds(call, spec, heard) if one.meant is not None}
    if not told:
        return call
    values = {name: one.meant for name, one in told.items()}
    said = {name: one.words for name, one in told.items() if one.words}
    rules = dict.fromkeys(values, "what was said")
    return replace(
        call,
        arguments={**call.arguments, **values},
        said={**call.said, **said},
        rules={**call.rules, **rules},
    )


def _alike(call: Call, heard: Heard) -> list[tuple[Mapping[str, Any], set[str]]]:
    """The things there are whose texts are those of the call, with the names of what tells them apart."""
    given = call.arguments.items()
    texts = {name: value for name, value in given if isinstance(value, str) and not value[:1].isdigit()}
    alike = [thing for thing in heard.things if texts and texts.items() <= thing.items()]
    apart = {name for name in call.arguments if len({str(thing.get(name)) for thing in alike}) > 1}
    return [(thing, apart) for thing in alike]


def _ground(slot: Slot, slots: Sequence[Slot], call: Call, heard: Heard) -> Ground:
    value, words = slot.old, call.said.get(slot.name, "")
    if words and heard.has(words):
        return Ground(slot.name, value, words=words)
    if (rule := call.rules.get(slot.name, "")).startswith(WISHED):
        return Ground(slot.name, value, by=rule)
    if heard.has(str(value)) and not isinstance(value, bool):
        return Ground(slot.name, value, words=str(value))
    if not slot.required and value == slot.schema.get("default"):
        return Ground(slot.name, value, by="the default")
    if slot.kind == "truth":
        return _switched(slot, heard)
    if slot.kind in ("list", "object"):
        return Ground(slot.name, value, by="not looked into")
    if slot.kind == "text":
        return _named(slot, heard)
    if slot.kind == "enum":
        return _member(slot, heard)
    return _computed(slot, slots, heard)


def _switched(slot: Slot, heard: Heard) -> Ground:
    other, own = _SWITCH[slot.old is True].search(heard.text), _SWITCH[slot.old is not True].search(heard.text)
    if own and not other:
        return Ground(slot.name, slot.old, words=own[0])
    if other and not own:
        told = f'you said "{other[0]}"'
        return Ground(slot.name, slot.old, problem=told, against=True, meant=slot.old is not True)
    return Ground(slot.name, slot.old, problem="was not said")


def _named(slot: Slot, heard: Heard) -> Ground:
    """A text: words that were said, in whatever order."""
    own = [word for word in _WORD.findall(str(slot.old)) if word.lower() not in _SMALL]
    known = {word.lower() for word in _WORD.findall(heard.text)}
    missing = [word for word in own if word.lower() not in known]
    if own and not missing:
        return Ground(slot.name, slot.old, words=" ".join(own))
    part = f": {', '.join(missing)}" if len(missing) < len(own) else ""
    return Ground(slot.name, slot.old, problem=f"was not said{part}", against=not part)


def _member(slot: Slot, heard: Heard) -> Ground:
    said = Surroundings(heard.text, heard.now, heard.hours)
    if slot.old in (values := said.read(heard.text, slot.schema).values):
        return Ground(slot.name, slot.old, words=str(slot.old).replace("_", " "))
    members = [member for member in slot.schema.get("enum", ()) if heard.has(str(member).replace("_", " "))]
    if slot.old in members:
        return Ground(slot.name, slot.old, words=str(slot.old).replace("_", " "))
    others = list(dict.fromkeys((*members, *values)))
    problem = f'you said "{others[0]}"' if others else "was not said"
    meant = others[0] if len(others) == 1 else None
    return Ground(slot.name, slot.old, problem=problem, against=bool(others), meant=meant)


def _computed(slot: Slot, slots: Sequence[Slot], heard: Heard) -> Ground:
    """A date, a time, a number: read out of the words, against the clock and nothing else."""
    said = Surroundings(heard.text, heard.now, heard.hours)
    phrases = [phrase.words for phrase in support(slot, slots, said).phrases]
    readings = [(words, values) for words in phrases if (values := said.read(words, slot.schema).values)]
    year = str(slot.old)[:4] if slot.kind in ("date", "date-time") else ""
    for words, values in readings:
        if slot.old in values or (heard.has(year) and slot.old in said.read(words, slot.schema, slot.old).values):
            return Ground(slot.name, slot.old, words=words)
    if not readings:
        return Ground(slot.name, slot.old, problem="was not said")
    words, values = readings[0]
    told = f'you said "{words}": {" or ".join(map(str, values))}'
    meant = values[0] if len({values for _, values in readings}) == len(values) == 1 else None
    return Ground(slot.name, slot.old, problem=told, against=True, meant=meant)


def _thing(given: Sequence[Slot], named: Sequence[Slot], heard: Heard) -> Mapping[str, Any] | None:
    """The thing there is that a call is about: by a text of it that was said, or it is the only one."""
    values = {slot.name: slot.old for slot in given}

    def shared(thing: Mapping[str, Any]) -> int:
        return sum(name in thing and thing[name] == value for name, value in values.items())

    alike = [thing for thing in reversed(heard.things) if shared(thing)]
    alike.sort(key=shared, reverse=True)
    told = [thing for thing in alike if any(thing.get(slot.name) == slot.old for slot in named)]
    pointed = re.search(r"(?i)\b(?:it|that|this|them|the last one)\b", heard.text)
    likeliest: Sequence[Mapping[str, Any]] = told or (alike if pointed else ())
    return likeliest[0] if likeliest else None
