"""Clauses that name the wrong value: "Marta, not Martha", "from two to three", "not on Friday". Knows one call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from toolmend.language.corrections import texts
from toolmend.language.corrections.clauses import closed, cores
from toolmend.language.corrections.named import Named
from toolmend.language.corrections.part import Part, edit, unclear
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.typed import Typed, same_value
from toolmend.language.corrections.values import Surroundings
from toolmend.language.corrections.worded import Worded
from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.words import Words

_PAIRS = tuple(re.compile(pattern, re.I) for pattern in vocabulary.each("pairs"))
_NOT = re.compile(
    r"(?:(?:(?:i|we) (?:didn't|never|did not) (?:say|said|ask(?:ed)? for|mean|meant|want|wanted|order|ordered|write)"
    r"|(?:it|that) (?:doesn't|does not|shouldn't) (?:go|cost|belong)) |"
    r"(?:(?:i'm|we're|i am|we are)(?= not)|it|that|this)?(?:'s| is)? ?(?:not (?:going|flying|driving|coming"
    r"|playing|eating|meeting|paying)(?= (?:to|at|with|on|in|for))|not|isn't|wasn't"
    r"|(?:shouldn't|mustn't|won't) (?:be|start|begin|go|last)|doesn't (?:start|begin|last"
    r"|take)|(?:isn't|not) supposed to be) )(?:at |on |for |in |with |to |called )?(?:the )?(?P<old>.+)",
    re.I,
)


class Pairs:
    """Reads clauses of an old value and a new one against the arguments of one call."""

    def __init__(self, slots: Sequence[Slot], said: Surroundings, typed: Typed, named: Named, worded: Worded) -> None:
        self.slots, self.said, self.typed, self.named, self.worded = slots, said, typed, named, worded

    def typed_pair(self, text: str) -> Part | None:
        """A pair whose old value is that of an argument."""
        for pattern in _PAIRS:
            if match := pattern.fullmatch(text):
                named = re.sub(r"(?i)^(?:the|its|my) \w+ (?:is|should be|was|has to be) ", "", match["new"])
                for new in [*cores(match["new"]), named]:
                    if part := self.exchanged(closed(match["old"]).strip(" '\""), new.strip(" '\"")):
                        return part
        return None

    def exchanged(self, old: str, new: str) -> Part | None:
        """`new` for `old`, where exactly one argument has the old value."""
        options: list[Part] = []
        bare = re.sub(r"(?i)^(?:at|on|for|in|the|until) (?=\S)", "", old)
        for slot in self.slots:
            if (
                part := self._exchanged(slot, old, new) or (self._exchanged(slot, bare, new) if bare != old else None)
            ) is not None:
                options.append(part)
        edits = [part for part in options if part.edits]
        whole = {
            slot.name for slot in self.slots if str(slot.old).lower() in (old.lower(), bare.lower().removesuffix("'s"))
        }
        edits = [part for part in edits if whole & set(part.edits)] or edits
        if len(edits) == 1:
            edits[0].sure = True
            return edits[0]
        if len(edits) > 1:
            return unclear(f"{old!r} stands in more than one place", [part.edits for part in edits])
        return options[0] if options else None

    def _exchanged(self, slot: Slot, old: str, new: str) -> Part | None:
        if slot.old is None:
            return None
        if slot.kind == "text":
            if slot.labels & {"artist", "band"} and str(slot.old).lower().startswith(old.lower().removesuffix("'s")):
                return self.worded.whole(slot, re.sub(r"(?i)^by |'s(?: \w+)?$| (?:version|one)$", "", new))
            value = texts.substituted(str(slot.old), old, new)
            if not value or not texts.namelike(new):
                return None
            kept = set(str(slot.old).lower().split()) - set(f"{old} {Words(old).text}".lower().split())
            whole = kept and kept < set(new.lower().split())  # "20 Church Lane, not 2"
            return self.worded.whole(slot, new) if whole else edit(slot.name, value, new, f"{new!r} for {old!r}")
        if slot.kind == "list":
            return self._in_list(slot, old, new)
        values, rest = segments(old)
        if len(values) != 1 or not self.typed.explains(rest, slot) or slot not in self._could_be(values[0], slot):
            return None
        if not same_value(slot, old, self.said) or not segments(new)[0]:
            return None
        part = self.typed.read(new, {slot.name})
        if part and part.edits and (slot.name in part.edits or segments(new)[0][0].kind == "clock range"):
            return part
        return self.typed.given(slot, new) if self.typed.explains(segments(new)[1], slot) else None

    def _could_be(self, value: Any, slot: Slot) -> tuple[Slot, ...]:
        if value.kind == "number":
            return (slot,) if slot.numeric or slot.kind in ("time", "date", "date-time") else ()
        return self.typed.fitting(value, "", {slot.name})

    def _in_list(self, slot: Slot, old: str, new: str) -> Part | None:
        schema = slot.schema.get("items") or {}
        if "enum" in schema:
            was, now = self.named.members(old, schema)[0], self.named.members(new, schema)[0]
        else:
            was = [item for item in slot.old if str(item).lower() == old.lower()]
            now = [new]
        if len(was) != 1 or len(now) != 1 or was[0] not in slot.old:
            return None
        values = [now[0] if item == was[0] else item for item in slot.old]
        return edit(slot.name, self.named.ordered(slot, values), new, f"{new!r} for {old!r}")

    def pair(self, text: str) -> Part | None:
        """A pair whose old value stands nowhere: the new one alone, where its kind says what it is for."""
        for pattern in _PAIRS[:3]:
            match = pattern.fullmatch(text)
            if not match or re.match(r"(?i)(?:without|drop|no) ", text):
                continue
            for new in cores(match["new"]):
                if (off := self.named.flag(f"not {match['old']}")) and off.edits and len(new.split()) < 4:
                    return off
                part = self.typed.read(new) or self.named.flag(new) or self.named.member(new)
                if part and part.edits:
                    return part
        return None

    def refused(self, text: str) -> Part | None:
        """A value that is not wanted, and none instead: "not on Friday"."""
        match = _NOT.fullmatch(text)
        if not match or re.match(r"(?i)not (?:that|so|too|nearly) (?!one)\w+", text):
            return None
        old = match["old"].strip(" '\"")
        blamed = {slot.name: slot.old for slot in self.slots if slot.old is not None and self.is_old(slot, old)}
        if len(blamed) != 1:
            return None
        return Part(blamed=set(blamed), excluded={name: (value,) for name, value in blamed.items()}, wrong=True)

    def is_old(self, slot: Slot, words: str) -> bool:
        """Whether the words name the value that the argument has."""
        if slot.kind == "text":
            return texts.substituted(str(slot.old), words, "x") is not None
        if slot.kind == "enum":
            return self.named.members(words, slot.schema)[0] == [slot.old]
        if slot.kind == "list" and "enum" in (slot.schema.get("items") or {}):
            items = self.named.members(words, slot.schema["items"])[0]
            return bool(items) and all(item in slot.old for item in items)
        if slot.kind == "truth":
            return slot.old is True and self.named.names(slot, words)
        values, _ = segments(words)
        return len(values) == 1 and slot in self._could_be(values[0], slot) and same_value(slot, words, self.said)
