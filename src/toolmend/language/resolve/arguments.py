"""One argument of a call: what its words mean against the call's other values and what was said before.

What resolve() cannot know alone: that "an hour before the deploy" starts from another entry, that "2 till 3:30 pm" says
a time and a duration, that "until noon" is a duration once the start is known, that a year was said elsewhere.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.resolve import Resolved, Unclear, resolve
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.clock_ranges import clock_range, either_half, minute, minutes_until, surely_a_range
from toolmend.language.resolve.counted import SpokenDay, counted
from toolmend.language.resolve.durations import SPAN, measure
from toolmend.language.resolve.entry_times import day_after, days_between, end_of, next_year, start_of
from toolmend.language.resolve.likeness import (
    AFTER,
    AS_LONG,
    BEFORE,
    ENDING,
    PRONOUN,
    SAME_TIMES,
    Likeness,
    in_plain,
    likenesses,
)
from toolmend.language.resolve.nested import nested
from toolmend.language.resolve.parameters import Values, is_computed, typed
from toolmend.language.resolve.references import Referred, belongs, refer
from toolmend.language.resolve.said import hidden_in, place_of
from toolmend.language.resolve.words import MONTH_SHORT, Words

_PUT_OFF = re.compile(
    r"(?i)\b(?:put(?:ting)? (?:it |that |this )?(?:off|back)|postpon\w*|delay\w*|later"
    r"|(?:push|mov|shift)\w* (?:\w+ ){0,4}back)\b"
)
_MOVED_BY = re.compile(r"(?i)\b(?:push|mov|shift|bump|slid|continu|adjourn)\w*,? (?:[\w'.]+,? ){0,5}?by\b")
_PUT_FORWARD = re.compile(
    r"(?i)\b(?:prepon\w*|(?:bring|brought|move|moved|pull|pulled) (?:[\w']+ ){0,4}(?:forward|up)|earlier|sooner)\b"
)
_POWER = re.compile(r"-?\d+(?:\.\d+)?e[-+]?\d{1,3}")
_BY_DAY = ("10:00", "17:59")  # hours that nobody means by night; from 6 to 9 both are usual
_NEAR, _WEEK, _TURN = 180, 7, 14  # minutes, days, days after which a year may have turned
_SHIFTS = frozenset({"later or earlier", "put off", "brought forward"})
_BOUND = re.compile(r"[,\s]+(?:max|maximum|tops|at most|flat|sharp)[.!]*$", re.IGNORECASE)
_EARLIER = re.compile(r"\b(?:earlier|before|sooner|forward|up|ahead|prepone)\b", re.IGNORECASE)
_MORE, _ANOTHER = re.compile(r"(?i)\s*\b(?:more|extra|additional|longer|further)\b\s*"), re.compile(r"(?i)\banother\b")
_UNTIL = re.compile(r"^(?:(?:goes|lasts|runs|going|lasting)\s+)?(?:until|till|til|to|up to|ends? at|ending at)\s+(.+)$")
_AT = re.compile(r"\bat \w|\d[:.]\d\d|\d ?[ap]\.?m\b", re.IGNORECASE)
_LENGTH = re.compile(rf"(?<!\S){SPAN}(?!\S)")
_NAMED = re.compile(r"(?:the|my|our|his|her|their|your)\s+\S|[A-Z]")
_AS_LONG_AS = re.compile(r"^(?:just |equally |exactly |about )?as long as$")
_OPEN_END = re.compile(r"\b(?:before|after|than|as|from|following)$", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:!?]|\.(?=\s|$)")
_REFUSED = re.compile(r"\b(?:not|rather than|instead of)\s+(?P<words>[^\s,.;]+(?:\s+[^\s,.;]+){0,2})", re.IGNORECASE)
_DIGITAL = re.compile(r"[01]?\d[:.][0-5]\d|2[0-3][:.][0-5]\d")
_YEAR = re.compile(
    r"\b(?:19|20)\d\d\b|"
    r"\btwenty (?:twenty(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|thirty(?:[ -]\w+)?)\b"
)
_DATED = re.compile(rf"\d|\b(?:{MONTH_SHORT}|christmas|new year|easter|leap|first|last)", re.IGNORECASE)
_PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?(?:%|per ?cent)(?: (?:annual(?:ly)?|a year|per (?:year|annum)))?")


@dataclass(frozen=True, slots=True)
class Meant:
    """The argument by its name, with what else its words gave, and the rule that computed it ("" where none had to)."""

    values: Values
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Not one value: the readings that are left, and why."""

    candidates: tuple[Any, ...]
    reason: str


def value_of(
    spec: ToolSpec,
    name: str,
    words: Any,
    values: Values,
    like: Values,
    background: Background,
    known: Sequence[Call],
    *,
    new: bool,
) -> Meant | Ambiguous:
    """What the words mean (a range of time also gives the tool's duration). `values` are those of the call so far;
    `like` those that it is said against: of the call that is changed, or, where it is `new`, of the one before it."""
    schema = spec.properties.get(name)
    schema = None if schema is None else typed(name, schema)
    if isinstance(words, (list, Mapping)):
        return Meant({name: nested(name, words, schema, spec.parameters, background)})
    if not isinstance(words, str) or schema is None or not is_computed(schema):
        return Meant({name: words})
    if schema.get("type") == "number" and _POWER.fullmatch(words):
        return Meant({name: float(words)})
    words = _BOUND.sub("", words.strip())
    meant = _Argument(spec, name, schema, words, values, like, background, known, new).value()
    habit = background.hours or (not new and like.get(name)) or schema.get("format") != "time"
    if isinstance(meant, Ambiguous) and not habit:
        by_day = [str(one) for one in meant.candidates if _BY_DAY[0] <= str(one) <= _BY_DAY[1]]
        if len(by_day) == 1:
            return Meant({name: by_day[0]}, "by day")
        if _DIGITAL.fullmatch(words):  # "7:30": nothing says which half
            return Meant({name: f"{words.replace('.', ':'):0>5}"}, "as written")
    return meant


@dataclass(slots=True)
class _Argument:
    spec: ToolSpec
    name: str
    schema: Mapping[str, Any]
    words: str
    values: Values
    like: Values
    background: Background
    known: Sequence[Call]
    new: bool

    def value(self) -> Meant | Ambiguous:
        if share := self.share():
            return share
        kind = self.schema.get("format") or self.schema.get("x-unit") or ""
        self.words = in_plain(self.reaching())
        against = self.like.get(self.name, self.schema.get("default") if kind == "minutes" else None)
        lowered = self.words.lower()
        if kind == "minutes" and isinstance(against, int) and AS_LONG.search(lowered):
            return self.meant(against, "as long as the one before")
        if kind == "minutes" and (until := _UNTIL.match(lowered)) and (end := self.end(until[1])) is not None:
            return self.meant(end, "until its end")
        if kind == "time" and (AFTER.match(lowered) or lowered == "then") and (moment := end_of(self.like)):
            return self.at(moment, "after the one before")
        before = kind == "time" and self.new and BEFORE.match(lowered) and not _AT.search(self.background.text)
        if before and (moment := self.ending(start_of(self.like))):
            return self.at(moment, "before the one before")
        for way in likenesses(self.words):
            other = self.thing(way)
            if other is not None and (meant := self.by(kind, way, other)):
                return meant
        if kind == "time" and surely_a_range(lowered) and (span := self.range()) and span[self.name] != against:
            return Meant(span, "from start to end")
        result = self.first(kind, against)
        if not self.new and not isinstance(result, Resolved):
            result = self.moved(kind, against) or result
        if isinstance(result, Resolved):
            relative = kind == "time" and self.new and not isinstance(self.read(self.words, None), Resolved)
            if kind == "time" and not self.new and result.rule in _SHIFTS and isinstance(against, str):
                return Meant({**self.over_midnight(against, result.value), self.name: result.value}, result.rule)
            return self.meant(result.value, result.rule, self.like if relative else {})
        if kind == "time" and (span := self.range()):
            return Meant(span, "from start to end")
        if len(result.candidates) > 1 and (left := self.not_refused(result.candidates)):
            return self.meant(left, "the one that is not refused")
        return Ambiguous(tuple(result.candidates), result.reason)

    def by(self, kind: str, way: Likeness, other: Values) -> Meant | None:
        """The value as another thing's values tell it; None where the words say no such."""
        how = way.how.lower()
        beside = AFTER.match(how) or BEFORE.match(how)
        if kind == "time" and self.new and beside and (clock := self.clock()):
            return self.meant(clock, "at the time that is said", other)
        if kind == "time" and AFTER.match(how) and (moment := end_of(other)):
            return self.at(moment, "after another one")
        if kind == "time" and self.new and BEFORE.match(how) and (moment := self.ending(start_of(other))):
            return self.at(moment, "before another one")
        span = measure(found[0]) if kind == "time" and way.ends and (found := _LENGTH.search(Words(how).text)) else None
        if span and (moment := end_of(other)):
            apart = dt.timedelta(seconds=int(span.seconds))
            return self.at(moment - apart if how.endswith("before") else moment + apart, "so long after another one")
        lasting = other.get(self.name, self.schema.get("default")) if kind == "minutes" else other.get(self.name)
        how = _AS_LONG_AS.sub("same length as", how)
        said = re.sub(r"\s*\b(?:as|like|with|of|than)$", "", how)
        found_value = self.read(said, lasting)
        if not isinstance(found_value, Resolved):
            return None
        meant = self.meant(found_value.value, f"{found_value.rule}, from another one", other)
        both = SAME_TIMES.search(how) and "duration" in other and "duration" in self.spec.properties
        return Meant({**meant.values, "duration": other["duration"]}, meant.rule) if both else meant

    def clock(self) -> str | None:
        """The time that the sentence says besides these words; None where it says none."""
        rest = hidden_in(self.words, self.background.text)
        read = self.read(rest, None) if _AT.search(rest) else None
        return str(read.value) if isinstance(read, Resolved) else None

    def moved(self, kind: str, against: Any) -> Resolved | None:
        """A length alone, as the sentence moves it: "put off by exactly one week", "prepone it by half an hour"."""
        way = moved_way(self.background.text)
        if not way or kind not in ("date", "time"):
            return None
        length = re.sub(r"(?i)^(?:by|exactly|just|about|it|another|\s)+", "", self.words)
        self.words = f"{length} {way}"
        read = self.read(self.words, against)
        return read if isinstance(read, Resolved) and read.rule in _SHIFTS else None

    def reaching(self) -> str:
        """Words that end in "before", "after", … with the thing that the sentence goes on with; of what is
        corrected, with the one that its own words had."""
        place = place_of(self.words, self.background.text)
        if place and (ends := ENDING.match(self.background.text, place[1])):  # "after that one" 's done
            return self.words + ends[0]
        if not _OPEN_END.search(self.words):
            return self.words
        further = _CLAUSE.split(self.background.text[place[1] :])[0].split() if place else []
        told = [" ".join(further[:count]) for count in range(len(further), 0, -1)]
        if not self.new:
            old = next((call.said.get(self.name, "") for call in self.known[::-1] if call.arguments == self.like), "")
            told += [way.thing for way in likenesses(old)]
        for one in told:
            whole = f"{self.words} {one}"
            if any(self.thing(way) is not None for way in likenesses(whole)):
                return whole
        return self.words

    def not_refused(self, candidates: Sequence[Any]) -> Any:
        """The only candidate that the sentence does not refuse: "no not five make it five fifty"."""
        left = list(candidates)
        for match in _REFUSED.finditer(self.background.text):
            words = match["words"].split()
            for count in range(1, len(words) + 1):
                read = self.read(" ".join(words[:count]), None)
                refused = (read.value,) if isinstance(read, Resolved) else read.candidates
                if refused:
                    left = [one for one in left if one not in refused]
                    break
        return left[0] if len(left) == 1 else None

    def share(self) -> Meant | None:
        """A percentage as a share of one, where a number is due that is not told to be in percent."""
        said = _PERCENT.fullmatch(self.words)
        told = f"{self.name} {self.schema.get('description', '')}".lower()
        if said is None or self.schema.get("type") != "number" or "x-unit" in self.schema or "percent" in told:
            return None
        return Meant({self.name: round(float(said[1]) / 100, 10)}, "percent of one")

    def ending(self, moment: dt.datetime | None) -> dt.datetime | None:
        """When something has to begin that is over at the moment: so long before it as the sentence says, else 30
        minutes."""
        said = _LENGTH.search(Words(self.background.text).text)
        span = measure(said[0]) if said else None
        return moment and moment - dt.timedelta(seconds=int(span.seconds) if span else 1800)

    def over_midnight(self, old: str, new: str) -> Values:
        """The day after or before, where a time that is moved passes midnight."""
        earlier = _EARLIER.search(self.words) is not None
        day = self.values.get("date")
        if not isinstance(day, str) or new == old or (new < old) == earlier:
            return {}
        return {"date": day_after(day, -1 if earlier else 1)}

    def at(self, moment: dt.datetime, rule: str) -> Meant:
        """The moment as this call's time, and as its day where none was said."""
        return self.meant(moment.strftime("%H:%M"), rule, {"date": moment.date().isoformat()})

    def meant(self, value: Any, rule: str, beside: Values = MappingProxyType({})) -> Meant:
        """The value; with a new call's time also the day of what it was said against, where it has none of its own."""
        unsaid = self.new and "date" in self.spec.properties and "date" not in self.values and "date" in beside
        day = {"date": beside["date"]} if unsaid and self.name == "time" else {}
        return Meant({**day, self.name: value}, rule)

    def first(self, kind: str, against: Any) -> Resolved | Unclear:
        """The words by themselves: a time of a new call against no other unless it has to be."""
        if kind == "date":
            return self.day(against)
        if kind == "time" and not self.new and (nearest := self.nearest(against)):
            return nearest
        if self.new:
            alone = self.read(self.words, None)
            if against is None and not isinstance(alone, Resolved) and kind not in ("date", "time"):
                alone = self.read(_MORE.sub(" ", _ANOTHER.sub("a", self.words)), None)
            if isinstance(alone, Resolved) or against is None or alone.candidates:
                return alone
        return self.read(self.words, against)

    def nearest(self, against: Any) -> Resolved | None:
        """Of the two times of day that a clock can mean, the one near the old time: "ten to seven" of 07:00."""
        alone = resolve(self.words, self.schema, now=self.background.now)
        if not isinstance(against, str) or isinstance(alone, Resolved) or len(alone.candidates) != 2:
            return None
        if abs(minute(alone.candidates[0]) - minute(alone.candidates[1])) != 12 * 60:
            return None
        near = [one for one in alone.candidates if abs(minute(one) - minute(against)) <= _NEAR]
        return Resolved(near[0], (0, len(self.words)), "the nearer half of the day") if len(near) == 1 else None

    def following(self, result: Resolved | Unclear, against: Any) -> Resolved | Unclear:
        """A weekday of something new is the next one after the day that was spoken of; so is New Year's Day at the end
        of a year."""
        if not self.new or not isinstance(against, str):
            return result
        if isinstance(result, Resolved):
            turned = next_year(str(result.value))
            dated = result.rule in ("holiday", "day and month") and not _YEAR.search(self.words.lower())
            near = dated and 0 < days_between(against, turned) <= _TURN
            return Resolved(turned, result.span, result.rule) if near else result
        coming = [day for day in map(str, result.candidates) if 0 < days_between(against, day) <= _WEEK]
        return Resolved(coming[0], (0, len(self.words)), "the next one") if len(coming) == 1 else result

    def day(self, against: Any) -> Resolved | Unclear:
        """A day: of something new counted from today, or from the day that was spoken of (counted.py)."""
        from_there, now = self.following(self.date(against), against), self.background.now
        if not self.new or now is None or not isinstance(against, str):
            return from_there
        things = (thing for kind in self.background.things.values() for thing in kind)
        known = [*(call.arguments for call in self.known), *things]
        days = [str(values[self.name]) for values in known if self.name in values]
        spoken = SpokenDay(self.words, self.background.text, against, now.date(), days)
        return counted(self.date(None), from_there, spoken)

    def date(self, against: Any) -> Resolved | Unclear:
        """A date, in the year that was said with it, or in that of the talk."""
        year = _YEAR.search(self.background.text.lower())
        if year and _DATED.search(self.words) and not _YEAR.search(self.words.lower()):
            dated = self.read(f"{self.words} {year[0]}", against)
            if isinstance(dated, Resolved):
                return dated
        return self.read(self.words, against)

    def read(self, words: str, like: Any) -> Resolved | Unclear:
        background = self.background
        return resolve(
            words, self.schema, now=background.now, like=like, hours=background.hours, locale=background.locale
        )

    def thing(self, way: Likeness) -> Values | None:
        """The earlier call that is named by the words: with an article or a capital by any of its own, else by words
        that are all its own."""
        things = [call.arguments for call in self.known]
        if PRONOUN.fullmatch(way.thing):
            return self.like if way.ends and "time" in self.like else None
        found = refer(way.thing, things, now=self.background.now) if things else None
        if not isinstance(found, Referred) or len(found.places) != 1:
            return None
        thing = things[found.places[0]]
        named = found.by == "its words" and _NAMED.match(way.thing)
        return thing if named or belongs(way.thing, thing) else None

    def end(self, words: str) -> int | None:
        """Minutes from the start of this call until the time of the words."""
        start = self.values.get("time", self.like.get("time") if not self.new else None)
        if not isinstance(start, str):
            return None
        return minutes_until(start, either_half(words))

    def range(self) -> Mapping[str, Any] | None:
        """Start and duration of "from 3 to 4:30 pm", where the tool has a duration."""
        if (span := clock_range(self.words, self.background.hours)) is None:
            return None
        start, length = span
        return {self.name: start, **({"duration": length} if "duration" in self.spec.properties else {})}


def moved_way(sentence: str) -> str:
    """Which way a sentence moves something, "later" or "earlier"; "" where it says neither, or both."""
    ways = [way for way, told in (("later", _PUT_OFF), ("earlier", _PUT_FORWARD)) if told.search(sentence)]
    if not ways and _MOVED_BY.search(sentence):
        return "later"
    return ways[0] if len(ways) == 1 else ""
