"""Simulated calendar talks with exact state: requests, changes, wrong replies, complaints, right replies.

The state is what the person meant, so every reply that follows can be checked. Knows nothing of models or tokens;
wrong replies come from slips.py. The conventions a person cannot see (an unstated year is 2023, an unstated duration
30 minutes) are those of the published experiment.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from toolmend.training import manner, saying
from toolmend.training.meaning import Entry, Meant
from toolmend.training.moves import Moves
from toolmend.training.phrases import first_upper

_BARE = frozenset("idle thanks cannot question answer without_time without_day without_both".split())
_SUDDEN = frozenset(
    "duration time date shift shift_of shift_days both move_days cancel cancel_last time_of date_of both_of until "
    "longer word head person restore revive "
    "time_and_length vague group_time group_shift group_one group_cancel again".split()
)


class Talk(Moves):
    """One conversation as it unfolds. `step()` says something and returns it with the call that is due."""

    def step(self) -> tuple[str, str, Meant]:
        """The kind of request, its text and the call that is due; the state moves on."""
        op = "answer" if self.open else self._choose()
        before = self.group
        said, meant = getattr(self, f"_{op}")()
        for each in (meant, *meant.also):
            if each.remove and not meant.words:
                self.entries = [e for e in self.entries if e != each.entry]
                self.gone = [*self.gone[-3:], each.entry]
        if not meant.words:
            self.last = meant if not meant.also else None
            if self.group is before:  # about something else
                self.group = ()
        if op not in _BARE and self.random.random() < (0.2 if op in _SUDDEN else 0.1):
            said = manner.reasoned(said, self._reason(), self.random)
        return op, self._style(said), meant

    def _choose(self) -> str:
        """The kind of the next request: any that makes sense now."""
        weights = {"add": 22.0, "without_time": 1.5, "without_day": 1, "without_name": 0.7, "cannot": 1.5, "two": 2}
        weights |= {"days": 2.5, "three": 2.5, "without_both": 1, "idle": 0.6}
        if self.last and not self.last.remove:
            weights |= self._changes()
        elif self.last:
            weights |= {"restore": 5, "thanks": 2}
            if self.entries:
                weights["not_that"] = 3
        if self.group:
            weights |= {"group_time": 8, "group_duration": 5, "group_shift": 8, "group_days": 3, "group_one": 12}
            weights["group_cancel"] = 4
        self.gone = [entry for entry in self.gone if entry not in self.entries]
        if self.gone:
            weights["revive"] = 5
        if self.entries:
            weights |= {"cancel": 7 + 2 * len(self.entries), "relative_to": 6, "word": 6, "near": 5, "vague": 1.5}
            weights |= {"move_days": 8, "time_and_length": 3, "span_to": 2, "question": 2, "head": 3}
        if len(self.entries) > 1:
            weights |= {"duration_of": 4, "time_of": 7, "date_of": 5, "both_of": 3, "rename_of": 3, "cancel_two": 2}
            weights |= {"shift_of": 5, "until_of": 2}
            weights["clear"] = 1 if len(self.entries) < 4 else 0
        if self._twins()[1]:
            weights["which"] = 5
        return self.random.choices(list(weights), list(weights.values()))[0]

    def _changes(self) -> dict[str, float]:
        """What can be said about the entry made just now."""
        assert self.last
        weights: dict[str, float] = {"relative": 16, "duration": 8, "time": 7, "date": 5, "shift": 8, "rename": 4}
        weights |= {"cancel_last": 2, "thanks": 2, "both": 3, "shift_days": 4, "until": 2, "again": 2, "longer": 2}
        weights["again_days"] = 1.5
        if self.last.entry.date in self.weekdays:
            weights["weekday"] = 10
        if " with " in self.last.entry.bare:
            weights["person"] = 2
        if self.year is None and len(self.entries) <= 2:
            weights["year"] = 26
        return weights

    # what a person may say -------------------------------------------------------------------------------------

    def _add(self) -> tuple[str, Meant]:
        prefix = self._preamble() if self.random.random() < 0.2 else ""
        day, said_day = self._new_day()
        return self._new_entry(day, said_day, prefix=prefix)

    def _relative(self) -> tuple[str, Meant]:
        assert self.last
        base, r = self.last.entry, self.random
        shape = r.random()
        if shape < 0.12:
            said = self._say("right after")
            return self._new_entry(base.end.date(), "", at=base.end.time(), said_at=said)
        if shape < 0.20:
            days, said = self._offset(base)
            return self._new_entry(base.date + timedelta(days=days), said, at=base.time, said_at=self._say("same time"))
        if shape < 0.28:
            day = base.date.replace(day=r.randint(1, 28))
            return self._new_entry(day, self._say("month day", nth=saying.nth(day.day)))
        days, said = self._offset(base)
        return self._new_entry(base.date + timedelta(days=days), said)

    def _relative_to(self) -> tuple[str, Meant]:
        base = self.random.choice(self.entries)
        the = self._the(base)
        shape = self.random.random()
        if shape < 0.2:
            return self._new_entry(
                base.end.date(), "", at=base.end.time(), said_at=self._say("right after entry", the=the)
            )
        sections = (("same day as", 0), ("day after entry", 1), ("day before entry", -1), ("week after entry", 7))
        section, days = self.random.choice(sections)
        return self._new_entry(base.date + timedelta(days=days), self._say(section, the=the))

    def _duration(self, target: Entry | None = None) -> tuple[str, Meant]:
        old = target or self._last_entry()
        new = replace(old, duration=self._length(but=old.duration))
        slots = {"dur": saying.length(new.duration, self.random), "olddur": saying.length(old.duration, self.random)}
        return self._change(old, new, "duration of" if target else "duration", slots, the=target)

    def _time(self, target: Entry | None = None) -> tuple[str, Meant]:
        old = target or self._last_entry()
        new = replace(old, time=self._clock(but=old.time))
        slots = {"clock": saying.clock(new.time, self.random), "oldclock": saying.clock(old.time, self.random)}
        return self._change(old, new, "time of" if target else "time", slots, the=target)

    def _date(self, target: Entry | None = None) -> tuple[str, Meant]:
        old = target or self._last_entry()
        day, said = self._new_day(again=True)
        if day == old.date:
            day, said = day + timedelta(days=1), saying.day(day + timedelta(days=1), self.random, with_year=True)
        old_day = saying.day(old.date, self.random, with_year=False)
        on = {"onday": self._on(said), "Onday": first_upper(self._on(said)), "oldday": self._on(old_day)}
        return self._change(
            old, replace(old, date=day), "date of" if target else "date", {"day": said, **on}, the=target
        )

    def _duration_of(self) -> tuple[str, Meant]:
        return self._duration(self.random.choice(self.entries))

    def _time_of(self) -> tuple[str, Meant]:
        return self._time(self.random.choice(self.entries))

    def _date_of(self) -> tuple[str, Meant]:
        return self._date(self.random.choice(self.entries))

    def _shift(self) -> tuple[str, Meant]:
        old = self._last_entry()
        minutes = self.random.choice((15, 30, 30, 60, 60, 60, 90, 120, 45, 180))
        later = self.random.random() < 0.6
        moved = datetime.combine(old.date, old.time) + timedelta(minutes=minutes if later else -minutes)
        slots = {"dur": saying.length(minutes, self.random)}
        new = replace(old, date=moved.date(), time=moved.time())
        return self._change(old, new, "later" if later else "earlier", slots)

    def _rename(self) -> tuple[str, Meant]:
        old = self._last_entry()
        new = replace(old, bare=self.words.title(self.random))
        slots = {"title": self._as_title(new.bare), "a": self._article(new.bare), "a_old": self._article(old.bare)}
        return self._change(old, new, "rename", slots)

    def _person(self) -> tuple[str, Meant]:
        old = self._last_entry()
        head, _, before = old.bare.partition(" with ")
        person = self.words.person(self.random)
        slots = {"person": person, "oldperson": before}
        return self._change(old, replace(old, bare=f"{head} with {person}"), "person", slots)

    def _year(self) -> tuple[str, Meant]:
        old = self._last_entry()
        self.year = self.random.choice([y for y in range(2020, 2032) if y != old.date.year])
        slots = {"year": str(self.year), "oldyear": str(old.date.year)}
        return self._change(old, replace(old, date=_in_year(old.date, self.year)), "year", slots)

    def _cancel(self) -> tuple[str, Meant]:
        entry = self.random.choice(self.entries)
        return self._say("cancel", the=self._the(entry), bare=entry.bare), Meant(entry, remove=True)

    def _cancel_last(self) -> tuple[str, Meant]:
        return self._say("cancel last"), Meant(self._last_entry(), remove=True)

    def _restore(self) -> tuple[str, Meant]:
        entry = self._last_entry()
        self.entries.append(entry)
        return self._say("restore"), Meant(entry)

    def _not_that(self) -> tuple[str, Meant]:
        wrong = self._last_entry()
        entry = self.random.choice(self.entries)
        self.entries.append(wrong)
        return self._say("not that", the=self._the(entry)), Meant(entry, remove=True)

    # how it is put ---------------------------------------------------------------------------------------------

    def _last_entry(self) -> Entry:
        assert self.last
        return self.last.entry

    def _change(
        self, old: Entry, new: Entry, section: str, slots: dict[str, str], the: Entry | None = None
    ) -> tuple[str, Meant]:
        if the:
            slots["the"] = self._the(old)
            slots["The"] = first_upper(slots["the"])
        self.entries = [new if entry == old else entry for entry in self.entries]
        return self._say(section, **slots), Meant(new)


def _in_year(day: date, year: int) -> date:
    return date(year, 2, 28) if (day.month, day.day) == (2, 29) else day.replace(year=year)
