"""One sentence against one call: what it changes, blames or praises, clause by clause.

A clause is understood only where every word of it is explained, a sentence only where every clause is. Knows no other
call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import reduce

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections import names, texts
from toolmend.language.corrections.blame import judged
from toolmend.language.corrections.clauses import TALK, cores, divisions, says_meant
from toolmend.language.corrections.cues import by_cues
from toolmend.language.corrections.implied import Implied
from toolmend.language.corrections.listed import listed
from toolmend.language.corrections.named import Named
from toolmend.language.corrections.pairs import Pairs
from toolmend.language.corrections.part import Part, edit, together
from toolmend.language.corrections.recalled import RecallReader
from toolmend.language.corrections.reckoned import Reckoned
from toolmend.language.corrections.rewording import reworded
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import Slot, slots_of
from toolmend.language.corrections.swaps import Swaps
from toolmend.language.corrections.typed import Typed
from toolmend.language.corrections.understood import edited
from toolmend.language.corrections.values import Surroundings
from toolmend.language.corrections.worded import Worded, words_of
from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.words import Words

_SMALL_WORD = re.compile(r"(?i)(?:to|for|at|in|by|with|from|on)\b")
_CLAUSES = re.compile(
    r"(?:\s*[.!?;:,]+\s+|\s+[–—-]+\s+|\s+(?:because|since|cause|as|so|or(?= (?:it|i|we|they|he|she))|like|such as"
    r"|that's|which is)\s+)(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)",  # not inside quotes
    re.I,
)
_SO = re.compile(r"(?P<why>.*\S)(?:,| and)? so (?:it's |that's |make it |it should be |then )?(?P<then>\S.*)", re.I)
_PRAISES = re.compile(
    r"(?i)(?:^|, |; |[!.] |\bis |\bare |\bwould be |\bsounds |\blooks )(?:just |simply )?(?:great|perfect|lovely"
    r"|wonderful|nice|brilliant)$"
)
_THINGS = vocabulary.words("things")
_ASKS = re.compile(
    r"(?i)(?:what|where|when|who|how|is|are|do|does|did|which|can|could|would|will|also|and|plus|not|no)\b"
)
_CONTRARY = {"late": "earlier", "early": "later", "long": "shorter", "short": "longer"} | {
    **dict.fromkeys(("many", "much", "high", "warm", "hot", "loud", "bright"), "less"),
    **dict.fromkeys(("few", "little", "low", "cold", "cool", "quiet", "dark"), "more"),
}
_NO_LABELS = frozenset("thing text message number words word".split())
_FAULTS = vocabulary.words("faults")
_FAULT = re.compile(rf"(?i)\b(?:{vocabulary.either('fault')})\b")
_MAIL = re.compile(r"(?:[\w']+[ :]+){0,7}(\S+@\S+\.\w+)", re.I)
_SPOKEN_MAIL = re.compile(
    r"(?i)(?:.*\b(?:is|it's|meant|said|to|was|be|use|:) )?((?:\w+ dot )*\w+) at (\w+(?: dot \w+)+)(?:, \w+)?"
)
_FIGURES = re.compile(r"(?<!\S)\d(?: \d){2,}(?!\S)")
_CODE = re.compile(r"(?<!\w)(?=[A-Z ]*\d)(?!\d\d?(?!\w))[A-Z\d]{2,}(?: [A-Z\d]{2,})?(?!\w)")


class Reader:
    """Reads sentences against one call."""

    def __init__(self, call: Call, specs: Sequence[ToolSpec], said: Surroundings) -> None:
        self.call, self.specs, self.said = call, specs, said
        self.slots = slots_of(call, specs)
        known = words_of(list(call.arguments.values())) | set(names.split_name(call.tool.rpartition(".")[2]))
        self.typed = Typed(self.slots, said, known, frozenset(names.split_name(call.tool.rpartition(".")[2])[1:]))
        self.worded = Worded(self.slots, said)
        self.named = Named(self.slots, said, self.typed, self.worded)
        self.pairs = Pairs(self.slots, said, self.typed, self.named, self.worded)
        self.implied = Implied(self.slots, self.pairs.is_old)
        self.swaps, self.reckoned = Swaps(self.slots, said), Reckoned(self.slots, said)
        self.recalled = RecallReader(self.slots, said, self.typed, self.named, set(names.split_name(call.tool)))
        self.hint: frozenset[str] = frozenset()
        self.meant = False

    def sentence(self, text: str) -> Part | None:
        """What the whole sentence says; None where some of it is not understood."""
        part = listed(text, self.slots, self.said) or self._sentence(text)
        for slot in self.slots:
            value = part.edits.get(slot.name) if part else None
            if part and slot.kind == "text" and isinstance(value, str) and " " in value:
                part.edits[slot.name] = _unlabelled(value, slot)
        return part

    def _sentence(self, text: str) -> Part | None:
        self.meant = says_meant(text)
        if praised := self._praised(text):
            return Part(praised=praised)
        other = reworded(text)
        part = self.clause(other, 3) if other != text else None
        if part and part.says_something and not part.unclear:
            return part
        plain = self.clause(text, 3) or part
        if plain and not plain.unclear and (plain.edits or plain.same):
            return plain
        return self._beside_talk(text) or self._concluded(text) or self.recalled.read(text) or plain

    def _praised(self, text: str) -> set[str]:
        """The arguments whose values are said again and called good, and nothing else: "seven is perfect"."""
        values = segments(text)[0] if _PRAISES.search(text) else ()
        told = [slot for slot in self.slots if slot.numeric or slot.kind in ("date", "time", "date-time")]
        olds = [
            {slot.name for slot in told if slot.old in self.said.read(value.text, slot.schema).values}
            for value in values
        ]
        return set().union(*olds) if all(olds) else set()

    def _beside_talk(self, text: str) -> Part | None:
        """The clauses that are understood, where all others only talk: "the office, silly"."""
        clauses = [clause for clause in _CLAUSES.split(text) if clause]
        parts = [self.clause(clause, 1) for clause in clauses] if 1 < len(clauses) < 5 else []
        said = [part for part in parts if part is not None and part.says_something]
        talk = [clause for clause, part in zip(clauses, parts, strict=False) if part is None]
        if not any(part.edits for part in said) or any(part.unclear for part in said) or not talk:
            return None
        if not all(map(self._only_talks, talk)):
            return None
        return reduce(together, said)

    def _concluded(self, text: str) -> Part | None:
        """What follows from something: "only me, so one"."""
        match = _SO.fullmatch(text)
        part = self.clause(match["then"], 2) if match else None
        if match is None or part is None or part.unclear or not part.edits:
            return None
        part.sure = True
        return part

    def _only_talks(self, clause: str) -> bool:
        """Whether nothing in a clause could be a value, a request or a question."""
        words = re.findall(r"[\w'-]+", clause)
        labels = {label for slot in self.slots for label in (slot.label, slot.name)}
        named = [word for word in words[1:] if word[:1].isupper() and not re.match(r"I\b", word)]
        member = any(self.named.members(clause, slot.schema)[0] for slot in self.slots if slot.kind == "enum")
        return not (
            segments(clause)[0]
            or named
            or member
            or len(words) > 9
            or labels & {word.lower() for word in words}
            or _ASKS.match(clause)
            or by_cues(clause, (), ["?"]).reason.startswith(("is a request", "asks for"))
        )

    def clause(self, text: str, depth: int) -> Part | None:
        """One clause, or several one after the other."""
        part = self.whole(text)
        if (
            part is not None
            and not part.unclear
            and (not part.same or [value.kind for value in segments(text)[0]] == ["day"])
        ):
            return part
        for one, other in divisions(text) if depth else ():
            first = self.clause(one, depth - 1)
            if first is None or (_SMALL_WORD.match(other) and not first.edits):
                continue
            second = self._after(first).clause(other, depth - 1)
            if second is not None and not (first.unclear or second.unclear):
                return together(first, second, over={slot.name for slot in self.slots if slot.kind == "text"})
        return part if part and not (part.same or part.unclear) else self.implied.read(text) or part

    def _after(self, first: Part) -> Reader:
        """The reader of the next clause: it knows what was blamed, and the texts as they are now."""
        texts_ = {
            slot.name: first.edits[slot.name] for slot in self.slots if slot.kind == "text" and slot.name in first.edits
        }
        reader = Reader(edited(self.call, texts_), self.specs, self.said)
        reader.hint, reader.meant = self.hint | frozenset(first.blamed), self.meant
        return reader

    def whole(self, text: str) -> Part | None:
        """One clause, read as it is or without what stands around its core."""
        if self.only_wrong(text):
            return self.implied.read(text) or Part(wrong=True)
        ways = [text] if self._of_another(text) else cores(text)
        return _surest(Part(wrong=True) if self.only_wrong(core) else self.core(core) for core in ways)

    def _of_another(self, text: str) -> bool:
        """Whether a thing is spoken of that the call does not have: "the battery is at …"."""
        match = re.match(r"(?i)(?:the|my) (\w+) (?:is|was|goes|should|must|has to)\b", text)
        known = {word for slot in self.slots for label in slot.labels for word in label.split()}
        return match is not None and match[1].lower() not in known | self.typed.known | self.typed.tool | _THINGS

    def only_wrong(self, text: str) -> bool:
        """Whether the words say that something is wrong and nothing else."""
        words = re.findall(r"[\w']+", text.lower())
        labels = {label for slot in self.slots for label in slot.labels} - _NO_LABELS
        return words != [] and not set(words) & labels and set(words) <= TALK | _FAULTS and bool(_FAULT.search(text))

    def core(self, text: str) -> Part | None:
        """The words that count."""
        ways = (
            self.swaps.swapped,
            self.swaps.route,
            self.reckoned.read,
            self.named.flag,
            self.judged,
            lambda words: coded(self.worded.texts, words, self.said.request),
            self.worded.quoted,
            self.pairs.typed_pair,
            self.worded.nearly,
            self.worded.placed,
            self.named.called,
            self.hinted,
            self.worded.respelled,
            self.worded.authored,
            self.worded.recoloured,
            self.named.listed,
            self.pairs.pair,
            self.named.member,
            self.mixed,
            self.pairs.refused,
            self.worded.cut,
        )
        part = _surest(way(text) for way in ways)
        return part or (self.worded.phrase(text, meant=self.meant) if not segments(text)[0] else None)

    def hinted(self, text: str) -> Part | None:
        """Values of a kind, in the light of what was just blamed."""
        part = self.typed.read(text, self.hint)
        if part is None and self.hint and len(self.hint) == 1:
            slot = next(slot for slot in self.slots if slot.name in self.hint)
            if slot.kind == "text" and len(text.split()) <= 7 and texts.namelike(text) and not self.named.member(text):
                return self.worded.whole(slot, text)
        return part

    def mixed(self, text: str) -> Part | None:
        """Values of a kind with a member, or yes or no, between them: "two small ones"."""
        values, rest = segments(text)
        others = " ".join(rest.replace("~", " ").split())
        if not values or not others:
            return None
        beside = self.named.member(others) or self.named.flag(others) or self.worded.recoloured(others)
        if beside is None or not beside.edits:
            return None
        self.typed.beside = set(re.findall(r"[\w']+", others.lower()))
        part = self.typed.read(text)
        self.typed.beside = frozenset()
        return together(beside, part) if part and not part.unclear else None

    def judged(self, text: str) -> Part | None:
        """Blame and praise without a value."""
        match = re.fullmatch(
            r"(?:(?:it|that|this|they|you)(?:'s| is|'re| are| starts| begins| lasts)?|the [\w ]+?(?: is|'s)?)? ?"
            r"(?P<span>.*?) ?\b(?:too|not (?:that|so|nearly so)) (?P<how>\w+)",
            text,
            re.I,
        )
        if match and (more := _CONTRARY.get(match["how"].lower())) and segments(span := match["span"])[0]:
            return self.typed.read(f"{span} {more}")  # "an hour too late" is an hour earlier
        blamed, praised = judged(text, self.slots)
        if not blamed and not praised:
            return None
        olds = {slot.name: (slot.old,) for slot in self.slots if slot.name in blamed and slot.old is not None}
        return Part(blamed=blamed, praised=praised, excluded=olds)


def _surest(parts: Iterable[Part | None]) -> Part | None:
    """The first that is clear, else the first."""
    unsure: Part | None = None
    for part in parts:
        if part is not None and not part.unclear:
            return part
        unsure = unsure or part
    return unsure


def _unlabelled(value: str, slot: Slot) -> str:
    """A text without the name of its argument, where the old one goes without: "on the DIY list" is DIY."""
    match = re.fullmatch(
        rf"(?:(?:on|in|to|for|from) )?(?:(?:the|my|our) )?(\S.*?) {re.escape(slot.label)}", value, re.I
    )
    return match[1] if match else value


def coded(slots: Sequence[Slot], text: str, request: str) -> Part | None:
    """A number, a code or an address of letters said anew: "SW1A 2AP", "one forty" of room 104, "bryan@mail.test"."""
    for slot in slots:
        old = str(slot.old or "")
        told = _SPOKEN_MAIL.fullmatch(text) if "@" in old else None
        plain = f"{told[1]}@{told[2]}".replace(" dot ", ".") if told else text
        if "@" in old and (mail := _MAIL.fullmatch(plain)):
            return edit(slot.name, mail[1], mail[1], f"{mail[1]!r} is the {slot.label}", sure=True)
        runs = [code[0] for code in _CODE.finditer(old)]
        spoken = Words(text).text
        codes = [code[0] for code in _CODE.finditer(text)] + [spoken.replace(" ", "")]
        codes += [run[0].replace(" ", "") for run in _FIGURES.finditer(spoken)]
        asked = re.sub(r"\W", "", request).lower()
        near = {
            (run, code)
            for run in runs
            for code in codes
            if code.lower() != run.lower() and _near(code, run) and re.sub(r"\W", "", code).lower() in asked
        }
        rest = [value for value in segments(text)[0] if value.kind != "number"]
        if len(near) == 1 and len(rest) < 2:
            run, code = near.pop()
            return edit(slot.name, old.replace(run, code), text, f"{code!r} as it was asked for", sure=True)
    return None


def _near(one: str, other: str) -> bool:
    """Whether two codes are as long and differ little, or have the same characters in another order."""
    a, b = one.lower(), other.lower()
    return len(a) == len(b) and (
        sum(x != y for x, y in zip(a, b, strict=True)) <= max(2, len(a) // 3) or sorted(a) == sorted(b)
    )
