"""Blame that names no argument: "far too warm", "that isn't enough", "not fifty", "that's not where I live".

What a word of degree, of kind or of place is about tells the argument; so does the value that is refused. Knows one
call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from toolmend.language.corrections.part import Part
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import Slot
from toolmend.language.resolve import vocabulary

_DEGREES = vocabulary.table("about degrees")
"""What a word of degree is about: kinds of values and words for arguments, the likeliest first."""
_STRONG = vocabulary.table("about outcries")
_ADJECTIVE = "|".join(_DEGREES)
_COMPARED = (
    r"earlier|later|sooner|longer|shorter|warmer|hotter|colder|cooler|louder|quieter|brighter|darker|dimmer|higher"
    r"|lower|bigger|smaller|larger|faster|slower|cheaper"
)
_TOO = re.compile(
    rf"\b(?:too (?P<too>{_ADJECTIVE})|(?:that|so|nearly|quite|half|anywhere near) (?P<that>{_ADJECTIVE})"
    rf"|(?P<compared>{_COMPARED}) than (?:that|this|it)"
    rf"|(?P<more>more|less|fewer)(?: (?P<what>[\w ]+?))? than (?:that|this)|(?P<enough>{_ADJECTIVE}) enough)\b"
)
_PLAIN = re.compile(
    rf"(?:brr,? |ouch,? |oh,? )?(?:that's|that is|it's|this is) (?:a (?:bit|little|lot) |rather |pretty |quite "
    rf"|very |awfully |really |so )*"
    rf"({_ADJECTIVE})(?: for (?:me|us))?"
)
_REFUSES = re.compile(rf"\b(?:{vocabulary.either('refuses')})\b")
_KIND_OF_WRONG = re.compile(
    r"\b(?:(?:wrong|incorrect|different|another|old|previous|outdated) (?P<a>\w+)"
    r"|(?:not|isn't|wasn't) (?:that|this|the right|my|her|his|their|our) (?P<b>\w+)"
    r"|(?P<c>\w+)(?: of (?:the )?\w+)?(?:'s| is| was| looks| seems|'s been)? (?:wrong|off|misspel\w+"
    r"|spelled wrong|amiss|odd|(?:has|contains|with) an? (?:typo|mistake|error)"
    r"|(?:doesn't|does not|can't|isn't|won't|not) (?:add up|match|fit|be right|right|make sense|work))"
    r"|(?:check|recheck|fix|correct|mend|reconsider|look at) (?:the |your |its )(?:spelling of (?:the |her |his "
    r"|my )?)?(?P<d>\w+)"
    r"|^(?:the |its )?(?P<e>\w+) (?:not|isn't)$"
    r"|(?:nobody|nobody's|no one|never|not|can't|cannot|don't|won't)\b.* (?:that|this) (?P<f>\w+)$)"
)
_RELATIVE = re.compile(
    r"\b(?:not|isn't|wasn't|aren't) (?P<what>where|when|who|whom|how many|how much|how long|how loud|how)\b(?P<rest>.*)"
)
_PLACES = "address destination place location venue restaurant room city pickup".split()
_NOUNS = vocabulary.table("about nouns")
_WHERE = (
    (r"\blive|\bhome\b", ("address",)),
    (r"\bgoing|\bgo\b|\bheaded|\bheading", ("destination", "to")),
    ("", _PLACES),
)
_WHAT = vocabulary.table("about questions")
_REQUESTS = re.compile(
    r"(?:and|also|please|can|could|would|will|play|add|set|send|remind|order|book|put|what|what's|who's|who is"
    r"|where|when|how|is|are)\b"
)
_REMARKS = re.compile(r"\b(?:last (?:year|week|month|time)|yesterday|ago|usually|often|used to)\b")
_LONGEST = 14


class Implied:
    """Reads blame that is implied, against the arguments of one call."""

    def __init__(self, slots: Sequence[Slot], refused: Callable[[Slot, str], bool]) -> None:
        self.slots, self.refused = [slot for slot in slots if slot.old is not None], refused

    def read(self, text: str) -> Part | None:
        """The argument that is blamed; None where no word tells one, or a new value may be in it."""
        said = text.lower()
        if len(said.split()) > _LONGEST or _REQUESTS.match(said) or _REMARKS.search(said):
            return None
        values, _ = segments(text)
        slots = self._degree(said) if values and all(value.kind == "day" for value in values) else []
        slots = [slot for slot in slots if slot.kind == "time"]
        if not slots and (values or _REFUSES.search(said)):
            slots = self._old_values(text)
        if not slots and all(value.kind == "half" for value in values):
            slots = self._degree(said) or self._kind(said) or self._relative(said)
        if len(slots) != 1:
            return None
        return Part(blamed={slots[0].name}, excluded={slots[0].name: (slots[0].old,)}, wrong=True)

    def _about(self, words: Iterable[str]) -> list[Slot]:
        """The arguments of the first of these kinds or names that there is one of."""
        for word in words:
            by_name = [slot for slot in self.slots if word in slot.label.split() or slot.kind == word]
            if slots := by_name or [
                slot for slot in self.slots if word in slot.labels and word not in ("time", "date")
            ]:
                return slots
        return []

    def _degree(self, said: str) -> list[Slot]:
        for word, about in _STRONG.items():
            if word in said:
                return self._about(about)
        if plain := _PLAIN.fullmatch(said):
            return self._about(_DEGREES[plain[1]])
        match = _TOO.search(said)
        if match is None:
            return (
                self._about(("number", "money", "length"))
                if re.search(r"\b(?:not|isn't|aren't) enough\b", said)
                else []
            )
        word = match["too"] or match["that"] or match["enough"]
        if match["compared"]:
            word = next((adjective for adjective in _DEGREES if _grown(adjective, match["compared"])), "")
        if match["more"]:
            what = (match["what"] or "").split()
            word = next((one for one in what if one in _DEGREES), "")
            if not word:
                return self._about(("number", "money"))
        return self._about(_DEGREES.get(word, ()))

    def _kind(self, said: str) -> list[Slot]:
        match = _KIND_OF_WRONG.search(said)
        noun = next(filter(None, match.groups()), "") if match else ""
        if re.search(r"\bmis-?spel|\bspel(?:ling|led|t|l)\b", said) and _REFUSES.search(said):
            return self._about((noun,)) or self._about(_NOUNS["spelling"])
        if len(noun) < 3 or noun in ("that", "one"):
            return []
        own = [slot for slot in self.slots if slot.kind == "text" and noun in str(slot.old).lower().split()]
        return self._about((noun,)) or self._about(_NOUNS.get(noun, ())) or own

    def _relative(self, said: str) -> list[Slot]:
        match = _RELATIVE.search(said)
        if match is None:
            return []
        if match["what"] == "where":
            return self._about(next(words for verb, words in _WHERE if re.search(verb, match["rest"])))
        if match["what"] == "how":
            spelled = re.search(r"spell|spelt|writ", match["rest"])
            return self._about("name to recipient title label song".split()) if spelled else []
        slots = self._about(_WHAT[match["what"]])
        days = self._about(("date",)) if match["what"] == "when" else []
        return [*slots, *(day for day in days if day not in slots)]

    def _old_values(self, text: str) -> list[Slot]:
        """The arguments whose present value is named, in words that refuse something."""
        if not _REFUSES.search(text.lower()):
            return []
        values, _ = segments(text)
        words = [values[0].text] if values else re.findall(r"[\w'-]{3,}", text)
        names = [word for word in words if word[:1].isupper() and not values]
        return [
            slot
            for slot in self.slots
            if any(self.refused(slot, word) for word in (names if slot.kind == "text" else words))
            or (slot.kind == "enum" and self.refused(slot, text))
        ]


def _grown(adjective: str, compared: str) -> bool:
    return compared in (f"{adjective}er", f"{adjective}r", f"{adjective}{adjective[-1]}er", f"{adjective[:-1]}ier")
