"""Numbers, lengths of time, money, percentages and quantities in words, as exact amounts in the unit that is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from toolmend.language.resolve.durations import NUMBER, SPAN, measure
from toolmend.language.resolve.grammar import Grammar, Groups, Match
from toolmend.language.resolve.shapes import Frame
from toolmend.language.resolve.units import DOLLARS, UNITS, WORDS, convert

_SIGNED = rf"(?P<sign>(?:minus|negative|(?<!\d )[-+]) )?(?P<n>{NUMBER})"
_THOUSANDS = r"(?P<kilo> (?:k|thousand|grand))?"
_SHARE = r"(?P<share>(?:1 )?half|(?:a )?quarter|(?:a |1 )?3th|2 thirds|0.75)(?: of)?(?: a)?"
_SHARES = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "3th": Fraction(1, 3), "2 thirds": Fraction(2, 3)}
_NONE = r"(?P<none>none|nothing|nobody|not any|not a single one)"
_COUNTS = {"once": 1, "twice": 2, "thrice": 3}
_SLANG = {"fiver": 5, "tenner": 10, "grand": 1000}
_SMALL = {
    "cent": "EUR USD",
    "cents": "EUR USD",
    "c": "EUR USD",
    "p": "GBP",
    "pence": "GBP",
    "penny": "GBP",
    "pee": "GBP",
}
# Words that may follow a number whose unit is not said; any other might be its unit.
_BESIDE = (
    r"(?:grand|thousand|million|more|less|fewer|extra|additional|higher|lower|warmer|colder|cooler|hotter|cheaper|dearer|longer|shorter|further|farther|"
    r"heavier|lighter|bigger|smaller|brighter|darker|louder|quieter|faster|slower|closer|nearer|taller|off|up|down|for|from|in|on|"
    r"at|to|of|or|and|not|but|by|per|each|every|the|that|this|it|is|was|will|would|should|instead|rather|then|now|today|tonight|"
    r"tomorrow|total|altogether|exactly|only|so|as|because|if|when|while|with|without|until|till|than|times|half|quarter|"
    r"plus|minus|point|points|too|also|again|max|min|oclock|am|pm|below|above|under|over|discount|maybe|sorry|i|we|you|"
    r"all|both|percentage|between|oh|no|yes|yeah|ok|okay|thanks|thank|should|could|can|did|do|tops|even|straight|flat|"
    r"month\d+|weekday\d+|approximately|about|around|or so)(?!\S)"
)
# The second, smaller unit of "six foot two", "5 kilos 200", "1 m 80".
_SMALLER = {
    "feet": ("inches", 1),
    "metres": ("centimetres", 1),
    "kilograms": ("grams", 1),
    "kilometres": ("metres", 1),
    "stone": ("pounds", 1),
}


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in the wanted unit; None where it is in another currency or kind. `share` is part of a whole."""

    value: Fraction | None
    start: int
    end: int
    rule: str


_MONEY = (
    ("money", r"(?P<unit>{units}) {n}(?: (?P<scale>m|million))?"),
    ("money", r"{n} (?P<unit>{units})(?: (?:and )?(?P<cents>\d\d?)(?: (?P<small>{small}))?)?"),
    ("money", r"a (?P<unit>{units})(?: (?:and )?(?P<cents>\d\d)| and (?P<more>a half))?"),
    ("money", r"{share} (?P<unit>{units})"),
    ("small money", r"{n} (?P<small>{small})"),
    ("slang", r"(?:a )?(?P<slang>fiver|tenner|grand)|(?P<n>\d+) (?P<plural>fiver|tenner)s"),
    ("two figures", r"{n} (?P<cents>\d\d)"),
    ("none", r"(?P<none>none|nothing|free)"),
)


# A number without a unit is what was said: "3 days" are three.
_COINED = "|".join(re.escape(word) for word in sorted(WORDS["money"], key=len, reverse=True))
_COUNTED = r"(?:s|m|h|sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?|months?|years?)"


@cache
def _grammar(kind: str) -> Grammar:
    """The rules for amounts of one kind."""
    words = sorted(WORDS.get(kind, ()), key=len, reverse=True)
    parts = {
        "units": "|".join(map(re.escape, words)),
        "small": "|".join(_SMALL),
        "n": _SIGNED + (_THOUSANDS if "k" not in words else ""),
        "share": _SHARE,
    }
    foreign = {word for other in WORDS if other != kind for word in WORDS[other] if len(word) > 1} - {*words, "in"}
    parts["foreign"] = "|".join(sorted(foreign, key=len, reverse=True))
    bare = (
        [("number", "{n}")]
        if kind == "number"
        else [("another unit", rf"{{n}} (?:degrees )?(?:{{foreign}}|(?!{_BESIDE})[^\W\d]{{2,}})"), ("number", "{n}")]
    )
    if kind == "number":
        rules = [
            ("number", rf"{{n}} {_COUNTED}(?! (?:and|[\d~]))"),
            ("price", rf"{{n}} (?:{_COINED}) (?:and )?(?P<cents>\d\d)(?! \d)(?: (?:{'|'.join(_SMALL)}))?"),
            ("number", r"the (?P<n>\d+)th(?= [a-z])"),
            ("length of time", SPAN),
            ("none", _NONE),
            ("share", "{share}(?! [^~])"),
            ("times", r"(?P<count>once|twice|thrice)"),
            *bare,
        ]
        rules.insert(0, ("fraction", r"(?:(?P<n>\d+) )?(?P<top>\d{1,2})/(?P<below>[1-9]\d?)"))
    elif kind == "duration":
        colon = ("hours and minutes", r"(?P<hours>\d{1,2}):(?P<minutes>[0-5]\d)(?: hours?| h)?")
        rules = [colon, ("length of time", SPAN), *bare]
    elif kind == "money":
        rules = [*_MONEY, *bare]
    elif kind == "percent":
        rules = [
            ("percent", r"{n} (?:{units})"),
            ("fraction", r"(?P<top>\d{1,2})(?:/| in | out of )(?P<below>[1-9]\d?)"),
            ("share of one", r"{share} (?:{units})"),
            ("share", r"{share}(?! (?:hour|minute|day|past|to)s?\b)"),
            ("none", _NONE),
            *bare,
        ]
    else:
        rules = [("feet and inches", r"{n} ' (?P<rest>\d\d?)(?: \")?")] if kind == "length" else []
        if kind == "temperature":
            rules = [("below zero", r"{n}(?: degrees?)?(?: (?P<unit>{units}))? below(?: (?:0|freezing)|$)")]
        rules += [
            ("quantity", r"{n}(?: degrees?| °)? (?P<unit>{units})(?: (?:and )?(?P<rest>\d+)(?: (?P<unit2>{units}))?)?"),
            ("quantity", r"{n} degrees?"),
            ("quantity", r"a degrees?(?: (?P<unit>{units}))?"),
            ("quantity", r"{n} and a half (?P<unit>{units})"),
            ("quantity", r"{share} (?:(?:degrees? )?(?P<unit>{units})|degrees?)"),
            ("quantity", r"a (?P<unit>{units})(?: (?P<rest>\d+)| and (?P<more>a half))?"),
            *bare,
        ]
    return Grammar([(name, _filled(rule, parts)) for name, rule in rules])


def _filled(rule: str, parts: dict[str, str]) -> str:
    for name, pattern in parts.items():
        rule = rule.replace("{" + name + "}", pattern)
    return rule


def amounts(words: str, frame: Frame, *, difference: bool = False) -> Iterator[Amount]:
    """Every amount in the words, from left to right."""
    for match in _grammar(frame.kind).read(words):
        try:
            value = _value(match, words, frame, difference)
        except (ValueError, KeyError):
            value = None
        yield Amount(value, match.start, match.end, match.rule)


def _value(match: Match, words: str, frame: Frame, difference: bool) -> Fraction:
    groups, unit = match.groups, UNITS.get(frame.unit, "")
    if "none" in groups:
        return Fraction(0)
    if match.rule == "length of time":
        span = measure(words[match.start : match.end])
        if span is None or span.months:
            raise ValueError("no fixed length")
        return convert(span.seconds, "seconds", unit or "minutes")
    if match.rule == "times":
        return Fraction(_COUNTS[groups["count"]])
    if match.rule == "fraction":
        share = Fraction(groups.get("n", 0)) + Fraction(int(groups["top"]), int(groups["below"]))
        return share * (100 if frame.kind == "percent" else 1)
    if match.rule == "hours and minutes":
        return convert(Fraction(60 * int(groups["hours"]) + int(groups["minutes"])), "minutes", unit)
    number = _number(groups)
    if match.rule == "another unit":
        raise ValueError("another kind of thing")
    if frame.kind == "money":
        return _money(match, number, unit)
    if match.rule == "price":
        return number + Fraction(int(groups["cents"]), 100)
    if match.rule == "share":
        return number * (100 if frame.kind == "percent" else 1)
    if match.rule == "feet and inches":
        return convert(12 * number + int(groups["rest"]), "inches", unit)
    if match.rule == "below zero":
        if frame.unit == "fahrenheit" and words.endswith("freezing", 0, match.end):
            raise ValueError("freezing is at 32")
        number = -number
    if "unit" not in groups:
        return number
    said = WORDS[frame.kind][groups["unit"]]
    total = convert(number, said, unit, difference=difference)
    if "rest" in groups:
        smaller = _smaller(groups, said, frame.kind)
        total += convert(Fraction(int(groups["rest"])), smaller, unit, difference=True)
    return total


def _smaller(groups: Groups, said: str, kind: str) -> str:
    """The unit of the second number: "5 feet 11", "1 m 80", "2 kilos 300"."""
    expected = _SMALLER[said][0]
    if "unit2" in groups and WORDS[kind][groups["unit2"]] != expected:
        raise ValueError("two units that do not go together")
    return expected


def _number(groups: Groups) -> Fraction:
    if "share" in groups:
        words = groups["share"]
        return next((share for name, share in _SHARES.items() if name in words), Fraction(3, 4))
    number = Fraction(groups.get("n", 1)) + (Fraction(1, 2) if "more" in groups else 0)
    number *= 1000 if "kilo" in groups else 1
    return -number if (groups.get("sign") or "+")[0] in "mn-" else number


def _money(match: Match, number: Fraction, unit: str) -> Fraction:
    groups = match.groups
    if groups.get("n", "").partition(".")[2][2:]:
        raise ValueError("1.200 is one euro to some, twelve hundred to others")
    if "slang" in groups or "plural" in groups:
        return number * _SLANG[groups.get("slang") or groups["plural"]]
    said = WORDS["money"][groups["unit"]] if "unit" in groups else unit
    if said != unit and not (said == "USD" and unit in DOLLARS):
        raise ValueError("another currency")
    if "small" in groups and unit not in _SMALL[groups["small"]]:
        raise ValueError("another currency")
    if match.rule == "small money":
        return number / 100
    if "cents" in groups:
        if len(groups["cents"]) == 1 and "small" not in groups:
            raise ValueError("five euros two")
        number += Fraction(int(groups["cents"]), 100)
    return number * (10**6 if "scale" in groups else 1)
