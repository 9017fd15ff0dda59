"""Simulated calendar talks with exact state: requests, changes, wrong replies, complaints, right replies.

The state is what the person meant, so every reply that follows can be checked. Knows nothing of models or tokens;
wrong replies come from slips.py. The conventions a person cannot see (an unstated year is 2023, an unstated duration
30 minutes) are those of the published experiment.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from random import Random

from toolmend.training import saying
from toolmend.training.meaning import Entry, Meant
from toolmend.training.phrases import Phrases, first_upper
from toolmend.training.words import Words, titled

UNSTATED_YEAR = 2023
_LENGTHS = (15, 20, 30, 45, 60, 60, 90, 90, 120, 120, 150, 180, 180, 240, 10, 40, 50, 75, 105, 25, 300, 360, 480)


@dataclass
class Talk:
    """One conversation as it unfolds. `step()` says something and returns it with the call that is due."""

    random: Random
    words: Words
    phrases: Phrases

    def __post_init__(self) -> None:
        """Nothing said yet."""
        self.entries: list[Entry] = []
        self.last: Meant | None = None
        self.year: int | None = None
        self.today: date | None = None

    def step(self) -> tuple[str, str, Meant]:
        """The kind of request, its text and the call that is due; the state moves on."""
        op = self._choose()
        said, meant = getattr(self, f"_{op}")()
        if meant.remove:
            self.entries = [e for e in self.entries if e != meant.entry]
        self.last = meant
        return op, self._style(said), meant

    def _choose(self) -> str:
        weights = {"add": 26.0}
        if self.last and not self.last.remove:
            weights |= {"relative": 20, "duration": 9, "time": 6, "date": 4, "shift": 6, "rename": 4, "cancel_last": 2}
            if " with " in self.last.entry.bare:
                weights["person"] = 2
            if self.year is None and len(self.entries) <= 2:
                weights["year"] = 26
        elif self.last:
            weights |= {"restore": 4}
            if len(self.entries) > 0:
                weights["not_that"] = 3
        if self.entries:
            weights |= {"cancel": 9 + 3 * len(self.entries), "relative_to": 7}
        if len(self.entries) > 1:
            weights |= {"duration_of": 3, "time_of": 4, "date_of": 3}
        return self.random.choices(list(weights), list(weights.values()))[0]

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

    def _new_entry(
        self, day: date, said_day: str, *, at: time | None = None, said_at: str = "", prefix: str = ""
    ) -> tuple[str, Meant]:
        r = self.random
        bare = self.words.title(r)
        while any(entry.title == titled(bare) for entry in self.entries):
            bare = self.words.title(r)
        clock, minutes, span = at or self._clock(), 30, ""
        if not said_at:
            said_at = self._at(clock)
            if r.random() < 0.08 and clock.hour < 20:
                minutes = r.choice((30, 60, 60, 90, 120, 45, 180))
                end = (datetime.combine(day, clock) + timedelta(minutes=minutes)).time()
                start, stop = saying.clock(clock, r), saying.clock(end, r)
                said_at = span = r.choice(
                    (f"from {start} to {stop}", f"from {start} until {stop}", f"{start} to {stop}", f"{start} - {stop}")
                )
        said_day = self._on(said_day) if said_day and r.random() < 0.85 else said_day
        parts = [part for part in (said_day, said_at) if part]
        if r.random() < 0.28:
            parts.reverse()
        when = r.choice((" ", " ", " ", ", ")).join(parts)
        lasting = ""
        if not span and r.random() < 0.30:
            minutes = self._length()
            lasting = self._lasting(saying.length(minutes, r))
        slots = {
            "a": self._article(bare),
            "the": f"the {bare}",
            "bare": bare,
            "title": self._as_title(bare),
            "when": when,
            "When": first_upper(when),
            "when0": when.removeprefix("on "),
        }
        said = self._say("add", **slots)
        said = f"{said.rstrip('.?') if lasting[:1] in ',. ' else said}{lasting}" if lasting else said
        entry = Entry(bare, day, clock, minutes)
        self.entries.append(entry)
        return prefix + said, Meant(entry)

    def _lasting(self, said: str) -> str:
        forms = (
            f" for {said}",
            f" for {said}",
            f", {said}",
            f". {first_upper(said)}.",
            f" ({said})",
            f", it takes {said}",
            f". It lasts {said}.",
            f", {said} long",
            f". Duration {said}",
            f". It will take {said}",
            f" lasting {said}",
        )
        return self.random.choice(forms)

    def _preamble(self) -> str:
        if self.today is None and self.random.random() < 0.5:
            year = self.random.randint(2020, 2031)
            self.year, self.today = year, self._any_day(year)
            said = saying.day(self.today, self.random, with_year=True)
            return self._sentence(self._say("today", today=said))
        if self.year is None:
            self.year = self.random.randint(2020, 2031)
            return self._sentence(self._say("year", year=str(self.year), oldyear=str(UNSTATED_YEAR)))
        return ""

    def _sentence(self, text: str) -> str:
        return text.rstrip(".") + self.random.choice((". ", ". ", ", "))

    def _new_day(self, again: bool = False) -> tuple[date, str]:
        r = self.random
        if self.today and r.random() < 0.5:
            days, said = r.choice(
                (
                    (0, "today"),
                    (1, "tomorrow"),
                    (1, "tomorrow"),
                    (2, "the day after tomorrow"),
                    (7, "in a week"),
                    (3, "in three days"),
                    (2, "in two days"),
                    (5, "in 5 days"),
                )
            )
            return self.today + timedelta(days=days), said
        if not again and r.random() < 0.12:
            self.year = r.randint(2020, 2031)
            day = self._any_day(self.year)
            return day, saying.day(day, r, with_year=True)
        day = self._any_day(self.year or UNSTATED_YEAR)
        return day, saying.day(day, r, with_year=False)

    def _any_day(self, year: int) -> date:
        start = date(year, 1, 1)
        return start + timedelta(days=self.random.randrange(365))

    def _offset(self, base: Entry) -> tuple[int, str]:
        r = self.random
        kind = r.choices(
            ("same day", "next day", "day before", "week later", "days later", "days earlier"), (30, 30, 9, 12, 12, 4)
        )[0]
        n = r.randint(2, 6)
        days = {"same day": 0, "next day": 1, "day before": -1, "week later": 7, "days later": n, "days earlier": -n}[
            kind
        ]
        return days, self._say(kind, n=r.choice((str(n), saying.number(n))))

    def _on(self, said: str) -> str:
        relative = (
            "on ",
            "the same",
            "the next",
            "the day",
            "the week",
            "that",
            "the very",
            "the follow",
            "the prev",
            "the prec",
        )
        if (
            said.startswith(relative)
            or said.split()[0] in {"a", "one", "today", "tomorrow", "in", "still", "exactly", "once"}
            or "day" in said
        ):
            return said
        return f"on {said}"

    def _at(self, clock: time) -> str:
        r = self.random
        said = saying.clock(clock, r)
        if r.random() < 0.07 and said[0].isdigit():
            return f"{saying.part_of_day(clock)} at {said}"
        return said if r.random() < 0.12 else f"at {said}"

    def _clock(self, but: time | None = None) -> time:
        r = self.random
        while True:
            hour = r.choices(range(24), [1, 1, 1, 1, 1, 1, 3, 5, 8, 8, 8, 8, 8, 7, 7, 7, 7, 7, 7, 7, 7, 5, 4, 3])[0]
            minute = r.choices((0, 30, 15, 45, r.randrange(0, 60, 5), r.randrange(60)), (52, 20, 9, 9, 7, 3))[0]
            if time(hour, minute) != but:
                return time(hour, minute)

    def _length(self, but: int = 30) -> int:
        while True:
            minutes = self.random.choice(_LENGTHS) if self.random.random() < 0.9 else self.random.randrange(5, 60, 5)
            if minutes != but:
                return minutes

    def _article(self, bare: str) -> str:
        r = self.random
        if "'s " in bare.split(" with ")[0] and bare[0].isupper():
            return bare
        article = "an" if bare[0].lower() in "aeiou" else "a"
        shape = r.random()
        if shape < 0.62 and not bare.endswith("s"):
            return f"{article} {bare}"
        return bare if shape < 0.75 else f"{r.choice(('my', 'my', 'the', 'the', 'our', 'another', 'this'))} {bare}"

    def _as_title(self, bare: str) -> str:
        return titled(bare) if self.random.random() < 0.5 else bare

    def _the(self, entry: Entry) -> str:
        """The entry by its full name, or by something only it has."""
        r, others = self.random, [e for e in self.entries if e != entry]
        full = r.choice((f"the {entry.bare}", f"the {entry.bare}", f"my {entry.bare}", f"the {entry.bare}"))
        if "'s " in entry.bare and entry.bare[0].isupper():
            full = entry.bare
        head, _, person = entry.bare.partition(" with ")
        choices = [full] * 5
        if person and not any(o.bare.endswith(f" with {person}") for o in others):
            choices.append(f"the one with {person}")
        if person and not any(head.split()[-1] in o.bare.split() for o in others):
            choices.append(f"the {head}")
        if not any(o.time == entry.time for o in others) and r.random() < 0.5:
            choices.append(f"the one at {saying.clock(entry.time, r)}")
        if not any(o.date == entry.date for o in others) and r.random() < 0.5:
            choices.append(f"the one on {saying.day(entry.date, r, with_year=False)}")
        return r.choice(choices)

    def _say(self, section: str, **slots: str) -> str:
        slots.setdefault("The", first_upper(slots.get("the", "")))
        return self.phrases.say(self.random, section, slots.__getitem__)

    def _style(self, said: str) -> str:
        """Capital and full stop as people use them, or all in lower case."""
        style = self.random.random()
        if style < 0.07:
            return said.lower().rstrip(".")
        said = first_upper(said) if style < 0.85 else said
        return said + "." if said[-1].isalnum() and self.random.random() < 0.45 else said


def _in_year(day: date, year: int) -> date:
    return date(year, 2, 28) if (day.month, day.day) == (2, 29) else day.replace(year=year)
