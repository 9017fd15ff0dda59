"""Which words of an example say which value: the sentence as a wording with a slot for each, as made-up tools have.

    Move 3 crates to B7 => move(3, "B7")          Move {crates} crates to {shelf}
    somebody stole a kettle => …cause="lost"      somebody stole a {product}{cause=lost}

A value that no word says is what the wording means. A field of an object has its path as its name.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, ToolSpec
from toolmend.base.schemas import plain
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.units import UNITS
from toolmend.training.teach.align import Span, runs, words_meaning
from toolmend.training.teach.tool_requests import FIELD
from toolmend.training.teach.tool_values import HOURS

_LENGTHS = ("seconds", "minutes", "hours", "days", "weeks")
_TEMPLATES = re.compile(r"[\[\]{}|]")
_LISTED = re.compile(r"\s*(?:,\s*(?:and\b)?|;|&|\band\b|\bplus\b)\s*")
_DAYS = (1, 2, 3, 4, 5, 6, 7, 0, 8, 9, 10, 11, 12, 13, 14, 40, 200)  # before a day: when it may have been said


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value of a call that holds no others: the name of its slot, the schema of it alone, and the value."""

    slot: str
    schema: Mapping[str, Any]
    value: Any


@dataclass(frozen=True, slots=True)
class Aligned:
    """An example as a `wording` ("" where it cannot be one), the words for each slot, and the slots no word says."""

    wording: str
    words: Mapping[str, str]
    unsaid: tuple[str, ...]


def leaves(call: Call, spec: ToolSpec) -> Iterator[Leaf]:
    """Every value of a call with its slot; what is null is not there."""
    for name, value in call.arguments.items():
        yield from _leaves(name, name, spec.properties.get(name), value, spec.parameters)


def _leaves(slot: str, name: str, schema: Any, value: Any, root: Mapping[str, Any]) -> Iterator[Leaf]:
    one = typed(name, plain(schema, root))
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _leaves(f"{slot}{FIELD}{key}", key, (one.get("properties") or {}).get(key), item, root)
    elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        for place, item in enumerate(value):
            yield from _leaves(f"{slot}{FIELD}{place}", name, one.get("items"), item, root)
    elif value is not None:
        yield Leaf(slot, one, value)


def aligned(said: str, calls: Sequence[Call], specs: Mapping[str, ToolSpec]) -> Aligned:
    """The words of a sentence for the values of its calls. Of several calls the slots are numbered: `0:crates`."""
    found = [(f"{number}:" * (len(calls) > 1) + leaf.slot, leaf) for number, call in enumerate(calls)
             for leaf in leaves(call, specs[call.tool])]  # fmt: skip
    spans: dict[str, Span] = {}
    for slot, leaf in sorted(found, key=lambda pair: _order(pair[1])):
        if span := _said(said, leaf, tuple(spans.values())):
            spans[slot] = span
    words = {slot: said[slice(*spans[slot])] if slot in spans else written(leaf.value) for slot, leaf in found}
    unsaid = tuple(slot for slot, _ in found if slot not in spans)
    plainly = not _TEMPLATES.search(said) and all(_plain(leaf) for slot, leaf in found if slot in unsaid)
    return Aligned(_wording(said, spans, words) if plainly and len(calls) == 1 else "", words, unsaid)


def written(value: Any) -> str:
    """A value as it stands in the notation where no words say it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " and ".join(map(written, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _plain(leaf: Leaf) -> bool:
    return not isinstance(leaf.value, (list, Mapping)) and not _TEMPLATES.search(written(leaf.value))


def _wording(said: str, spans: Mapping[str, Span], words: Mapping[str, str]) -> str:
    text = said
    for slot, (start, end) in sorted(spans.items(), key=lambda item: -item[1][0]):
        text = f"{text[:start]}{{{slot}}}{text[end:]}"
    return text + "".join(f"{{{slot}={word}}}" for slot, word in words.items() if slot not in spans)


def _order(leaf: Leaf) -> tuple[int, int]:
    """What is looked for first: long texts, lists, days and times; numbers last, for they are found everywhere."""
    kinds = (str, list, bool, float, int)
    place = next((place for place, kind in enumerate(kinds) if isinstance(leaf.value, kind)), len(kinds))
    return place, -len(str(leaf.value))


def _said(said: str, leaf: Leaf, taken: Sequence[Span]) -> Span | None:
    if isinstance(leaf.value, bool):
        return None
    form = leaf.schema.get("format")
    kind = form if form in ("date", "time") else "duration" if leaf.schema.get("x-unit") in _LENGTHS else ""
    alone = (lambda run: _resolved(run, leaf, None)) if form == "date" else None  # those with their year come first
    if kind and (span := words_meaning(said, kind, lambda run: means(run, leaf), plain=alone, taken=taken)):
        return span
    free = [span for span in runs(said) if not any(span[0] < end and start < span[1] for start, end in taken)]
    accepted = [span for span in free if means(said[slice(*span)], leaf)]
    if not accepted:
        return None
    exact = [span for span in accepted if said[slice(*span)].casefold() == str(leaf.value).casefold()]
    tight = min(exact or accepted, key=lambda span: span[1] - span[0])
    return max((span for span in accepted if _only_unit(said, tight, span)), key=lambda span: span[1] - span[0])


def _only_unit(said: str, tight: Span, wider: Span) -> bool:
    """Whether a run adds nothing to a tighter one but the unit, or figures beside it: "5" and "5 euros"."""
    if not wider[0] <= tight[0] < tight[1] <= wider[1]:
        return False
    rest = f"{said[wider[0] : tight[0]]} {said[tight[1] : wider[1]]}".lower().split()
    return all((word.strip(".,") in UNITS and word != "in") or not re.search(r"\w", word) for word in rest)


def means(words: str, leaf: Leaf) -> bool:
    """Whether these words say that value; a text may have another number, or capitals of its own."""
    value = leaf.value
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        said = [part for part in _LISTED.split(words) if part]
        return len(said) == len(value) and all(map(_alike, said, value))
    if isinstance(value, str) and (_alike(words, value) or _alike(words, value.replace("_", " "))):
        return True
    if isinstance(value, str) and "enum" not in leaf.schema and not leaf.schema.get("format"):
        return False
    return any(_resolved(words, leaf, now) for now in _clocks(leaf))


def _clocks(leaf: Leaf) -> Iterator[dt.datetime | None]:
    """When an example may have been said: a day has no year of its own, "tomorrow" no date."""
    if leaf.schema.get("format") not in ("date", "date-time"):
        yield None
        return
    try:
        day = dt.datetime.fromisoformat(str(leaf.value)[:10]) + dt.timedelta(hours=9)
    except ValueError:
        return
    yield from (day - dt.timedelta(days) for days in _DAYS)


def _resolved(words: str, leaf: Leaf, now: dt.datetime | None) -> bool:
    try:
        result = resolve(words, leaf.schema, now=now, hours=HOURS)
    except BadOption:  # a schema that says what only its own tool understands
        return False
    return isinstance(result, Resolved) and bool(result.value == leaf.value)


@lru_cache(4096)
def _stem(text: str) -> str:
    text = re.sub(r"^(?:the|an?|my|our|your)\s+", "", text.casefold().strip())
    for ending, instead in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")):
        if text.endswith(ending) and len(text) > 3 and not text.endswith("ss"):
            return text.removesuffix(ending) + instead
    return text


def _alike(words: str, text: str) -> bool:
    return words.casefold() == text.casefold() or (len(text) > 2 and _stem(words) == _stem(text))
