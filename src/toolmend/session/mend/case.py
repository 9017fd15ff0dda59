"""What is to be mended: the calls, the sentence about them, and what was said and tried before."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from toolmend.base.messages import Call, Constraint, ToolSpec
from toolmend.language.corrections import Understood, edited_calls, understand
from toolmend.language.corrections.slots import Slot, slots_of
from toolmend.language.corrections.understood import Place
from toolmend.language.corrections.values import Surroundings
from toolmend.language.resolve.background import Background, Open
from toolmend.session.mend.direction import moved, says_other_way
from toolmend.session.mend.support import support

Edits = Mapping[int, Mapping[str, Any]]
_SHAPES = {"time": r"\d\d:\d\d", "date": r"\d{4}-\d\d-\d\d$", "date-time": r"\d{4}-\d\d-\d\d"}
_ANOTHER = re.compile(r"(?i)\b(?:again|once more|one more|(?:another|next|second|third|other) one)\b")


@dataclass(frozen=True, slots=True)
class MendCase:
    """One correction. `said` is the sentence about `calls`, `request` what the person had said before, oldest first.

    `tried` are calls that were made for this request before; `things` what a call to another thing could be about, each
    as its values. `open` is the call that waits for an answer, where the sentence was said to a question, `world` what
    that is computed against. `fixed` names a tool whose call could not be undone. `asks` tells whether the model
    answers plain questions: not one that was trained for its toolbox only, which `taught` tells. `constrains`: whether
    it honours a JSON Schema. `computed`: what counts are not its words, but what they come to against all that stands.
    `latest` is the request that the calls were made for, `replaced` what stood before they did, and `words` are those
    that were answered where no call was made. `earlier` are the calls of the turns before the request was made.
    `calling` leaves a model nothing but calls, of the tool that is `asked` for by its name, where that is another one.
    """

    said: str
    calls: tuple[Call, ...]
    specs: tuple[ToolSpec, ...]
    request: str = ""
    tried: tuple[Call, ...] = ()
    things: tuple[Mapping[str, Any], ...] = ()
    open: Open | None = None
    world: Background = field(default_factory=Background)
    fixed: str = ""
    asks: bool = True
    constrains: bool = False
    taught: bool = False
    computed: bool = False
    now: dt.datetime | None = None
    hours: str | None = None
    locale: str | None = None
    latest: str = ""
    replaced: tuple[Call, ...] = ()
    words: str = ""
    earlier: tuple[Call, ...] = ()
    calling: Constraint | None = None
    asked: str = ""

    def __post_init__(self) -> None:
        """The request is the last thing that was said, where nobody knows better."""
        if not self.latest:
            said = next((line for line in reversed(self.request.splitlines()) if line.strip()), "")
            object.__setattr__(self, "latest", said)

    @property
    def background(self) -> Surroundings:
        """What values are read against."""
        return Surroundings(self.request, self.now, self.hours, self.locale)

    @property
    def since(self) -> str:
        """What was said after the request that the calls were made for."""
        return self.request.rpartition(self.latest)[2]

    @property
    def heard(self) -> Surroundings:
        """The same for the request alone that the calls were made for."""
        return replace(self.background, request=self.latest)

    def as_change(self, call: Call) -> Understood:
        """The request read as a sentence about this call."""
        return understand(self.latest, [call], self.specs, now=self.now, hours=self.hours, locale=self.locale)

    def understood(self) -> Understood:
        """What the sentence says. The names of what stands were said, too."""
        if self.calls and says_other_way(self.said):
            return self._other_way()
        values = (value for call in self.world.calls for value in call.arguments.values())
        names = (value for value in values if isinstance(value, str) and not value[:1].isdigit())
        return understand(
            self.said,
            [self._sound(number) for number in range(len(self.calls))],
            self.specs,
            request="\n".join((self.request, *dict.fromkeys(names))),
            now=self.now,
            hours=self.hours,
            locale=self.locale,
        )

    def _other_way(self) -> Understood:
        """What was moved is blamed: what the sentence names, else what the last change moved; else something."""
        places = [(number, slot) for number in range(len(self.calls)) for slot in self.slots(number)]
        said = set(re.findall(r"[a-z]+", self.said.lower()))
        named = tuple((number, slot.name) for number, slot in places if said & set(slot.labels))
        went = tuple((number, name) for number in range(len(self.calls)) for name in self.moved(number))
        blamed = named or went
        return Understood("blame" if blamed else "wrong", blamed=blamed, reason="it went the wrong way")

    def moved(self, number: int) -> dict[str, str]:
        """What the last change moved of a call, as far the other way (direction.py)."""
        return moved(self.slots(number), self.before(number))

    def slots(self, number: int) -> tuple[Slot, ...]:
        """The arguments of one of the calls."""
        return slots_of(self._sound(number), self.specs)

    def _sound(self, number: int) -> Call:
        """The call without values that are none of their kind: a text that is no text, a time like "5PM"."""
        call = self.calls[number]
        broken = {slot.name for slot in slots_of(call, self.specs) if not _fits(slot)}
        return replace(call, arguments={name: value for name, value in call.arguments.items() if name not in broken})

    def places(self, praised: Sequence[Place] = ()) -> tuple[Place, ...]:
        """Every argument that is not praised."""
        all_ = ((number, slot.name) for number in range(len(self.calls)) for slot in self.slots(number))
        return tuple(place for place in all_ if place not in praised)

    def before(self, number: int) -> Call | None:
        """The call that this one changed, where it is the only one and changed one."""
        call = self.calls[number]
        others = [old for old in self.earlier if old.tool == call.tool and not same(old, call)]
        return others[-1] if others and len(self.calls) == 1 else None

    def goes_on(self, number: int, slot: Slot) -> str:
        """The words by which an argument goes on from what was there: it is as it was in the call that this one
        changed, or what the words of the change make of that, or, where the request does not speak of it, what another
        call has that stands. "" where it does not."""
        before = self.before(number)
        if slot.old is None or not self.latest:
            return ""
        if before is not None:
            if before.arguments.get(slot.name) == slot.old:
                return "as it was"
            return self.latest if self.as_change(before).edits.get(0, {}).get(slot.name) == slot.old else ""
        there = (other.arguments.get(slot.name) for other in self.world.calls)
        carried = slot.kind in ("date", "date-time") or (slot.kind == "text" and _ANOTHER.search(self.latest))
        return "as before" if carried and slot.old in there else ""

    def copied(self, number: int, slot: Slot) -> str:
        """The person's own words that a value was computed from, where nothing else that was said gives it another: of
        a thing that is taken away, its name."""
        call, slots = self.calls[number], self.slots(number)
        words = call.said.get(slot.name, "")
        if not words or words.casefold() not in self.request.casefold():
            return ""
        phrases = support(slot, slots, self.background).phrases
        return words if not phrases or (call.rules.get(slot.name) == "a thing that is there") else ""

    def is_new(self, edits: Edits) -> bool:
        """Whether the calls so edited are others than these, and none that is changed was tried before."""
        changed = edited_calls(self.calls, edits)
        others = [new for new, old in zip(changed, self.calls, strict=True) if new.arguments != old.arguments]
        return bool(others) and not any(same(new, old) for new in others for old in self.tried)


def _fits(slot: Slot) -> bool:
    """Whether the value is one of its kind, as far as sentences about it are read by that."""
    if slot.old is not None and (shape := _SHAPES.get(slot.kind)):
        return re.match(shape, str(slot.old)) is not None
    return slot.kind != "text" or slot.old is None or isinstance(slot.old, str)


def same(one: Call, other: Call) -> bool:
    """Whether two calls are one."""
    return one.tool == other.tool and folded(one.arguments) == folded(other.arguments)


def folded(values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, whatever their capitals."""
    return {name: value.casefold() if isinstance(value, str) else value for name, value in values.items()}
