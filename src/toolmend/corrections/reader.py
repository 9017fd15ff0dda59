"""One sentence against one call: what it changes, blames or praises, clause by clause.

A clause is understood only where every word of it is explained; a sentence only where every clause is. Knows no other call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from toolmend.corrections import names, texts
from toolmend.corrections.blame import judged
from toolmend.corrections.clauses import TALK, closed, cores, divisions, opened, says_meant
from toolmend.corrections.named import Named, words_of
from toolmend.corrections.part import Part, edit, together, unclear
from toolmend.corrections.segments import segments
from toolmend.corrections.slots import Slot, slots_of
from toolmend.corrections.typed import Typed, same_value
from toolmend.corrections.values import Said
from toolmend.messages import Call, ToolSpec

_PAIRS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"(?:it's |that's |it is |it was )?(?P<new>[^,.;]+?),? (?:and |but )?(?:not|instead of|rather than|in place of) (?P<old>[^,.;]+)",
        r"(?:it's |that's |it is |it was )?(?:not|instead of|rather than) (?P<old>.+?)(?:,? but|,|\.| -+|;|:) (?:it's |it is |it should be |i (?:said|meant) |rather |make it |at |on )?(?P<new>.+)",
        r"(?:it |that |this )?(?:isn't|is not|wasn't|ain't) (?P<old>.+?)(?:,? but|,|\.|;) (?:it's |it is |it should be |i (?:said|meant) )?(?P<new>.+)",
        r"(?:change|move|switch|set|put|correct|turn|shift|lower|raise|take|go)(?: (?:it|that|this|the \w+))? from (?P<old>.+?) to (?P<new>.+)",
        r"(?:replace|swap|substitute) (?P<old>.+?) (?:with|by|for) (?P<new>.+)",
        r"(?:change|turn|make|correct) (?!it\b|that\b|this\b|them\b)(?:the )?(?P<old>.+?) (?:to|into|for) (?P<new>.+)",
        r"you (?:put|wrote|took|said|have|made it|typed|sent|booked|ordered|set|understood|heard)(?: down)? (?P<old>.+?),? (?:but |and )?(?:i (?:said|meant|wanted|asked for)|it's|it should be|it is|make it|not) (?P<new>.+)",
        r"i (?:said|meant|wanted|asked for) (?P<new>.+?),? (?:but |and )?you (?:put|wrote|took|made it|have|typed|sent|booked|ordered|set|heard)(?: down)? (?P<old>.+)",
        r"(?P<old>.+?) (?:should|must|has to|needs to|ought to) (?:be|read|say|have been) (?P<new>.+)",
        r"(?P<old>.+?) is wrong[,;.:]? (?:it's|it is|it should be|make it|i (?:said|meant)) (?P<new>.+)",
    )
)  # fmt: skip
_SWAP_WORDS = frozenset("you you've i have has had been swap swapped switch switched mixed mix up them these those they the two names values arguments it it's that that's is are both round around other way wrong got get "
    "reversed reverse exchange exchanged confused vice versa backwards in order and places please with each about they're those".split())
_SWAPS = re.compile(r"(?i)\b(?:swap\w*|switched|switch them|mixed (?:\w+ ){0,4}up|reversed|way (?:a?round|about)|backwards|vice versa|wrong order|exchange|confused)\b")
_NOT = re.compile(r"(?:it|that|this)?(?:'s| is)? ?(?:not|isn't|wasn't|doesn't (?:start|begin|last|take)|(?:isn't|not) supposed to be) (?:at |on |for |in |with |called )?(?P<old>.+)", re.I)
_TOO = {
    "time": r"too (?:early|late|soon)",
    "length": r"too (?:long|short)",
    "degrees": r"too (?:warm|hot|cold|cool|high|low)",
    "percent": r"too (?:loud|quiet|bright|dark|high|low)",
    "number": r"too (?:many|few|much|little)",
    "money": r"too (?:much|little|high|low)",
}
_FAULTS = frozenset(
    "wrong mistake error mistakes fix correct check match matches doesn't don't isn't not never off reply entry call message something anything someone different misunderstood misread misheard messed mixed up compare over "
    "why how huh me your you've yourself me what's incorrect false bad still completely totally nothing somewhere with from mend differs looks look quite try nearly almost close nobody detail thing part least at both".split()
)
_FAULT = re.compile(
    r"(?i)\b(?:wrong|mistakes?|error|incorrect|false|off|misunderstood|misread|misheard|messed|mixed up|different|differs|(?:doesn't|does not|don't) match|(?:isn't|is not|not|wasn't|never|didn't) (?:\w+ )?(?:right|correct|it|what|that|true|said|say|asked|ask)"
    r"|something else|did you (?:even )?(?:read|listen)|fix|compare|is that what|is this what)\b"
)
_WRONG = re.compile(
    r"(?:(?:that|this|it|something|everything|all of it|the (?:call|entry|answer|reply))(?:'s| is| was|'re| looks| seems| still)* ?)?"
    r"(?:(?:still |completely |totally |all |just |simply |quite |plain )*(?:wrong|incorrect|not (?:quite )?(?:right|correct|it|good|what i (?:said|asked for|wanted|meant|asked|had in mind)|true)|a mistake|off|false|mistaken)(?: (?:here|there|again|with (?:that|it|this)))?"
    r"|isn't (?:right|correct|it|what i (?:said|asked for|wanted|meant))|doesn't (?:look|seem|sound) right"
    r"|(?:no|nope|nah)(?: no)*|you (?:made|have made) (?:a mistake|an error)|you got (?:it|that|this|something) wrong|(?:there's|there is) (?:a mistake|an error|something wrong)(?: (?:in|with) (?:it|that|this|there))?"
    r"|i (?:didn't|did not|never) (?:said|asked for|meant|wanted|say|ask for|mean|want) (?:that|this|it)|try (?:it |that )?again|again|once more|not (?:quite|really|that)|fix (?:it|that)|correct (?:it|that)|check (?:it |that )?again|do (?:it|that) again|(?:you|you've) misunderstood(?: me)?|you misheard(?: me)?|that's not it|not it|almost|nearly|close)", re.I
)  # fmt: skip


class Reader:
    """Reads sentences against one call."""

    def __init__(self, call: Call, specs: Sequence[ToolSpec], said: Said) -> None:
        self.call, self.said = call, said
        self.slots = slots_of(call, specs)
        known = words_of(list(call.arguments.values())) | set(names.split_name(call.tool.rpartition(".")[2]))
        self.typed = Typed(self.slots, said, known)
        self.named = Named(self.slots, said, self.typed)
        self.hint: frozenset[str] = frozenset()
        self.meant = False

    def sentence(self, text: str) -> Part | None:
        """What the whole sentence says; None where some of it is not understood."""
        self.meant = says_meant(text)
        return self.clause(text, 3)

    def clause(self, text: str, depth: int) -> Part | None:
        """One clause, or several one after the other."""
        if not closed(opened(text)):
            return self.whole(text) or Part()
        part = self.whole(text)
        if part is not None and not part.unclear:
            return part
        for one, other in divisions(text) if depth else ():
            first = self.clause(one, depth - 1)
            if first is None or (not first.says_something and opened(one) and not _WRONG.fullmatch(one)):
                continue
            before, self.hint = self.hint, self.hint | frozenset(first.blamed)
            second = self.clause(other, depth - 1)
            self.hint = before
            if second is not None and not (first.unclear or second.unclear):
                return together(first, second)
        return part

    def whole(self, text: str) -> Part | None:
        """One clause, read as it is or without what stands around its core."""
        if _WRONG.fullmatch(text.strip(" .!?,")) or self.only_wrong(text):
            return Part(wrong=True)
        unsure: Part | None = None
        for core in cores(text):
            if _WRONG.fullmatch(core):
                return Part(wrong=True)
            part = self.core(core)
            if part is not None and not part.unclear:
                return part
            unsure = unsure or part
        return unsure

    def only_wrong(self, text: str) -> bool:
        """Whether the words say that something is wrong and nothing else."""
        words = re.findall(r"[\w']+", text.lower())
        labels = {label for slot in self.slots for label in slot.labels} - {"thing", "text", "message", "number", "words", "word"}
        return bool(words) and all(word in TALK or word in _FAULTS for word in words) and not set(words) & labels and _FAULT.search(text) is not None

    def core(self, text: str) -> Part | None:
        """The words that count."""
        unsure: Part | None = None
        for way in (self.swapped, self.judged, self.typed_pair, self.hinted, self.named.respelled, self.named.called,
                    self.named.flag, self.named.listed, self.pair, self.named.member, self.mixed, self.refused, self.named.cut):  # fmt: skip
            part = way(text)
            if part is not None and not part.unclear:
                return part
            unsure = unsure or part
        return unsure or (self.named.phrase(text, meant=self.meant) if not segments(text)[0] else None)

    def hinted(self, text: str) -> Part | None:
        """Values of a kind, in the light of what was just blamed."""
        part = self.typed.read(text, self.hint)
        if part is None and self.hint and len(self.hint) == 1:
            slot = next(slot for slot in self.slots if slot.name in self.hint)
            if slot.kind == "text" and len(text.split()) <= 7 and texts.namelike(text):
                return self.named.whole(slot, text)
        return part

    def mixed(self, text: str) -> Part | None:
        """Values of a kind with a member, or yes or no, between them: "two small ones"."""
        values, rest = segments(text)
        others = " ".join(rest.replace("~", " ").split())
        beside = (self.named.member(others) or self.named.flag(others)) if values and others else None
        if beside is None or not beside.edits:
            return None
        self.typed.beside = set(re.findall(r"[\w']+", others.lower()))
        part = self.typed.read(text)
        self.typed.beside = frozenset()
        return together(beside, part) if part and not part.unclear else None

    def judged(self, text: str) -> Part | None:
        """Blame and praise without a value."""
        for kind, pattern in (("time", r"at that (?:time|hour)"), ("date", r"on that (?:day|date)")):
            if re.fullmatch(rf"(?:it|that|this)?(?:'s| is)? ?(?:doesn't|does not|isn't|not|won't|we don't)(?: (?:start|begin|be|take place|happen|meet|it))? {pattern}", text, re.I):
                slots = [slot for slot in self.slots if slot.kind == kind]
                if len(slots) == 1:
                    return Part(blamed={slots[0].name}, excluded={slots[0].name: (slots[0].old,)})
        for kind, pattern in _TOO.items():
            if re.fullmatch(rf"(?:(?:it|that|this|they)(?:'s| is| starts| begins| lasts| are)?|the (\w+)(?:'s| is)?)? ?(?:much |far |way |a bit )?{pattern}", text, re.I):
                slots = [slot for slot in self.slots if slot.kind == kind]
                slots = slots or [slot for slot in self.slots if slot.kind == "number" and kind in ("degrees", "percent", "money")]
                if len(slots) == 1:
                    return Part(blamed={slots[0].name}, excluded={slots[0].name: (slots[0].old,)})
        blamed, praised = judged(text, self.slots)
        if self.meant and (alone := re.fullmatch(r"(?i)(?:not )?(?:the|that) ([\w ]+)", text)):
            blamed = blamed or {slot.name for slot in self.slots if alone[1].lower() == slot.label}
        if not blamed and not praised:
            return None
        olds = {slot.name: slot.old for slot in self.slots}
        return Part(blamed=blamed, praised=praised, excluded={name: (olds[name],) for name in blamed if olds[name] is not None})

    def swapped(self, text: str) -> Part | None:
        """Two arguments of one kind, or two names in a text, the other way round."""
        labels = {word for slot in self.slots for word in (*slot.label.split(), *slot.labels)}
        if not _SWAPS.search(text) or not set(re.findall(r"[\w']+", text.lower())) <= _SWAP_WORDS | labels:
            return None
        named = [slot for slot in self.slots if any(re.search(rf"\b{re.escape(word)}\b", text.lower()) for word in (slot.label, slot.name))]
        pool = named if len(named) == 2 else [slot for slot in self.slots if slot.old is not None]
        pairs = [(a, b) for place, a in enumerate(pool) for b in pool[place + 1 :] if a.kind == b.kind and a.old != b.old and a.kind != "truth"]
        inside = [(slot, new) for slot in self.slots if slot.kind == "text" and isinstance(slot.old, str) and (new := texts.names_swapped(slot.old))]
        edits: list[dict[str, Any]] = [{a.name: b.old, b.name: a.old} for a, b in pairs]
        edits += [{slot.name: new} for slot, new in inside] if len(named) != 2 else []
        if len(edits) > 1 and self.said.request:
            edits = [change for change in edits if _told(change, self.said.request)] or edits
        if len(edits) == 1:
            return Part(edits[0], dict.fromkeys(edits[0], text), how="the other way round", sure=True)
        return unclear("more than one pair could be swapped", edits) if edits else Part(wrong=True)

    # one value for another ----------------------------------------------------------------------------------------

    def typed_pair(self, text: str) -> Part | None:
        """A pair whose old value is that of an argument."""
        for pattern in _PAIRS:
            if match := pattern.fullmatch(text):
                for new in cores(match["new"]):
                    if part := self.exchanged(closed(match["old"]).strip(" '\""), new.strip(" '\"")):
                        return part
        return None

    def exchanged(self, old: str, new: str) -> Part | None:
        """`new` for `old`, where exactly one argument has the old value."""
        options: list[Part] = []
        bare = re.sub(r"(?i)^(?:at|on|for|in|the|until) (?=\S)", "", old)
        for slot in self.slots:
            if (part := self._exchanged(slot, old, new) or (self._exchanged(slot, bare, new) if bare != old else None)) is not None:
                options.append(part)
        edits = [part for part in options if part.edits]
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
            value = texts.substituted(str(slot.old), old, new)
            return edit(slot.name, value, new, f"{new!r} for {old!r}") if value and not _odd(value) and texts.namelike(new) else None
        if slot.kind == "enum":
            was, now = self.named.members(old, slot.schema), self.named.members(new, slot.schema)
            if was[0] == [slot.old] and len(now[0]) == 1 and not [word for word in now[1] if len(word) > 3]:
                return edit(slot.name, now[0][0], new, f"{new!r} for {old!r}")
            return None
        if slot.kind == "list":
            return self._in_list(slot, old, new)
        if slot.kind in ("truth", "object"):
            return None
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
        if value.kind == "length" and slot.kind == "number":
            return ()
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
        return edit(slot.name, self.named._ordered(slot, values), new, f"{new!r} for {old!r}")

    def pair(self, text: str) -> Part | None:
        """A pair whose old value stands nowhere: the new one alone, where its kind says what it is for."""
        for pattern in _PAIRS[:3]:
            match = pattern.fullmatch(text)
            if not match or re.match(r"(?i)(?:without|drop|no) ", text):
                continue
            for new in cores(match["new"]):
                if [value.kind for value in segments(new)[0]] == ["number"] and sum(slot.numeric for slot in self.slots) > 1:
                    return unclear(f"nothing here is {match['old']!r}")
                part = self.typed.read(new) or self.named.flag(new) or self.named.member(new)
                if part and part.edits:
                    return part
                slips = self.named.phrase(new, meant=False)
                if slips:
                    return slips
        return None

    def refused(self, text: str) -> Part | None:
        """A value that is not wanted, and none instead: "not on Friday"."""
        match = _NOT.fullmatch(text)
        if not match:
            return None
        old = match["old"].strip(" '\"")
        blamed = {slot.name: slot.old for slot in self.slots if slot.old is not None and self._is(slot, old)}
        if len(blamed) != 1:
            return None
        return Part(blamed=set(blamed), excluded={name: (value,) for name, value in blamed.items()}, wrong=True)

    def _is(self, slot: Slot, words: str) -> bool:
        if slot.kind == "text":
            return texts.substituted(str(slot.old), words, "x") is not None
        if slot.kind == "enum":
            return self.named.members(words, slot.schema)[0] == [slot.old]
        values, _ = segments(words)
        return len(values) == 1 and slot in self._could_be(values[0], slot) and same_value(slot, words, self.said)


def _told(change: dict[str, Any], request: str) -> bool:
    return all(str(value).lower() in request.lower() for value in change.values())


def _odd(value: str) -> bool:
    """Whether a word now stands twice in a row."""
    return re.search(r"(?i)\b(\w+) \1\b", value) is not None
