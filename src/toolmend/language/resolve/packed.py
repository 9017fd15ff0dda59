"""Words that say more than one value: "19 May, 8 am" where a day is due, "the 3rd and 10th of May" where one day is.

Pure rearranging of what was said, before anything is computed from it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.arguments import moved_way
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.clock_ranges import surely_a_range
from toolmend.language.resolve.day_ranges import days_through
from toolmend.language.resolve.likeness import ITS_DAY
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.said import MISSING, Said
from toolmend.language.resolve.words import WEEKDAY_OR_SHORT

_KINDS = frozenset({"date", "time", "minutes"})
_SEGMENTS = re.compile(r"\s*[,;]\s*|\s+(?=(?:at|for)\b)")
_LISTED = re.compile(
    r"\s*(?:,\s*(?:and\b)?|;|&|\+|\band\b|\bplus\b)\s*"
    r"|(?<=\d(?:st|nd|rd|th))\s+(?=\d)|(?<=th)(?<!month)\s+(?=the \w+th\b)"
)
_ENDS = re.compile(
    r"(?i)\b(?:leave|ends?|finish|done|over|home)\b(?: it)? by "
    r"(?P<end>(?:half past |quarter (?:past|to) )?[\w:.]+(?: ?[ap]\.?m\b)?)"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_SAID_YEAR = re.compile(rf"{_YEAR.pattern}|twenty (?:twenty|thirty)(?:[ -]\w+)?", re.IGNORECASE)
_WEEKDAY = re.compile(rf"\b{WEEKDAY_OR_SHORT}\b", re.IGNORECASE)
_MONTH = re.compile(
    r"\b(?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b.*$",
    re.IGNORECASE,
)


def several(line: Said, name: str, after: dt.date | None = None) -> tuple[Said, ...]:
    """The line once for each of the values that the words of one argument list; none where they list none. A month that
    is said once holds for all; "every Friday until the 27th" begins `after` a day."""
    words = line.words.get(name)
    if isinstance(words, str) and (through := days_through(words, after)):
        return tuple(replace(line, words={**line.words, name: day}) for day in through)
    parts = [part for part in _LISTED.split(words) if part] if isinstance(words, str) else []
    numbered = all(re.search(r"\d|(?:st|nd|rd|th)\b|first|second|third", part) for part in parts)
    if (
        len(parts) < 2
        or any(_YEAR.fullmatch(part) for part in parts)
        or not (numbered or all(map(_WEEKDAY.search, parts)))
    ):
        return ()
    first, last = _MONTH.search(parts[0]), _MONTH.search(parts[-1])
    if last and last.start():
        parts = [part if _MONTH.search(part) else f"{part} {last[0]}" for part in parts]
    elif first:
        month = first[0].split()[0 if not first[0].startswith("of ") else 1]
        parts = [part if _MONTH.search(part) else f"{part} {month}" for part in parts]
    return tuple(replace(line, words={**line.words, name: part}) for part in parts)


def unpacked(
    spec: ToolSpec, words: Mapping[str, Any], like: Mapping[str, Any], background: Background
) -> dict[str, Any]:
    """The words with what they say of arguments that were not given moved there: a time behind a day, a length behind a
    time. Only where every segment says one thing."""
    kinds = dict(_kinds(spec))
    when = str(words.get("time", ""))
    if "time" in like and moved_way(background.text) and _LENGTH.search(when) and not when.startswith("for "):
        kinds.pop("time", None)  # so much later or earlier
    ends = _ENDS.search(background.text) if "time" in like and {"time", "duration"} <= kinds.keys() else None
    if ends and "duration" not in words and when.lower().endswith(("that", ends["end"].lower())):
        words = {**{name: told for name, told in words.items() if name != "time"}, "duration": f"until {ends['end']}"}
    unpacked = _put_right(words, kinds, like, background)
    for name, text in list(unpacked.items()):
        segments = _SEGMENTS.split(text) if name in kinds and isinstance(text, str) else []
        if len(segments) < 2 or text == MISSING:
            continue
        free = [name, *(other for other in kinds if other not in unpacked)]
        told = [[other for other in free if _means(segment, kinds[other], background)] for segment in segments]
        if all(told) and any(name in one for one in told) and any(one != [name] and name not in one for one in told):
            own = [segment for segment, one in zip(segments, told, strict=True) if name in one]
            others = {one[0]: segment for segment, one in zip(segments, told, strict=True) if name not in one}
            unpacked |= {**others, name: " ".join(own)}
    return _halved(unpacked, kinds, like, background)


def _halved(
    words: Mapping[str, Any],
    kinds: Mapping[str, Mapping[str, Any]],
    like: Mapping[str, Any],
    background: Background,
) -> dict[str, Any]:
    """The words with two things that nothing parts taken apart: "one thirty ninety minutes"; a year before a time is
    the day's."""
    halved = dict(words)
    for name, text in words.items():
        if name not in kinds or not isinstance(text, str) or _is_one(text, kinds[name], background, like.get(name)):
            continue
        for space in re.finditer(r"\s+", text):
            first, last = text[: space.start()], text[space.end() :]
            free = [other for other in kinds if other not in halved and _means(last, kinds[other], background)]
            if _SAID_YEAR.fullmatch(first) and _means(last, kinds[name], background):
                halved |= {other: MISSING for other in kinds if halved.get(other) == text} | {name: last}
                break
            if len(free) == 1 and _means(first, kinds[name], background):
                halved |= {name: first, free[0]: last}
                break
    return halved


def _is_one(words: str, schema: Mapping[str, Any], background: Background, like: Any) -> bool:
    """Whether the words are one value, or one against the value that they change."""
    changed = like and isinstance(
        resolve(words, schema, now=background.now, hours=background.hours, like=like), Resolved
    )
    ranging = schema.get("format") == "time" and surely_a_range(words.lower())
    return bool(changed) or ranging or _means(words, schema, background)


def _put_right(
    words: Mapping[str, Any], kinds: Mapping[str, Mapping[str, Any]], like: Mapping[str, Any], background: Background
) -> dict[str, Any]:
    """Words under a name whose kind they cannot be, moved to the one argument that they can be: "9 pm" is no length."""
    texts = {name: text for name, text in words.items() if name in kinds and isinstance(text, str)}
    said = {name: text for name, text in texts.items() if text != MISSING and not ITS_DAY.match(text)}
    misfits = [
        name
        for name, text in said.items()
        if not (kinds[name].get("format") == "time" and surely_a_range(text.lower()))
        and (
            (_YEAR.fullmatch(text) and kinds[name].get("format") == "time" and "date" in said)
            or not _means(text, kinds[name], background, like.get(name))
        )
    ]
    moved: dict[str, str] = {}
    for name in misfits:
        fitting = [
            other
            for other in kinds
            if (other not in words or other in misfits)
            and not _YEAR.fullmatch(said[name])
            and _means(
                said[name],
                kinds[other],
                background,
                like.get(other) if kinds[other].get("format") == "date" and not said[name].isdigit() else None,
            )
        ]
        if len(fitting) == 1 and fitting[0] not in moved:
            moved[fitting[0]] = name
        elif not fitting:
            moved |= _pushed(name, said, kinds, words, background)
    right = {name: text for name, text in words.items() if name not in moved.values()}
    return {**right, **{name: said[old] for name, old in moved.items()}}


def _pushed(
    name: str,
    said: Mapping[str, str],
    kinds: Mapping[str, Mapping[str, Any]],
    words: Mapping[str, Any],
    background: Background,
) -> dict[str, str]:
    """Where words go that can only be what is given already, if that can be something else: "23:00" for a day, "3h" for
    a time. New name: old name."""
    for other in said:
        if other != name and _means(said[name], kinds[other], background):
            free = [third for third in kinds if third not in words and _means(said[other], kinds[third], background)]
            if len(free) == 1:
                return {other: name, free[0]: other}
    return {}


def _kinds(spec: ToolSpec) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, schema in spec.properties.items():
        full = typed(name, schema)
        if (full.get("format") or full.get("x-unit")) in _KINDS:
            yield name, full


def _means(words: str, schema: Mapping[str, Any], background: Background, like: Any = None) -> bool:
    """Whether the words alone are a value of that kind: a length names its unit, a day no time of day."""
    if schema.get("x-unit") == "minutes" and not _LENGTH.search(words):
        return False
    if schema.get("format") == "date" and _CLOCK.search(words):
        return False
    if schema.get("format") == "date" and days_through(words):
        return True
    read = resolve(words, schema, now=background.now, hours=background.hours, like=like)
    return isinstance(read, Resolved) or bool(like and read.candidates)


_LENGTH = re.compile(
    r"\b(?:\d*h|(?<!same )hours?|hrs?|\d*min(?:ute)?s?|(?<!that )(?<!same )days?)\b|\dh\d|\d ?m\b", re.IGNORECASE
)
_CLOCK = re.compile(r"\d\s?[ap]\.?m\b|o'clock|\d:\d\d", re.IGNORECASE)


def without_texts(words: Any, values: Mapping[str, Any]) -> Any:
    """The words without those of the changed call's texts: "bring the dentist forward" -> "bring forward"."""
    if not isinstance(words, str):
        return words
    texts = {
        word.lower()
        for value in values.values()
        if isinstance(value, str)
        for word in re.findall(r"[^\W\d_]{3,}", value)
    }
    marked = " ".join(
        "~" if word.lower().strip(".,;:!?\"'").removesuffix("'s") in texts else word for word in words.split()
    )
    return re.sub(r"(?:\b(?:the|my|our)\s+)?~(?:\s+~)*\s*", "", marked).strip()
