"""What is said of an entry that is to recur, in words: "Yoga every Wednesday at six until Easter".

Every word has to be understood: the rest of the sentence is the title, and a rest with figures or days in it is none.
Knows no calendar.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from toolmend.base.errors import MissingExtra
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.clock_ranges import clock_range, clocks
from toolmend.tools.toolboxes.occasions import DAY

T = TypeVar("T")

_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_DAYS = dict(zip("monday tuesday wednesday thursday friday saturday sunday".split(), _CODES, strict=True))
_SHORT = {short: day for day in _DAYS for short in (day[:3], day[:4], day[:5]) if day not in (short,)}
_DAY = rf"(?:{'|'.join([*_DAYS, *_SHORT])})s?"
_DAYLIST = rf"{_DAY}(?:(?:, | and |, and | & |/){_DAY})*"
_NTHS = {
    **dict(zip("first second third fourth last".split(), "1 2 3 4 -1".split(), strict=True)),
    **{f"{number}{ending}": str(number) for number, ending in ((1, "st"), (2, "nd"), (3, "rd"), (4, "th"))},
}
_UNITS = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}
_COUNT = {"type": "integer", "minimum": 1, "maximum": 999}
_DATE = {"type": "string", "format": "date"}
_MINUTES = {"type": "integer", "x-unit": "minutes"}
_NTH = rf"(?:{'|'.join(_NTHS)})"
_PLURAL = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days"
_EACH = r"(?:every|each)"

_WEEKDAYS = re.compile(
    r"\b(?:on )?(?:(?:every|each|all) )?(?:weekdays?|work(?:ing)? ?days?)\b|\bmonday (?:to|through) friday\b"
)
_ON_DAYS = re.compile(
    rf"\b(?:on )?{_EACH} (?P<step>other |second |third |fourth |\d+ weeks on )?(?P<days>{_DAYLIST})\b"
    rf"|\b(?P<fort>fortnightly|biweekly|every (?:two|2|other|second) weeks?) on (?P<fdays>{_DAYLIST})\b"
    rf"|\b(?P<week>weekly|every week|each week) on (?P<wdays>{_DAYLIST})\b"
    rf"|\bon (?P<plural>{_PLURAL}(?:(?:,| and|, and) {_PLURAL})*)\b"
)
_NTH_DAY = re.compile(
    rf"\b(?:on )?(?:the |every )(?P<nth>{_NTH}) (?P<day>{_DAY})(?: of)?(?: (?:the|every|each|a) month)?\b"
)
_MONTH_DAY = re.compile(
    rf"\b(?:on )?(?:the )?(?P<number>\d{{1,2}})(?:st|nd|rd|th) (?:of )?{_EACH} month\b"
    rf"|\b(?:{_EACH} month|monthly) on the (?P<after>\d{{1,2}})(?:st|nd|rd|th)\b"
)
_EVERY = re.compile(
    rf"\b{_EACH} (?P<step>other |second |third |fourth |\w+ )?(?P<unit>day|week|month|year)s?\b"
    r"|\b(?P<word>daily|weekly|fortnightly|biweekly|monthly|yearly|annually)\b"
)
_WORDS = {"daily": ("DAILY", 1), "weekly": ("WEEKLY", 1), "fortnightly": ("WEEKLY", 2), "biweekly": ("WEEKLY", 2),
          "monthly": ("MONTHLY", 1), "yearly": ("YEARLY", 1), "annually": ("YEARLY", 1)}  # fmt: skip
_UNTIL = re.compile(
    r"\b(?:until|till|til|through|up to|ending(?: on)?) (?P<day>(?:the end of )?.+?)(?=$|,| at \w| from \w| for \w)"
)
_TIMES = re.compile(
    r"\b(?:for (?:the next )?)?(?P<count>\w+) times\b"
    r"|\bfor (?:the next )?(?P<long>\w+) (?P<unit>weeks|months|days|years)\b"
)
_FROM = re.compile(
    r"\b(?:starting|beginning|as of|from|with effect from)(?: on)? "
    r"(?P<day>(?!\d{1,2}(?::\d\d)?\s*(?:am|pm|to|until|till|-|–)).+?)(?=$|,| at \w| until \w| for \w)"
)
_SPAN = re.compile(
    r"\bfor (?P<span>(?:an?|half an|\w+(?: and a half)?|\d+(?:[.,]\d+)?) ?(?:hours?|minutes?|mins?|h)\b"
    r"(?: and \w+ minutes)?)|,? (?P<bare>\d+ ?(?:minutes?|mins?|hours?|h))\b"
)
_AT = re.compile(
    r"\b(?P<range>from \S+(?: ?[ap]m)? (?:to|until|till) \S+(?: ?[ap]m)?)"
    r"|\bat (?P<clock>(?:half past |quarter (?:to|past) )?"
    r"(?:\d{1,2}(?:[:.]\d\d)?|noon|midday|midnight|\w+)(?: ?(?:am|pm|o'clock))?"
    r"(?: in the (?:morning|afternoon|evening)| at night)?)"
    r"|\b(?P<bare>\d{1,2}[:.]\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m)\b"
)
_ON = re.compile(
    r"\bon (?P<day>(?:the )?\d{1,2}.*?|[a-z]+ \d{1,2}(?:st|nd|rd|th)?)(?=$|,| at \w| until \w| from \w| for \w)"
)
_VERBS = re.compile(
    r"^(?:(?:please|can you|could you|would you|i want to|i'd like to|let's|also|and|then) )*"
    r"(?:(?:add|book|schedule|put|plan|create|make|set up|enter|note|block"
    r"|have|i have|i've got|i've|there's|there is|remind me (?:to|about|of)) )?"
    r"(?:in )?(?:(?:a|an|the|my|our) )?(?:new )?(?:(?:recurring|repeating|regular) )?"
)
_TAIL = re.compile(r"(?: (?:in|to|into|on) (?:my|the|our) (?:calendar|diary|schedule))?[ ,]*(?:please)?[ .!,]*$")
_LEFT = re.compile(
    rf"\d|\b(?:every|each|until|till|from|at|for|starting|{_DAY}|tomorrow|today|daily|weekly|monthly|yearly|except|but)\b"
)
_CUES = re.compile(r"(?:no|not|actually|sorry|rather|instead|i mean(?:t)?|wait|it|that|this|them|make (?:it|that))\b")
_CUE = re.compile(
    r"^(?:(?:no|actually|sorry|wait|oh|i mean|i meant|make (?:it|that)|it's|it is|it should be|rather"
    r"|change (?:it|that) to|but)\b[, ]*)+"
)
_AWAY = re.compile(r"^(?:please )?(?:cancel|remove|delete|skip|drop|take out|move|change|add no|no)\b")


class Recurring(NamedTuple):
    """What was understood: `times` are all times of day that can be meant, `words` those for the rule, `problem` says
    what is missing."""

    title: str
    rule: str
    first: dt.date
    times: tuple[str, ...]
    minutes: int
    words: str
    problem: str = ""


def recurring(text: str, now: dt.datetime, hours: str) -> Recurring | None:
    """An entry that is to recur; None for a sentence that says no such thing, or more than is understood."""
    said = " ".join(text.replace("’", "'").split()).strip(" .!")
    small = said.lower()
    if _AWAY.search(small) or "?" in small:
        return None
    whole = small
    small, rule, days = _rule(small)
    if not rule:
        return None
    words = [_gone(whole, small)]
    today = now.date()
    if rule == "FREQ=YEARLY":
        small, birthday = _taken(_ON, small, lambda match: _date(match["day"], now))
        today = birthday or today
    small, first = _taken(_FROM, small, lambda match: _date(match["day"], now))
    whole = small
    small, until = _taken(_UNTIL, small, lambda match: _date(match["day"], now))
    words.append(_gone(whole, small))
    small, minutes = _taken(_SPAN, small, lambda match: _number(match["span"] or match["bare"], _MINUTES))
    whole = small
    small, times = _taken(_TIMES, small, _times)
    words.append(_gone(whole, small))
    small, at = _taken(_AT, small, lambda match: _clock(match, hours))
    title = _TAIL.sub("", " ".join(_VERBS.sub("", " ".join(small.split())).replace(" ,", ",").split())).strip(" ,:-–")
    left = re.sub(r"\b(?:dai|week|month|year)ly\b", "", title) if days else title
    if not title or _LEFT.search(left) or _CUES.match(title):
        return None
    begins = _first(first or today, days, rule)
    if until is not None:
        rule += f";UNTIL={until:%Y%m%d}T235959"
    elif times is not None:
        rule += f";COUNT={times[0]}" if times[1] == "times" else f";UNTIL={begins + _length(times) - DAY:%Y%m%d}T235959"
    clocks_said, length = at if at is not None else ((), None)
    problem = "" if clocks_said else f"{_cased(title, said)}: at what time?"
    if len(clocks_said) > 1:
        problem = f"{_cased(title, said)}: at {' or at '.join(clocks_said)}?"
    told = " ".join(word for word in words if word)
    return Recurring(_cased(title, said), rule, begins, clocks_said, minutes or length or 30, told, problem)


def rule_said(words: str, first: dt.date) -> str:
    """The rule that words mean for an entry that begins that day, "every Wednesday until Easter"; "" for none."""
    found = recurring(f"entry {words} at noon", dt.datetime.combine(first, dt.time()), "07-19")
    return found.rule if found is not None and found.title == "Entry" and found.first == first else ""


def changed_rule(text: str, repeat: str, now: dt.datetime, hours: str) -> tuple[str, str] | None:
    """What a sentence makes of a rule in words, "actually on Thursdays", "no, until June": the words for the rule and
    the time, "" for the same; None for a sentence that says anything else."""
    rest = _CUE.sub("", " ".join(text.lower().replace("’", "'").split()).strip(" .!"))
    if _UNTIL.fullmatch(rest):
        rest = f"{_UNTIL.sub('', repeat).strip()} {rest}"
    found = recurring(f"entry {rest}", now, hours)
    if found is None or found.title != "Entry" or len(found.times) > 1:
        return None
    until = _UNTIL.search(repeat)
    kept = f" {until[0]}" if until and not _UNTIL.search(found.words) else ""
    return found.words + kept, found.times[0] if found.times else ""


def _gone(before: str, after: str) -> str:
    """What was taken out of a sentence."""
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[::-1])
    return before[start : len(before) - end].strip(" ,")


def _shared(one: str, other: str) -> int:
    """How many letters both begin with."""
    pairs = zip(one, other, strict=False)
    return next((place for place, pair in enumerate(pairs) if pair[0] != pair[1]), min(len(one), len(other)))


def _rule(said: str) -> tuple[str, str, tuple[str, ...]]:
    """The rest, the rule, and the weekdays that it names."""
    if (match := _NTH_DAY.search(said)) and "month" in match[0]:
        return _cut(said, match), f"FREQ=MONTHLY;BYDAY={_NTHS[match['nth']]}{_code(match['day'])}", ()
    if match := _MONTH_DAY.search(said):
        number = int(match["number"] or match["after"])
        return (_cut(said, match), f"FREQ=MONTHLY;BYMONTHDAY={number}", ()) if 1 <= number <= 31 else (said, "", ())
    if match := _WEEKDAYS.search(said):
        return _cut(said, match), "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", ("MO", "TU", "WE", "TH", "FR")
    if match := _ON_DAYS.search(said):
        named = next(match[key] for key in ("days", "fdays", "wdays", "plural") if match[key])
        codes = tuple(dict.fromkeys(_code(day) for day in re.findall(r"[a-z]+", named) if day != "and"))
        step = 2 if match["fort"] else _step(match["step"])
        if step is None:
            return said, "", ()
        interval = f";INTERVAL={step}" if step > 1 else ""
        return _cut(said, match), f"FREQ=WEEKLY{interval};BYDAY={','.join(codes)}", codes
    if match := _EVERY.search(said):
        if match["word"]:
            unit, step = _WORDS[match["word"]]
        else:
            unit, step = _UNITS[match["unit"]], _step(match["step"]) or 0
        if step:
            return _cut(said, match), f"FREQ={unit}" + (f";INTERVAL={step}" if step > 1 else ""), ()
    return said, "", ()


def _step(word: str | None) -> int | None:
    word = (word or "").strip()
    known = {"": 1, "other": 2, "second": 2, "third": 3, "fourth": 4, "single": 1}
    if word in known:
        return known[word]
    value = _number(word.split()[0], _COUNT)
    return value if isinstance(value, int) else None


def _taken(pattern: re.Pattern[str], said: str, read: Callable[[re.Match[str]], T | None]) -> tuple[str, T | None]:
    """The sentence without what was read, and that."""
    for match in pattern.finditer(said):
        value = read(match)
        if value is not None:
            return _cut(said, match), value
    return said, None


def _cut(said: str, match: re.Match[str]) -> str:
    return f"{said[: match.start()]} {said[match.end() :]}"


def _date(words: str, now: dt.datetime) -> dt.date | None:
    end = words.removeprefix("the end of ")
    meant = resolve(words, _DATE, now=now) if end == words else resolve(f"end of {end}", _DATE, now=now)
    if not isinstance(meant, Resolved):
        return None
    return dt.date.fromisoformat(meant.value)


def _number(words: str, schema: Mapping[str, object]) -> int | None:
    meant = resolve(words, schema)
    return int(meant.value) if isinstance(meant, Resolved) else None


def _times(match: re.Match[str]) -> tuple[int, str] | None:
    count = _number(match["count"] or match["long"], _COUNT)
    return (count, match["unit"] or "times") if count else None


def _length(times: tuple[int, str]) -> dt.timedelta:
    return times[0] * {"days": DAY, "weeks": 7 * DAY, "months": 30 * DAY, "years": 365 * DAY}[times[1]]


def _clock(match: re.Match[str], hours: str) -> tuple[tuple[str, ...], int | None] | None:
    if match["range"]:
        span = clock_range(match["range"], hours)
        return None if span is None else ((span[0],), span[1])
    found = clocks(match["clock"] or match["bare"], hours)
    return (found, None) if found else None


def _first(day: dt.date, days: tuple[str, ...], rule: str) -> dt.date:
    """The first day of the rule from a day on."""
    if days:
        wanted = {list(_DAYS.values()).index(code) for code in days}
        return next(day + number * DAY for number in range(7) if (day + number * DAY).weekday() in wanted)
    try:
        from dateutil.rrule import rrulestr
    except ImportError as error:
        raise MissingExtra("what recurs", "calendar") from error
    start = dt.datetime.combine(day, dt.time())
    first: dt.datetime = next(iter(rrulestr(rule, dtstart=start)))
    return first.date()


def _code(word: str) -> str:
    bare = word.strip().rstrip(",")
    bare = bare if bare in _DAYS or bare in _SHORT else bare.removesuffix("s")
    return _DAYS[_SHORT.get(bare, bare)]


def _cased(title: str, said: str) -> str:
    """The title as it was written, with a capital."""
    at = said.lower().find(title)
    written = said[at : at + len(title)] if at >= 0 else title
    return written[:1].upper() + written[1:]
