"""Clauses that are words for a text: a slip mended, a name in another's place, words put in or taken out.

Knows one call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from typing import Any

from toolmend.language.corrections import texts
from toolmend.language.corrections.fits import COMMON
from toolmend.language.corrections.part import Part, edit, together, unclear
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.spelling import respelled
from toolmend.language.corrections.texts import lettered, misheard
from toolmend.language.corrections.typed import MEALS, TITLES
from toolmend.language.corrections.values import Surroundings
from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.words import Words

_LEAVE_OUT = re.compile(
    rf"(?:{vocabulary.either('leaving out')}) (?:the |any |that )?(?:words? |bit |part )?(.+?)"
    r"(?: (?:from|in|off|of|out of) (?:the |its )?([\w ]+?))?",
    re.I,
)
_PUT_IN = re.compile(
    r"(?:add|append|put|insert|include) (?:the words? )?(['\"]?)(.+?)\1 (?:to|at the end of|after|onto|in|into"
    r"|in) (?:the |its )?([\w ]+?)"
    r"(?: too| as well| also)?",
    re.I,
)
_TO = vocabulary.table("by preposition")
_RELATION = re.compile(
    r"^(?:my |our |his |her |their )?(?:brother|sister|friend|boss|wife|husband|son|daughter|mother|father|mum"
    r"|dad|aunt|uncle"
    r"|cousin|neighbour|colleague|flatmate|partner) (?=[A-Z])"
)
_LEADS = "the|an?|my|for|with|to|at|in|by|from|of"
_PURPOSES = {"note", "label", "purpose", "reason", "reference", "for", "whom"}
_PLACES = {"address", "destination", "pickup", "delivery"}
_PLACED = tuple(
    (re.compile(rf"(?:please |can you |we're |i'm |we are |i am |it's |it should be )*{verb} (.+)", re.I), labels)
    for verb, labels in (
        (
            r"(?:going|go|headed|heading|(?:take|drive|drop|get|bring) (?:me|us|him|her|them)(?: off)?) (?:to|at)",
            {"destination"},
        ),
        (
            r"(?:pick(?:ed)? (?:me|us|him|her|them) up|pick ?up|collect (?:me|us|him|her|them)|starting|leaving)"
            r" (?:at|from|in)",
            {"pickup", "origin", "departure"},
        ),
        (
            r"(?:they |it |that |this )(?:goes|go|should go|has to go|have to go|must go|is going|are going) to",
            {"address", "recipient", "destination"},
        ),
        (
            r"(?:(?:send|deliver|ship|bring|post)(?: (?:it|them|that|this|those))?|delivered|shipped"
            r"|to be delivered) to",
            {"address", "recipient", "destination"},
        ),
    )
)
_HOUSE = re.compile(
    r"(?:(?:it's |the |my )*(?:address|house|number|no\.?)(?: is| should be|:)? |to |at |it's )*"
    r"(?:number )?(\d+\w?)((?<=\d) (?:[A-Z][\w'-]+)(?: [A-Z][\w'-]+)*)?"
)

_QUOTED = re.compile(
    r"(?i)(?:(?:please|just|it|that|this|the|i|you|should|must|be|is|was|it's|said|say|says?|saying|with|as|to|make"
    r"|call(?:ed)?|rename|retitle|name|named|title|titled|text|message|entitled|meant|mean|want|wanted|put|write|read"
    r"|reads?|send|change|no|not that)[:,]? )*"
    r"\"([^\"]+)\""
)
_COLOURS = frozenset(
    "red green blue yellow white black grey gray brown orange pink purple violet beige silver gold navy".split()
)


class Worded:
    """Reads clauses of words against the texts of one call."""

    def __init__(self, slots: Sequence[Slot], said: Surroundings) -> None:
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
        quoted = re.findall(r"(?<!\w)(['\"])(.+?)\1(?!\w)", words)
        words = quoted[0][1] if len(quoted) == 1 else words.strip()
        words = _RELATION.sub("", words)
        if not re.match(r"(?i)(?:the|an?|my|our) ", str(slot.old or "the ")):
            words = re.sub(r"^(?:the|an?) (?=\S)", "", words)
        words = re.split(r"(?i),? (?:and )?(?:not|instead of|rather than) ", words)[0]
        if isinstance(slot.old, str) and words.lower() == slot.old.lower():
            return Part(same={slot.name: words})
        return edit(slot.name, texts.fitted(words, slot.old or ""), words, f"{words!r} is the {slot.label}", sure=True)

    def cut(self, text: str) -> Part | None:
        """Words put into a text or taken out of it, or an optional argument left out."""
        if match := _PUT_IN.fullmatch(text):
            slot = next((slot for slot in self.texts if match[3].lower() in slot.labels), None)
            if slot:
                more = f"{slot.old} {match[2]}" if slot.old else match[2]
                return edit(slot.name, more, text, f"{match[2]!r} added", sure=True)
        match = _LEAVE_OUT.fullmatch(text)
        if not match:
            return None
        words, label = match[1].strip(" '\""), (match[2] or "").lower()
        for slot in self.slots:
            if (
                not label
                and (words.lower() in slot.labels or _names_it(words, slot))
                and (not slot.required or none_of(slot) is not None)
                and slot.old is not None
                and slot.kind != "truth"
            ):
                return edit(slot.name, none_of(slot), text, f"without {slot.label}", sure=True)
        shorter = self._news(lambda old: texts.without(old, words))
        shorter = [(slot, new) for slot, new in shorter if not label or label in slot.labels]
        if len(shorter) != 1:
            return None
        slot, new = shorter[0]
        return edit(slot.name, new, text, f"{slot.label} without {words!r}", sure=True)

    def respelled(self, text: str) -> Part | None:
        """ "Marta, without the h": one text has a word that becomes this."""
        changed = self._changed(lambda old: lettered(old, text, self.said.request))
        changed = changed or self._changed(lambda old: respelled(old, text))
        if len(changed) == 1:
            return edit(changed[0][0].name, changed[0][1], text, f"spelled {text!r}", sure=True)
        several = [{slot.name: new} for slot, new in changed]
        return unclear("more than one text could be meant", several) if several else None

    def _changed(self, change: Callable[[str], str | None]) -> list[tuple[Slot, Any]]:
        """The texts, and the lists of texts, of which one is changed, as they become."""
        changed: list[tuple[Slot, Any]] = []
        for slot in self.slots:
            if slot.kind == "text" and isinstance(slot.old, str) and (new := change(slot.old)) and new != slot.old:
                changed.append((slot, new))
            elif slot.kind == "list" and isinstance(slot.old, list) and all(isinstance(item, str) for item in slot.old):
                items = [change(item) or item for item in slot.old]
                if sum(one != other for one, other in zip(items, slot.old, strict=True)) == 1:
                    changed.append((slot, items))
        return changed

    def nearly(self, text: str) -> Part | None:
        """A text said anew with one word changed: "dinner is at 7" for "dinner is at 8"."""
        said = re.sub(r"(?i)^(?:it|that)(?:'s| is) ", "", text.strip("'\"")).split()
        for slot in self.texts:
            old = str(slot.old or "").split()
            changed = [one for one, other in zip(old, said, strict=False) if one.lower() != other.lower()]
            if len(old) == len(said) > 2 and len(changed) == 1 and len(old) - 1 > len(said) / 2:
                return self.whole(slot, " ".join(said))
        return None

    def quoted(self, text: str) -> Part | None:
        """What the message is to say, between quotes."""
        match = _QUOTED.fullmatch(text)
        held = [slot for slot in self.texts if slot.labels & {"text", "message", "title", "note", "label", "name"}]
        akin = [slot for slot in held if match and texts.shares(str(slot.old), match[1])]
        slots = akin or [slot for slot in held if slot.labels & {"text", "message"}] or held
        return self.whole(slots[0], match[1]) if match and len(slots) == 1 else None

    def placed(self, text: str) -> Part | None:
        """What the verb or the form tells the place of: "going to the airport", "send it to 5 Park Street"."""
        for pattern, labels in _PLACED:
            if match := pattern.fullmatch(text):
                words = re.split(r"(?i),? (?:and )?not ", match[1])[0]
                slots = [slot for slot in self.texts if labels & (slot.labels | {slot.name})]
                if (
                    len(slots) == 1
                    and texts.namelike(words)
                    and not re.match(r"(?i)(?:it|that|this|them|the \w+ one)$", words)
                ):
                    return self.whole(slots[0], words)
        if match := _HOUSE.fullmatch(text) or _HOUSE.fullmatch(Words(text).text):
            slots = [slot for slot in self.texts if re.match(r"\d+\b", str(slot.old or "")) or slot.labels & _PLACES]
            if len(slots) != 1:
                return None
            if match[2]:
                return self.whole(slots[0], f"{match[1]} {match[2].strip()}")
            if re.match(r"\d+ ", str(slots[0].old or "")) and text.lower().startswith(("number", "house", "no.")):
                return self.whole(slots[0], re.sub(r"^\d+\w?", match[1], str(slots[0].old)))
        return None

    def authored(self, text: str) -> Part | None:
        """ "Hello by Adele": a piece and who made it."""
        artist = [slot for slot in self.texts if _TO["by"] & slot.labels]
        piece = [slot for slot in self.texts if {"song", "track", "title", "book", "album"} & slot.labels]
        match = re.fullmatch(r"(\S.*?) by ((?:the )?[A-Z]\S*(?: \S+){0,3})", text)
        if not match or len(artist) != 1 or len(piece) != 1 or not texts.namelike(match[1]):
            return None
        return together(self.whole(piece[0], match[1]), self.whole(artist[0], match[2]))

    def recoloured(self, text: str) -> Part | None:
        """Another colour for the one that a text has: "make them green"."""
        said = [word for word in re.findall(r"[\w']+", text.lower()) if word not in COMMON]
        if len(said) != 1 or said[0] not in _COLOURS or any({"colour", "color"} & slot.labels for slot in self.slots):
            return None
        had = [(slot, word) for slot in self.texts for word in str(slot.old or "").lower().split() if word in _COLOURS]
        new = texts.substituted(str(had[0][0].old), had[0][1], said[0]) if len(had) == 1 else None
        return edit(had[0][0].name, new, text, f"{said[0]!r} for {had[0][1]!r}") if new else None

    def phrase(self, text: str, *, meant: bool) -> Part | None:
        """Words alone: mended where a text has a slip of them, else the text whose place they take."""
        bare = text.strip(" '\"")
        if not bare or len(bare.split()) > 7 or not self.texts or not texts.namelike(bare):
            return None
        if all(
            any(word in slot.labels for slot in self.slots)
            for word in re.sub(r"(?i)\b(?:the|your|its|with|of|and)\b", " ", bare).lower().split()
        ):
            return None
        core = re.sub(rf"^(?:(?i:it's|{_LEADS}) )?(?:(?:{_LEADS}) )*", "", bare)
        core = re.sub(r"(?:'s)? (?:one|version|thing)$", "", _RELATION.sub("", core))
        coloured = [slot for slot in self.texts if {"colour", "color"} & slot.labels]
        if core.lower() in MEALS and not any(slot.label in TITLES for slot in self.texts):
            return None
        if core.lower() in _COLOURS and len(coloured) == 1:
            return replace(self.whole(coloured[0], core), sure=False)
        if slip := self.slip(core):
            whole = {name for name, new in slip.edits.items() if new == core and re.match(r"The [A-Z]", bare)}
            slip.edits.update(dict.fromkeys(whole, bare))
            return slip
        told = self._news(lambda old: misheard(old, core, self.said.request))
        if self._news(lambda old: texts.substituted(old, core, core)):
            told = []
        if len(told) > 1:
            told = [(slot, new) for slot, new in told if texts.shares(str(slot.old), core)]
        lead = bare.split()[0].lower()
        if len(told) == 1 and not (lead in _TO and self._by_lead(bare, core)):
            return edit(told[0][0].name, told[0][1], bare, f"{core!r} is what was asked for")
        said = meant or core[:1].isupper() or self._asked(core)
        for slot, new in self._news(lambda old: texts.phrase_for(old, bare)) if said else ():
            return edit(slot.name, new, bare, f"{bare!r} in the {slot.label}")
        if said and (part := self._by_lead(bare, core)):
            return part
        if not meant:
            return self._doubtful(core)
        shared = self._news(lambda old: old if len(core.split()) > 1 and texts.shares(old, core) else None)
        return self.whole(shared[0][0], bare) if len(shared) == 1 else self._placed(bare, core)

    def _news(self, change: Callable[[str], str | None]) -> list[tuple[Slot, str]]:
        """The texts that the change makes something of, with that."""
        return [(slot, new) for slot in self.texts if isinstance(slot.old, str) and (new := change(slot.old))]

    def slip(self, words: str) -> Part | None:
        """Words that one text has a slip of."""
        slips = self._news(lambda old: texts.likened(old, words))
        if len(slips) > 1:
            slips = [(slot, new) for slot, new in slips if len(new.split()) == len(words.split())] or slips
        if len(slips) != 1:
            return None
        return edit(slips[0][0].name, slips[0][1], words, f"{words!r} is like what was taken", sure=True)

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
        if re.search(rf"(?i)(?<!\w){re.escape(core)}(?!\w)", str(slot.old)):
            return replace(self.whole(slot, core), sure=False) if len(words) < 4 else None
        return None if len(words) > 2 else replace(self.whole(slot, core), sure=False)

    def _head_or_tail(self, slot: Slot, core: str) -> Part | None:
        """For a title of several words: a title of its own, or one of its ends, where the request has the whole."""
        head, lead, tail = texts.divided(slot.old)
        if not lead:
            return None
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
        names = _PURPOSES if lead == "for" and core[:1].islower() else _TO.get(lead, set())
        fitting = [slot for slot in self.texts if core != bare and names & (slot.labels | {slot.name})]
        return replace(self.whole(fitting[0], core), sure=False) if len(fitting) == 1 else None


def _names_it(words: str, slot: Slot) -> bool:
    """Whether several words name it: "due date", "end time"."""
    said = set(words.lower().split())
    return len(said) > 1 and bool(said & slot.labels) and said <= slot.labels | {slot.kind}


def none_of(slot: Slot) -> Any:
    """The member of an enum that says that there is none; None where it has no such."""
    return next(
        (member for member in slot.schema.get("enum", ()) if str(member).lower() in ("none", "no", "nothing")), None
    )


def words_of(values: Iterator[Any] | Sequence[Any]) -> Set[str]:
    """The words of the texts among some values, lower-cased."""
    return {word for value in values if isinstance(value, str) for word in re.findall(r"[^\W\d_]{3,}", value.lower())}
