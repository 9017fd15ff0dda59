"""Where in a sentence values stand and of which kind each is: a clock, a day, a length of time, a change, a number.

Only finds the places; what they mean is computed in resolve/. Knows no argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolmend.resolve.durations import SPAN
from toolmend.resolve.words import Words

_N = r"\d+(?:\.\d+)?"
_HALF = r"(?: ?(?:am|pm|a m|p m))"
_PART = (
    r"(?: ?,? ?(?:in the (?:early |late )?(?:morning|afternoon|evening)|at night|tonight|this (?:morning"
    r"|afternoon|evening)))"
)
_WEEKDAY = r"(?:(?:this|next|last|coming|this coming|following|the following) )?weekday\d"
_DAY = r"\d{1,2}th|2nd|second"
_YEAR = r"(?: ?,? ?(?:of )?(?:(?:19|20|21)\d\d|20 [2-4]\d))?"
_MONTH_DAY = (
    rf"(?:month\d+ (?:the )?(?:{_DAY}|\d{{1,2}})(?!:){_YEAR}|(?:the )?(?:{_DAY}|\d{{1,2}}) (?:of )?month\d+{_YEAR})"
)
_CLOCK = (
    rf"(?:(?:a )?(?:half|quarter|\d{{1,2}}(?: minutes?)?) (?:past|to|after|before|till) (?:\d{{1,2}}|noon"
    rf"|midnight)(?: oclock)?"
    rf"|\d{{1,2}}:\d\d(?: h| hours?)?|\d{{1,2}} oclock|(?:12 )?(?:noon|midnight)|half \d{{1,2}})(?:{_HALF}|{_PART})?"
    rf"|\d{{1,2}}(?:[. ]\d\d|:\d\d)?(?: oclock)?(?:{_HALF}|{_PART})"
    rf"|\d{{1,2}} (?:[1-5]\d|0 ?\d|oh \d)(?! \d|\S)"
    rf"|(?<=at )\d{{1,2}}\.\d\d"
)
_LATER = r"(?:later|earlier|sooner|after(?:wards)?(?: that)?|before(?: that)?)"
_DAYS_SPAN = r"(?:(?:\d+|a|half a|a couple of|another) (?:days?|weeks?|months?|years?|fortnights?)(?! (?:long|more)))"
_MORE = (
    r"(?:more|less|fewer|longer|shorter|higher|lower|warmer|colder|cooler|hotter|louder|quieter|softer"
    r"|brighter|darker|extra"
    r"|additional)"
)
_UNITS = {
    "money": r"(?:euros?|eur|€|dollars?|usd|\$|bucks?|pounds?|gbp|£|quid|cents?|pence)",
    "percent": r"(?:percent|%)",
    "degrees": r"(?:degrees?|°)(?: ?(?:c|f|celsius|fahrenheit))?",
}
_RULES: tuple[tuple[str, str], ...] = (
    ("month", r"(?:in )?month\d+(?! ?(?:the )?\d)(?=$| ,| \.)"),
    ("day shift", r"(?:a|the) (?:week|month|year) (?:later|earlier|after|before)(?: that)?(?! \S)"),
    ("day shift", rf"(?:(?:(?:the|a) )?day|{_DAYS_SPAN}) {_LATER}(?! (?:today|tomorrow|weekday|month|the \d))"),
    (
        "day shift",
        rf"(?:push|move|postpone|put|shift|bring|delay)(?: (?:it|that|this|them))? (?:back|forward|off|out"
        rf"|on)(?: by)? {_DAYS_SPAN}",
    ),
    ("day shift", rf"{_DAYS_SPAN} (?:forward|back|ahead|on)(?! (?![,.]|and\b)\S)"),
    ("day shift", r"(?:the )?(?:next|following|previous) (?:day|week|month|year)(?! weekday)"),
    ("time shift", rf"(?:{SPAN}) {_LATER}(?! (?:noon|midnight|\d))"),
    ("time shift", rf"(?:later|earlier) by (?:{SPAN})"),
    (
        "time shift",
        rf"(?:push|move|postpone|put|shift|bring|delay)(?: (?:it|that|this|them))? (?:back|forward|off|out|on"
        rf"|up)(?: by)? (?:{SPAN})",
    ),
    ("time shift", rf"(?:delay|postpone)(?: (?:it|that|this|them))?(?: by)? (?:{SPAN})"),
    ("time shift", rf"(?:{SPAN}) (?:forward|ahead)(?! \S)"),
    ("length change", rf"(?:{SPAN}) (?:longer|shorter|more|less)(?! \S)|(?:longer|shorter) by (?:{SPAN})"),
    ("length change", rf"(?:extend|lengthen|shorten|cut|prolong)(?: (?:it|that|this|them))?(?: by)? (?:{SPAN})"),
    (
        "long factor",
        r"(?:twice|half|3 times|\d+ times) (?:as|so) long|(?:twice|double|half) (?:the|that) (?:length|duration|time)",
    ),
    ("factor", r"(?:twice|half|\d+ times) (?:as|so) (?:much|many|big|high|warm|loud|large|bright)(?: \w+)?"),
    (
        "factor",
        r"(?:double|triple|halve|twice|half)(?: (?:it|that|this|of (?:it|that|this)|(?:the|that) (?:amount"
        r"|number|quantity|price|sum|volume|brightness|temperature|size)))?(?! (?:a|an|\d|past|hour|to|room|bed"
        r"|the|as))(?! \w)",
    ),
    ("change", rf"(?:{_N}|a)(?: (?!and|or|to|at|on|for)[a-z%]+)? {_MORE}"),
    ("change", rf"{_MORE} by {_N}(?: (?:degrees?|percent|%|points?|steps?))?"),
    (
        "change",
        rf"(?:raise|increase|turn up|lower|reduce|decrease|turn down|turn (?:it|that) (?:up|down)|up"
        rf"|cut)(?: (?:it|that|this))?(?: by) {_N}(?: (?:degrees?|percent|%|points?))?",
    ),
    ("change", rf"{_N} (?:degrees?|percent|%) (?:up|down)"),
    ("moment", r"\d{4}-\d\d-\d\d[ t]\d{1,2}:\d\d"),
    ("day", r"(?:the )?day (?:after tomorrow|before yesterday)"),
    (
        "day",
        r"(?:a week|2 weeks|a fortnight) (?:today|tomorrow|on weekday\d|weekday\d|from (?:today|tomorrow|weekday\d))",
    ),
    ("day", rf"in (?:{_DAYS_SPAN})(?: time)?|{_DAYS_SPAN} (?:from now|hence|from today)"),
    ("day", rf"(?:the )?(?:\d+th|second|last) weekday\d (?:of|in) (?:month\d+{_YEAR}|(?:this|next|the) month)"),
    ("day", rf"(?:weekday\d ?,? ?)?(?:the )?{_MONTH_DAY}"),
    (
        "day",
        rf"{_WEEKDAY} ?,? ?the (?:{_DAY}|\d{{1,2}})(?! \S)|{_WEEKDAY} ?,? ?(?:the )?(?:{_DAY})(?: of (?:this"
        rf"|next|the) month)?",
    ),
    ("day", rf"{_WEEKDAY}(?: (?:week|in a week|after next|of next week|next week))?|next week ?(?:on )?weekday\d"),
    (
        "day",
        rf"(?:the )?(?:{_DAY})(?: (?:of )?(?:this|next|the same|the|that) month)?"
        r"(?! (?:floor|one|call|entry|event|weekday\d|time))",
    ),
    (
        "day",
        r"today|tomorrow|yesterday|christmas(?: eve| day)?|new year'?s? (?:eve|day)|halloween"
        r"|valentine'?s day|boxing day",
    ),
    ("day", r"\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{1,2}\.\d{1,2}\.(?:\d{2,4})?"),
    ("day", r"next week|next month|next year|(?:the )?(?:end|beginning|start) of (?:(?:the|this|next) month|month\d+)"),
    ("clock range", rf"(?:from |between )?(?:{_CLOCK}|\d{{1,2}}) (?:to|till|until|-|and) (?:{_CLOCK})"),
    ("clock range", r"(?:from|between) \d{1,2} (?:to|till|until|-|and) \d{1,2}(?!:| ?(?:hours?|minutes?|people))"),
    (
        "until",
        rf"(?!up to (?:2[5-9]|[3-9]\d|\d{{3}}))(?:until|till|ends? at|ending at|up to"
        rf"|finishes at) (?:{_CLOCK}|\d{{1,2}}(?!\S| ?(?:hours|minutes)))",
    ),
    (
        "length",
        rf"(?!second)(?:{_N}|a|half) (?:and a half )?(?:hours?|h) (?:and )?{_N}(?: (?:minutes?|m))?"
        rf"|(?!second){SPAN}(?: (?:long|in length|in total|altogether))?",
    ),
    ("clock", rf"(?:{_CLOCK})"),
    ("minutes", r"(?:a )?(?:half|quarter|\d{1,2})(?: minutes)? (?:past|to)(?=$| ,| \.| and)"),
    (
        "half",
        r"(?:the )?(?:am|pm|in the (?:morning|afternoon|evening)|(?:the )?(?:morning|afternoon|evening|night)"
        r"|at night|tonight)",
    ),
    ("money", rf"{_N} (?:euros?|dollars?|pounds?) (?:and )?{_N} (?:cents?|pence)"),
    *(
        (kind, rf"(?:{_N} ?{unit}(?: ?\d\d(?!\d))?|(?:\$|€|£) ?{_N})" if kind == "money" else rf"{_N} ?{unit}")
        for kind, unit in _UNITS.items()
    ),
    ("price", r"\d{1,4} [6-9]\d(?! ?\d)"),
    ("year", r"(?:19|20|21)\d\d(?=$| ,| \.| instead| please)"),
    ("number", rf"(?:minus )?{_N}"),
)
# "second" and "a" alone are too often no length and no number.
_TOO_LITTLE = re.compile(r"(?:a|the|(?:second|minute|hour|day|week|month|year)s?|h|s|m|d|w)")
_ONE = re.compile(
    r"(?:that|this|the|which|other|right|wrong|same|no|weekday\d|\d+th|morning|afternoon|evening|later|earlier|next"
    r"|first|last|new|old|big|small|large) 1$"
    r"|\bthe (?:(?!is|be|to|was|for|at|of|with|\d)\S+ ){1,3}1$"
)
_RANK = re.compile(r"[123]th|2nd|second")
_OF_SEVERAL = re.compile(r" 1(?= [,.]|$)")
_SEARCH = re.compile(
    r"(?<!\S)(?:" + "|".join(f"(?P<r{number}>{rule})" for number, (_, rule) in enumerate(_RULES)) + r")(?!\S)"
).search


@dataclass(frozen=True, slots=True)
class Segment:
    """A value in a text: its kind, the text of it, its normalised words, the word before it and those right after."""

    kind: str
    text: str
    words: str
    before: str
    after: str


def segments(text: str) -> tuple[tuple[Segment, ...], str]:
    """The values in a text, and its normalised words with each of them blanked out."""
    words = Words(text)
    line, place, rest = words.text, 0, []
    values: list[Segment] = []
    while match := _SEARCH(line, place):
        kind = _RULES[int((match.lastgroup or "r0")[1:])][0]
        ranks = _RANK.fullmatch(match[0].removeprefix("the "))
        dated = re.search(r"(?:the|on) $", line[: match.start()]) or match[0].startswith("the ")
        if kind == "day" and ranks and (not dated or _OF_SEVERAL.match(line[match.end() :])):
            kind = "rank"
        if kind == "rank" or _TOO_LITTLE.fullmatch(match[0]) or (kind == "number" and _ONE.search(line[: match.end()])):
            rest.append(line[place : match.end()])
            place = match.end()
            continue
        start, end = words.span(match.start(), match.end())
        before = line[: match.start()].split()
        values.append(
            Segment(kind, text[start:end], match[0], before[-1] if before else "", line[match.end() :].strip())
        )
        rest.append(line[place : match.start()])
        rest.append("~")
        place = match.end()
    rest.append(line[place:])
    return tuple(values), " ".join(" ".join(rest).split())
