"""What each value of a call stands on: words that were said, a default, something that is there; and what does not fit.

For whoever shows a call to a person, or asks before it runs (doubts.py). Knows no model and runs nothing.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.names import split_name
from toolmend.language.corrections.segments import Segment, segments
from toolmend.language.corrections.slots import Slot, slots_of
from toolmend.language.corrections.values import Surroundings
from toolmend.language.resolve.counted import COUNTED
from toolmend.session.mend.support import support

WORD = re.compile(r"[^\W_]+(?:['’-](?!s\b)[^\W_]+)*")
AWAY = (
    r"cancel|remov|delet|drop|scrap|scratch|clear|erase|discard|forget|wipe|no longer|not happening"
    r"|get rid|rid of|(?:call|take|took|strike|cross)\w*\b.*\b(?:off|out)\b"
)
"""Words that say that something is to go, as the alternatives of a pattern."""
TAKING = frozenset("remove delete cancel clear drop erase discard wipe purge unbook".split())
"""How the names of tools begin that take something away."""
_SWITCH = {True: re.compile(r"(?i)\b(?:off|false|disabled?)\b"), False: re.compile(r"(?i)\b(?:on|true|enabled?)\b")}
WISHED = "your wish"
"""How the rule begins by which a value is what the person confirmed as usual (extras/memory/usual.py)."""
_SMALL = frozenset("a an the with of for at on in to and my our".split())
_AMOUNTS = frozenset({"number", "money", "price", "percent", "degrees", "minutes", "length"})
_GOES_ON = re.compile(r"(?i)\b(?:and|then|also|too|same|again|another|after(?:wards)?|later|earlier|before|there)\b")
_ROOT = 3  # letters that a word keeps
_ENDING = re.compile(r"(?:['’]s?|ies|ing|ed|es|s|e)$")


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
    """What a call is held against: what was said for it, the clock, and things there are, each as its values.

    `last` are the values of the call that was made last, for a sentence that goes on from it; `outside` is what nobody
    here said and a model saw all the same: a label ("what inbox answered") and the text. `after` names what was read in
    the same turn before the call was thought of; `earlier` is all that the person said in this talk. `foreign`: the
    tool's own description is somebody else's text.
    """

    text: str
    now: dt.datetime | None = None
    hours: str | None = None
    things: Sequence[Mapping[str, Any]] = ()
    last: Mapping[str, Any] = field(default_factory=dict)
    outside: Sequence[tuple[str, str]] = ()
    after: Sequence[str] = ()
    earlier: str = ""
    foreign: bool = False

    def has(self, words: str) -> bool:
        """Whether these words were said, whatever their capitals."""
        return bool(words) and bool(re.search(rf"(?i)(?<!\w){re.escape(words)}(?!\w)", self.text))


def removes(tool: str) -> bool:
    """Whether a tool's name says that it takes something away."""
    return bool(TAKING & set(split_name(tool.rpartition(".")[2])))


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
        and len(alike(call, heard)) == 1
        and all(slot in named for slot in given if slot.kind == "text")
    )
    return tuple(_there(one, thing, sure) if one.problem and one.name in thing else one for one in found)


def _there(one: Ground, thing: Mapping[str, Any], sure: bool) -> Ground:
    """A value that was not said, beside that of the thing that is meant."""
    if thing[one.name] == one.value:
        return Ground(one.name, one.value, by="as it is there")
    return replace(one, meant=thing[one.name]) if sure and not one.against else one


def alike(call: Call, heard: Heard) -> list[tuple[Mapping[str, Any], set[str]]]:
    """The things there are whose texts are those of the call, with the names of what tells them apart."""
    given = call.arguments.items()
    texts = {name: value for name, value in given if isinstance(value, str) and not value[:1].isdigit()}
    same = [thing for thing in heard.things if texts and texts.items() <= thing.items()]
    apart = {name for name in call.arguments if len({str(thing.get(name)) for thing in same}) > 1}
    return [(thing, apart) for thing in same]


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


def _ground(slot: Slot, slots: Sequence[Slot], call: Call, heard: Heard) -> Ground:
    value, words = slot.old, call.said.get(slot.name, "")
    if (rule := call.rules.get(slot.name, "")).startswith(COUNTED):
        return Ground(slot.name, value, words=words, problem=rule, against=True)
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
        return _gathered(slot, heard)
    if slot.kind == "text":
        return _named(slot, heard)
    ground = _member(slot, heard) if slot.kind == "enum" else _computed(slot, slots, heard)
    carried = ground.problem and not ground.against and heard.last.get(slot.name) == value
    return Ground(slot.name, value, by="as before") if carried and _GOES_ON.search(heard.text) else ground


def _gathered(slot: Slot, heard: Heard) -> Ground:
    """A list or an object: every text and number in it was said."""
    leaves = list(_leaves(slot.old))
    missing = [leaf for leaf in leaves if not (heard.has(leaf) or stems(leaf) <= stems(heard.text))]
    if missing:
        return Ground(slot.name, slot.old, problem=f"was not said: {', '.join(missing)}")
    return Ground(slot.name, slot.old, words=", ".join(leaves)) if leaves else Ground(slot.name, slot.old, by="empty")


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _leaves(part)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def stems(text: str) -> set[str]:
    """The words of a text without their endings: "truing" and "trued" are one, so are "Kim" and "Kim's"."""
    return {_stem(word.lower()) for word in WORD.findall(text)} - {""}


def _stem(word: str) -> str:
    bare = word
    while len(bare) > _ROOT and (shorter := _ENDING.sub("", bare, count=1)) != bare and len(shorter) >= _ROOT:
        bare = shorter
    return bare[:-1] if len(bare) > _ROOT and bare[-1] == bare[-2] else bare


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
    own = [word for word in WORD.findall(str(slot.old)) if word.lower() not in _SMALL]
    known = stems(heard.text)
    missing = [word for word in own if not stems(word) <= known]
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
    named = [member for member in slot.schema.get("enum", ()) if _said_of(member, heard)]
    if not (members or values) and named == [slot.old]:
        return Ground(slot.name, slot.old, words=str(slot.old))
    others = list(dict.fromkeys((*members, *values, *named)))
    problem = f'you said "{others[0]}"' if others else "was not said"
    meant = others[0] if len(others) == 1 else None
    return Ground(slot.name, slot.old, problem=problem, against=bool(others), meant=meant)


def _said_of(member: Any, heard: Heard) -> bool:
    """Whether all words of a member were said, in whatever order and form."""
    own = stems(str(member).replace("_", " "))
    return bool(own) and own <= stems(heard.text)


def _computed(slot: Slot, slots: Sequence[Slot], heard: Heard) -> Ground:
    """A date, a time, a number: read out of the words, against the clock and nothing else."""
    said = Surroundings(heard.text, heard.now, heard.hours)
    placed, _ = segments(heard.text)
    phrases = [phrase.words for phrase in support(slot, slots, said).phrases]
    if slot.kind == "number":
        phrases += [one.text for one in placed if one.kind in _AMOUNTS and one.text not in phrases]
    if slot.kind in ("time", "date-time"):
        phrases = [whole for words in phrases for whole in (*_halved(words, placed), words)]
    readings = [(words, values) for words in phrases if (values := said.read(words, slot.schema).values)]
    year = str(slot.old)[:4] if slot.kind in ("date", "date-time") else ""
    for words, values in readings:
        if slot.old in values or (heard.has(year) and slot.old in said.read(words, slot.schema, slot.old).values):
            return Ground(slot.name, slot.old, words=words if heard.has(words) else words.replace(" in the ", ", "))
    if not readings:
        return Ground(slot.name, slot.old, problem="was not said")
    words, values = readings[0]
    told = f'you said "{words}": {" or ".join(map(str, values))}'
    meant = values[0] if len({values for _, values in readings}) == len(values) == 1 else None
    return Ground(slot.name, slot.old, problem=told, against=True, meant=meant)


def _halved(words: str, placed: Sequence[Segment]) -> tuple[str, ...]:
    """A time with the half of the day that was said apart from it: "Sunday evening at half past seven"."""
    halves = [one.text for one in placed if one.kind == "half" and one.text not in words]
    bare = [re.sub(r"(?i)^(?:in )?(?:the )?", "", half) for half in halves]
    return tuple(f"{words} {half}" if re.fullmatch("(?i)[ap]m", half) else f"{words} in the {half}" for half in bare)


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
