"""Requests about several entries: one title on several days, three things at once, the same again, all of them moved.

Part of the simulated talk (dialogues.py). `group`: the entries of the last request, in the order of its calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from toolmend.training import saying
from toolmend.training.asides import Asides
from toolmend.training.meaning import Entry, Meant

_COUNT = {
    2: ("both", "the two", "those two", "both of them"),
    3: ("all three", "the three", "all of them", "those three"),
}


class Plans(Asides):
    """The turns that end in several calls, and those that only make sense after them."""

    def __post_init__(self) -> None:
        """Nothing said yet."""
        super().__post_init__()
        self.group: tuple[Entry, ...] = ()

    def _added(self, said: str, made: Sequence[Entry]) -> tuple[str, Meant]:
        self.entries += made
        self.group = tuple(made)
        return said, _all(made)

    def _days(self) -> tuple[str, Meant]:
        """One title on several days at the same time."""
        r = self.random
        days, said = self._several_days()
        bare, clock, minutes = self._fresh_title(), self._clock(), 30
        at, lasting = self._at(clock), ""
        if r.random() < 0.25:
            minutes = self._length()
            lasting = r.choice((", {} each", " for {} each", ", each {}", ". {} each time")).format(
                saying.length(minutes, r)
            )
        elif r.random() < 0.25 and clock.hour < 19:
            minutes, at = self._span(days[0], clock)
        when = r.choice(
            (f"{said} {at}", f"{said}, {at}", f"{at} {said}", f"{said}, always {at}", f"{said}, each time {at}")
        )
        text = self._say("add", **self._naming(bare, when))
        return self._added(
            f"{text.rstrip('.?') if lasting else text}{lasting}", [Entry(bare, d, clock, minutes) for d in days]
        )

    def _several_days(self) -> tuple[list[date], str]:
        """Two to four days of one month, and how they are said."""
        r = self.random
        first = self._any_day(self.year or 2023).replace(day=r.randint(1, 10))
        count = r.choice((2, 2, 2, 3, 3, 4))
        step = r.choice((1, 2, 7, 7, r.randint(3, 6)))
        days = [first + timedelta(days=step * n) for n in range(count)]
        month = saying.MONTHS[first.month - 1]
        if len({day.month for day in days}) > 1:
            return days, "on " + self._and([saying.day(day, r, with_year=False) for day in days])
        on = r.choice(("on the ", "", ""))
        numbers = self._and([f"{on if n else 'the '}{saying.nth(day.day)}" for n, day in enumerate(days)])
        forms = [f"on {numbers} of {month}", f"on {month} {self._and([str(day.day) for day in days])}"]
        if step == 7:
            weekday = f"{first:%A}"
            forms.append(f"every {weekday} from {month} {first.day} to {month} {days[-1].day}")
            forms.append(f"on {weekday}s, that's {numbers} of {month}")
        return days, r.choice(forms)

    def _and(self, items: Sequence[str]) -> str:
        return f"{', '.join(items[:-1])} and {items[-1]}"

    def _three(self) -> tuple[str, Meant]:
        """Three things on one day."""
        r = self.random
        day, said_day = self._new_day()
        made: list[Entry] = []
        parts: list[str] = []
        start = self._clock().replace(hour=r.randint(7, 10))
        for _ in range(r.choice((2, 3, 3))):
            bare = self._fresh_title(but=[entry.bare for entry in made])
            minutes, at = 30, self._at(start)
            if r.random() < 0.2:
                minutes, at = self._span(day, start)
            elif r.random() < 0.15:
                minutes = self._length()
                at += f" for {saying.length(minutes, r)}"
            made.append(Entry(bare, day, start, minutes))
            named = r.choice((bare, bare, self._article(bare)))
            parts.append(r.choice((f"{named} {at}", f"{at} {named}", f"{named} {at}")))
            start = (datetime.combine(day, start) + timedelta(minutes=r.choice((90, 120, 150, 180)))).time()
        listed = r.choice((self._and(parts), ", ".join(parts), ", then ".join(parts), "; ".join(parts)))
        on = self._on(said_day)
        said = r.choice((f"{said_day}: {listed}", f"{on} {listed}", f"{listed}, all {on}", f"Add these {on}: {listed}"))
        return self._added(said, made)

    def _again_days(self) -> tuple[str, Meant]:
        """The entry made last once more, on two other days."""
        assert self.last
        old, r = self.last.entry, self.random
        gaps = sorted(r.sample(range(1, 12), 2))
        days = [old.date + timedelta(days=gap) for gap in gaps]
        said = "on " + self._and([saying.day(day, r, with_year=False) for day in days])
        if len({day.month for day in (*days, old.date)}) == 1 and r.random() < 0.6:
            said = "on " + self._and([f"the {saying.nth(day.day)}" for day in days])
        return self._added(self._say("again", when=said), [replace(old, date=day) for day in days])

    # what is said about all of them ----------------------------------------------------------------------------

    def _them(self) -> str:
        return self.random.choice(_COUNT.get(len(self.group), ("all of them", "all these", "everything")))

    def _group_time(self) -> tuple[str, Meant]:
        clock = self._clock(but=self.group[0].time)
        return self._group_to(
            [replace(e, time=clock) for e in self.group], "group time", clock=saying.clock(clock, self.random)
        )

    def _group_duration(self) -> tuple[str, Meant]:
        minutes = self._length(but=self.group[0].duration)
        new = [replace(e, duration=minutes) for e in self.group]
        return self._group_to(new, "group duration", dur=saying.length(minutes, self.random))

    def _group_shift(self) -> tuple[str, Meant]:
        r = self.random
        minutes, later = r.choice((15, 30, 30, 60, 60, 90, 120)), r.random() < 0.6
        new = [_moved(e, timedelta(minutes=minutes if later else -minutes)) for e in self.group]
        return self._group_to(new, "group later" if later else "group earlier", dur=saying.length(minutes, r))

    def _group_days(self) -> tuple[str, Meant]:
        r = self.random
        days, said = r.choice(((1, "a day"), (1, "one day"), (2, "two days"), (7, "a week"), (7, "one week")))
        later = r.random() < 0.6
        new = [_moved(e, timedelta(days=days if later else -days)) for e in self.group]
        return self._group_to(new, "group later" if later else "group earlier", dur=said)

    def _group_to(self, new: list[Entry], section: str, **slots: str) -> tuple[str, Meant]:
        old, self.group = self.group, tuple(new)
        self.entries = [e for e in self.entries if e not in old] + new
        them = self._them()
        return self._say(section, them=them, Them=them[:1].upper() + them[1:], **slots), _all(new)

    def _group_one(self) -> tuple[str, Meant]:
        """Cancel one of them, by its place or its day."""
        r = self.random
        at = r.randrange(len(self.group))
        entry = self.group[at]
        ways = [
            f"the {('first', 'second', 'third', 'fourth')[at]} one",
            f"the {('first', 'second', 'third', 'fourth')[at]} of those",
        ]
        if at == len(self.group) - 1:
            ways.append("the last one")
        if sum(e.date == entry.date for e in self.entries) == 1:
            ways += [
                f"the one on {saying.day(entry.date, r, with_year=False)}",
                f"the one on the {saying.nth(entry.date.day)}",
            ]
        if sum(e.time == entry.time for e in self.entries) == 1:
            ways.append(f"the one at {saying.clock(entry.time, r)}")
        the = r.choice(ways)
        return self._say("cancel", the=the, bare=entry.bare), Meant(entry, remove=True)

    def _group_cancel(self) -> tuple[str, Meant]:
        gone, them = self.group, self._them()
        self.group = ()
        self.entries = [e for e in self.entries if e not in gone]
        first, *others = gone
        return self._say("cancel", the=them, bare=them), Meant(
            first, remove=True, also=tuple(Meant(e, remove=True) for e in others)
        )

    # one new entry ---------------------------------------------------------------------------------------------

    def _new_entry(
        self, day: date, said_day: str, *, at: time | None = None, said_at: str = "", prefix: str = ""
    ) -> tuple[str, Meant]:
        r = self.random
        bare = self._twin() or self._fresh_title()
        clock, minutes, span = at or self._clock(), 30, ""
        if not said_at:
            said_at = self._at(clock)
            if r.random() < 0.08 and clock.hour < 20:
                minutes, span = self._span(day, clock)
                said_at = span
        said_day = self._on(said_day) if said_day and r.random() < 0.85 else said_day
        parts = [part for part in (said_day, said_at) if part]
        if r.random() < 0.28:
            parts.reverse()
        when = r.choice((" ", " ", " ", ", ")).join(parts)
        lasting = ""
        if not span and r.random() < 0.30:
            minutes = self._length()
            lasting = self._lasting(saying.length(minutes, r))
        said = self._say("add", **self._naming(bare, when))
        said = f"{said.rstrip('.?') if lasting[:1] in ',. ' else said}{lasting}" if lasting else said
        entry = Entry(bare, day, clock, minutes)
        self.entries.append(entry)
        return prefix + said, Meant(entry)

    def _twin(self) -> str:
        """At times a title that begins like one there is: another lunch, with somebody else."""
        heads = [entry.bare.partition(" with ")[0] for entry in self.entries if " with " in entry.bare]
        if not heads or self.random.random() > 0.12:
            return ""
        bare = f"{self.random.choice(heads)} with {self.words.person(self.random)}"
        return "" if any(entry.bare == bare for entry in self.entries) else bare

    def _naming(self, bare: str, when: str) -> dict[str, str]:
        """The slots of the section `add`."""
        return {
            "a": self._article(bare),
            "the": f"the {bare}",
            "bare": bare,
            "title": self._as_title(bare),
            "when": when,
            "When": when[:1].upper() + when[1:],
            "when0": when.removeprefix("on "),
        }


def _all(made: Sequence[Entry]) -> Meant:
    return Meant(made[0], also=tuple(Meant(entry) for entry in made[1:]))


def _moved(entry: Entry, by: timedelta) -> Entry:
    moved = datetime.combine(entry.date, entry.time) + by
    return replace(entry, date=moved.date(), time=time(moved.hour, moved.minute))
