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

from toolmend.language.resolve.enums import read_group, read_member, read_range, read_truth
from toolmend.language.resolve.leftovers import other_part, wanted
from toolmend.language.resolve.lists import SPAN, change_of, of_each, parts, plain_list, shares_end
from toolmend.language.resolve.moments import read_date, read_moment, read_time
from toolmend.language.resolve.numbers import read_number
from toolmend.language.resolve.results import Finding, Resolved, Unclear
from toolmend.language.resolve.shapes import Frame, frame_of
from toolmend.language.resolve.words import Words

__all__ = ["Resolved", "Unclear", "resolve"]

LONGEST = 400
_PAIR = re.compile(r"(\d{1,2}) ([1-9]\d)")  # "nineteen ninety-eight"
_ARTICLE = re.compile(r"^(?:the|an?|some) (?=\S)")
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
    pair = (
        _PAIR.fullmatch(words.text) if frame.kind in ("number", "temperature") and text.strip()[0].isalpha() else None
    )
    finding = _finding(pair[1] + pair[2] if pair else words.text, frame)
    if "minimum" in frame.schema or "maximum" in frame.schema:
        finding = replace(finding, values=tuple(value for value in finding.values if _inside(value, frame.schema)))
    return _told(finding, words.span(finding.start, finding.end))


def _finding(words: str, frame: Frame) -> Finding:
    """What is wanted of the words; where that is no value: against what is refused, or what was said first."""
    read = _OF_WORDS.get(frame.kind, read_number)
    finding = read(wanted(words, changing=frame.like is not None), frame)
    other, refused = ("", False) if finding.values else other_part(words)
    if not other:
        return finding
    first = read(other, frame)
    if not refused:
        return first if first.values else finding
    return (
        read(wanted(words, changing=True), replace(frame, like=first.values[0])) if len(first.values) == 1 else finding
    )


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
    if not isinstance(frame.like, list):
        return _values(plain_list(text), replace(frame, like=None), given)
    change = change_of(text)
    if change is None:
        result = _values(plain_list(text), replace(frame, like=None), given)
        return result if isinstance(result, Resolved) else _each(text, frame, given) or result
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
    members = _inner(frame, given).schema.get("enum")
    if members and all(value in members for value in values):
        values.sort(key=list(members).index)
    return Resolved(values, (0, len(text)), "change of a list")


def _values(text: str, frame: Frame, given: tuple[Any, ...]) -> Resolved | Unclear:
    now, _, hours, locale = given
    inner = _inner(frame, given)
    if inner.kind == "date" and (days := _span(text, inner)):
        return Resolved(days, (0, len(text)), "from one to another")
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
        if isinstance(result, Unclear) and not results and frame.like and inner.kind in _OF_WORDS:
            result = _read(item, replace(inner, like=frame.like[-1]), (now, None, hours, locale))
        if isinstance(result, Unclear):
            return Unclear((), f"{item.strip()!r}: {result.reason}")
        span = (place + result.span[0], place + result.span[1])
        value = _ARTICLE.sub("", result.value) if inner.kind == "text" else result.value
        results.append(Resolved(value, span, result.rule))
    if backward:
        results.reverse()
        if [result.value for result in results] != sorted(result.value for result in results):
            return Unclear((), "what is said of the last may not hold for the others")
    values: list[Any] = []
    for result in results:
        values += [result.value] if result.value not in values else []
    return Resolved(values, (results[0].span[0], results[-1].span[1]), "list") if results else Unclear((), "no words")


def _inner(frame: Frame, given: tuple[Any, ...]) -> Frame:
    """What one value of a list is read against."""
    now, _, hours, locale = given
    items = frame.schema.get("items")
    return frame_of(items if items is not None else {"type": "string"}, now, None, hours, locale)


def _each(text: str, frame: Frame, given: tuple[Any, ...]) -> Resolved | None:
    """The list with every value changed as is said ("a day later"); None where it is no change of each."""
    inner, words = _inner(frame, given), of_each(text)
    if inner.kind not in (*_OF_WORDS, "number") or not frame.like:
        return None
    results = [_read(words, replace(inner, like=value), given) for value in frame.like]
    values = [result.value for result in results if isinstance(result, Resolved)]
    changed = len(values) == len(frame.like) == len(set(values))
    return Resolved(values, (0, len(text)), "change of each") if changed and values != frame.like else None


def _span(text: str, inner: Frame) -> list[str]:
    """Every day from one to another, a month of them at most: "Monday to Wednesday next week"; else none."""
    match = SPAN.fullmatch(text)
    if match is None:
        return []
    first, last = (Words(end).text for end in match.groups())
    later = re.search(r"week|month", last) and not re.search(r"week\b|month|\dth", first)
    stop = read_date(last, inner).values if later else ()
    start = read_date(first, replace(inner, like=stop[0]) if len(stop) == 1 else inner).values
    start = tuple(day for day in start if day < stop[0]) if stop else start
    stop = stop or (read_date(last, replace(inner, like=start[0])).values if len(start) == 1 else ())
    if len(start) != 1 or len(stop) != 1:
        return []
    begins, apart = (
        dt.date.fromisoformat(start[0]),
        (dt.date.fromisoformat(stop[0]) - dt.date.fromisoformat(start[0])).days,
    )
    return [(begins + dt.timedelta(number)).isoformat() for number in range(apart + 1)] if 0 < apart < 32 else []


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
