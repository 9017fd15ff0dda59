"""Two arguments the other way round, and a way from one place to another: "you swapped them", "London to Leeds".

Knows one call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from toolmend.language.corrections import texts
from toolmend.language.corrections.part import Part, edit, unclear
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.texts import bare_words
from toolmend.language.corrections.values import Surroundings, turned
from toolmend.language.resolve import vocabulary

_SWAP_WORDS = vocabulary.words("swapping")
_SWAPS = re.compile(
    r"(?i)\b(?:swap\w*|switched|switch them|mixed (?:\w+ ){0,4}up|reversed|way (?:a?round|about)|backwards"
    r"|vice versa|wrong order|exchange|confused)\b"
)
_DAY_MONTH = re.compile(r"(?i)\b(?:day and (?:the )?month|month and (?:the )?day)\b")
_KINDS = {"dates": "date", "days": "date", "times": "time"} | dict.fromkeys(
    "cities places ports stations towns airports stops".split(), "text"
)
_TURNED = re.compile(
    r"(?i)\b(?:back ?wards|reverse\w*|(?:other|wrong|opposite) (?:way|direction)(?: (?:a?round|about))?"
    r"|way (?:a?round|about))\b"
)
_ROUTE = re.compile(
    r"(?i)(?:(?:it's|i'm going|we're going|i want to go|going|travelling|flying|taxi|train|a taxi|flight|convert|no"
    r"|so) )*"
    r"(?:from )?(?:the |my )?(?P<one>\S+(?: \S+){0,3}?) (?:to|into) (?:the |my )?(?P<other>\S+(?: \S+){0,3})"
)
_ENDS = ({"from", "origin", "pickup", "departure", "source"}, {"to", "destination", "target", "arrival"})
_CURRENCIES = {"euros": "eur", "euro": "eur", "dollars": "usd", "dollar": "usd", "pounds": "gbp", "pound": "gbp"}


class Swaps:
    """Reads clauses about two arguments against one call."""

    def __init__(self, slots: Sequence[Slot], said: Surroundings) -> None:
        self.slots, self.said = slots, said

    def swapped(self, text: str) -> Part | None:
        """Two arguments of one kind, or two names in a text, the other way round."""
        dates = [(slot, day) for slot in self.slots if slot.kind == "date" and (day := turned(slot.old))]
        if len(dates) == 1 and _DAY_MONTH.search(text) and _SWAPS.search(text):
            return edit(dates[0][0].name, dates[0][1], text, "day and month the other way round", sure=True)
        labels = {word for slot in self.slots for word in (*slot.label.split(), *slot.labels)}
        if not _SWAPS.search(text) or not set(re.findall(r"[\w']+", text.lower())) <= _SWAP_WORDS | labels:
            return None
        said = " ".join(["", *re.findall(r"\w+", text.lower()), ""])
        named = [slot for slot in self.slots if f" {slot.label} " in said or f" {slot.name} " in said]
        if len(named) == 1 and "swap" not in text.lower():
            return Part(blamed={named[0].name}, excluded={named[0].name: (named[0].old,)})
        pool = named if len(named) == 2 else [slot for slot in self.slots if slot.old is not None]
        kind = next((kind for word, kind in _KINDS.items() if word in text.lower()), "")
        pool = [slot for slot in pool if slot.kind == kind] if kind else pool
        pairs = [
            (a, b)
            for place, a in enumerate(pool)
            for b in pool[place + 1 :]
            if a.kind == b.kind and a.old != b.old and a.kind != "truth"
        ]
        inside = [
            (slot, new)
            for slot in self.slots
            if slot.kind == "text" and isinstance(slot.old, str) and (new := texts.names_swapped(slot.old))
        ]
        edits: list[dict[str, Any]] = [{a.name: b.old, b.name: a.old} for a, b in pairs]
        edits += [{slot.name: new} for slot, new in inside] if len(named) != 2 else []
        if len(edits) > 1 and self.said.request:
            edits = [change for change in edits if _told(change, self.said.request)] or edits
        if len(edits) == 1:
            return Part(edits[0], dict.fromkeys(edits[0], text), how="the other way round", sure=True)
        asks = edits or re.match(r"(?i)(?:please )?(?:swap|switch|exchange)\b", text)
        return unclear("more than one pair could be swapped", edits) if asks else Part(wrong=True)

    def route(self, text: str) -> Part | None:
        """ "FROM the airport TO home": both ends, where one stands at the other's place or the request has both."""
        ends = [
            [slot for slot in self.slots if slot.kind == "text" and slot.old and slot.name in names] for names in _ENDS
        ]
        if [len(end) for end in ends] != [1, 1]:
            return None
        start, stop = ends[0][0], ends[1][0]
        turns = _TURNED.search(text)
        bare = " ".join(_TURNED.sub(" ", text).split()).strip(" ,.:;-") if turns else text
        match = _ROUTE.fullmatch(bare)
        if match is None or not (texts.namelike(match["one"]) and texts.namelike(match["other"])):
            return None
        one, other = (_CURRENCIES.get(word.lower(), word) for word in (match["one"], match["other"]))
        if turns or (one.lower(), other.lower()) == (str(stop.old).lower(), str(start.old).lower()):
            values: dict[str, Any] = {start.name: stop.old, stop.name: start.old}
            return Part(values, dict.fromkeys(values, text), how="the other way round", sure=True)
        asked = bare_words(self.said.request)
        if not set(bare_words(f"{one} {other}")) <= set(asked):
            return None
        olds = {slot.name: (slot.old.lower(),) for slot in (start, stop)}
        values = {start.name: texts.fitted(one, start.old), stop.name: texts.fitted(other, stop.old)}
        values = {name: value for name, value in values.items() if value.lower() not in olds[name]}
        return Part(values, dict.fromkeys(values, text), how=f"{text!r}", sure=True) if values else None


def _told(change: dict[str, Any], request: str) -> bool:
    return all(str(value).lower() in request.lower() for value in change.values())
