"""Words and a JSON Schema → the value they mean, by computing: clocks, calendars, numbers, units, members of an enum.

It knows no tool, no session and no model, and guesses nothing: where two readings are left, both are given back.
"""

from __future__ import annotations

import datetime as dt
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

from toolmend.resolve.enums import read_group, read_member, read_range, read_truth
from toolmend.resolve.leftovers import wanted
from toolmend.resolve.lists import change_of, parts, shares_end
from toolmend.resolve.moments import read_date, read_moment, read_time
from toolmend.resolve.numbers import read_number
from toolmend.resolve.results import Finding, Resolved, Unclear
from toolmend.resolve.shapes import Frame, frame_of
from toolmend.resolve.words import Words

__all__ = ["Resolved", "Unclear", "resolve"]

LONGEST = 400
_OF_WORDS: dict[str, Callable[[str, Frame], Finding]] = {
    "date": read_date,
    "time": read_time,
    "date-time": read_moment,
}
_OF_TEXT: dict[str, Callable[[str, Frame], Finding]] = {"truth": read_truth, "enum": read_member}


def resolve(
    text: str,
    schema: Mapping[str, Any],
    *,
    now: dt.datetime | dt.date | str | None = None,
    like: Any = None,
    hours: str | None = None,
    locale: str | None = None,
) -> Resolved | Unclear:
    """The value that `text` means where `schema` is wanted.

    `now` is the clock that "tomorrow" counts from, `like` the value that is being changed ("an hour later"), `hours`
    ("07-22", also x-hours of the schema) are the usual ones, `locale` (en-GB, en-US) says what 3/4 is. A length of
    time, an amount of money, a percentage or a quantity is in the schema's `x-unit`; an enum may have `x-synonyms`.
    Raises BadOption for a schema, clock, hours or locale that mean nothing here; never because of the text.
    """
    frame = frame_of(schema, now, like, hours, locale)
    if len(text) > LONGEST:
        return Unclear((), f"longer than {LONGEST} characters")
    return _read(text, frame, (now, like, hours, locale))


def _read(text: str, frame: Frame, given: tuple[Any, ...]) -> Resolved | Unclear:
    if frame.kind == "text":
        return _text(text, frame)
    if frame.kind == "list":
        return _list(text, frame, given)
    if frame.kind == "any":
        return _any(text, frame, given)
    if frame.kind in _OF_TEXT:
        finding = _OF_TEXT[frame.kind](
            wanted(text, changing=frame.like is not None) if frame.kind == "enum" else text, frame
        )
        return _told(finding, (finding.start, finding.end))
    words = Words(text)
    if not words.text:
        return Unclear((), "no words")
    finding = _OF_WORDS.get(frame.kind, read_number)(wanted(words.text, changing=frame.like is not None), frame)
    if "minimum" in frame.schema or "maximum" in frame.schema:
        finding = replace(finding, values=tuple(value for value in finding.values if _inside(value, frame.schema)))
    return _told(finding, words.span(finding.start, finding.end))


def _told(finding: Finding, span: tuple[int, int]) -> Resolved | Unclear:
    if len(finding.values) == 1:
        return Resolved(finding.values[0], span, finding.rule)
    return Unclear(finding.values, finding.reason or "not a value of the schema")


def _inside(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a number is within the bounds of its schema."""
    if isinstance(value, str):
        return True
    low, high = schema.get("minimum"), schema.get("maximum")
    return not ((low is not None and value < low) or (high is not None and value > high))


def _text(text: str, frame: Frame) -> Resolved | Unclear:
    bare = text.strip()
    if isinstance(frame.like, str) and bare.lower() in ("same", "the same", "unchanged"):
        return Resolved(frame.like, (0, len(text)), "same")
    start = len(text) - len(text.lstrip())
    return Resolved(bare, (start, start + len(bare)), "text") if bare else Unclear((), "no words")


def _list(text: str, frame: Frame, given: tuple[Any, ...]) -> Resolved | Unclear:
    """The values of a list, or what the list that is changed becomes."""
    change = change_of(text) if isinstance(frame.like, list) else None
    if change is None:
        return _values(text, frame, given)
    values = list(frame.like)
    for words, putting in ((change.out, False), (change.put, True)):
        result = _values(words, frame, given) if words else Resolved([], (0, 0), "")
        if isinstance(result, Unclear):
            return result
        if not putting and any(value not in values for value in result.value):
            return Unclear((), "what is to go is not in the list")
        if putting:
            values += [value for value in result.value if value not in values]
        else:
            values = [value for value in values if value not in result.value]
    return Resolved(values, (0, len(text)), "change of a list")


def _values(text: str, frame: Frame, given: tuple[Any, ...]) -> Resolved | Unclear:
    items = frame.schema.get("items")
    now, _, hours, locale = given
    inner = frame_of(items if items is not None else {"type": "string"}, now, None, hours, locale)
    if inner.kind == "enum" and (group := read_group(text, inner))[0]:
        out = _values(group[1], frame, given) if group[1] else Resolved([], (0, 0), "")
        kept = [member for member in group[0] if isinstance(out, Unclear) or member not in out.value]
        return out if isinstance(out, Unclear) else Resolved(kept, (0, len(text)), "all of them")
    items_said = parts(wanted(text, changing=False) if inner.kind != "text" else text)
    backward = len(items_said) > 1 and shares_end([Words(item).text for item, _ in items_said], inner.kind)
    results: list[Resolved] = []
    for item, place in reversed(items_said) if backward else items_said:
        beside = replace(inner, like=results[-1].value) if results and inner.kind in _OF_WORDS else inner
        result = _read(item, beside, (now, None, hours, locale))
        if inner.kind == "enum" and isinstance(result, Unclear) and (members := read_range(item, inner)):
            results += [Resolved(member, (place, place + len(item)), "range") for member in members]
            continue
        if isinstance(result, Unclear) and (several := _apart(item, place, inner, given)):
            results += several
            continue
        if isinstance(result, Unclear):
            return Unclear((), f"{item.strip()!r}: {result.reason}")
        span = (place + result.span[0], place + result.span[1])
        results.append(Resolved(result.value, span, result.rule))
    if backward:
        results.reverse()
        if [result.value for result in results] != sorted(result.value for result in results):
            return Unclear((), "what is said of the last may not hold for the others")
    values: list[Any] = []
    for result in results:
        values += [result.value] if result.value not in values else []
    return Resolved(values, (results[0].span[0], results[-1].span[1]), "list") if results else Unclear((), "no words")


def _apart(text: str, place: int, inner: Frame, given: tuple[Any, ...]) -> list[Resolved]:
    """Values with nothing but space between them ("mon wed fri", "1 2 3"); none if a word is no value."""
    words = [(match[0], place + match.start()) for match in re.finditer(r"\S+", text)]
    if inner.kind not in ("enum", "number") or len(words) < 2:
        return []
    read = [(_read(word, inner, given), start) for word, start in words]
    return (
        [
            Resolved(result.value, (start + result.span[0], start + result.span[1]), result.rule)
            for result, start in read
            if isinstance(result, Resolved)
        ]
        if all(isinstance(result, Resolved) for result, _ in read)
        else []
    )


def _any(text: str, frame: Frame, given: tuple[Any, ...]) -> Resolved | Unclear:
    """The first of the alternatives that the text resolves to; null only if nothing else is allowed."""
    now, like, hours, locale = given
    result: Resolved | Unclear = Unclear((), "none of the alternatives fits")
    for option in frame.schema["anyOf"]:
        if isinstance(option, Mapping) and option.get("type") != "null":
            result = _read(text, frame_of(option, now, like, hours, locale), given)
            if isinstance(result, Resolved):
                return result
    return result


class _Room(ModuleType):
    """Importing a room binds its name in the package, over the function of that name: so the room is called, too."""

    __call__ = staticmethod(resolve)


sys.modules[__name__].__class__ = _Room
