"""One sentence against one call: what it changes, blames or praises, clause by clause.

A clause is understood only where every word of it is explained, a sentence only where every clause is. Knows no other
call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.corrections import names, texts
from toolmend.corrections.blame import judged
from toolmend.corrections.clauses import TALK, closed, cores, divisions, opened, says_meant
from toolmend.corrections.codes import coded
from toolmend.corrections.cues import by_cues
from toolmend.corrections.implied import Implied
from toolmend.corrections.listed import listed
from toolmend.corrections.named import Named
from toolmend.corrections.pairs import Pairs
from toolmend.corrections.part import Part, together
from toolmend.corrections.recalled import Recalled
from toolmend.corrections.reckoned import Reckoned
from toolmend.corrections.rewording import reworded
from toolmend.corrections.segments import segments
from toolmend.corrections.slots import Slot, slots_of
from toolmend.corrections.swaps import Swaps
from toolmend.corrections.typed import Typed
from toolmend.corrections.understood import edited
from toolmend.corrections.values import Said
from toolmend.corrections.worded import Worded, words_of
from toolmend.messages import Call, ToolSpec

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
_THINGS = frozenset(
    "meeting event appointment entry thing alarm table order reminder booking reservation flight taxi cab timer "
    "trip stay "
    "transfer payment call lesson party one rest person right correct answer value actual".split()
)
_ASKS = re.compile(
    r"(?i)(?:what|where|when|who|how|is|are|do|does|did|which|can|could|would|will|also|and|plus|not|no)\b"
)
_TOO = {
    "time": r"early|late|soon",
    "date": r"early|late|soon",
    "length": r"long|short",
    "degrees": r"warm|hot|cold|cool|high|low",
    "percent": r"loud|quiet|bright|dark|high|low",
    "number": r"many|few|much|little",
    "money": r"much|little|high|low",
}
_CONTRARY = {"late": "earlier", "early": "later", "long": "shorter", "short": "longer"} | {
    **dict.fromkeys(("many", "much", "high", "warm", "hot", "loud", "bright"), "less"),
    **dict.fromkeys(("few", "little", "low", "cold", "cool", "quiet", "dark"), "more"),
}
_FAULTS = frozenset(
    "wrong mistake error mistakes fix correct check match matches doesn't don't isn't not never off reply "
    "entry call message something anything someone different misunderstood misread misheard messed mixed up "
    "compare over "
    "why how huh me your you've yourself me what's incorrect false bad still completely totally nothing "
    "somewhere with from mend differs looks look quite try nearly almost close nobody detail thing part least "
    "at both".split()
)
_FAULT = re.compile(
    r"(?i)\b(?:wrong|mistakes?|error|incorrect|false|misunderstood|misread|misheard|messed|mixed up|different"
    r"|differs|(?:doesn't|does not|don't) match|(?:isn't|is not|not|wasn't|never|didn't) (?:\w+ )?(?:right"
    r"|correct|it|what|that|true|said|say|asked|ask)"
    r"|something else|did you (?:even )?(?:read|listen)|fix|compare|is that what|is this what)\b"
)
_WRONG = re.compile(
    r"(?:(?:that|this|it|something|everything|all of it|the (?:call|entry|answer|reply))(?:'s| is| was|'re"
    r"| looks| seems| still)* ?)?"
    r"(?:(?:still |completely |totally |all |just |simply |quite |plain )*(?:wrong|incorrect"
    r"|not (?:quite )?(?:right|correct|it|good|what i (?:said|asked for|wanted|meant|asked|had in mind)|true)"
    r"|a mistake|off|false|mistaken)(?: (?:here|there|again|with (?:that|it|this)))?"
    r"|(?:can't|cannot) be (?:right|correct)"
    r"|isn't (?:right|correct|it|what i (?:said|asked for|wanted|meant))|doesn't (?:look|seem|sound) right"
    r"|(?:no|nope|nah)(?: no)*|you (?:made|have made) (?:a mistake|an error)|you got (?:it|that|this"
    r"|something) wrong|(?:there's|there is) (?:a mistake|an error|something wrong)(?: (?:in|with) (?:it|that"
    r"|this|there))?"
    r"|i (?:didn't|did not|never) (?:said|asked for|meant|wanted|say|ask for|mean|want) (?:that|this|it)"
    r"|redo (?:it|that)|try (?:it |that )?again|again|once more|not (?:quite|really|that)|fix (?:it|that)"
    r"|correct (?:it|that)"
    r"|check (?:it |that )?again|do (?:it|that) again|(?:you|you've) misunderstood(?: me)?"
    r"|you misheard(?: me)?|that's not it|not it|almost|nearly|close|(?:what a )?nonsense|rubbish|what,? no"
    r"|(?:that|this|it) (?:can't|cannot|couldn't|doesn't|won't|isn't|must not) (?:be|look|seem|sound)? ?(?:right"
    r"|correct|true|it)"
    r"|(?:are you|you) sure(?: about (?:that|this|it))?|is (?:that|this|it) (?:really )?(?:right|correct"
    r"|what i (?:said|asked for"
    r"|wanted|meant))|(?:read|listen to|look at|check) (?:my (?:message|request|words|sentence)|what i (?:said"
    r"|wrote|asked)|me)"
    r"(?: (?:again|once more|carefully|properly|more carefully))*|(?:that's|it's|this is) (?:not"
    r"|nothing like) (?:even close|near)"
    r"|(?:you )?(?:have another|try another) (?:go|look|try)|i don't think so|not what i ordered)",
    re.I,
)


class Reader:
    """Reads sentences against one call."""

    def __init__(self, call: Call, specs: Sequence[ToolSpec], said: Said) -> None:
        self.call, self.specs, self.said = call, specs, said
        self.slots = slots_of(call, specs)
        known = words_of(list(call.arguments.values())) | set(names.split_name(call.tool.rpartition(".")[2]))
        self.typed = Typed(self.slots, said, known, frozenset(names.split_name(call.tool.rpartition(".")[2])[1:]))
        self.worded = Worded(self.slots, said)
        self.named = Named(self.slots, said, self.typed, self.worded)
        self.pairs = Pairs(self.slots, said, self.typed, self.named, self.worded)
        self.implied = Implied(self.slots, self.pairs.is_old)
        self.swaps, self.reckoned = Swaps(self.slots, said), Reckoned(self.slots, said)
        self.recalled = Recalled(self.slots, said, self.typed, self.named, set(names.split_name(call.tool)))
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
        olds = [{slot.name for slot in self.slots if self._has(slot, value.text)} for value in values]
        return set().union(*olds) if all(olds) else set()

    def _has(self, slot: Slot, words: str) -> bool:
        if slot.old is None or slot.kind in ("text", "enum", "list", "truth", "object"):
            return False
        return slot.old in self.said.read(words, slot.schema).values

    def _beside_talk(self, text: str) -> Part | None:
        """The clauses that are understood, where all others only talk: "the office, silly"."""
        clauses = [clause for clause in _CLAUSES.split(text) if clause]
        parts = [self.clause(clause, 1) for clause in clauses] if 1 < len(clauses) < 5 else []
        said = [part for part in parts if part is not None and part.says_something]
        talk = [clause for clause, part in zip(clauses, parts, strict=False) if part is None]
        if not any(part.edits for part in said) or any(part.unclear for part in said) or not talk:
            return None
        if not all(self._only_talks(clause) for clause in talk):
            return None
        whole = said[0]
        for part in said[1:]:
            whole = together(whole, part)
        return whole

    def _concluded(self, text: str) -> Part | None:
        """What follows from something: "only me, so one"."""
        match = _SO.fullmatch(text)
        part = self.clause(match["then"], 2) if match else None
        if match is None or part is None or part.unclear or not part.edits:
            return None
        why = self.clause(match["why"], 1)
        if why and not why.unclear and not set(why.edits) <= set(part.edits):
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
        if not closed(opened(text)):
            return self.whole(text) or Part()
        part = self.whole(text)
        if part is not None and not part.unclear and not part.same:
            return part
        for one, other in divisions(text) if depth else ():
            first = self.clause(one, depth - 1)
            if first is None or (_SMALL_WORD.match(other) and not first.edits):
                continue
            if not first.says_something and opened(one) and not _WRONG.fullmatch(one):
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
        if _WRONG.fullmatch(text.strip(" .!?,")) or self.only_wrong(text):
            return self.implied.read(text) or Part(wrong=True)
        unsure: Part | None = None
        ways = [text] if self._of_another(text) else cores(text)
        for core in ways:
            if _WRONG.fullmatch(core):
                return Part(wrong=True)
            part = self.core(core)
            if part is not None and not part.unclear:
                return part
            unsure = unsure or part
        return unsure

    def _of_another(self, text: str) -> bool:
        """Whether a thing is spoken of that the call does not have: "the battery is at …"."""
        match = re.match(r"(?i)(?:the|my) (\w+) (?:is|was|goes|should|must|has to)\b", text)
        known = {word for slot in self.slots for label in slot.labels for word in label.split()}
        return match is not None and match[1].lower() not in known | self.typed.known | self.typed.tool | _THINGS

    def only_wrong(self, text: str) -> bool:
        """Whether the words say that something is wrong and nothing else."""
        words = re.findall(r"[\w']+", text.lower())
        labels = {label for slot in self.slots for label in slot.labels} - {
            "thing",
            "text",
            "message",
            "number",
            "words",
            "word",
        }
        return (
            bool(words)
            and all(word in TALK or word in _FAULTS for word in words)
            and not set(words) & labels
            and _FAULT.search(text) is not None
        )

    def core(self, text: str) -> Part | None:
        """The words that count."""
        unsure: Part | None = None
        for way in (
            self.swaps.swapped,
            self.swaps.route,
            self.reckoned.read,
            self.named.forgotten,
            self.named.flag,
            self.named.none,
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
        ):
            part = way(text)
            if part is not None and not part.unclear:
                return part
            unsure = unsure or part
        return unsure or (self.worded.phrase(text, meant=self.meant) if not segments(text)[0] else None)

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
        beside = (
            (self.named.member(others) or self.named.flag(others) or self.worded.recoloured(others))
            if values and others
            else None
        )
        if beside is None or not beside.edits:
            return None
        self.typed.beside = set(re.findall(r"[\w']+", others.lower()))
        part = self.typed.read(text)
        self.typed.beside = frozenset()
        return together(beside, part) if part and not part.unclear else None

    def judged(self, text: str) -> Part | None:
        """Blame and praise without a value."""
        for kind, pattern in (("time", r"at that (?:time|hour)"), ("date", r"on that (?:day|date)")):
            if re.fullmatch(
                rf"(?:it|that|this)?(?:'s| is)? ?(?:doesn't|does not|isn't|not|won't|we don't)(?: (?:start"
                rf"|begin|be|take place|happen|meet|it))? {pattern}",
                text,
                re.I,
            ):
                slots = [slot for slot in self.slots if slot.kind == kind]
                if len(slots) == 1:
                    return Part(blamed={slots[0].name}, excluded={slots[0].name: (slots[0].old,)})
        match = re.fullmatch(
            r"(?:(?:it|that|this|they|you)(?:'s| is|'re| are| starts| begins| lasts)?|the [\w ]+?(?: is|'s)?)? ?"
            r"(?P<span>.*?) ?\b(?:too|not (?:that|so|nearly so)) (?P<how>\w+)",
            text,
            re.I,
        )
        if match and (part := self._too(match["span"], match["how"].lower())):
            return part
        blamed, praised = judged(text, self.slots)
        if self.meant and (alone := re.fullmatch(r"(?i)(?:not )?(?:the|that) ([\w ]+)", text)):
            blamed = blamed or {slot.name for slot in self.slots if alone[1].lower() == slot.label}
        if not blamed and not praised:
            return None
        olds = {slot.name: slot.old for slot in self.slots}
        return Part(
            blamed=blamed, praised=praised, excluded={name: (olds[name],) for name in blamed if olds[name] is not None}
        )

    def _too(self, span: str, how: str) -> Part | None:
        """ "too late" blames, "an hour too late" is an hour earlier."""
        if segments(span)[0] and how in _CONTRARY and not re.search(r"(?:\bis|\bare|'s|\bwas)$", span):
            return self.typed.read(f"{span} {_CONTRARY[how]}")
        if span.strip(" ,").lower() not in (
            "",
            "much",
            "far",
            "way",
            "a bit",
            "a little",
            "just",
            "way way",
            "rather",
            "still",
        ):
            return None
        slots = [slot for slot in self.slots if how in _TOO.get(slot.kind, "").split("|")]
        if not slots:
            slots = [
                slot for slot in self.slots if slot.kind == "number" and how in "warm|hot|cold|cool|loud|quiet|high|low"
            ]
        clocks = [slot for slot in slots if slot.kind == "time"] or slots
        if len(clocks) != 1:
            return None
        return Part(blamed={clocks[0].name}, excluded={clocks[0].name: (clocks[0].old,)})


def _unlabelled(value: str, slot: Slot) -> str:
    """A text without the name of its argument, where the old one goes without: "on the DIY list" is DIY."""
    if slot.label in str(slot.old).lower().split():
        return value
    match = re.fullmatch(
        rf"(?:(?:on|in|to|for|from) )?(?:(?:the|my|our) )?(\S.*?) {re.escape(slot.label)}", value, re.I
    )
    return match[1] if match else value
