"""How a person of the simulated calendar puts things: days, clocks, lengths, names of entries, style.

What is meant by them is decided in dialogues.py and asides.py; this file only chooses words for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random

from toolmend.training import manner, saying
from toolmend.training.meaning import Entry, Meant
from toolmend.training.phrases import Phrases, first_upper
from toolmend.training.spoken import spoken, with_fillers
from toolmend.training.words import Words, made_up, titled

UNSTATED_YEAR = 2023
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_LENGTHS = (15, 20, 30, 45, 60, 60, 90, 90, 120, 120, 150, 180, 180, 240, 10, 40, 50, 75, 105, 25, 300, 360, 480)
_FROM_TODAY = (
    (0, "today"),
    (1, "tomorrow"),
    (1, "tomorrow"),
    (2, "the day after tomorrow"),
    (7, "in a week"),
    (7, "a week from today"),
    (3, "in three days"),
    (2, "in two days"),
    (5, "in 5 days"),
    (14, "in two weeks"),
)
_SMALL = frozenset("with and about for from the".split())
_RELATIVE = "on |the same|the next|the day|the week|that|the very|the follow|the prev|the prec".split("|")
_REPAIRS = (", no, ", " no wait ", " sorry ", ", I mean ", " uh no ", ", sorry, ", " no ", " or rather ")
_LASTING = (
    " for {}",
    " for {}",
    ", {}",
    ". {}.",
    " ({})",
    ", it takes {}",
    ". It lasts {}.",
    ", {} long",
    ". Duration {}",
    ". It will take {}",
    " lasting {}",
    ", for about {}",
    ", we need {}",
)


@dataclass
class Wording:
    """A person in the middle of a talk. `speech`: what is said comes through speech recognition."""

    random: Random
    words: Words
    phrases: Phrases
    speech: bool = False

    def __post_init__(self) -> None:
        """Nothing said yet."""
        self.entries: list[Entry] = []
        self.last: Meant | None = None
        self.year: int | None = None
        self.today: date | None = None
        self.weekdays: set[date] = set()

    # sentences -------------------------------------------------------------------------------------------------

    def _say(self, section: str, /, **slots: str) -> str:
        slots.setdefault("The", first_upper(slots.get("the", "")))
        return self.phrases.say(self.random, section, slots.__getitem__)

    def _style(self, said: str) -> str:
        """Capital and full stop as people use them, or all in lower case, or as speech recognition writes it."""
        r = self.random
        if r.random() < 0.10:
            said = manner.opened(said, r)
        if r.random() < 0.07:
            said = manner.closed(said, r)
        if self.speech:
            return with_fillers(spoken(said, r), r)
        if r.random() < 0.05:
            said = manner.shortened(said, r)
        if r.random() < 0.05:
            said = manner.mistyped(said, r)
        style = r.random()
        if style < 0.12:
            return said.lower().rstrip(".")
        said = first_upper(said) if style < 0.85 else said
        return said + "." if said[-1].isalnum() and self.random.random() < 0.45 else said

    def _reason(self) -> str:
        """Something about somebody that is no request."""
        r = self.random
        who = f"{r.choice(('my', 'the', 'the', 'our', 'her', 'his'))} {self.words.pick(r, 'who')}"
        if r.random() < 0.25:
            who = self.words.person(r)
        elif r.random() < 0.2:
            who = f"the {made_up(r)}"
        thing = self.words.event(r) if r.random() < 0.6 else made_up(r)
        said = self._say("reason", who=who, thing=thing, person=self.words.person(r), word=made_up(r))
        return said

    def _sentence(self, text: str) -> str:
        return text.rstrip(".") + self.random.choice((". ", ". ", ", "))

    def _repaired(self, said: str, wrong: str) -> str:
        """What is said, at times after something else and taken back at once."""
        if self.random.random() >= (0.10 if self.speech else 0.02) or wrong == said:
            return said
        return f"{wrong}{self.random.choice(_REPAIRS)}{said}"

    # days ------------------------------------------------------------------------------------------------------

    def _preamble(self) -> str:
        if self.today is None and self.random.random() < 0.5:
            year = self.random.randint(2020, 2031)
            self.year, self.today = year, self._any_day(year)
            said = saying.day(self.today, self.random, with_year=True)
            if self.random.random() < 0.5:
                said = f"{WEEKDAYS[self.today.weekday()]}, {said}"
            return self._sentence(self._say("today", today=said))
        if self.year is None:
            self.year = self.random.randint(2020, 2031)
            return self._sentence(self._say("year", year=str(self.year), oldyear=str(UNSTATED_YEAR)))
        return ""

    def _new_day(self, again: bool = False) -> tuple[date, str]:
        r = self.random
        if self.today and r.random() < 0.5:
            return self._day_from_today(self.today)
        if not again and r.random() < 0.12:
            self.year = r.randint(2020, 2031)
            day = self._any_day(self.year)
            return day, saying.day(day, r, with_year=True)
        day = self._any_day(self.year or UNSTATED_YEAR)
        if self.year and r.random() < 0.2:
            self.weekdays.add(day)
            said = saying.day(day, r, with_year=r.random() < 0.3)
            return day, f"{day:%A}{r.choice((' ', ', ', ' '))}{said}"
        other = saying.day(self._any_day(day.year), r, with_year=False)
        return day, self._repaired(saying.day(day, r, with_year=False), other)

    def _day_from_today(self, today: date) -> tuple[date, str]:
        r = self.random
        if r.random() < 0.35:
            days = r.randint(1, 7)
            day = today + timedelta(days=days)
            return day, r.choice(("on ", "on ", "this ", "")) + WEEKDAYS[day.weekday()]
        days, said = r.choice(_FROM_TODAY)
        return today + timedelta(days=days), said

    def _any_day(self, year: int) -> date:
        """A day of the year; the ends of months and years more often than by chance."""
        r = self.random
        if r.random() < 0.15:
            month = r.choice((12, 12, 2, 2, *range(1, 13)))
            following = date(year + month // 12, month % 12 + 1, 1)
            return max(date(year, 1, 1), following - timedelta(days=r.choice((1, 1, 2))))
        return date(year, 1, 1) + timedelta(days=r.randrange(365))

    def _offset(self, base: Entry) -> tuple[int, str]:
        r = self.random
        kinds = ("same day", "next day", "day before", "week later", "days later", "days earlier", "weeks later")
        kind = r.choices(kinds, (30, 30, 9, 12, 12, 4, 4))[0]
        n = r.randint(2, 6)
        days = {"next day": 1, "day before": -1, "week later": 7, "days later": n, "days earlier": -n}.get(kind, 0)
        if kind == "weeks later":
            n = r.randint(2, 3)
            days = 7 * n
        return days, self._say(kind, n=r.choice((str(n), saying.number(n))))

    def _on(self, said: str) -> str:
        bare = said.startswith(tuple(_RELATIVE)) or "day" in said
        return said if bare or said.split()[0] in {"a", "one", "in", "still", "exactly", "once"} else f"on {said}"

    # clocks and lengths ----------------------------------------------------------------------------------------

    def _at(self, clock: time) -> str:
        r = self.random
        said = self._repaired(self._said_clock(clock), saying.clock(self._clock(but=clock), r))
        if r.random() < 0.07 and said[0].isdigit():
            return f"{saying.part_of_day(clock)} at {said}"
        return said if r.random() < 0.12 else f"at {said}"

    def _said_clock(self, clock: time) -> str:
        """The time, at times without saying which half of the day: one to six are in the afternoon, eight to eleven in
        the morning."""
        if (13 <= clock.hour <= 18 or 8 <= clock.hour <= 11) and self.random.random() < 0.12:
            if self.random.random() < 0.4:
                return saying.clock_face(clock, self.random)
            hour = clock.hour % 12
            minute = f":{clock:%M}" if clock.minute else ""
            return f"{hour}{minute}" + (" o'clock" if not minute and self.random.random() < 0.4 else "")
        return saying.clock(clock, self.random)

    def _clock(self, but: time | None = None) -> time:
        r = self.random
        while True:
            hour = r.choices(range(24), [1, 1, 1, 1, 1, 1, 3, 5, 8, 8, 8, 8, 10, 7, 7, 7, 7, 7, 7, 7, 7, 5, 4, 3])[0]
            minute = r.choices((0, 30, 15, 45, r.randrange(0, 60, 5), r.randrange(60)), (52, 20, 9, 9, 7, 3))[0]
            if time(hour, minute) != but:
                return time(hour, minute)

    def _length(self, but: int = 30) -> int:
        while True:
            minutes = self.random.choice(_LENGTHS) if self.random.random() < 0.9 else self.random.randrange(5, 60, 5)
            if minutes != but:
                return minutes

    def _lasting(self, said: str) -> str:
        form = self.random.choice(_LASTING)
        return form.format(first_upper(said) if form == ". {}." else said)

    def _span(self, day: date, clock: time) -> tuple[int, str]:
        """Minutes, and a beginning and an end."""
        r = self.random
        minutes = r.choice((15, 30, 60, 60, 90, 120, 45, 180, 75, 105, 240, 20, 40, 150, 300, 50))
        end = (datetime.combine(day, clock) + timedelta(minutes=minutes)).time()
        start, stop = saying.clock(clock, r), saying.clock(end, r)
        if r.random() < 0.25 and (clock.hour < 12) == (end.hour < 12) and clock.hour > 12:
            start = start.removesuffix("pm").removesuffix("PM").strip()
        forms = (
            *(f"from {start} to {stop}", f"from {start} until {stop}", f"{start} to {stop}", f"{start} - {stop}"),
            *(f"from {start} till {stop}", f"{start} until {stop}", f"{start}-{stop}", f"between {start} and {stop}"),
            *(f"{start} till {stop}", f"starts at {start} and ends at {stop}", f"{start} through {stop}"),
        )
        return minutes, r.choice(forms)

    # entries ---------------------------------------------------------------------------------------------------

    def _fresh_title(self, but: Sequence[str] = ()) -> str:
        taken = {entry.title for entry in self.entries} | {titled(bare) for bare in but}
        while True:
            bare = self.words.title(self.random)
            if titled(bare) not in taken and not (self.speech and "." in bare):  # no speech has the dot of "Dr."
                return bare

    def _article(self, bare: str) -> str:
        r = self.random
        if ("'s " in bare.split(" with ")[0] and bare[0].isupper()) or self.words.is_task(bare):
            return bare
        article = "an" if bare[0].lower() in "aeiou" else "a"
        shape = r.random()
        if shape < 0.62 and not bare.endswith("s"):
            return self._repaired(f"{article} {bare}", f"{article} {self.words.event(r)}")
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
        words = [w for w in entry.bare.split() if len(w) > 2 and w.lower() not in _SMALL]
        own = [w for w in words if not any(w in o.bare.split() for o in others)]
        if own:
            word = r.choice(own).removesuffix("'s")
            tail = own[-1].removesuffix("'s")
            choices += [f"the {word} one", f"the {word} thing", f"the {tail}", f"the {tail}", f"my {tail}"]
            if word[0].isupper():
                choices += [f"{word}'s", f"the one with {word}"] if f" with {word}" in entry.bare else [f"{word}'s"]
        if not any(o.time == entry.time for o in others) and r.random() < 0.5:
            choices.append(f"the one at {saying.clock(entry.time, r)}")
        if not any(o.date == entry.date for o in others) and r.random() < 0.5:
            choices.append(f"the one on {saying.day(entry.date, r, with_year=False)}")
        return r.choice(choices)
