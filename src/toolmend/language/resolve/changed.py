"""The words of a change as its sentence has them: how much longer, until when, by how much later.

A small model copies "90 minutes" of "extended by 90 minutes", and leaves out that the end stays. Words only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.arguments import moved_way
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.clock_ranges import clocks
from toolmend.language.resolve.durations import NUMBER, SPAN
from toolmend.language.resolve.entry_times import end_of
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.said import hidden_in, place_of
from toolmend.language.resolve.sentence import kind_of, said_all_the_same
from toolmend.language.resolve.words import Words

_LONGER = (
    r"\b(?:extend|lengthen|prolong|stretch)\w*\b[^,.;]*? by (?:about |another |an extra )?{}"
    r"|\badd(?:s|ed|ing)? (?:another |an extra )?{}|\b{}(?: (?:longer|more|extra)\b| on top\b)"
    r"|\b(?:another|an extra) {}"
)
_SHORTER = (
    r"\b(?:shorten|trim|cut|reduc|curtail)\w*\b[^,.;]*? by (?:about |another )?{}"
    r"|\b(?:take|takes|knock|shave|chop|cut)\w* (?:another |about )?{} off|\b{} (?:shorter|less)\b"
)
_COMPARED = re.compile(r"\b(?:longer|shorter|more|less|extra)\b", re.IGNORECASE)
_STAYS = re.compile(
    r"\b(?:the |its )?end(?:s|ing)?(?: time)? (?:stays?|remains?|(?:is )?unchanged|is the same"
    r"|doesn't (?:change|move)|(?:is )?as (?:it (?:is|was)|planned|before))"
    r"|\b(?:same|keep the|keep its) (?:end|finish)(?:ing)?\b(?: time)?"
    r"|\bstill (?:ends?|finish(?:es)?|done|over) (?:at the same time|as planned|when)\b",
    re.IGNORECASE,
)
_CLOCK = r"(?P<end>(?:half(?: past)? |(?:a )?quarter (?:past|to) )?[\w:.]+(?: ?[ap]\.?m\b)?)"
_OVER = re.compile(
    r"\b(?:still(?: be)? (?:ends?|finish(?:es)?|done|over|out|through|home)"
    r"|(?:must|have to|has to|needs? to|wants? (?:us|me|them|it|everyone))(?: still)?(?: all)?(?: be)?"
    rf" (?:out|gone|done|over|finish(?:ed)?|home|end))(?: it)? (?:at|by) {_CLOCK}",
    re.IGNORECASE,
)
_TILL = re.compile(r"(?P<start>.*?)\s*\b(?P<till>(?:un)?till? .+)", re.IGNORECASE)
_BY = re.compile(
    rf"(?<!\S)by (?:(?:the|these|those|this|that|same|another|about|exactly) )*(?P<span>{SPAN}|{NUMBER}(?!\S))"
)
_FOUR = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_REFUSED = r"(?:n't|\b(?:not|cannot|cannae|dinnae|no longer|never|instead of|rather than))\b[^.;!?]*?"
_PAST = re.compile(r"(?:a )?(?:quarter|half|five|ten|twenty(?:[ -]five)?|\d+)(?: minutes)? past", re.IGNORECASE)
_HOUR = re.compile(
    r"\b(?:quarter|half|five|ten|twenty(?:[ -]five)?|\d+)(?: minutes)? (?:to|till|past) (?P<hour>\w+)", re.IGNORECASE
)


def as_changed(spec: ToolSpec, words: Mapping[str, Any], old: Call, background: Background) -> dict[str, Any]:
    """The words for what a call becomes, as the sentence says them."""
    names = {kind_of(name, schema): name for name, schema in spec.properties.items()}
    told, text, time = dict(words), background.text, names.get("time", "")
    if (length := names.get("minutes", "")) and isinstance(told.get(length), str):
        told[length] = compared(told[length], text)
    day = told.get(names.get("date", ""))
    if time and time not in told and isinstance(day, str) and _FOUR.fullmatch(day) and _is_at(day, text):
        told[time] = told.pop(names["date"])
    if isinstance(told.get(time), str):
        told |= _timed(told[time], spec, time, told, old, background)
        if length and length not in told:
            told = _with_end(told, time, length, old, text)
    return told


def compared(words: str, sentence: str) -> str:
    """A length with the way in which the sentence counts it: "90 minutes" of "extended by 90 minutes" is longer."""
    if _COMPARED.search(words) or not words.strip():
        return words
    own = re.escape(words.strip())
    for pattern, way in ((_LONGER, "longer"), (_SHORTER, "shorter")):
        if re.search(pattern.replace("{}", own), sentence, re.IGNORECASE):
            return f"{words} {way}"
    return words


def _is_at(words: str, sentence: str) -> bool:
    return bool(re.search(rf"(?:\bat|@) ?{re.escape(words)}(?!\w)", sentence, re.IGNORECASE))


def _timed(
    words: str, spec: ToolSpec, name: str, told: Mapping[str, Any], old: Call, background: Background
) -> dict[str, Any]:
    """The time that is said: moved by what the sentence says, not what it refuses, with the hour that it leaves out."""
    text = background.text
    figures = re.findall(r"\d+", words)
    known = place_of(words, background.before) or place_of(words, text)
    unsaid = bool(figures) and not known and not any(place_of(figure, text) for figure in figures)
    if (
        (moved := _BY.search(Words(text).text))
        and (way := moved_way(text))
        and (unsaid or words.strip() == moved["span"])
    ):
        span = moved["span"]
        return {name: f"{span} minutes {way}" if re.fullmatch(NUMBER, span) else f"{span} {way}"}
    if unsaid:
        others = {other: one for other, one in told.items() if other != name}
        said = said_all_the_same(spec, name, others, background, old.arguments)
        return {name: said} if said else {}
    if re.search(_REFUSED + rf"\b{re.escape(words)}(?!\w)", text, re.IGNORECASE):
        schema = typed(name, spec.properties[name])
        left = hidden_in(words, text)
        read = resolve(left, schema, now=background.now, like=old.arguments.get(name), hours=background.hours)
        return {name: left[slice(*read.span)]} if isinstance(read, Resolved) else {}
    if _PAST.fullmatch(words):
        hour = _HOUR.search(text) or _HOUR.search(str(old.said.get(name, "")))
        return {name: f"{words} {hour['hour']}"} if hour and clocks(f"{words} {hour['hour']}") else {}
    return {}


def _with_end(told: dict[str, Any], time: str, length: str, old: Call, sentence: str) -> dict[str, Any]:
    """The words with the end that stays while the start moves, or that is said beside it."""
    till = _TILL.fullmatch(told[time])
    if till and not place_of(told[time], sentence) and place_of(till["till"], sentence):
        return {name: said for name, said in told.items() if name != time} | {length: till["till"]}
    if _STAYS.search(sentence) and (end := end_of(old.arguments)):
        return {**told, length: f"until {end:%H:%M}"}
    over = _OVER.search(sentence)
    said = over["end"].rstrip(".") if over else ""
    return {**told, length: f"until {said}"} if said and said not in told[time] and clocks(said) else told
