"""The number that is meant: one amount, or what the number that is changed becomes ("two more", "half of that")."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction

from toolmend.language.resolve import clock, vocabulary
from toolmend.language.resolve.amounts import Amount, amounts
from toolmend.language.resolve.changes import SAME
from toolmend.language.resolve.durations import NUMBER
from toolmend.language.resolve.leftovers import changes_value
from toolmend.language.resolve.results import Finding, nothing
from toolmend.language.resolve.shapes import Frame
from toolmend.language.resolve.units import convert

_MORE = vocabulary.words("more")
_LESS = vocabulary.words("less")
# Words beside which a number is no number, or not that one.
_VAGUE = frozenset("few several some all many most lots bit while couple between by either something odd".split())
_UNSAID = _VAGUE - {"by", "between", "all", "most", "while"}
_BOUND = frozenset("than least under over below above maximum minimum max min".split())
_FACTORS = {
    **dict.fromkeys(("twice", "double", "doubled"), Fraction(2)),
    **dict.fromkeys(("triple", "tripled", "treble", "thrice"), Fraction(3)),
    **dict.fromkeys(("half", "halve", "halved"), Fraction(1, 2)),
}
_TIMES = re.compile(
    r"(?:only |just |now |to |about )*(?:make (?:it|that) |it |(?:cut|reduce) (?:it |that )?(?:in|by) )?"
    rf"(?:(?P<word>{'|'.join(_FACTORS)})|(?P<n>{NUMBER}) (?:times|x)|"
    rf"(?:a )?(?P<share>quarter|3th))(?: (?:(?:as|so) [a-z]+|it|that|this|of (?:that|it|this|them|those)|"
    r"(?:the )?(?:length|time|amount|number|price|distance|weight|size|speed|volume|duration|temperature|height|"
    r"width|cost|value|"
    r"brightness|quantity|sum)))*(?P<again>(?<=\w) again)?"
)
_PERCENT = re.compile(r"(?<!\S)(?P<n>\d+(?:\.\d+)?) (?:percent|%)(?! points?)(?!\S)")
_ALL = re.compile(
    r"(?:(?:turn|put|set|crank|make) (?:it|that|this) |to |on |at |all )*(?:(?P<full>full(?:y| blast| power| volume| "
    r"brightness| strength| whack| tilt)?(?: (?:on|up|open))?|(?:all )?the (?:way|whole way) (?:up|open)|flat out|"
    r"completely (?:open|up|full)|everything|all(?: of (?:it|them))?|"
    r"(?:the )?max(?:imum)?|maxed out|the lot)|(?:all )?the way (?:down|"
    r"off)|completely off|"
    r"off|fully (?:closed|off|down))"
)
_SHARE = re.compile(r"(?:a |1 )?(?:half|quarter|3th)")
_PART = re.compile(
    r"(?<!\S)(?:(?:a |1 |by )*(half|quarter|3th) (?:off|longer|shorter|more|less|fewer|higher|lower|cheaper|dearer)|"
    r"by (?:a |1 )*(half|quarter|3th)$)(?!\S)"
)
_RAISED = re.compile(
    r"(?:turn|put|push|crank|go|take|bring|move|raise|bump|whack|jack)\w*(?: (?:it|that|this|them))? up to "
)
# Also "min 30 minutes", which is no minute and thirty minutes.
_OR_LESS = re.compile(r" or (?:less|more|fewer|longer|shorter|higher|lower|over|under)(?!\S)|^minutes? \d")
_HALF_DAY = re.compile(r"(?:for )?(?:(?:a |1 )?half (?:a |of the )?day|the half day)")
_TO = re.compile(r" (?:to|till|until|through|-|and) ")
# "120 beats per minute", "9.8 m/s^2": what a number is counted in and by, which is no second number.
_RATE = re.compile(
    r"(?:\bper|(?<=[a-z] )(?<!half )(?<!quarter )(?<!of )a(?= (?:hour|day|night|week|month|year)\b)) [a-z]+"
    r"(?: ?[²³]| ?\^ ?\d)?|(?<=\d )[a-z]+ ?[/·] ?[a-z]+(?: ?\^? ?\d)?(?![\w:])"
)
_RANK = re.compile(r"(?:the )?(?:(?P<n>\d+)th|second)(?: (?!of |from )[a-z]+)?")  # "third", "the sixth floor"
_SIGNED = re.compile(r"(?P<sign>plus|minus|[+]) (?P<rest>[^-].*)")


def read_number(words: str, frame: Frame) -> Finding:
    """The number in the wanted unit; whole where the schema wants an integer."""
    like = _like(frame.like)
    if frame.kind == "number":
        words = _RATE.sub(lambda rate: "~" * len(rate[0]), words).rstrip(" ~")
    if frame.kind == "duration" and (lasting := _from_to(words, frame)):
        return lasting
    said = set(words.split())
    if frame.kind == "number" and (rank := _RANK.fullmatch(words.strip("~ ,"))):
        return _shaped([Fraction(rank["n"] or 2)], 0, len(words), "rank", frame)
    if like is not None and (change := _whole_change(words, like, frame)):
        return change
    if frame.kind == "percent" and (end := _ALL.fullmatch(words.strip("~ ,"))):
        return _shaped([Fraction(100 if end["full"] else 0)], 0, len(words), "all or nothing", frame)
    below = frame.kind == "temperature" and words.endswith((" below", " below 0", " below freezing"))
    if (
        (not below and not _BOUND.isdisjoint(said))
        or ("up to" in words and not (like is not None and _RAISED.search(words)))
        or "at most" in words
    ):
        return nothing("a bound is no number")
    if _OR_LESS.search(words):
        return nothing("a bound is no number")
    more, less = not _MORE.isdisjoint(said), not _LESS.isdisjoint(said)
    if more and less:
        return nothing("more or less?")
    readings = list(amounts(words, frame))
    if (more or less) and not (readings and words[: readings[0].start].endswith(" to ")):
        return _changed(words, like, -1 if less else 1, frame)
    if not readings:
        return nothing("no number in these words")
    spans = [(one.start, one.end) for one in readings]
    if not _VAGUE.isdisjoint(said) or changes_value(words, spans):
        return nothing("part of the words would change the number, and was not understood")
    values = [one.value for one in readings if one.value is not None]
    if len(values) < len(readings):
        return nothing("no amount that has a fixed worth in the unit that is wanted")
    if frame.unit == "minutes" and readings[0].rule == "number" and 1 <= values[0] <= 4 and (like is None or like > 20):
        values.append(values[0] * 60)
    return _shaped(values, readings[0].start, readings[-1].end, readings[0].rule, frame)


def _from_to(words: str, frame: Frame) -> Finding | None:
    """The time between two times of day ("from 2 to half three", "9 to 5"), and half a day, which is two lengths."""
    bare = words.strip("~ ,")
    if _HALF_DAY.fullmatch(bare) and frame.unit in ("minutes", "hours"):
        return _shaped(
            [convert(Fraction(hours), "hours", frame.unit) for hours in (4, 12)], 0, len(words), "half", frame
        )
    said = re.sub(r"^(?:from|between) ", "", bare)
    for mark in _TO.finditer(said):
        ends = [clock.GRAMMAR.read_all(end.removeprefix("at ")) for end in (said[: mark.start()], said[mark.end() :])]
        first, last = (clock.clock_of(end) if end else None for end in ends)
        numbers = all(end is not None and end.rule == "whole hour" and "half" not in end.groups for end in ends)
        if not first or not last or (numbers and said == bare and first.minute < last.minute):
            continue
        starts, stops = (clock.settle(end, set(), replace(frame, hours=None), None) for end in (first, last))
        shortest = min((stop - start) % clock.DAY or clock.DAY for start in starts for stop in stops)
        return _shaped(
            [convert(Fraction(shortest), "minutes", frame.unit)], 0, len(words), "from one to another", frame
        )
    return None


def _whole_change(words: str, like: Fraction, frame: Frame) -> Finding | None:
    """What all the words make of `like`: the same, twice as much, plus ten."""
    bare = words.strip("~ ,")
    if SAME.fullmatch(bare):
        return Finding((frame.like,), 0, len(words), "same")
    factor = None if frame.kind == "percent" and _SHARE.fullmatch(bare) else _factor(bare)
    if factor is not None:
        return _shaped([like * factor], 0, len(words), "times as much", frame)
    signed = _SIGNED.fullmatch(bare)
    if signed is None:
        return None
    readings = list(amounts(signed["rest"], frame, difference=True))
    if len(readings) != 1 or readings[0].value is None:
        return nothing("how much more or less is not said")
    value, minus = readings[0].value, signed["sign"] == "minus"
    own = [-value] if minus and frame.kind in ("number", "temperature") else []
    return _shaped([*own, like - value if minus else like + value], 0, len(words), "plus or minus", frame)


def _changed(words: str, like: Fraction | None, sign: int, frame: Frame) -> Finding:
    """`like` and so much more or less."""
    if like is None:
        return nothing("nothing is known that it should be more or less than")
    if not _UNSAID.isdisjoint(words.split()):
        return nothing("how much more or less is not said")
    if " times " in words:
        return nothing("twice as much more, or twice as much?")
    share = _PERCENT.search(words) or _PART.search(words)
    readings: list[Amount] = [] if share and frame.kind != "percent" else list(amounts(words, frame, difference=True))
    values = [like * (1 + sign * _part(share))] if share else []
    if len(readings) > 1 or (readings and readings[0].value is None) or (not readings and not share):
        return nothing("how much more or less is not said")
    if readings and readings[0].value is not None:
        values.append(like + sign * abs(readings[0].value))
    if frame.kind == "money" and any(100 % value.denominator for value in values):
        return nothing("no whole cents")
    start, end = share.span() if share else (readings[0].start, readings[0].end)
    return _shaped(values, start, end, "more or less", frame)


def _part(share: re.Match[str]) -> Fraction:
    """ "Ten percent", "a third" as a part of one."""
    if "n" in share.groupdict():
        return Fraction(share["n"]) / 100
    return Fraction(1, {"quarter": 4, "3th": 3}.get(share[1] or share[2], 2))


def _factor(bare: str) -> Fraction | None:
    match = _TIMES.fullmatch(bare)
    if match is None:
        return None
    if match["again"] and match["word"] != "half":
        return None
    if match["again"]:
        return Fraction(3, 2)
    if match["word"]:
        return _FACTORS[match["word"]]
    return Fraction(match["n"]) if match["n"] else Fraction(1, 4 if match["share"] == "quarter" else 3)


def _like(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return Fraction(str(value))


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
