"""What speaks for and against a part of a sentence as the value of an argument, and for a filling as a whole: named
features, which weights.txt weighs. A name says what holds; most are 1 or 0. Decides nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from toolmend.language.corrections.complaining import complains
from toolmend.language.corrections.names import split_name
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.spans import LEADS, TypedSpan
from toolmend.language.corrections.values import Surroundings

Feature = tuple[str, float]
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_STREET = re.compile(
    r"(?i)\b(?:street|st|avenue|ave|road|rd|drive|dr|boulevard|blvd|lane|way|suite|highway|place|court)\b"
)
_CALLED = re.compile(r"(?i)\b(?:call|name|rename|title|label) (?:it|that|this)(?: to| as)? $|\bcalled $|\bnamed $")
_FILLING = frozenset(
    "a an the it it's its this that that's these those i i'd i'm i'll i've we we'd we'll you my our your me us is"
    " are was were be been am do does did have has had would could should must can may will want wanted need needed"
    " like prefer please sorry no nope nah oh oops ok okay well actually wait hmm uh um er and so just really instead"
    " rather meant mean said say saying told asked wrong mistake bad right correct lasts change changed make made set"
    " put use take give book booked move go let get keep for at on in to of by from with into as than then there here"
    " thanks thank".split()
)
"""Words that only say that something is meant: beside them nothing is left to explain."""
_TURNS = frozenset("not or if unless except nor neither whether only also another both but".split())
"""Words that can turn the sense of what is taken."""
_POINTING = frozenset(
    "is was to be should have been supposed would must ought meant it's that's as with into at for on the a an now"
    "".split()
)
"""Words that stand between the name of an argument and its value."""
_SMALL = frozenset("the a an i i'd it and you me my we no please".split())
_ARTICLES = ("the", "a", "an", "my")


@dataclass(frozen=True, slots=True)
class Pair:
    """A part for an argument, the values that it can mean there, what is told of the pair, and how likely it is."""

    span: TypedSpan
    slot: Slot
    values: tuple[Any, ...]
    features: Mapping[str, float] = field(default_factory=dict, compare=False, hash=False)
    likely: float = 0.0


@dataclass(frozen=True)
class Sentence:
    """A sentence with every pair of a part and an argument that it could fill."""

    text: str
    pairs: Sequence[Pair]
    said: Surroundings

    def of(self, pair: Pair) -> Iterator[Feature]:
        """What is told of one of the pairs."""
        before, after = words_of(self.text[: pair.span.start]), words_of(self.text[pair.span.end :])
        yield from self._kinds(pair)
        yield from _words_around(pair, before, after)
        yield from self._naming(pair, before, after)
        if pair.slot.kind == "text":
            yield from self._text(pair, before)

    def _kinds(self, pair: Pair) -> Iterator[Feature]:
        """Of which kind part and argument are, and what else could be filled or could fill."""
        span, slot = pair.span, pair.slot
        rivals = {other.slot.name for other in self.pairs if overlap(other.span, span)} - {slot.name}
        alike = [other.span for other in self.pairs if other.slot is slot and other.span is not span]
        yield f"{slot.kind} by {span.kind}", 1.0
        yield f"rivals {slot.kind} {min(len(rivals), 3)}", 1.0
        yield f"slots of the kind {min(3, self._of_kind.get(slot.kind, 0))}", 1.0
        yield f"unset {slot.kind}", float(slot.old is None)
        yield "required", float(slot.required)
        yield "several readings", float(len(pair.values) > 1)
        yield "last of its kind", float(all(other.end <= span.end for other in alike))
        yield "alone of its kind", float(not alike)
        if span.kind in ("flag", "member"):
            yield f"is {' '.join(words_of(span.text)[-1:])} {slot.kind}", 1.0

    @cached_property
    def _of_kind(self) -> dict[str, int]:
        names = {(pair.slot.kind, pair.slot.name) for pair in self.pairs}
        return {kind: sum(other == kind for other, _ in names) for kind, _ in names}

    @cached_property
    def _labels(self) -> dict[str, frozenset[str]]:
        return {pair.slot.name: pair.slot.labels for pair in self.pairs}

    def _naming(self, pair: Pair, before: Sequence[str], after: Sequence[str]) -> Iterator[Feature]:
        """Whether the sentence names the argument, or another one, and where."""
        span, slot, split = pair.span, pair.slot, set(split_name(pair.slot.name))
        others = {label for name, labels in self._labels.items() if name != slot.name for label in labels}
        names = split | set(slot.labels)
        own = {name for name in names if len(name) > 2 and name not in others}
        pointed = next((word for word in reversed(before) if word not in _POINTING), "")
        labelled = bool(before) and pointed in own and before[-1] in _POINTING - {"the", "a", "an"}
        bigrams = {one + other for one, other in zip(before[-4:], before[-3:], strict=False)}
        yield f"labelled {slot.kind}", float(labelled)
        yield "named by two words", float(bool(bigrams & split))
        yield "named before", float(bool(own & set(before[-4:])))
        yield "named right after", float(bool(own & set(after[:2])))
        yield "named in it", float(bool(own & set(words_of(span.text))))
        yield "named anywhere", float(bool(own & {*before, *after}))
        beside = {name for name in others - names if len(name) > 2} & {*before[-3:], *after[:2]}
        yield "another named beside", float(bool(beside))
        yield "a capital follows", float(bool(re.match(r"\W{1,3}(?!I\b)[A-Z][a-z]", self.text[span.end :])))
        yield "after #", float(self.text[: span.start].rstrip()[-1:] == "#")
        if slot.kind == "text":
            ends = not after or re.match(r"\W*[.,;!?]", self.text[span.end :]) is not None
            marks = {
                "labelled": labelled,
                "called": bool(_CALLED.search(self.text[: span.start])),
                "in quotes": span.kind == "quoted",
            }
            for name, holds in marks.items():
                yield f"text {name}, capital {span.text[:1].isupper()}, to the end {ends}", float(holds)

    def _text(self, pair: Pair, before: Sequence[str]) -> Iterator[Feature]:
        """What a text looks like, beside the old one and beside what else stands there."""
        span, old_text = pair.span, str(pair.slot.old or "")
        words, old = words_of(span.text), words_of(old_text)
        capital = all(word[:1].isupper() for word in span.text.split() if len(word) > 3)
        others = [other for other in self.pairs if other.span != span]
        longer = [one for one in others if one.span.start <= span.start and span.end <= one.span.end]
        shorter = [one for one in others if span.start <= one.span.start and one.span.end <= span.end]
        yield f"text capital {capital}", 1.0
        yield f"text words {min(len(words), 5)}", 1.0
        yield f"text first {words[0] if words else ''}", 1.0
        yield f"text last {words[-1] if words else ''}", 1.0
        yield "text in place", float(pair.values != (span.text,))
        yield "text unled", float(_lead(before) not in LEADS)
        yield "text begins the sentence", float(not before)
        yield "text at the end", float(not words_of(self.text[span.end :]))
        yield "text only complains", float(complains(span.text))
        yield "text shares words with the old", float(bool(set(words) & set(old)))
        yield "text like the old", float(bool(old) and capital == old_text[:1].isupper())
        yield "text was heard", float(span.text.casefold() in self.said.request.casefold())
        yield "text led inside", float(bool(set(words[1:]) & LEADS))
        yield "text begins small", float(span.text[:1].islower())
        yield "text holds a stop word", float(bool(set(words) & _SMALL - {"the", "a"}))
        yield "text begins with a number", float(span.text[:1].isdigit())
        yield "text and old begin with a number", float(span.text[:1].isdigit() and old_text[:1].isdigit())
        yield "text is a street", float(bool(_STREET.search(span.text)))
        valued = (one.slot.kind != "text" and overlap(one.span, span) for one in self.pairs)
        yield "text overlaps a value", float(any(valued))
        yield "text within a longer one", float(any(one.span.kind in ("text", "quoted") for one in longer))
        yield "text has a shorter one", float(any(one.span.kind in ("text", "quoted") for one in shorter))


def _words_around(pair: Pair, before: Sequence[str], after: Sequence[str]) -> Iterator[Feature]:
    """The words that lead to a part, and those near it, by the kind and the name of the argument."""
    slot, lead = pair.slot, _lead(before)
    if lead in LEADS:
        yield f"led {lead} {slot.kind}", 1.0
        yield from ((f"led {lead} ~{name}", 1.0) for name in split_name(slot.name))
    yield f"led by {' '.join(before[-2:])} {slot.kind}", 1.0
    for word in {*before[-4:], *after[:2]} - _SMALL:
        yield from ((f"near {word} ~{name}", 1.0) for name in split_name(slot.name))
    denied = {"not", "than"} & set(before[-2:]) or {"instead", "of"} <= set(before[-3:])
    yield "denied", float(slot.kind != "truth" and bool(denied))


def of_the_whole(text: str, taken: Sequence[Pair], pairs: Sequence[Pair]) -> dict[str, float]:
    """What speaks for and against a filling as all that a sentence says."""
    covered = [(pair.span.start, pair.span.end) for pair in taken]
    known = {word for pair in taken for label in pair.slot.labels for word in label.split()}
    known |= {word for pair in taken for word in words_of(str(pair.slot.old or ""))}
    free = (match for match in _WORD.finditer(text) if not any(a <= match.start() < b for a, b in covered))
    left = [match for match in free if match[0].casefold() not in known]
    touched = [pair for pair in pairs if any(overlap(pair.span, one.span) for one in taken)]
    unused = [pair for pair in pairs if pair not in touched]
    rivals = [pair for pair in touched if pair not in taken]
    told = {
        "the whole": 1.0,
        f"whole takes {min(len(taken), 3)}": 1.0,
        "whole least": min((_odds(pair.likely) for pair in taken), default=-5.0),
        "whole unused": max(-5.0, _odds(max((pair.likely for pair in unused), default=0.0))),
        "whole rival": max(-5.0, _odds(max((pair.likely for pair in rivals), default=0.0))),
        "whole unused of a kind": any(pair.slot.kind != "text" for pair in unused),
        "whole has a name left": any(one[0][:1].isupper() and one.start() and one[0][:1] != "I" for one in left),
        "whole nothing left": all(match[0].casefold() in _FILLING for match in left),
        "whole asks": "?" in text,
        "whole long": len(words_of(text)) / 10,
        "whole several readings": any(len(pair.values) > 1 for pair in taken),
        "whole a text": any(pair.slot.kind == "text" for pair in taken),
        "whole left": len(left) / 10,
    }
    return {name: float(value) for name, value in told.items()} | {f"left {one[0].casefold()}": 1.0 for one in left}


def doubtful(told: Mapping[str, float]) -> bool:
    """Whether a name, a value or a word that could turn the sense is left unexplained."""
    left = told["whole has a name left"] or told["whole unused of a kind"]
    return bool(left) or any(f"left {word}" in told for word in _TURNS)


def overlap(one: TypedSpan, other: TypedSpan) -> bool:
    """Whether two parts have a place in common."""
    return one.start < other.end and other.start < one.end


@cache
def words_of(text: str) -> list[str]:
    """The words in small letters."""
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def _lead(before: Sequence[str]) -> str:
    return next((word for word in reversed(before[-2:]) if word not in _ARTICLES), "^")


def _odds(likely: float) -> float:
    return math.log(likely / (1 - likely + 1e-9) + 1e-9)
