"""The number that is meant: one amount, or what the number that is changed becomes ("two more", "half of that")."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from toolmend.resolve.amounts import Amount, amounts
from toolmend.resolve.changes import SAME
from toolmend.resolve.leftovers import changes_value
from toolmend.resolve.results import Finding, nothing
from toolmend.resolve.shapes import Frame

_MORE = re.compile(
    r"(?<!\S)(?:more|another|extra|additional|longer|further|higher|warmer|hotter|bigger|larger|heavier|later|louder|up|add|"
    r"increase|raise|extend|plus|on top|farther|taller|brighter|faster|dearer)(?!\S)"
)
_LESS = re.compile(
    r"(?<!\S)(?:less|fewer|shorter|lower|colder|cooler|smaller|lighter|earlier|quieter|down|reduce|cut|decrease|minus|off|"
    r"subtract|darker|slower|cheaper|nearer|closer)(?!\S)"
)
_TIMES = re.compile(
    r"(?:make (?:it|that) |it )?(?:(?P<word>twice|double|triple|treble|halve|half)|(?P<n>\d+(?:\.\d+)?) (?:times|x)|"
    r"(?:a )?(?P<share>quarter|3th))"
    r"(?: (?:as (?:long|much|many|big|high|warm|far|large|heavy)|it|that|this|of (?:that|it|this)|the (?:length|time|amount|number|price)|"
    r"so (?:long|much|many)))*"
)
_FACTORS = {"twice": 2, "double": 2, "triple": 3, "treble": 3, "halve": Fraction(1, 2), "half": Fraction(1, 2)}
_PERCENT = re.compile(r"(?<!\S)(?P<n>\d+(?:\.\d+)?) (?:percent|%)(?!\S)")
_BOUND = re.compile(r"(?<!\S)(?:than|at (?:least|most)|under|over|below|above|up to|maximum|minimum|max)(?!\S)")


def read_number(words: str, frame: Frame) -> Finding:
    """The number in the wanted unit; whole where the schema wants an integer."""
    like = _like(frame.like)
    bare = words.strip("~ ,.!")
    if like is not None and SAME.fullmatch(bare):
        return Finding((frame.like,), 0, len(words), "same")
    factor = _factor(bare) if like is not None and not (frame.kind == "percent" and bare in _FACTORS) else None
    if like is not None and factor is not None:
        return _shaped([like * factor], 0, len(words), "times as much", frame)
    if _BOUND.search(words):
        return nothing("a bound is no number")
    more, less = _MORE.search(words), _LESS.search(words)
    if more or less:
        return _changed(words, like, -1 if less else 1, frame) if not (more and less) else nothing("more or less?")
    readings = list(amounts(words, frame))
    if not readings:
        return nothing("no number in these words")
    if changes_value(words, [(amount.start, amount.end) for amount in readings]):
        return nothing("part of the words would change the number, and was not understood")
    if any(amount.value is None for amount in readings):
        return nothing("no amount that has a fixed worth in the unit that is wanted")
    return _shaped(
        [a.value for a in readings if a.value is not None], readings[0].start, readings[-1].end, readings[0].rule, frame
    )


def _changed(words: str, like: Fraction | None, sign: int, frame: Frame) -> Finding:
    """`like` and so much more or less."""
    if like is None:
        return nothing("nothing is known that it should be more or less than")
    share = _PERCENT.search(words)
    readings: list[Amount] = [] if share and frame.kind != "percent" else list(amounts(words, frame, difference=True))
    values = [like * (1 + sign * Fraction(share["n"]) / 100)] if share else []
    if len(readings) > 1 or (readings and readings[0].value is None) or (not readings and not share):
        return nothing("how much more or less is not said")
    if readings and readings[0].value is not None:
        values.append(like + sign * abs(readings[0].value))
    start, end = share.span() if share else (readings[0].start, readings[0].end)
    return _shaped(values, start, end, "more or less", frame)


def _factor(bare: str) -> Fraction | None:
    match = _TIMES.fullmatch(bare)
    if match is None:
        return None
    if match["word"]:
        return Fraction(_FACTORS[match["word"]])
    return Fraction(match["n"]) if match["n"] else Fraction(1, 4 if match["share"] == "quarter" else 3)


def _like(value: Any) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return Fraction(str(value))
    except ValueError:
        return None


def _shaped(values: list[Fraction], start: int, end: int, rule: str, frame: Frame) -> Finding:
    """As JSON numbers, without those that the schema cannot hold."""
    if frame.whole and any(value.denominator != 1 for value in values):
        return Finding((), start, end, rule, "a whole number is wanted")
    shown: list[int | float] = []
    for value in values:
        number = int(value) if value.denominator == 1 else round(float(value), 10)
        if number not in shown:
            shown.append(number)
    return Finding(tuple(shown), start, end, rule, "more than one number fits")
