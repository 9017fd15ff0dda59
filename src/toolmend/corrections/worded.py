"""Clauses that are words for a text: a slip mended, a name in another's place, words put in or taken out.

Knows one call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import Any

from toolmend.corrections import texts
from toolmend.corrections.part import Part, edit, unclear
from toolmend.corrections.segments import segments
from toolmend.corrections.slots import Slot
from toolmend.corrections.values import Said

_LEAVE_OUT = re.compile(
    r"(?:drop|remove|delete|leave out|take out|take off|lose|skip|cut|omit|get rid of|without|no|clear"
    r"|leave off|strike) (?:the |any |that )?(?:words? |bit |part )?(.+?)(?: (?:from|in|off|of"
    r"|out of) (?:the |its )?([\w ]+?))?",
    re.I,
)
_PUT_IN = re.compile(
    r"(?:add|append|put|insert) (['\"]?)(.+?)\1 (?:to|at the end of|after|onto) (?:the |its )?([\w ]+?)", re.I
)
_TO = {
    "under": {"name", "label"},
    "to": {"recipient", "to", "payee", "destination", "receiver", "addressee"},
    "for": {"label", "purpose", "recipient", "person", "guest", "for", "payee", "patient", "whom"},
    "from": {"pickup", "departure", "start", "from", "sender", "origin", "account", "source"},
    "in": {"room", "place", "location", "zone", "city", "area"},
    "at": {"restaurant", "place", "location", "venue", "address"},
    "by": {"artist", "band", "author", "singer"},
    "with": {"person", "guest", "with", "extra"},
}

_COLOURS = frozenset(
    "red green blue yellow white black grey gray brown orange pink purple violet beige silver gold navy".split()
)


class Worded:
    """Reads clauses of words against the texts of one call."""

    def __init__(self, slots: Sequence[Slot], said: Said) -> None:
        self.slots, self.said = slots, said
        self.texts = tuple(slot for slot in slots if slot.kind == "text")

    def title(self) -> Slot | None:
        """What a thing is called by: the one text that is a name, or the only text there is."""
        for names in ({"title", "name", "label", "subject"}, {"track", "song"}):
            named = [slot for slot in self.texts if slot.label in names]
            if len(named) == 1:
                return named[0]
        return self.texts[0] if len(self.texts) == 1 else None

    def whole(self, slot: Slot, words: str) -> Part:
        """A text as a whole."""
        words = re.sub(r"^(['\"])(.*)\1$", r"\2", words.strip())
        if not re.match(r"(?i)(?:the|an?|my|our) ", str(slot.old or "the ")):
            words = re.sub(r"^(?:the|an?) (?=\S)", "", words)
        if re.search(r"(?i)\bnot\b|\binstead of\b|\brather than\b", words):
            words = re.split(r"(?i),? (?:and )?(?:not|instead of|rather than) ", words)[0]
        if isinstance(slot.old, str) and words.lower() == slot.old.lower():
            return Part(same={slot.name: words})
        return edit(slot.name, texts.fitted(words, slot.old or ""), words, f"{words!r} is the {slot.label}", sure=True)

    def cut(self, text: str) -> Part | None:
        """Words put into a text or taken out of it, or an optional argument left out."""
        if match := _PUT_IN.fullmatch(text):
            slot = next((slot for slot in self.texts if match[3].lower() in slot.labels), None)
            if slot:
                return edit(
                    slot.name,
                    f"{slot.old} {match[2]}" if slot.old else match[2],
                    text,
                    f"{match[2]!r} added",
                    sure=True,
                )
        match = _LEAVE_OUT.fullmatch(text)
        if not match:
            return None
        words, label = match[1].strip(" '\""), (match[2] or "").lower()
        for slot in self.slots:
            if (
                not label
                and words.lower() in slot.labels
                and not slot.required
                and slot.old is not None
                and slot.kind != "truth"
            ):
                return edit(slot.name, None, text, f"without {slot.label}", sure=True)
        among = [slot for slot in self.texts if not label or label in slot.labels]
        shorter = [
            (slot, new) for slot in among if isinstance(slot.old, str) and (new := texts.without(slot.old, words))
        ]
        if len(shorter) == 1:
            slot, new = shorter[0]
            return edit(slot.name, new, text, f"{slot.label} without {words!r}", sure=True)
        return None

    def respelled(self, text: str) -> Part | None:
        """ "Marta, without the h": one text has a word that becomes this."""
        spelled = [(s, new) for s in self.texts if isinstance(s.old, str) and (new := texts.respelled(s.old, text))]
        changed = [(slot, new) for slot, new in spelled if new != slot.old]
        if spelled and not changed:
            return Part(same={spelled[0][0].name: text})
        if len(changed) == 1:
            return edit(changed[0][0].name, changed[0][1], text, f"spelled {text!r}", sure=True)
        return (
            unclear("more than one text could be meant", [{slot.name: new} for slot, new in changed])
            if changed
            else None
        )

    def phrase(self, text: str, *, meant: bool) -> Part | None:
        """Words alone: mended where a text has a slip of them, else the text whose place they take."""
        bare = text.strip(" '\"")
        bare = re.sub(r"(?i) ones?$", "", bare)
        if segments(bare)[0] and not bare[:1].isupper():
            return None
        if not bare or len(bare.split()) > 7 or not self.texts or not texts.namelike(bare):
            return None
        if all(
            any(word in slot.labels for slot in self.slots)
            for word in re.sub(r"(?i)\b(?:the|your|its|with|of|and)\b", " ", bare).lower().split()
        ):
            return None
        if self._speaks_of_others(bare):
            return None
        core = re.sub(r"(?i)^(?:(?:it's|the|an?|my|for|with|to|at|in|by|from|of|under) )+", "", bare)
        coloured = [slot for slot in self.texts if {"colour", "color"} & slot.labels]
        if core.lower() in _COLOURS and len(coloured) == 1:
            return replace(self.whole(coloured[0], core), sure=False)
        if slip := self.slip(core):
            return slip
        if not meant:
            asked = self._asked(core)
            part = self._by_lead(bare, core) if asked or core[:1].isupper() else None
            part = part or self._doubtful(core)
            if part or not asked:
                return part
        for slot in self.texts:
            if isinstance(slot.old, str) and (new := texts.phrase_for(slot.old, bare)):
                return edit(slot.name, new, bare, f"{bare!r} in the {slot.label}", sure=self._asked(core))
        if part := self._by_lead(bare, core):
            return part
        shared = [
            slot
            for slot in self.texts
            if isinstance(slot.old, str) and len(core.split()) > 1 and texts.shares(slot.old, core)
        ]
        if len(shared) == 1:
            return self.whole(shared[0], bare)
        return self._placed(bare, core) if meant else None

    def slip(self, words: str) -> Part | None:
        """Words that one text has a slip of."""
        slips = [(s, new) for s in self.texts if isinstance(s.old, str) and (new := texts.likened(s.old, words))]
        if len(slips) != 1:
            return None
        return edit(slips[0][0].name, slips[0][1], words, f"{words!r} is like what was taken", sure=True)

    def _speaks_of_others(self, words: str) -> bool:
        """Whether an argument is named that is no text."""
        labels = {label for slot in self.slots if slot.kind != "text" for label in slot.labels if len(label) > 3}
        return bool(set(re.findall(r"\w+", words.lower())) & labels)

    def _placed(self, bare: str, core: str) -> Part | None:
        """By the word before it, by what the request has, or as the only text."""
        lead = bare.split()[0].lower()
        held = [slot for slot in self.texts if isinstance(slot.old, str)]
        if part := self._doubtful(core):
            return part
        if len(held) == 1 and (parted := self._head_or_tail(held[0], core)):
            return parted
        if len(held) == 1 and len(str(held[0].old).split()) <= 2 and lead not in _TO:
            return self.whole(held[0], core)
        candidates: list[dict[str, Any]] = [{slot.name: core} for slot in held]
        return unclear(f"{bare!r}: not clear what it is for", candidates)

    def _asked(self, words: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(words.lower())}(?!\w)", self.said.request.lower()) is not None

    def _doubtful(self, core: str) -> Part | None:
        """Words of the request, where one short text of the call is not in the request."""
        doubtful = [slot for slot in self.texts if isinstance(slot.old, str) and not self._asked(slot.old)]
        if len(doubtful) != 1 or not self._asked(core):
            return None
        slot, words = doubtful[0], str(doubtful[0].old).split()
        unheard = [word for word in words if len(word) > 2 and not self._asked(word.removesuffix("'s"))]
        if re.search(rf"(?i)(?<!\w){re.escape(core)}(?!\w)", str(slot.old)):
            return replace(self.whole(slot, core), sure=False) if len(words) < 4 else None
        if len(words) > 1 and len(unheard) == 1 and len(core.split()) == 1:
            value = texts.substituted(str(slot.old), unheard[0], core)
            return edit(slot.name, value, core, f"{core!r} for {unheard[0]!r}", sure=True) if value else None
        return None if len(words) > 2 else replace(self.whole(slot, core), sure=False)

    def _head_or_tail(self, slot: Slot, core: str) -> Part | None:
        """For a title of several words: a title of its own, or one of its ends, where the request has the whole."""
        head, lead, tail = texts.divided(slot.old)
        if not lead:
            return None
        if texts.divided(core)[1]:
            return self.whole(slot, core)
        request = self.said.request.lower()
        ways = [f"{core} {lead} {tail}", f"{head} {lead} {core}"]
        asked = [way for way in ways if way.lower() in request]
        if len(asked) == 1:
            return edit(slot.name, texts.fitted(asked[0], slot.old), core, f"{core!r} in the {slot.label}")
        return unclear(
            f"{core!r}: which part of the {slot.label}?", [{slot.name: texts.fitted(way, slot.old)} for way in ways]
        )

    def _by_lead(self, bare: str, core: str) -> Part | None:
        """By the small word before it: "to Ben" is for a recipient."""
        lead = bare.split()[0].lower()
        if re.search(rf"(?i) (?:{'|'.join(_TO)}) ", core):
            return None
        fitting = [slot for slot in self.texts if core != bare and _TO.get(lead, set()) & (slot.labels | {slot.name})]
        return replace(self.whole(fitting[0], core), sure=False) if len(fitting) == 1 else None


def words_of(values: Iterator[Any] | Sequence[Any]) -> Set[str]:
    """The words of the texts among some values, lower-cased."""
    return {word for value in values if isinstance(value, str) for word in re.findall(r"[^\W\d_]{3,}", value.lower())}
