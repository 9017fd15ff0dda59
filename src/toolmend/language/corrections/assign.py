"""Which part of a sentence fills which argument of a call: every pair is scored, the best joint filling is taken.

    assign("No, two rooms on Friday", slots, said).edits     # {"rooms": 2, "date": "2026-03-06"}

A score is a sum of named features (evidence.py) by learned weights (weights.txt, made by benchmarks/weigh.py). An
argument that no part fills stays as it is. Knows one call; asks nobody.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from toolmend.language.corrections.evidence import Pair, Sentence, doubtful, of_the_whole, overlap, words_of
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.spans import TypedSpan, spans
from toolmend.language.corrections.texts import fitted, likened, substituted
from toolmend.language.corrections.values import Surroundings, value_for

_NUMBERS = {"number", "change", "factor", "half", "length", "degrees", "percent", "money"}
_FILLS = {
    "date": {"day", "day shift", "moment", "month"},
    "time": {"clock", "time shift", "number", "minutes", "half", "moment", "clock range", "until"},
    "date-time": {"day", "day shift", "clock", "time shift", "moment", "number"},
    "length": {"length", "length change", "number", "long factor", "half"},
    "money": {"money", "number", "price", "change", "factor"},
    "percent": {"percent", "number", "change"},
    "degrees": {"degrees", "number", "change"},
    "number": _NUMBERS | {"year"},
    "unit": _NUMBERS,
    "enum": {"member"},
    "truth": {"flag"},
    "text": {"text", "quoted", "number", "length", "member"},
}
"""The kinds of parts by the kinds of arguments that they can fill."""
_OPENING = re.compile(r"(?i)^(?:no|nope|nah)\b[\s,.;:!-]*")
_DENIALS = frozenset("not no without never don't dont isn't doesn't won't cannot can't except than of".split())
_DENIED_AFTER = re.compile(r"(?:\W+\w+)? (?:isn't|not)\b")
_INSTEAD = re.compile(r"(?i)\b(?:not|instead of|rather than) (?:the |an? )?([^\W_][\w'’-]*)")
LIKELY, MOST = 0.3, 14
"""Below it a pair is no candidate of the joint filling, of which there are so many at most."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The pairs that are taken, all that there were, how likely exactly this is what was meant, and whether no name, no
    value and no word that could turn the sense is left."""

    taken: tuple[Pair, ...]
    pairs: tuple[Pair, ...]
    likely: float
    explained: bool

    @property
    def edits(self) -> dict[str, Any]:
        """The new values; of several readings the first."""
        return {pair.slot.name: pair.values[0] for pair in self.taken}


def assign(text: str, slots: Sequence[Slot], said: Surroundings) -> Assignment:
    """The best filling of the arguments by the parts of a sentence."""
    known = weights()
    scored = [replace(pair, likely=chance(known, pair.features)) for pair in pairs_of(text, slots, said)]
    taken = best(scored)
    told = of_the_whole(text, taken, scored)
    return Assignment(taken, tuple(scored), chance(known, told), not doubtful(told))


def pairs_of(text: str, slots: Sequence[Slot], said: Surroundings) -> list[Pair]:
    """Every part of a sentence with every argument that it could fill, and what is told of them."""
    chart = spans(text, slots, said)
    could = [Pair(span, slot, _values(span, slot, text, said)) for span in chart for slot in slots]
    sentence = Sentence(text, [pair for pair in could if pair.values], said)
    return [replace(pair, features=dict(sentence.of(pair))) for pair in sentence.pairs]


def best(scored: Sequence[Pair]) -> tuple[Pair, ...]:
    """The likeliest set of pairs in which no argument is filled twice and no word is used twice."""
    likely = sorted((pair for pair in scored if pair.likely > LIKELY), key=lambda pair: -pair.likely)
    return _joint(tuple(likely[:MOST]), ())[1]


def _joint(left: tuple[Pair, ...], taken: tuple[Pair, ...]) -> tuple[float, tuple[Pair, ...]]:
    if not left:
        return 0.0, taken
    pair, others = left[0], left[1:]
    without = _joint(others, taken)
    free = tuple(other for other in others if other.slot is not pair.slot and not overlap(other.span, pair.span))
    score, filled = _joint(free, (*taken, pair))
    score += math.log(pair.likely / max(1e-9, 1 - pair.likely))
    return (score, filled) if score > without[0] else without


def _values(span: TypedSpan, slot: Slot, text: str, said: Surroundings) -> tuple[Any, ...]:
    """What a part can mean for an argument, which is not what it has; nothing where it cannot fill it."""
    elsewhere = span.slots and slot.name not in span.slots and slot.kind != "text"
    if span.kind not in _FILLS.get(slot.kind, ()) or elsewhere:
        return ()
    if slot.kind == "text":
        value = _in_place(span.text, str(slot.old or ""), text)
        return () if _plain(value) == _plain(str(slot.old or "")) else (value,)
    if slot.kind == "truth":
        holds = not _denied(span, text)
        return () if slot.old is holds else (holds,)
    return tuple(value for value in value_for(slot, span.text, said).values if value != slot.old)


def _in_place(words: str, old: str, text: str) -> str:
    """The words; or the old text with them where it has a slip of them, or what they are said to be instead of."""
    if len(old.split()) < 2 or len(words.split()) >= len(old.split()):
        return words
    for denied in _INSTEAD.findall(text):
        if (placed := substituted(old, denied, fitted(words, denied))) is not None:
            return placed
    return likened(old, words) or words


def _plain(text: str) -> str:
    return " ".join(text.casefold().removeprefix("the ").split())


def _denied(span: TypedSpan, text: str) -> bool:
    """Whether the clause denies what a part names, before or right after it."""
    before = re.split(r"[.,;:!?]", _OPENING.sub("", text[: span.start]))[-1]
    return bool(_DENIALS & set(words_of(before)[-5:])) or bool(_DENIED_AFTER.match(text[span.end :]))


def chance(known: Mapping[str, float], told: Mapping[str, float]) -> float:
    """How likely something is by what is told of it, 0 to 1."""
    score = sum(known.get(name, 0.0) * value for name, value in told.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@cache
def weights() -> Mapping[str, float]:
    """The learned weights by feature."""
    lines = files(__package__).joinpath("weights.txt").read_text(encoding="utf-8").splitlines()
    named = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(weight) for name, _, weight in named}
