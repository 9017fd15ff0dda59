"""One argument of a call: what its words mean against the call's other values and what was said before.

What resolve() cannot know alone: that "an hour before the deploy" starts from another entry, that "2 till 3:30 pm" says a time
and a duration, that "until noon" is a duration once the start is known, that a year was said elsewhere in the sentence.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolmend.messages import Call, ToolSpec
from toolmend.resolve import Resolved, Unclear, resolve
from toolmend.resolve.references import Referred, refer

if TYPE_CHECKING:
    from toolmend.resolve.calls import Background

Values = Mapping[str, Any]
_MINUTES = {"type": "integer", "x-unit": "minutes"}
_CLOCK = {"type": "string", "format": "time"}
_DAY_MINUTES = 24 * 60
_RANGE = re.compile(r"\s*(?:–|—|-|\bto\b|\btill?\b|\buntil\b|\bthrough\b|\band ends? at\b|\band\b)\s*")
_OPENING = re.compile(r"^(?:from|between|starts? at|starting at|at)\s+")
_UNTIL = re.compile(r"^(?:(?:goes|lasts|runs|going|lasting)\s+)?(?:until|till|til|to|up to|ends? at|ending at)\s+(.+)$")
_AFTER = re.compile(r"^(?:right |straight |directly |immediately |just )?(?:after|following)(?: that| it| this)?$")
_THING = re.compile(
    r"^(?P<how>.*?\b(?:before|after|as|than|from|following|of|like|with))\s+(?P<thing>(?:the|my|our|his|her|their|your)\s+\S.*|[A-Z]\S.*)$"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|\btwenty (?:twenty(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|thirty(?:[ -]\w+)?)\b")


_DATED = re.compile(r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|christmas|new year|easter|first|last)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
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
) -> Mapping[str, Any] | Asked:
    """The argument by its name (a range of time also gives the tool's duration). `values` are those of the call so far;
    `like` those that it is said against: of the call that is changed, or, where it is `new`, of the one before it."""
    schema = spec.properties.get(name)
    if not isinstance(words, str) or schema is None or _is_text(schema):
        return {name: words}
    if name == "duration" and schema.get("type") == "integer" and "x-unit" not in schema:
        schema = {**schema, **_MINUTES}
    return _Argument(spec, name, schema, words.strip(), values, like, background, known, new).value()


def _is_text(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "string" and not ({"format", "enum"} & set(schema))


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

    def value(self) -> Mapping[str, Any] | Asked:
        kind = self.schema.get("format") or self.schema.get("x-unit") or ""
        against = self.like.get(self.name)
        lowered = self.words.lower()
        if kind == "minutes" and (until := _UNTIL.match(lowered)) and (end := self.end(until[1])) is not None:
            return {self.name: end}
        if kind == "time" and (_AFTER.match(lowered) or lowered in ("then", "afterwards")) and (moment := _end(self.like)):
            return self.at(moment)
        if (thing := _THING.match(self.words)) and (other := self.thing(thing["thing"])) is not None:
            if kind == "time" and _AFTER.match(thing["how"].strip().lower()) and (moment := _end(other)):
                return self.at(moment)
            said = re.sub(r"\s*\b(?:as|like|with|of)$", "", thing["how"].strip())
            found = self.read(said, other.get(self.name))
            if isinstance(found, Resolved):
                return {**self.same_day(other), self.name: found.value}
        result = self.first(kind, against)
        if isinstance(result, Resolved):
            relative = kind == "time" and self.new and not isinstance(self.read(self.words, None), Resolved)
            return {**(self.same_day(self.like) if relative else {}), self.name: result.value}
        if kind == "time" and (span := self.range()):
            return span
        return Asked(tuple(result.candidates), result.reason)

    def at(self, moment: dt.datetime) -> Mapping[str, Any]:
        """The moment as this call's time, and as its day where none was said."""
        return {**self.same_day({"date": moment.date().isoformat()}), self.name: moment.strftime("%H:%M")}

    def same_day(self, other: Values) -> Values:
        """The day of what a new call's time was said against, where it has none of its own."""
        unsaid = self.new and "date" in self.spec.properties and "date" not in self.values and "date" in other
        return {"date": other["date"]} if unsaid and self.name == "time" else {}

    def first(self, kind: str, against: Any) -> Resolved | Unclear:
        """The words by themselves: a time of a new call against no other unless it has to be, all else against the old."""
        if kind == "date":
            return self.date(against)
        if self.new:
            alone = self.read(self.words, None)
            if isinstance(alone, Resolved) or against is None or alone.candidates:
                return alone
        return self.read(self.words, against)

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
        return resolve(words, self.schema, now=background.now, like=like, hours=background.hours, locale=background.locale)

    def thing(self, words: str) -> Values | None:
        """The earlier call that is named inside the words."""
        things = [call.arguments for call in self.known]
        found = refer(words, things, now=self.background.now) if things else None
        return things[found.places[0]] if isinstance(found, Referred) and found.by == "its words" else None

    def end(self, words: str) -> int | None:
        """Minutes from the start of this call until the time of the words."""
        start = self.values.get("time", self.like.get("time") if not self.new else None)
        if not isinstance(start, str):
            return None
        return _minutes_until(start, _clocks(words, self.background))

    def range(self) -> Mapping[str, Any] | None:
        """Start and duration of "from 3 to 4:30 pm", where the tool has a duration."""
        words = _OPENING.sub("", self.words.lower())
        for match in _RANGE.finditer(words):
            starts = _clocks(words[: match.start()], self.background)
            ends = _clocks(words[match.end() :], self.background)
            lengths = sorted((length, start) for start in starts if (length := _minutes_until(start, ends)))
            if lengths:
                length, start = lengths[0]
                return {self.name: start, "duration": length} if "duration" in self.spec.properties else {self.name: start}
        return None


def _clocks(words: str, background: Background) -> tuple[str, ...]:
    """Every time of day that the words can mean."""
    result = resolve(words.strip(), _CLOCK, hours=background.hours)
    return (result.value,) if isinstance(result, Resolved) else tuple(result.candidates)


def _minutes_until(start: str, ends: Sequence[str]) -> int | None:
    """To the next of the ends, within a day."""
    begin = _minute(start)
    lengths = [(_minute(end) - begin) % _DAY_MINUTES for end in ends]
    return min((length for length in lengths if length), default=None)


def _minute(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:5])


def _end(values: Values) -> dt.datetime | None:
    """When a call's entry is over; 30 minutes where it has no duration."""
    try:
        start = dt.datetime.combine(dt.date.fromisoformat(values["date"]), dt.time.fromisoformat(values["time"]))
    except (KeyError, TypeError, ValueError):
        return None
    duration = values.get("duration", 30)
    return start + dt.timedelta(minutes=duration if isinstance(duration, int) else 30)
