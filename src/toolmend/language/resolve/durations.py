"""Lengths of time in words: "an hour and a half", "1h30", "three quarters of an hour", "a fortnight".

SPAN is the pattern other grammars build on; months and years are kept apart, for they have no fixed length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

NUMBER = r"\d+(?:\.\d+)?"
_LONG = r"(?:seconds?|minutes?|hours?|days?|weeks?|fortnights?|months?|years?)"
_COUNT = rf"(?:{NUMBER} and a half|{NUMBER}(?: of a)?|(?:1 )?half(?: of)?(?: a)?|(?:a |1 )?quarter(?: of)?(?: a)?|a)"
_FILLING = r"(?:more|extra|additional|further|fewer|less|full|whole|good)"
_SHARE_MORE = r"(?: and (?:a )?(?:half|quarter|0.75))?"
_ONE = rf"(?:(?:{_COUNT} (?:{_FILLING} )?)?{_LONG}{_SHARE_MORE}|{NUMBER} [smhdw])"
_AFTER = r"later|earlier|sooner|longer|shorter|more|less|before|after|ago|from|minutes"
SPAN = rf"(?:{_ONE}(?: (?:(?:and|,|and a) |(?!a {_LONG})){_ONE}){{0,3}}(?: (?:and )?\d{{1,2}}(?=$| (?:{_AFTER})\b))?)"

_STEP = re.compile(
    rf"(?P<count>{_COUNT}(?= ))?(?: ?{_FILLING})? ?(?P<unit>{_LONG}|[smhdw])(?!\S)"
    rf"(?: and (?:a )?(?P<more>half|quarter|0.75))?|(?P<rest>{NUMBER})|(?P<other>\S+)"
)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "f": 1209600}
_MONTHS = {"month": 1, "year": 12}
_SHARES = {"half": Fraction(1, 2), "quarter": Fraction(1, 4)}
_MORE = {**_SHARES, "0.75": Fraction(3, 4)}


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time: whole calendar months, and seconds besides."""

    months: int = 0
    seconds: Fraction = Fraction(0)


def measure(words: str) -> Length | None:
    """How long normalised words that fit SPAN are; None for half a month and for what is no length."""
    months, seconds, last = Fraction(0), Fraction(0), ""
    for step in _STEP.finditer(words):
        if step["other"]:
            if step["other"] not in ("and", ",", "a"):
                return None
            continue
        if step["rest"]:
            if last not in ("h", "m") or Fraction(step["rest"]) >= 60 or seconds % _SECONDS[last]:
                return None
            seconds += Fraction(step["rest"]) * (60 if last == "h" else 1)
            last = "m" if last == "h" else "s"
            continue
        count = _count(step["count"] or "a") + _MORE.get(step["more"] or "", 0)
        unit = step["unit"]
        if unit.rstrip("s") in _MONTHS:
            months += count * _MONTHS[unit.rstrip("s")]
        else:
            last = unit[0]
            seconds += count * _SECONDS[last]
    if months.denominator != 1 or (not last and not months):
        return None
    return Length(int(months), seconds)


def _count(words: str) -> Fraction:
    number = re.match(NUMBER, words)
    share = next((share for name, share in _SHARES.items() if name in words), Fraction(0))
    if number is None or words.startswith(("1 half", "1 quarter")):
        return share or Fraction(1)
    return Fraction(number[0]) + share
