"""Which of several things is meant by words: "the dentist", "the morning one", "the second", "both", "it".

A thing is its values by name, in the order in which they came up. Knows no tool and no talk.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from toolmend.language.resolve import Resolved, resolve, vocabulary
from toolmend.language.resolve.parameters import Values
from toolmend.language.resolve.words import MONTH_SHORT, MONTHS, WEEKDAY, WEEKDAY_OR_SHORT, WEEKDAYS


@dataclass(frozen=True, slots=True)
class Referred:
    """The places of the things that are meant, and by what they were known."""

    places: tuple[int, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """The places of the things that it could be, likeliest first (none where nothing fits)."""

    places: tuple[int, ...]


_ORDINALS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3}
_LAST = re.compile(r"\b(last|latest|newest|most recent)\b")
_IT = re.compile(
    r"(it|that|this|that one|this one|the one|one|him|her|he|she|the entry|the event|the appointment|the call)"
)
_ALL = re.compile(
    r"\b(?:both|all|everything|every|each|these|those|them|they)\b"
    r"|(?:^|\b(?:the|my|our|first|last|other) )(?:two|three|four)\b"  # not "round three"
)
_COUNTED = {"both": 2, "two": 2, "three": 3, "four": 4}
_OTHER = re.compile(r"\b(other)\b")
_SPELLED = (
    r"(?:(?:twenty|thirty)[- ])?(?:fifth|sixth|seventh|eighth|ninth)|(?:twenty|thirty)[- ](?:first|second|third|fourth)"
    r"|tenth|eleventh|twelfth|\w+teenth|twentieth|thirtieth"
)
_WEEKDAY = re.compile(rf"\b{WEEKDAY_OR_SHORT}(?:'s)?\b")
_ON_A_DAY = re.compile(
    rf"\b(?:on|of|for|from|the)\s+((?:the\s+)?(?:{_SPELLED}\b.*|"
    rf"\d{{1,2}}(?:st|nd|rd|th)\b.*|{WEEKDAY}\b.*"
    rf"|\d{{1,2}}(?: of)? {MONTH_SHORT}.*|\d+/\d+.*"
    rf"|{MONTH_SHORT}\w*\s+(?:the )?\w.*)"
    rf"|(?<=on )(?:the (?:first|second|third|fourth)$|{WEEKDAY_OR_SHORT}$))"
)
_DATED = rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH_SHORT}\w*|{MONTH_SHORT}\w* (?:the )?\d{{1,2}}(?:st|nd|rd|th)?"
_THE_DAY = re.compile(rf"(?:the |that |on )?({_WEEKDAY.pattern}|tomorrow|today|{_DATED})")
_THE_MONTH = re.compile(rf"(?:the |in )?(?P<month>{MONTH_SHORT})\w*(?:'s)? (?:one|entry|appointment|date)")
_SOONER = re.compile(r"(?:the )?(?P<way>earlier|later)(?: (?:one|entry|of (?:the|those) two))?(?: (?:on|of) .+)?")
_DAYS_THING = re.compile(r"(?:the |that )?(" + _WEEKDAY.pattern + r") (?!the |at |in |on |.*\d)\S")  # friday's raid
_NTH = re.compile(r"\b(\d\d?)(?:st|nd|rd|th)\b")
_PARTS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 24)}
_SMALL = vocabulary.words("small in references")
_SAYING = re.compile(r"\b(?:everything|both|last|latest|newest|other|those|these|them|two|three|four|each|every)\b")
_TELLING = r"(?:first|second|third|fourth|last|other|both|all(?: two| three| four)?)"
_POINTING = frozenset("same next last previous following usual other another new old".split())
_SINGULAR = re.compile(r"ies$")
_NEAR = 0.8  # how alike two words must be to pass for a slip of the keyboard
_SURE = 0.9  # and to be a form of it
_DAY = {"type": "string", "format": "date"}
_CLOCK = {"type": "string", "format": "time"}


def refer(words: str, things: Sequence[Values], *, now: dt.datetime | None = None) -> Referred | Undecided:
    """Which of the things, oldest first, the words mean. Several only where the words say so."""
    said = " ".join(words.lower().replace("’", "'").split()).strip(" .,!?\"'")
    every = range(len(things))
    if not things:
        return Undecided(())
    kind = [place for place in every if said.removeprefix("the ") in _tokens(_name(things[place]))]
    if _IT.fullmatch(said) and not kind:
        return Referred((len(things) - 1,), "the last one")
    whole = [place for place in every if _tokens(said.removeprefix("the ")) == _tokens(_name(things[place]))]
    if len(whole) == 1:
        return Referred((whole[0],), "its words")
    exact = [place for place in every if _bare(said) in (_bare(str(value)) for value in things[place].values())]
    if len(exact) == 1 and _bare(said):
        return Referred((exact[0],), "its words")
    scores = [_score(said, thing, now) for thing in things]
    best = max(scores)
    fitting = [place for place in every if scores[place] >= best - 1e-9] if best > 0 else list(every)
    if (ordinal := _ordinal(said)) is not None and ordinal < len(fitting):
        return Referred((fitting[ordinal],), "its place")
    if _ALL.search(said):
        count = next((_COUNTED[word] for word in said.split() if word in _COUNTED), len(fitting))
        if best > 0:
            fitting = [place for place in every if scores[place] > 0.5 * best]
        return Referred(
            tuple(fitting[-count:] if best <= 0 else fitting[:count] if count < len(fitting) else fitting), "several"
        )
    if _LAST.search(said):
        return Referred((fitting[-1],), "the last one")
    if best > 0 and len(fitting) == 1:
        return Referred((fitting[0],), "its words")
    if (sooner := _SOONER.fullmatch(said)) and len(fitting) > 1:
        at = sorted(fitting, key=lambda place: [str(things[place].get(name, "")) for name in ("date", "time")])
        return Referred((at[0 if sooner["way"] == "earlier" else -1],), "its time")
    if best > 0 and len({_key(things[place]) for place in fitting}) == 1:
        return Referred((fitting[-1],), "its words")
    if _OTHER.search(said) and len(things) == 2:
        return Referred((0,), "the other one")
    return Undecided(tuple(reversed(fitting)) if best > 0 else ())


def refer_in(
    words: str, sentence: str, things: Sequence[Values], *, now: dt.datetime | None = None
) -> Referred | Undecided:
    """As `refer`; where several could be meant, the one that the rest of the sentence tells: by its day, or a name."""
    found = refer(words, things, now=now)
    if isinstance(found, Referred) or len(found.places) < 2:
        return found
    said = sentence.lower().replace("’", "'")
    days = {word[:3] for word in _WEEKDAY.findall(said)} | {f"-{int(day):02}" for day in _NTH.findall(said)}
    told = _bare(said)
    scores = {place: _tells(told, days, things[place]) for place in found.places}
    best = [place for place, score in scores.items() if score == max(scores.values())]
    return Referred((best[0],), "its words") if len(best) == 1 and scores[best[0]] > 0 else found


def _tells(told: Sequence[str], days: set[str], thing: Values) -> int:
    """How many words of a sentence are the thing's: of its name, its weekday, or its day of the month."""
    texts = [value for value in thing.values() if isinstance(value, str)]
    own = {word for text in texts for word in _tokens(text) if word not in _SMALL}
    return len(own & set(told)) + 2 * sum(_weekday(text) in days or text[7:] in days for text in texts)


def _weekday(text: str) -> str:
    """The weekday of a day (YYYY-MM-DD); "" where it is none."""
    try:
        return WEEKDAYS[dt.date.fromisoformat(text).weekday()][:3] if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else ""
    except ValueError:
        return ""


def says_which(words: str) -> bool:
    """Whether words name a thing, or all of them: "it", "all this" do not."""
    said = words.lower().strip(" .,!?")
    return not _IT.fullmatch(said) and bool(_bare(said) or _ordinal(said) is not None or _SAYING.search(said))


def in_full(words: str, sentence: str) -> str:
    """The words for a thing with what the sentence has in front of them that tells which, or how many."""
    told = (
        re.search(rf"\b(?:the )?{_TELLING} (?:the )?{re.escape(words)}(?!\w)", sentence, re.IGNORECASE)
        if words
        else None
    )
    return told[0] if told else words


def named_in(sentence: str, things: Sequence[Values]) -> int | None:
    """The place of the one thing that a sentence names by a word of its own; None where it names none, or several."""
    words = _bare(sentence.lower())
    names = [{word for word in _bare(_name(thing)) if len(word) > 2} for thing in things]
    hits = [sum(max((_alike(own, word) for word in words), default=0.0) >= 1 for own in name) for name in names]
    best = [place for place, count in enumerate(hits) if count and count == max(hits)]
    return best[-1] if best and len({_key(things[place]) for place in best}) == 1 else None


def belongs(words: str, thing: Values) -> bool:
    """Whether the words name the thing and nothing else: each is of its name, or its weekday."""
    own, days = _tokens(_name(thing)), {_weekday(str(value)) for value in thing.values()}
    bare = [word for word in _bare(words.lower()) if word not in _ORDINALS]
    named = [word for word in bare if not (_WEEKDAY.fullmatch(word) and word[:3] in days)]
    return bool(named) and all(any(_alike(word, other) >= _SURE for other in own) for word in named)


def called_rather(words: str, thing: Values, things: Sequence[Values]) -> list[Values]:
    """Other things that words name, of whose name they have no word of this one's: "the check-up on Friday" is not the
    coffee that is on Friday."""
    own, unlike = name_words(thing), words_unlike(words, thing)
    said = [word for word in _bare(words.lower()) if word not in unlike]
    if not unlike or any(_alike(word, name) >= _SURE for word in said for name in own):
        return []
    return [
        other
        for other in things
        if other != thing and any(_alike(word, name) >= _SURE for word in unlike for name in name_words(other))
    ]


def speaks_against(words: str, thing: Values, now: dt.datetime | None) -> bool:
    """Whether words say a day or a time that is not the thing's: "the dentist on Friday", which is on Tuesday."""
    said = " ".join(words.lower().replace("’", "'").split()).strip(" .,!?\"'")
    day, time = _said_day(said) or _days_thing(said, thing), _said_clock(said)
    return any(
        isinstance(value, str)
        and (
            (re.fullmatch(r"\d{4}-\d\d-\d\d", value) and _agrees(day, value, _DAY, value, now) < 0)
            or (re.fullmatch(r"\d\d:\d\d", value) and _agrees(time, value, _CLOCK, value, now) < 0)
        )
        for value in thing.values()
    )


def words_unlike(words: str, thing: Values) -> list[str]:
    """The words that could be of a name and are not of the thing's; days, times and empty words are left out."""
    own = _tokens(_name(thing))
    plain = (_SMALL - _COUNTED.keys()) | _ORDINALS.keys() | _POINTING
    told = [word for word in _tokens(words.lower()) if word not in plain]
    named = [word for word in told if not (_WEEKDAY.fullmatch(word) or word in _PARTS)]
    return [word for word in named if not any(_alike(word, other) for other in own)]


def _name(thing: Values) -> str:
    texts = (value for value in thing.values() if isinstance(value, str) and not re.match(r"\d{4}-|\d\d:", value))
    return next(texts, "").lower()


def _bare(text: str) -> list[str]:
    """The words that say something."""
    return [word for word in _tokens(text) if word not in _SMALL]


def name_words(thing: Values) -> list[str]:
    """The words of a thing's texts that are no day and no time; its number, if it begins with one, is a name too."""
    texts = [value for value in thing.values() if isinstance(value, str) and not re.match(r"\d{4}-|\d\d:", value)]
    numbers = [str(value) for value in list(thing.values())[:1] if isinstance(value, int)]
    return [word for text in texts for word in _tokens(text)] + numbers


def alike_words(word: str, other: str) -> float:
    """How alike two words in small letters are, from 0 to 1: forms of one, slips of the keyboard."""
    return _alike(word, other)


def _key(thing: Values) -> str:
    return repr(sorted(thing.items(), key=lambda item: item[0]))


def _ordinal(said: str) -> int | None:
    """The place that is named, where no day of a month is."""
    named = [word for word in said.split() if word in _ORDINALS]
    on_a_day = re.search(r"\b(?:on|of)\b(?! (?:those|these|them|the \w+s)\b)", said)
    return _ORDINALS[named[0]] if named and not on_a_day else None


def _score(said: str, thing: Values, now: dt.datetime | None) -> float:
    """How well the words fit: the share of them that are words of the thing, and whether its day and time are said."""
    words = _bare(said)
    own = [word for value in thing.values() if isinstance(value, str) for word in _tokens(value)]
    own += [str(value) for value in list(thing.values())[:1] if isinstance(value, int)]  # its number is a name
    hits = [max((_alike(word, other) for other in own), default=0.0) for word in words]
    score = sum(hits) / max(len(words), 1) * (1 + 0.1 * sum(hit > 0 for hit in hits))
    return score + 1.5 * _when(said, thing, now)


def _when(said: str, thing: Values, now: dt.datetime | None) -> float:
    """1 for each of day, time of day and part of the day that is said and is the thing's, −1 for one that is not."""
    score = 0.0
    for value in thing.values():
        if not isinstance(value, str):
            continue
        if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            if month := _THE_MONTH.fullmatch(said):
                score += 1 if MONTHS[int(value[5:7]) - 1].startswith(month["month"]) else -1
            score += _agrees(_said_day(said) or _days_thing(said, thing), value, _DAY, value, now)
        elif re.fullmatch(r"\d\d:\d\d", value):
            score += _agrees(_said_clock(said), value, _CLOCK, value, now)
            for part, (start, end) in _PARTS.items():
                if re.search(rf"\b{part}\b", said):
                    score += 0.5 if start <= int(value[:2]) < end else -0.5
    return score


def _agrees(said: str, value: str, schema: Values, like: str, now: dt.datetime | None) -> float:
    if not said:
        return 0.0
    result = resolve(said, schema, like=like, now=now)
    candidates = (result.value,) if isinstance(result, Resolved) else result.candidates
    return (1.0 if value in candidates else -1.0) if candidates else 0.0


def _said_day(said: str) -> str:
    """The words for a day: behind "on the", or all of them but "one": "the one on the second", "the wed one"."""
    said = re.sub(r"(?:'s)?(?: (?:one|entry|appointment))?$", "", said)
    match = _ON_A_DAY.search(said) or _THE_DAY.fullmatch(said)
    return match[1] if match else ""


def _days_thing(said: str, thing: Values) -> str:
    """The weekday that stands in front of a name and is none of it."""
    match = _DAYS_THING.match(said)
    day = match[1].removesuffix("'s") if match else ""
    return "" if day in _tokens(_name(thing)) else day


def _said_clock(said: str) -> str:
    match = re.search(r"\b(?:at|@)\s+(.+)", said) or re.search(
        r"\b(\d{1,2}(?::\d\d)?\s*[ap]\.?m\b\.?|\d{1,2}:\d\d)", said
    )
    return match[1] if match else ""


def _tokens(text: str) -> list[str]:
    return [_SINGULAR.sub("y", word.removesuffix("'s")) for word in re.findall(r"[^\W_]+(?:'s)?", text.lower())]


def _alike(word: str, other: str) -> float:
    if word == other or (len(word) > 2 and word.removesuffix("s") == other.removesuffix("s")):
        return 1.0
    if len(word) > 3 and (other.startswith(word) or word.startswith(other)) and len(other) > 3:
        return 0.9
    if len(word) > 3 and len(other) > 3 and (ratio := SequenceMatcher(None, word, other).ratio()) >= _NEAR:
        return ratio * 0.9
    return 0.0
