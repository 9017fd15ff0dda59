"""What a reply left out, or got wrong, although it was said: the one day, time or length of the sentence that no other
argument holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.background import Background, Question
from toolmend.language.resolve.dates import GRAMMAR
from toolmend.language.resolve.durations import SPAN
from toolmend.language.resolve.entry_times import day_after
from toolmend.language.resolve.likeness import AS_LONG, LONG_AS
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.said import MISSING, hidden_in, place_of
from toolmend.language.resolve.words import Words

_KINDS = ("date", "time")
_NOTHING = ("no day in these words", "no time of day in these words", "no number in these words", "it was not said")
_SAME = re.compile(r"\b(?:the )?same (?:time|hour)\b", re.IGNORECASE)
_LENGTH = re.compile(
    rf"(?<!\S)(?<!in )(?<!by )(?<!within )(?<!every )(?<!another )(?<!other )(?<!last )(?<!next )(?<!first )"
    rf"(?<!than )(?<!day )(?<!~ )(?P<span>{SPAN})(?!\S)"
    r"(?! (?:before|after|later|earlier|sooner|ago|from|past|to|of|early|late|more|less))"
)
_COUNTED = re.compile(r"(?:\d|half|quarter|\ba) (?:\S+ )*(?:hours?|minutes?|h|m)\b")
_CHANGES = ("another day", "another month", "another year")  # a bare number or month beside the day that is changed
_DAYS = ("day and month", "weekday and day", "year, month, day", "figures", "holiday", "edge of a period")
_GOING_ON = re.compile(
    r"\b(?:afterwards?|right after|after that|before that|then|later|as well"
    r"|(?:that|same) (?:day|night|evening|morning|afternoon))\b"
    r"|\b(?:before|after) (?:it|this|them)(?=\s*(?:[,.;:!]|$))",
    re.IGNORECASE,
)
_BACK = re.compile(r"\b(?:before|earlier|same day)\b", re.IGNORECASE)
_SMALL_HOURS = "05:00"
_DANGLING = re.compile(r"\b(?:before|after|until|till)\b(?=\W*(?:$|[,~]))|\b(?:before|after) that\b", re.IGNORECASE)


def said_all_the_same(
    spec: ToolSpec, name: str, words: Mapping[str, Any], background: Background, like: Mapping[str, Any]
) -> str:
    """The words of the sentence for an argument that the reply gives no words for; "" where it says none, or several,
    or where they belong to another argument."""
    kinds = {key: kind_of(key, schema) for key, schema in spec.properties.items()}
    kind = kinds.get(name)
    if not kind or list(kinds.values()).count(kind) > 1:
        return ""
    schema, text = typed(name, spec.properties[name]), background.text
    for told in [told for key, told in words.items() if key != name and isinstance(told, str)]:
        text = hidden_in(told, text)
    if kind == "minutes":
        as_long = LONG_AS.search(text) or (AS_LONG.search(text) if like.get(name) else None)
        return as_long[0] if as_long else _length(text, background.text)
    if kind == "time" and like.get(name) and (same := _SAME.search(text)):
        return same[0]
    for left in (text, _DANGLING.sub(lambda held: "~" * len(held[0]), hidden_in(str(words.get(name, "")), text))):
        for against in (like.get(name), None):
            read = resolve(
                left, schema, now=background.now, like=against, hours=background.hours, locale=background.locale
            )
            if isinstance(read, Resolved) and read.rule not in _CHANGES:
                return background.text[slice(*read.span)]
    return _only_day(text, background.text) if kind == "date" else ""


def misheard(
    spec: ToolSpec, words: Mapping[str, Any], background: Background, like: Mapping[str, Any]
) -> dict[str, Any]:
    """The words with those of the sentence for a day or time that it does not say so."""
    sentence, right = f" {Words(background.text).text} ", dict(words)
    for name, told in words.items():
        if not isinstance(told, str) or kind_of(name, spec.properties.get(name, {})) not in _KINDS or told == MISSING:
            continue
        earlier = place_of(told, background.before) and not place_of(told, background.text)
        if earlier and not background.begins:
            continue
        if not re.search(r"\d", told) and not all(f" {word} " in sentence for word in Words(told).text.split()):
            right[name] = said_all_the_same(spec, name, words, background, like) or told
    return right


def kind_of(name: str, schema: Mapping[str, Any]) -> str:
    """ "date", "time" or "minutes", where an argument is one; else ""."""
    full = typed(name, schema)
    return str(full["format"]) if full.get("format") in _KINDS else "minutes" if full.get("x-unit") == "minutes" else ""


def _length(text: str, sentence: str) -> str:
    """The only length of time that is said of nothing else: "a 45 minute tea break"."""
    words = Words(text)
    spans = [
        words.span(*match.span("span")) for match in _LENGTH.finditer(words.text) if _COUNTED.search(match["span"])
    ]
    return sentence[slice(*spans[0])] if len(spans) == 1 else ""


def _only_day(text: str, sentence: str) -> str:
    """The only day that is said in full, whatever stands beside it."""
    words = Words(text)
    days = [words.span(match.start, match.end) for match in GRAMMAR.read(words.text) if match.rule in _DAYS]
    return sentence[slice(*days[0])] if len(days) == 1 else ""


def going_on(last: Mapping[str, Any], time: str, sentence: str) -> dict[str, Any]:
    """The day that was spoken of last, where the sentence goes on from it: "afterwards", "then", "that night";
    the one after it for the small hours. Nothing where the day is open."""
    if "date" not in last or not _GOING_ON.search(sentence):
        return {}
    small = time < _SMALL_HOURS and time < str(last.get("time", "")) and not _BACK.search(sentence)
    return {"date": day_after(last["date"]) if small else last["date"]}


def says_nothing(question: Question) -> bool:
    """Whether the words for an argument hold nothing of its kind, or were not given: something else was copied."""
    return not question.candidates and question.reason in _NOTHING
