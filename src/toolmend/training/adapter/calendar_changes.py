"""What a person may want otherwise of an entry: the words and values that change, and the phrases that say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from toolmend.training import saying
from toolmend.training.adapter.calendar_person import CalendarPerson, MadeEntry
from toolmend.training.words import titled


@dataclass(frozen=True, slots=True)
class EntryChange:
    """`words` by argument, "" where they are to be found in what is said; the `values` that change; the section of the
    phrases and its slots."""

    words: Mapping[str, str]
    values: Mapping[str, Any]
    section: str
    slots: Mapping[str, str]


def change_of(kind: str, entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    """A change of that kind, of an entry as it stands."""
    return _MAKERS[kind](entry, person)


def when(start: datetime) -> dict[str, str]:
    """A beginning as the values of a call."""
    return {"date": f"{start:%Y-%m-%d}", "time": f"{start:%H:%M}"}


def _time(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    clock = person.any_clock(but=entry.start.time())
    words, old = person.clock(clock), person.clock(entry.start.time())
    return EntryChange({"time": words}, {"time": f"{clock:%H:%M}"}, "time", {"clock": words, "oldclock": old})


def _date(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    day, words = person.new_day(again=True)
    slots = {"day": words, "onday": person.on(words), "oldday": person.on(person.day(entry.start.date()))}
    return EntryChange({"date": words}, {"date": day.isoformat()}, "date", slots)


def _both(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    day, clock = _date(entry, person), person.any_clock(but=entry.start.time())
    at, words = person.at(clock)
    values = {**day.values, "time": f"{clock:%H:%M}"}
    return EntryChange({**day.words, "time": words}, values, "both", {**day.slots, "at": at})


def _duration(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    minutes = person.any_length(but=entry.duration)
    words = person.length(minutes)
    slots = {"dur": words, "olddur": person.length(entry.duration)}
    return EntryChange({"duration": words}, {"duration": minutes}, "duration", slots)


def _shift(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    minutes = person.random.choice((10, 15, 20, 30, 30, 45, 60, 60, 60, 90, 120, 180))
    later = person.random.random() < 0.6
    start = entry.start + timedelta(minutes=minutes if later else -minutes)
    section = "later" if later else "earlier"
    return EntryChange({"time": ""}, when(start), section, {"dur": person.length(minutes)})


def _shift_days(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    ways = ((1, "a day"), (1, "one day"), (2, "two days"), (3, "three days"), (7, "a week"), (14, "two weeks"))
    days, words = person.random.choice(ways)
    later = person.random.random() < 0.6
    start = entry.start + timedelta(days=days if later else -days)
    return EntryChange({"date": ""}, when(start), "later" if later else "earlier", {"dur": words})


def _move_days(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    """To a day named from the one it was on; the time stays."""
    r, day = person.random, entry.start.date()
    days, words = person.offset()
    new = day + timedelta(days=days or 1)
    words = words if days else "a day later"
    if r.random() < 0.3:
        new = day.replace(day=r.choice([number for number in range(1, 29) if number != day.day]))
        words = f"{r.choice(('', 'on '))}the {saying.nth(new.day)}"
    elif day in person.weekdays and r.random() < 0.5:
        new, words = person.weekday(day)
    return EntryChange({"date": words}, {"date": new.isoformat()}, "move days", {"offset": words})


def _year(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    old = entry.start.year
    person.year = year = person.random.choice([year for year in range(2020, 2032) if year != old])
    day = min(entry.start.day, 28) if entry.start.month == 2 else entry.start.day
    values = {"date": date(year, entry.start.month, day).isoformat()}
    return EntryChange({"date": str(year)}, values, "year", {"year": str(year), "oldyear": str(old)})


def _until(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    minutes = person.random.choice(
        [more for more in (45, 60, 90, 120, 180, 30, 15, 150, 240) if more != entry.duration]
    )
    clock = person.clock((entry.start + timedelta(minutes=minutes)).time())
    return EntryChange({"duration": ""}, {"duration": minutes}, "until", {"clock": clock})


def _longer(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    more = person.random.random() < 0.6 or entry.duration <= 30
    minutes = person.random.choice((15, 30, 30, 60, 10) if more else (10, 15))
    values = {"duration": entry.duration + (minutes if more else -minutes)}
    section = "longer" if more else "shorter"
    return EntryChange({"duration": ""}, values, section, {"dur": person.length(minutes)})


def _time_and_length(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    clock, length = person.any_clock(but=entry.start.time()), _duration(entry, person)
    at, words = person.at(clock)
    values = {"time": f"{clock:%H:%M}", **length.values}
    return EntryChange({"time": words, **length.words}, values, "time and length", {"at": at, **length.slots})


def _span_to(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    clock = person.any_clock(but=entry.start.time())
    start = datetime.combine(entry.start.date(), clock.replace(hour=min(clock.hour, 19)))
    minutes, span = person.span(start)
    return EntryChange({"time": span}, {"time": f"{start:%H:%M}", "duration": minutes}, "span to", {"span": span})


def _titled(bare: str, section: str, **slots: str) -> EntryChange:
    return EntryChange({"title": bare}, {"title": titled(bare)}, section, slots)


def _rename(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    bare = person.fresh_title(entry.bare)
    slots = {"title": person.as_title(bare), "a": person.article(bare), "a_old": person.article(entry.bare)}
    return _titled(bare, "rename", **slots)


def _word(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    """One word of a title is another: a name heard wrong, another guest, a typo."""
    word = person.random.choice(person.telling(entry.bare) or entry.bare.split()[-1:])
    other = person.other_word(word)
    bare = " ".join(other if one == word else one for one in entry.bare.split())
    return _titled(bare, "word", old=word.removesuffix("'s"), new=other.removesuffix("'s"))


def _person(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    head, joint, before = entry.bare.partition(" with ")
    who = person.words.person(person.random)
    return _titled(f"{head} with {who}", "person", person=who, oldperson=before) if joint else _word(entry, person)


def _head(entry: MadeEntry, person: CalendarPerson) -> EntryChange:
    """Another kind of event with the same person."""
    head, joint, who = entry.bare.partition(" with ")
    r = person.random
    new = r.choice([person.words.pick(r, "meetings"), person.words.event(r)])
    if not joint or new == head:
        return _word(entry, person)
    return _titled(f"{new} with {who}", "head", old=head, new=new, person=who)


_MAKERS: Mapping[str, Callable[[MadeEntry, CalendarPerson], EntryChange]] = {
    "time": _time, "date": _date, "both": _both, "duration": _duration, "shift": _shift, "shift_days": _shift_days,
    "move_days": _move_days, "year": _year, "until": _until, "longer": _longer, "time_and_length": _time_and_length,
    "span_to": _span_to, "rename": _rename, "word": _word, "person": _person, "head": _head,
}  # fmt: skip
