"""Several things at once by what holds for them: "everything on Tuesday", "all lunches but Friday's", "both with Fred".

Every word counts: one that is neither of a day, a time or a name, nor says little, is given back as not understood.
Knows things as their values; no tool and no talk.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.parameters import Values
from toolmend.language.resolve.references import alike_words, name_words
from toolmend.language.resolve.said import place_of
from toolmend.language.resolve.spells import Spell, spells, without

UNREAD = "was not understood"
"""How the reason of a question ends about words that should tell which things are meant, and do not."""
NOTHING_LIKE = "there is nothing like"
"""How a reason begins where words are understood and hold for nothing: no answer is waited for."""
_NOT_SEVERAL = r"all(?:[ -](?:day|night|right|over|set|good|clear|done|the same|the best|in all)\b)"
_SEVERAL = re.compile(
    rf"(?i)(?<!that's )(?<!that’s )(?<!that is )(?<!after )(?<!at )(?<!first of )(?<!above )\b(?!{_NOT_SEVERAL})"
    r"(?:both|all|everything|anything|every|each|any|these|those|them|whole|entire|rest|others)\b"
    r"|\b(?:(?:the|my|our|first|last|other|next) )(?:two|three|four|five|six)\b"
    r"|\b(?:appointments|entries|events|meetings|bookings|plans|things|items|orders|reservations|reminders|tasks)\b"
    r"|\b(?:clear|wipe|empty|free)\b(?= (?:up |out |off )?(?:the |my |our )?(?:\w+ )?"
    r"(?:calendar|diary|schedule|day|week|weekend|month|morning|afternoon|evening|\w+day|\d+(?:st|nd|rd|th))\b)"
)
_BUT = re.compile(
    r"(?i)[,;]?\s*\b(?:but(?: not| keep| leave| for)*|except(?:ing)?(?: for)?|apart from|other than|besides|excluding"
    r"|without|save(?: for)?|bar|not|and keep|and leave|keep(?:ing)?|leaving?|spare|only not)\b"
)
_COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6}
_ORDERED = re.compile(rf"(?i)\b(?P<way>first|last|next|earliest|latest) (?P<count>{'|'.join(_COUNTS)})\b")
_EMPTY = vocabulary.words("empty in filters")
_GENERAL = vocabulary.words("general in filters")
_SURE = 0.9  # how alike a word must be to one of a name
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


_DAY_BEHIND = re.compile(r"(?i)\s+(?:on|of|for|from|in|next|this)\s+(?P<day>(?:the )?[^\s,.;]+(?: \w+)?)")
_CLAUSE = re.compile(
    r"(?i)[.;:!?\n]+(?=\s|$)|\s[–—-]+\s"
    r"|,\s*(?!(?:but|except|apart|other than|besides|not|without|and|or|keep|leave|save|the|all|both|every)\b|\w+day\b)"
    r"|\b(?:because|so that|since (?:i|we|my|our|the)|as (?:i|we|my|our)|and (?:then|instead|also|please)"
    r"|then|and (?=(?:add|book|put|move|schedule|make|set|create|tell|show|change|shift|push)\b))\b"
)


@dataclass(frozen=True, slots=True)
class Filtered:
    """The places of the things that are meant; `filtering` tells whether any word narrowed them, `unread` are the words
    that were not understood."""

    places: tuple[int, ...]
    filtering: bool
    unread: tuple[str, ...] = ()


def says_several(words: str, things: Sequence[Values]) -> bool:
    """Whether words speak of several things: "all", "both", "the appointments", "lunches" of what is named lunch."""
    if _SEVERAL.search(words):
        return True
    names = [set(name_words(thing)) for thing in things]
    for word in re.findall(r"[^\W\d_]{3,}", words.lower()):
        single = [base for base in (word.removesuffix("s"), word.removesuffix("es")) if base != word]
        having = sum(any(base in name for base in single) for name in names)
        if having > 1 and not any(word in name for name in names):
            return True
    return False


def phrase_of(words: str, sentence: str) -> str:
    """The part of a sentence in which the words for several things stand, with all that it says of these; the first
    that speaks of several where it has no such words."""
    clauses, start = list[str](), 0
    for stop in _CLAUSE.finditer(sentence):
        clauses.append(sentence[start : stop.start()])
        start = stop.end()
    clauses.append(sentence[start:])
    own = [clause for clause in clauses if place_of(words, clause)]
    return next(iter(own or [clause for clause in clauses if _SEVERAL.search(clause)]), words).strip()


def with_its_day(words: str, sentence: str) -> str:
    """The words for what is changed with a day that stands right behind them: "everything" of "Move everything on
    Tuesday to Friday"; what it is moved to is none of it."""
    place = place_of(words, sentence)
    behind = _DAY_BEHIND.match(sentence, place[1]) if place else None
    said = spells(behind["day"], dt.datetime(2000, 1, 1), None) if behind else []
    return (
        f"{words}{behind[0][: behind.start('day') - behind.start() + said[0].place[1]]}" if behind and said else words
    )


def filtered(phrase: str, things: Sequence[Values], now: dt.datetime | None, hours: str | None = None) -> Filtered:
    """What the phrase leaves of the things, oldest first."""
    but = _BUT.search(phrase)
    included, excluded = (phrase[: but.start()], phrase[but.end() :]) if but else (phrase, "")
    left = _left(included, things, now, hours)
    if not but:
        return left
    out = _left(excluded, things, now, hours)
    if not out.filtering or not out.places or out.unread:
        return Filtered(left.places, True, (*left.unread, *(out.unread or (phrase[but.start() :].strip(" ,;"),))))
    kept = tuple(place for place in left.places if place not in out.places)
    return Filtered(kept, True, left.unread)


def _left(phrase: str, things: Sequence[Values], now: dt.datetime | None, hours: str | None) -> Filtered:
    """What a phrase without exceptions leaves."""
    phrase, ordered = _taken_out(phrase)
    said = spells(phrase, now, hours)
    places = list(range(len(things)))
    for kind in ("day", "time"):
        told = [spell for spell in said if spell.kind == kind]
        if told and not any(spell.tells(thing) for spell in told for thing in things):
            return Filtered(tuple(places), True, tuple(phrase[slice(*spell.place)] for spell in told))
        places = [place for place in places if not told or _within(told, things, place)]
    rest = without(phrase, said)
    if now and not any(spell.kind == "day" for spell in said):
        places = _ahead(places, things, now)
    groups, unread = _names(rest, things)
    if groups:
        places = [place for place in places if any(place in group for group in groups)]
    narrowed = bool(said or groups or ordered)
    if ordered:
        places, unread = _in_order(ordered, places, things, unread)
    elif narrowed and (count := _count(rest)) == len(places):
        unread = [word for word in unread if word.lower() not in ("other", "others")]  # so many are left
    elif narrowed and count:
        unread = [*unread, next(word for word in _WORD.findall(rest.lower()) if word in _COUNTS)]
    return Filtered(tuple(places), narrowed, tuple(unread))


def _ahead(places: list[int], things: Sequence[Values], now: dt.datetime) -> list[int]:
    """Those that are not over, where any is not: nobody means the past without saying so."""
    today = now.date().isoformat()
    left = [place for place in places if str(things[place].get("date", today)) >= today]
    return left or places


def _within(told: Sequence[Spell], things: Sequence[Values], place: int) -> bool:
    """Whether a thing is in one of the spans that are said side by side, and within all that bound it."""
    bounds = [spell for spell in told if spell.bounds]
    days = [spell for spell in told if not spell.bounds]
    thing = things[place]
    return all(spell.holds(thing, things) for spell in bounds) and (
        not days or any(spell.holds(thing, things) for spell in days)
    )


def _taken_out(rest: str) -> tuple[str, tuple[str, int] | None]:
    """The words without an order that is said of them ("the last two"), and that."""
    match = _ORDERED.search(rest)
    if match is None:
        return rest, None
    return f"{rest[: match.start()]} {rest[match.end() :]}", (match["way"].lower(), _COUNTS[match["count"].lower()])


def _in_order(
    ordered: tuple[str, int], places: list[int], things: Sequence[Values], unread: list[str]
) -> tuple[list[int], list[str]]:
    way, count = ordered
    by_time = sorted(places, key=lambda place: [str(things[place].get(name, "")) for name in ("date", "time")])
    if count > len(by_time):
        return places, [*unread, way]
    chosen = by_time[-count:] if way in ("last", "latest") else by_time[:count]
    return [place for place in places if place in chosen], unread


def _count(rest: str) -> int:
    return next((_COUNTS[word] for word in _WORD.findall(rest.lower()) if word in _COUNTS), 0)


def _names(rest: str, things: Sequence[Values]) -> tuple[list[set[int]], list[str]]:
    """For each of the names that are said side by side the things that have its words; and the words that none has."""
    names = [name_words(thing) for thing in things]
    groups, unread = list[set[int]](), list[str]()
    for part in re.split(r"(?i)[,;]|\band\b|\bor\b|&|\+", rest):
        having: list[set[int]] = []
        for word in _WORD.findall(part):
            low = word.lower().replace("’", "'").removesuffix("'s")
            with_it = {place for place, own in enumerate(names) if any(alike_words(low, one) >= _SURE for one in own)}
            if low in _EMPTY or low in _COUNTS or (low in _GENERAL and not with_it):
                continue
            if with_it:
                having.append(with_it)
            else:
                unread.append(word)
        both = set.intersection(*having) if having else set()
        if having and not both:
            unread.append(part.strip())
        groups += [both] if both else []
    return groups, unread
