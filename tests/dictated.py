"""A written sentence as speech recognition gives it: no capitals, no punctuation, figures as words, a filler here and
there.  "Add lunch on Nov 11 at 5:30 PM."  ->  "add lunch on november eleventh at five thirty p m"
"""

from __future__ import annotations

import re
from random import Random

from toolmend.training import saying

_MONTHS = {name.lower(): name.lower() for name in saying.MONTHS} | {m[:3].lower(): m.lower() for m in saying.MONTHS}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_HALF = {"a": "a m", "p": "p m"}
_FILLERS = ("uh", "um", "like", "please", "well", "so", "you know", "okay")
_FRACTIONS = {"1/2": "half an hour", "1/4": "a quarter of an hour", "3/4": "three quarters of an hour"}


def spoken(text: str, random: Random) -> str:
    """The sentence as it is recognised."""
    said = text.lower()
    for pattern, say in _RULES:
        said = pattern.sub(lambda match, say=say: f" {say(match, random)} ", said)  # type: ignore[misc]
    said = re.sub(r"(?<![a-z])-|-(?![a-z])|[.,?!:;()\"/]", " ", said)
    return " ".join(said.split())


def with_fillers(said: str, random: Random) -> str:
    """The same with a filler word between two others, at times."""
    words = said.split()
    if random.random() < 0.2:
        words.insert(random.randint(0, len(words)), random.choice(_FILLERS))
    return " ".join(words)


def words_of(value: int) -> str:
    """A number up to 9999 in words without hyphens; from 1100 on as years are said."""
    if value < 100:
        tens, ones = divmod(value, 10)
        return saying.number(value) if value < 20 else f"{_tens(tens)} {saying.number(ones)}" if ones else _tens(tens)
    if 2000 <= value < 2010:
        return f"two thousand {saying.number(value % 100)}".removesuffix(" zero")
    if value >= 1100:
        head, tail = divmod(value, 100)
        return f"{words_of(head)} {'hundred' if not tail else f'oh {words_of(tail)}' if tail < 10 else words_of(tail)}"
    head, tail = divmod(value, 100)
    return f"{saying.number(head)} hundred" + (f" {words_of(tail)}" if tail else "")


def _tens(tens: int) -> str:
    return "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()[tens]


def _nth(value: int) -> str:
    return saying.ordinal(value).replace("-", " ") if value <= 31 else words_of(value)


def _hour(hour: int, minute: int, half: str, random: Random) -> str:
    if minute == 0:
        plain = f"{words_of(hour)} hundred" if hour > 12 else f"{words_of(hour)} o'clock"
        return f"{words_of(hour)} {half}" if half else plain
    past = f"oh {words_of(minute)}" if minute < 10 else words_of(minute)
    return f"{words_of(hour)} {past} {half}".strip()


def _clock(match: re.Match[str], random: Random) -> str:
    half = _HALF.get((match["half"] or "")[:1], "")
    return _hour(int(match["hour"]), int(match["minute"] or 0), half, random)


def _iso(match: re.Match[str], random: Random) -> str:
    month = saying.MONTHS[(int(match["month"]) - 1) % 12].lower()
    return f"{month} {_nth(int(match['day']))} {words_of(int(match['year']))}"


def _slashed(match: re.Match[str], random: Random) -> str:
    year = f" {words_of(int(match['year']))}" if match["year"] else ""
    return f"{words_of(int(match['one']))} {words_of(int(match['two']))}{year}"


def _month_day(match: re.Match[str], random: Random) -> str:
    day = int(match["day"])
    said = _nth(day) if random.random() < 0.8 else words_of(day)
    return f"{_MONTHS[match['name']]} {'the ' if match['the'] else ''}{said}"


def _day_month(match: re.Match[str], random: Random) -> str:
    return f"{_nth(int(match['day']))} {'of ' if match['of'] else ''}{_MONTHS[match['name']]}"


def _hours(match: re.Match[str], random: Random) -> str:
    hours, minutes = int(match["hours"]), int(match["minutes"] or 0)
    said = f"{words_of(hours)} hour{'s' * (hours != 1)}"
    return f"{said} {words_of(minutes)} minutes" if minutes else said


def _halves(match: re.Match[str], random: Random) -> str:
    return f"{words_of(int(match['hours']))} and a half hours"


def _minutes(match: re.Match[str], random: Random) -> str:
    return f"{words_of(int(match['n']))} minutes"


def _ordinal(match: re.Match[str], random: Random) -> str:
    return _nth(int(match["n"]))


def _number(match: re.Match[str], random: Random) -> str:
    value = int(match["n"])
    return words_of(value) if value < 10_000 else match["n"]


_RULES = tuple(
    (re.compile(pattern), say)
    for pattern, say in (
        (r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)", _iso),
        (
            r"(?<!\d )\b(?P<f>[13]/[24])(?: ?h(?:ours?)?\b)",
            lambda match, random: _FRACTIONS.get(match["f"], "half an hour"),
        ),
        (r"\b(?P<hours>\d+)(?: 1/2|\.5) ?h(?:ours)?\b", _halves),
        (r"\b(?P<one>\d\d?)/(?P<two>\d\d?)(?:/(?P<year>\d{4}))?\b", _slashed),
        (rf"\b(?P<name>{_MONTH})\.? (?P<the>the )?(?P<day>\d\d?)(?:st|nd|rd|th)?\b(?!:)", _month_day),
        (rf"\b(?P<day>\d\d?)(?:st|nd|rd|th)? (?P<of>of )?(?P<name>{_MONTH})\b", _day_month),
        (r"\b(?P<hour>\d\d?)(?:[:.](?P<minute>\d\d))? ?(?P<half>[ap])\.?m\b\.?", _clock),
        (r"\b(?P<hour>\d\d?)(?::|\.(?=\d\d (?:in the|at night)))(?P<minute>\d\d)(?P<half>)", _clock),
        (r"(?<=at )(?P<hour>\d\d?)h(?P<minute>\d\d)?(?P<half>)\b", _clock),
        (r"\b(?P<hours>\d+) ?h(?:(?:ou)?rs?)?\b ?(?:(?:and )?(?P<minutes>\d+) ?m(?:in(?:ute)?s?)?\b)?", _hours),
        (r"\b(?P<hours>\d+)h(?P<minutes>\d\d)\b", _hours),
        (r"\b(?P<n>\d+) ?m(?:in(?:ute)?s?)?\b", _minutes),
        (r"\b(?P<n>\d\d?)(?:st|nd|rd|th)\b", _ordinal),
        (r"(?P<n>\d+)", _number),
    )
)
