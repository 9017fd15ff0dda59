"""Which part of a sentence fills which argument of a call: every pair is scored, the best joint filling is taken.

    assign(case)     # an Assignment: the edits, how sure each is, how sure the whole is

A pair's score is a sum of features by learned weights (weights.txt: benchmarks/weigh.py makes it): what kind the part
is of, what stands around it, whether it names the argument, what else it could fill. An argument that no part fills
stays as it is. Knows one call; asks nobody.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from toolmend.corrections.names import split_name
from toolmend.corrections.slots import Slot
from toolmend.corrections.values import Surroundings, value_for
from toolmend.language.spans import LEADS, Span, spans

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_OPENING = re.compile(r"(?i)^(?:no|nope|nah)\b[\s,.;:!-]*")
_STREET = re.compile(
    r"(?i)\b(?:street|st|avenue|ave|road|rd|drive|dr|boulevard|blvd|lane|way|suite|highway|place|court)\b"
)
_DENIALS = frozenset("not no without never don't dont isn't doesn't won't cannot can't except than of".split())
_FILLS = {
    "date": {"day", "day shift", "moment", "month"},
    "time": {"clock", "time shift", "number", "minutes", "half", "moment", "clock range", "until"},
    "date-time": {"day", "day shift", "clock", "time shift", "moment", "number"},
    "length": {"length", "length change", "number", "long factor", "half"},
    "money": {"money", "number", "price", "change", "factor"},
    "percent": {"percent", "number", "change"},
    "degrees": {"degrees", "number", "change"},
    "number": {"number", "change", "factor", "half", "length", "degrees", "percent", "money", "year"},
    "unit": {"number", "change", "factor", "half", "length", "degrees", "percent", "money"},
    "enum": {"member"},
    "truth": {"flag"},
    "text": {"text", "quoted", "number", "length", "member"},
}
"""The kinds of parts by the kinds of arguments that they can fill."""
_TURNS = frozenset("not or if unless except nor neither whether only also another both but".split())
_SMALL = frozenset("the a an i i'd it and you me my we no please".split())
LIKELY = 0.3
"""Below it a pair is no candidate of the joint filling."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A part for an argument, the values that it can mean there, and how likely the pair is."""

    span: Span
    slot: Slot
    values: tuple[Any, ...]
    features: Mapping[str, float] = field(compare=False, hash=False)
    likely: float = 0.0


@dataclass(frozen=True, slots=True)
class Assignment:
    """The pairs that are taken, all that there were, how likely exactly this is what was meant, and whether no name, no
    value and no word that could turn the sense is left."""

    taken: tuple[Pair, ...]
    pairs: tuple[Pair, ...]
    sure: float
    explained: bool = False

    @property
    def edits(self) -> dict[str, Any]:
        """The new values; of several readings the first."""
        return {pair.slot.name: pair.values[0] for pair in self.taken}


def assign(text: str, slots: Sequence[Slot], said: Surroundings) -> Assignment:
    """The best filling of the arguments by the parts of a sentence."""
    scored = pairs(text, slots, said)
    taken = best(scored)
    told = whole(text, taken, scored, slots)
    doubtful = (
        told["whole has a name left"]
        or told["whole unused of a kind"]
        or any(f"left {word}" in told for word in _TURNS)
    )
    return Assignment(taken, tuple(scored), squashed(weights(), told), not doubtful)


def pairs(text: str, slots: Sequence[Slot], said: Surroundings) -> list[Pair]:
    """Every part with every argument that it could fill."""
    chart, known, found = spans(text, slots, said), weights(), []
    could = [(span, slot, values) for span in chart for slot in slots if (values := _values(span, slot, text, said))]
    for span, slot, values in could:
        told = dict(_features(span, slot, values, could, text, said))
        found.append(Pair(span, slot, values, told, squashed(known, told)))
    return found


def best(scored: Sequence[Pair]) -> tuple[Pair, ...]:
    """The likeliest set of pairs in which no argument is filled twice and no word is used twice."""
    likely = sorted((pair for pair in scored if pair.likely > LIKELY), key=lambda pair: -pair.likely)[:14]
    return _joint(tuple(likely), ())[1]


def _joint(left: tuple[Pair, ...], taken: tuple[Pair, ...]) -> tuple[float, tuple[Pair, ...]]:
    if not left:
        return 0.0, taken
    pair, others = left[0], left[1:]
    without = _joint(others, taken)
    free = tuple(other for other in others if other.slot is not pair.slot and not _overlap(other.span, pair.span))
    score, filled = _joint(free, (*taken, pair))
    score += math.log(pair.likely / max(1e-9, 1 - pair.likely))
    return (score, filled) if score > without[0] else without


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _values(span: Span, slot: Slot, text: str, said: Surroundings) -> tuple[Any, ...]:
    """What a part can mean for an argument, which is not what it has."""
    if span.kind not in _FILLS.get(slot.kind, ()) or (
        span.slots and slot.name not in span.slots and slot.kind != "text"
    ):
        return ()
    if slot.kind == "text":
        return () if _plain(span.text) == _plain(str(slot.old or "")) else (span.text,)
    if slot.kind == "truth":
        told = not _denied(span, text)
        return () if slot.old is told else (told,)
    read = value_for(slot, span.text, said).values
    return () if read == (slot.old,) else tuple(value for value in read if value != slot.old)


def _plain(text: str) -> str:
    return " ".join(text.casefold().removeprefix("the ").split())


def _denied(span: Span, text: str) -> bool:
    before = re.split(r"[.,;:!?]", _OPENING.sub("", text[: span.start]))[-1]
    return bool(_DENIALS & set(_words(before)[-5:])) or bool(re.match(r"(?:\W+\w+)? (?:isn't|not)\b", text[span.end :]))


@cache
def _words(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def _features(
    span: Span,
    slot: Slot,
    values: Sequence[Any],
    could: Sequence[tuple[Span, Slot, Any]],
    text: str,
    said: Surroundings,
) -> Iterator[tuple[str, float]]:
    """What speaks for and against a pair."""
    before, after = _words(text[: span.start]), _words(text[span.end :])
    lead = next((word for word in reversed(before[-2:]) if word not in ("the", "a", "an", "my")), "^")
    yield f"{slot.kind} by {span.kind}", 1.0
    rivals = {other.name for part, other, _ in could if part.start < span.end and span.start < part.end} - {slot.name}
    yield f"rivals {slot.kind} {min(len(rivals), 3)}", 1.0
    names = set(split_name(slot.name)) | set(slot.labels)
    if lead in LEADS:
        yield f"led {lead} {slot.kind}", 1.0
        for name in split_name(slot.name):
            yield f"led {lead} ~{name}", 1.0
    for word in {*before[-4:], *after[:2]} - _SMALL:
        for name in split_name(slot.name):
            yield f"near {word} ~{name}", 1.0
    if span.kind in ("flag", "member"):
        yield f"is {_words(span.text)[-1] if span.text else ''} {slot.kind}", 1.0
    bigrams = {a + b for a, b in zip(before[-4:], before[-3:], strict=False)}
    yield "named by two words", float(bool(bigrams & set(split_name(slot.name))))
    yield "a capital follows", float(bool(re.match(r"\W{1,3}(?!I\b)[A-Z][a-z]", text[span.end :])))
    yield "after #", float(text[: span.start].rstrip()[-1:] == "#")
    others = {label for _, other, _ in could if other is not slot for label in other.labels}
    own = {name for name in names if len(name) > 2 and name not in others}
    yield "named before", float(bool(own & set(before[-4:])))
    yield "named right after", float(bool(own & set(after[:2])))
    yield "named in it", float(bool(own & set(_words(span.text))))
    yield "named anywhere", float(bool(own & set(before + after)))
    rival_near = {name for name in others - names if len(name) > 2} & set(before[-3:] + after[:2])
    yield "another named beside", float(bool(rival_near))
    yield f"unset {slot.kind}", float(slot.old is None)
    yield "required", float(slot.required)
    yield (
        "denied",
        float(
            slot.kind != "truth" and bool({"not", "than"} & set(before[-2:]) or {"instead", "of"} <= set(before[-3:]))
        ),
    )
    yield "several readings", float(len(values) > 1)
    alike = [part for part, other, _ in could if other is slot and part is not span]
    yield "last of its kind", float(all(part.end <= span.end for part in alike))
    yield "alone of its kind", float(not alike)
    if slot.kind == "text":
        yield from _text_features(span, slot, text, could, said, lead)


def _text_features(
    span: Span, slot: Slot, text: str, could: Sequence[tuple[Span, Slot, Any]], said: Surroundings, lead: str
) -> Iterator[tuple[str, float]]:
    words, old = _words(span.text), _words(str(slot.old or ""))
    capital = all(word[:1].isupper() for word in span.text.split() if len(word) > 3)
    yield f"text capital {capital}", 1.0
    yield "text unled", float(lead not in LEADS)
    yield "text begins the sentence", float(not _words(text[: span.start]))
    yield f"text words {min(len(words), 5)}", 1.0
    yield "text shares words with the old", float(bool(set(words) & set(old)))
    yield "text like the old", float(bool(old) and capital == str(slot.old)[:1].isupper())
    yield "text was heard", float(span.text.casefold() in said.request.casefold())
    yield "text led inside", float(bool(set(words[1:]) & LEADS))
    yield "text begins small", float(span.text[:1].islower())
    typed = [part for part, other, _ in could if other.kind not in ("text",) and _overlap(part, span)]
    yield "text overlaps a value", float(bool(typed))
    wider = [part for part, _, _ in could if part.start <= span.start and span.end <= part.end and part != span]
    yield "text within a longer one", float(any(part.kind in ("text", "quoted") for part in wider))
    within = [part for part, _, _ in could if span.start <= part.start and part.end <= span.end and part != span]
    yield "text has a shorter one", float(any(part.kind in ("text", "quoted") for part in within))
    yield "text begins with a number", float(span.text[:1].isdigit())
    yield "text is a street", float(bool(_STREET.search(span.text)))
    yield "text and old begin with a number", float(span.text[:1].isdigit() and str(slot.old)[:1].isdigit())
    yield "text holds a stop word", float(bool(set(words) & _SMALL - {"the", "a"}))
    yield f"text first {words[0] if words else ''}", 1.0
    yield f"text last {words[-1] if words else ''}", 1.0
    yield "text at the end", float(not _words(text[span.end :]))


def whole(text: str, taken: Sequence[Pair], scored: Sequence[Pair], slots: Sequence[Slot]) -> dict[str, float]:
    """What speaks for and against the filling as a whole."""
    words, cover = _words(text), [(pair.span.start, pair.span.end) for pair in taken]
    left = [match for match in _WORD.finditer(text) if not any(a <= match.start() < b for a, b in cover)]
    labels = {label for pair in taken for label in pair.slot.labels for label in label.split()}
    labels |= {word for pair in taken for word in _words(str(pair.slot.old or ""))}
    rest = [match for match in left if match[0].casefold() not in labels]
    told: dict[str, float] = {"the whole": 1.0}
    told[f"whole takes {min(len(taken), 3)}"] = 1.0
    told["whole least"] = min((math.log(pair.likely / (1 - pair.likely + 1e-9) + 1e-9) for pair in taken), default=-5.0)
    unused = [pair for pair in scored if not any(_overlap(pair.span, one.span) for one in taken)]
    rivals = [pair for pair in scored if pair not in taken and any(_overlap(pair.span, one.span) for one in taken)]
    for name, those in (("unused", unused), ("rival", rivals)):
        most = max((pair.likely for pair in those), default=0.0)
        told[f"whole {name}"] = max(-5.0, math.log(most / (1 - most + 1e-9) + 1e-9))
    told["whole unused of a kind"] = float(any(pair.slot.kind != "text" for pair in unused))
    told["whole has a name left"] = float(
        any(match[0][:1].isupper() and match.start() and match[0][:1] != "I" for match in rest)
    )
    told["whole asks"] = float("?" in text)
    told["whole long"] = len(words) / 10
    told["whole several readings"] = float(any(len(pair.values) > 1 for pair in taken))
    told["whole a text"] = float(any(pair.slot.kind == "text" for pair in taken))
    for match in rest:
        told[f"left {match[0].casefold()}"] = 1.0
    told["whole left"] = len(rest) / 10
    return told


def squashed(known: Mapping[str, float], told: Mapping[str, float]) -> float:
    """How likely something is by what is told of it."""
    score = sum(known.get(name, 0.0) * value for name, value in told.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@cache
def weights() -> Mapping[str, float]:
    """The learned weights by feature."""
    path = files(__package__).joinpath("weights.txt")
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    pairs_ = (line.rpartition(" ") for line in lines if line and line[0] != "#")
    return {name: float(weight) for name, _, weight in pairs_}
