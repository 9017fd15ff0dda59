"""Whether what a strategy says of its own calls is so, sentence by sentence: Freyr's summaries, and its reasons.

    add_enemy(name="Ghoul", hp=8) ran; "I added Ghoul. It has 12 hp."   ->   so, not so: 12 is in no call and no state

Code looks at what it can look at: figures, quoted words, names (capitals inside a sentence), and whether anything was
done, or failed. A sentence without these says nothing that can be checked. One that passes may still mislead, and a
figure that was computed counts as not so: docs/measures.md. Knows the events of one sample.
"""

from __future__ import annotations

import calendar
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from toolmend.base.events import Asked, Called, Event, Guarded, Looked, Refused, Replied
from toolmend.strategies.freyr import ADMITS

SUMMARY, REASON = "summary", "reason"
LEFT = ("retries_spent", "too_many_intents", "as_published")  # what a strategy left undone without a failed call

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\s*\n\s*")
_FIGURE = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_AFTERNOON = re.compile(r"\b(?:1[3-9]|2[0-3]|00)(?=:\d\d)")
_QUOTED = re.compile(r"[\"“„]([^\"“”„]+)[\"”“]|(?<!\w)[‘']([^‘’']+)[’'](?!\w)")
_NAME = re.compile(r"(?<=[\w,;:)] )[A-Z][\w-]*")
_NO_NAMES = {"I", "AM", "PM", *calendar.day_name, *calendar.month_name}  # dates in words are not looked at
_DEED = re.compile(
    r"\b(?:added|created|made|placed|put|set|changed|updated|edited|moved|renamed|removed|deleted|cancell?ed|cleared|"
    r"booked|generated|done)\b",
    re.IGNORECASE,
)


@dataclass
class _Turn:
    """What there is to hold the sentences of a turn against."""

    before: list[Any]  # what was said until then, earlier calls, and the state
    ran: list[Any] = field(default_factory=list)  # calls with what they gave back
    tried: list[Any] = field(default_factory=list)  # calls that came to nothing, and why
    states: list[Any] = field(default_factory=list)  # before and after, where they were looked at
    told: list[tuple[str, str]] = field(default_factory=list)
    left: bool = False  # whether something was left undone

    def add(self, event: Event) -> None:
        """Take in what happened."""
        if isinstance(event, Called):
            (self.ran if event.result.ok else self.tried).append(_about(event))
        elif isinstance(event, Refused):
            self.tried.append([event.call.tool, dict(event.call.arguments), event.reason])
        elif isinstance(event, Looked):
            self.states = [event.was, event.now]
        elif isinstance(event, Guarded) and event.guard == "intent":
            self.told.append((REASON, event.detail.partition(": ")[2]))
        elif isinstance(event, Guarded):
            self.left |= event.guard in LEFT
        elif isinstance(event, Replied) and event.role == SUMMARY:
            self.told.append((SUMMARY, event.text))

    def is_so(self, who: str, sentence: str) -> bool | None:
        """Whether a sentence is so; None where nothing in it can be checked. Reasons are about what is wanted."""
        fails = who == SUMMARY and ADMITS.search(sentence) is not None
        found = [self.left or bool(self.tried)] if fails else []
        if who == SUMMARY and not fails and _DEED.search(sentence):
            found = [bool(self.ran) and (not self.states or self.states[0] != self.states[1])]
        held = [*self.before, *self.states[:1]] if who == REASON else [*self.ran, *self.states]
        held += [*self.tried, *self.before] if fails else []
        text = " ".join(json.dumps(held, ensure_ascii=False, default=str).casefold().split())
        found += [_number(figure) in _figures(text) for figure in _FIGURE.findall(sentence)]
        quoted = [one or other for one, other in _QUOTED.findall(sentence)]
        found += [" ".join(words.strip(".,;:!?").casefold().split()) in text for words in quoted]
        found += [name.casefold() in text for name in _NAME.findall(sentence) if name not in _NO_NAMES]
        return all(found) if found else None


def explained(events: Iterable[Event]) -> Iterator[tuple[str, bool | None]]:
    """Of each sentence of a sample who says it, SUMMARY or REASON, and whether it is so; None: it cannot be checked."""
    turns: dict[int, _Turn] = {}
    before: list[Any] = []
    for event in events:
        if isinstance(event, Asked):
            before.append(event.text)
        elif isinstance(event, (Called, Guarded, Looked, Refused, Replied)):
            turns.setdefault(event.turn, _Turn([*before])).add(event)
        if isinstance(event, Called) and event.result.ok:
            before.append(_about(event))
    for turn in turns.values():
        for who, text in turn.told:
            for sentence in filter(None, _SENTENCE.split(text.strip())):
                yield who, turn.is_so(who, sentence)


def _about(event: Called) -> list[Any]:
    return [event.call.tool, dict(event.call.arguments), event.result.value, event.result.error]


def _figures(text: str) -> set[float]:
    """The figures in a text; hours of the afternoon as a clock shows them too, shares as percent too."""
    found = set(map(_number, _FIGURE.findall(text)))
    found |= {float((int(hour) + 11) % 12 + 1) for hour in _AFTERNOON.findall(text)}
    return found | {round(100 * figure, 6) for figure in found if 0 < figure < 1}


def _number(text: str) -> float:
    return float(text.replace(",", ""))
