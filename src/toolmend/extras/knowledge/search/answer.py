"""An answer from a library: exact spans with source and trust, both sides where sources disagree, or "not in memory".

Nothing is written here: the words are the sources'.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from toolmend.extras.knowledge.search.question import ALONE, NUMBER, read_question
from toolmend.extras.knowledge.search.search import Hit, Search
from toolmend.extras.knowledge.search.words import content, stem, stems
from toolmend.extras.knowledge.source import Quote, quote

SURE = 0.7
"""How sure the words must make, from the dev half of the questions (docs/knowledge.md)."""
_LOOKED = 5
_ALSO = 0.85  # of the best: what else is quoted
_PARTS = re.compile(
    r"(?:[,;]\s*(?:and\s+)?|\s+and\s+|\?\s+)(?=(?:in )?(?:how|what|which|who|when|where|why)\b)", re.IGNORECASE
)
_DENIES = frozenset(
    stem(word) for word in "not no never neither nor without cannot isn aren wasn weren doesn don".split()
)


@dataclass(frozen=True)
class Cited:
    """An exact quote, where it is from, and how far its source may be trusted.

    `verified`: the library was read again, and the words stand there.
    """

    number: int
    quote: Quote
    title: str
    url: str
    heading: str
    trust: float
    sure: float
    cosine: float
    verified: bool


@dataclass(frozen=True)
class CitedAnswer:
    """What the library says to a question. `found` is False where it does not; `nearest` is then the best it has.

    `conflict` tells what quotes disagree on: their numbers and what each says; `notes` which questions of several have
    no answer.
    """

    question: str
    found: bool
    quotes: tuple[Cited, ...]
    conflict: tuple[tuple[int, str], ...] = ()
    nearest: Cited | None = None
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Fit for JSON."""
        return {**asdict(self), "conflict": [{"quote": number, "says": says} for number, says in self.conflict]}


def answer(search: Search, question: str, *, k: int = 3) -> CitedAnswer:
    """The best spans, at most one of each source and `k` in all; none if none is sure enough.

    Of several questions in one each is answered.
    """
    parts = parts_of(question)
    if len(parts) == 1:
        return _answer(search, question, k)
    answers = [_answer(search, part, k) for part in parts]
    if not any(one.found for one in answers):
        return replace(answers[0], question=question)
    quotes = list[Cited]()
    conflict = list[tuple[int, str]]()
    for one in answers:
        conflict += [(number + len(quotes), says) for number, says in one.conflict]
        quotes += [replace(cited, number=cited.number + len(quotes)) for cited in one.quotes]
    notes = tuple(f"not in memory: {one.question}" for one in answers if not one.found)
    return CitedAnswer(question, True, tuple(quotes), tuple(conflict), notes=notes)


def parts_of(question: str) -> list[str]:
    """The questions in a question: `How many genes, and what share …?` are two."""
    parts = [part.strip() for part in _PARTS.split(question)]
    return [part for part in parts if content(part)] or [question]


def _answer(search: Search, question: str, k: int) -> CitedAnswer:
    hits = search.find(question, max(k, _LOOKED))
    good = [hit for hit in hits if hit.sure >= SURE]
    if not good:
        return CitedAnswer(question, False, (), nearest=_cited(search, hits[0], 0) if hits else None)
    firsts = {hit.chunk.source: hit for hit in reversed(good) if hit.sure >= _ALSO * good[0].sure}
    kept = [hit for hit in good if firsts.get(hit.chunk.source) is hit][:k]
    cited = tuple(_cited(search, hit, number) for number, hit in enumerate(kept, start=1))
    return CitedAnswer(question, True, cited, conflict_in(question, cited))


def _cited(search: Search, hit: Hit, number: int) -> Cited:
    source = search.library.source(hit.chunk.source)
    made = quote(source, hit.start, hit.end)
    sure, cosine = round(hit.sure, 3), round(hit.cosine, 3)
    verified = made.holds(search.library.source(hit.chunk.source))
    return Cited(number, made, source.title, source.url, hit.chunk.heading, hit.trust, sure, cosine, verified)


def conflict_in(question: str, quotes: Sequence[Cited]) -> tuple[tuple[int, str], ...]:
    """What the best quote and others disagree on: numbers of what was asked for, or one denies what the other says.

    Empty where they agree, and where rules over words cannot tell.
    """
    taken = read_question(question)
    about = set(taken.stems)
    said = [
        (cited, _figures(cited.quote.text, taken.counted, about))
        for cited in quotes
        if about <= _stems(f"{cited.quote.text} {cited.title} {cited.heading}")
    ]
    if taken.wanted != "anything" and said:
        first = said[0]
        others = [(cited, figures) for cited, figures in said[1:] if figures and not figures & first[1]]
        if first[1] and others:
            return tuple((cited.number, ", ".join(sorted(figures))) for cited, figures in (first, *others))
    plain = [(cited, bool(_DENIES & _stems(cited.quote.text))) for cited, _ in said]
    if taken.wanted == "anything" and len({denies for _, denies in plain}) == 2 and not _DENIES & _stems(question):
        return tuple((cited.number, "denies it" if denies else "says it") for cited, denies in plain)
    return ()


def _stems(text: str) -> set[str]:
    return set(stems(text))


_LITTLE = "one two three four five six seven eight nine ten eleven twelve".split()


def _figures(text: str, counted: Sequence[str], about: set[str]) -> set[str]:
    """The numbers in a quote, written in one way; where something is counted, those shortly before it."""
    found = set()
    for number in re.finditer(rf"{ALONE}{NUMBER}(?:\s?%)?", text, re.IGNORECASE):
        after = content(text[number.end() : number.end() + 40])
        if counted and not set(counted) & set(after):
            continue
        plain = re.sub(r"[\s,~≥≤<>]|\.$", "", number[0]).lower()
        if plain not in about:
            found.add(str(_LITTLE.index(plain) + 1) if plain in _LITTLE else plain)
    return found
