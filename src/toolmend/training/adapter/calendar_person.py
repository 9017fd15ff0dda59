"""How one person of the simulated calendar says days, clocks, lengths and which entry is meant.

Knows entries, no calls; what is meant by the words is decided in calendar_talks.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any

from toolmend.training import saying
from toolmend.training.adapter.person import Person, mistyped, reasoned, shortened
from toolmend.training.adapter.tool_requests import ToolAsk
from toolmend.training.phrases import Phrases, first_upper
from toolmend.training.words import NameSource, made_up, titled

_SPEECH, _KNOWS_TODAY = 0.12, 0.25
_LENGTHS = (15, 20, 30, 45, 60, 60, 90, 90, 120, 120, 150, 180, 180, 240, 10, 40, 50, 75, 105, 25, 300, 360, 480)
_FROM_TODAY = (
    (0, "today"), (1, "tomorrow"), (1, "tomorrow"), (2, "the day after tomorrow"), (7, "in a week"),
    (7, "a week from today"), (3, "in three days"), (2, "in two days"), (5, "in 5 days"), (14, "in two weeks"),
)  # fmt: skip
_OFFSETS = {"same day": 30, "next day": 30, "day before": 9, "week later": 12, "days later": 12, "days earlier": 4,
            "weeks later": 4}  # fmt: skip
_SMALL = frozenset("with and about for from of at the in on to a an my our".split())
_RELATIVE = ("on ", *(f"the {word}" for word in "same next day week very follow prev prec".split()), "that")
_FIRST = frozenset("a one in still exactly once".split())
_REPAIRS = (", no, ", " no wait ", " sorry ", ", I mean ", " uh no ", ", sorry, ", " no ", " or rather ")
_LASTING = (
    " for {}", " for {}", ", {}", ". {}.", " ({})", ", it takes {}", ". It lasts {}.", ", {} long", ". Duration {}",
    ". It will take {}", " lasting {}", ", for about {}", ", we need {}",
)  # fmt: skip
_FILLERS = ("uh", "um", "like", "please", "well", "so", "you know", "okay")


@dataclass(frozen=True, slots=True)
class MadeEntry:
    """An entry that stands, by the call `id` that made it; `bare` is its title as people speak of it."""

    id: str
    bare: str
    start: datetime
    duration: int

    @property
    def end(self) -> datetime:
        """When it is over."""
        return self.start + timedelta(minutes=self.duration)

    @property
    def values(self) -> dict[str, Any]:
        """The arguments of the call that adds it."""
        return {**entry_values(self.bare, self.start), "duration": self.duration}


def entry_values(bare: str, start: datetime) -> dict[str, Any]:
    """The arguments of the call that adds an entry, but for its duration."""
    return {"title": titled(bare), "date": f"{start:%Y-%m-%d}", "time": f"{start:%H:%M}"}


class CalendarPerson(Person):
    """Draws words for values. `speech`: what is said comes through speech recognition."""

    def __init__(self, random: Random, phrases: Phrases, today: date, *, held_out: bool) -> None:
        super().__init__(random, phrases, lower=False)
        self.words, self.speech = NameSource(held_out), random.random() < _SPEECH
        self.unstated = today.year
        self.today = today if random.random() < _KNOWS_TODAY else None
        self.year: int | None = None  # that was said last
        self.weekdays: set[date] = set()  # days whose weekday was said

    def types(self, text: str, asks: Sequence[ToolAsk]) -> str:
        """A sentence as this person puts it."""
        r = self.random
        if r.random() < 0.12:
            text = reasoned(text, self.reason(), r)
        text = super().types(text, asks)
        if self.speech:
            said = saying.dictated(text).split()
            if r.random() < 0.2:
                said.insert(r.randint(0, len(said)), r.choice(_FILLERS))
            return " ".join(said)
        for change in (shortened, mistyped):
            text = change(text, r) if r.random() < 0.05 else text
        return text.lower().rstrip(".") if r.random() < 0.12 else text

    def mannered(self, text: str) -> str:
        """What is said besides, which is not dictated anew."""
        return saying.dictated(text) if self.speech else text

    def phrase(self, section: str, **slots: str) -> str:
        """A phrase of a section, not yet as it is typed."""
        slots |= {first_upper(name): first_upper(words) for name, words in slots.items()}
        return self.phrases.say(self.random, section, slots.__getitem__)

    def reason(self) -> str:
        """Something about somebody that is no request."""
        r = self.random
        who = f"{r.choice(('my', 'the', 'the', 'our', 'her', 'his'))} {self.words.pick(r, 'who')}"
        if r.random() < 0.4:
            who = self.words.person(r) if r.random() < 0.6 else f"the {made_up(r)}"
        thing = self.words.event(r) if r.random() < 0.6 else made_up(r)
        return self.phrase("reason", who=who, thing=thing, person=self.words.person(r), word=made_up(r))

    def _repaired(self, said: str, wrong: str) -> str:
        """What is said, at times after something else and taken back at once."""
        often = 0.10 if self.speech else 0.02
        return f"{wrong}{self.random.choice(_REPAIRS)}{said}" if self.random.random() < often else said

    # days ------------------------------------------------------------------------------------------------------

    def new_day(self, *, again: bool = False) -> tuple[date, str]:
        """Any day, and the words for it; `again` names no year."""
        r = self.random
        if self.today and r.random() < 0.5:
            if r.random() < 0.35:
                day = self.today + timedelta(days=r.randint(1, 7))
                return day, f"{r.choice(('on ', 'on ', 'this ', ''))}{day:%A}"
            days, said = r.choice(_FROM_TODAY)
            return self.today + timedelta(days=days), said
        if not again and r.random() < 0.12:
            self.year = r.randint(2020, 2031)
            day = self._any_day()
            return day, self.day(day, with_year=True)
        day = self._any_day()
        if self.year and r.random() < 0.2:
            self.weekdays.add(day)
            return day, f"{day:%A}{r.choice((' ', ', ', ' '))}{self.day(day, with_year=r.random() < 0.3)}"
        return day, self.day(day)

    def day(self, day: date, *, with_year: bool = False) -> str:
        """Words for a day."""
        return (saying.day_in_words if self.speech else saying.day)(day, self.random, with_year=with_year)

    def _any_day(self) -> date:
        """A day of the year that is spoken of; the ends of months and years more often than by chance."""
        r, year = self.random, self.year or self.unstated
        if r.random() < 0.15:
            month = r.choice((12, 12, 2, 2, *range(1, 13)))
            following = date(year + month // 12, month % 12 + 1, 1)
            return following - timedelta(days=r.choice((1, 1, 2)))
        return date(year, 1, 1) + timedelta(days=r.randrange(365))

    def offset(self) -> tuple[int, str]:
        """So many days from another day, and the words for that."""
        r = self.random
        kind = r.choices(list(_OFFSETS), list(_OFFSETS.values()))[0]
        n = r.randint(2, 3) if kind == "weeks later" else r.randint(2, 6)
        days = {"same day": 0, "next day": 1, "day before": -1, "week later": 7, "days later": n, "days earlier": -n}
        return days.get(kind, 7 * n), self.phrase(kind, n=r.choice((str(n), saying.number(n))))

    def weekday(self, base: date) -> tuple[date, str]:
        """A day by its weekday, counted from one whose weekday is known."""
        r = self.random
        back = r.random() < 0.15
        day = base + timedelta(days=-r.randint(1, 6) if back else r.randint(1, 6))
        self.weekdays.add(day)
        forms = ("the {} before", "on the {} before that", "the previous {}") if back else (
            "on {}", "on {}", "on the {}", "the {} after", "the following {}", "that {}")  # fmt: skip
        return day, r.choice(forms).format(f"{day:%A}")

    def on(self, said: str) -> str:
        """A day with the word that leads to it."""
        bare = said.startswith(_RELATIVE) or "day" in said or said.split()[0] in _FIRST
        return said if bare else f"on {said}"

    # clocks and lengths ----------------------------------------------------------------------------------------

    def at(self, clock: time) -> tuple[str, str]:
        """A time of day with the word that leads to it, and the words for it alone."""
        r = self.random
        words = self.clock(clock)
        if r.random() < 0.07 and words[0].isdigit():
            words = f"{saying.part_of_day(clock)} at {words}"
            return words, words
        said = self._repaired(words, self.clock(self.any_clock()))
        return (said if r.random() < 0.12 else f"at {said}"), words

    def clock(self, clock: time) -> str:
        """A time, at times without saying which half of the day: one to six are in the afternoon, eight to eleven in
        the morning."""
        r = self.random
        if (13 <= clock.hour <= 18 or 8 <= clock.hour <= 11) and r.random() < 0.12:
            if self.speech or r.random() < 0.4:
                return saying.clock_face(clock, r)
            return f"{clock.hour % 12}" + (f":{clock:%M}" if clock.minute else r.choice(("", " o'clock")))
        return (saying.clock_in_words if self.speech else saying.clock)(clock, r)

    def any_clock(self, but: time | None = None) -> time:
        """A time of day, oftener by day, at a full hour, and none that it was."""
        r = self.random
        while True:
            hour = r.choices(range(24), [1, 1, 1, 1, 1, 1, 3, 5, 8, 8, 8, 8, 10, 7, 7, 7, 7, 7, 7, 7, 7, 5, 4, 3])[0]
            minute = r.choices((0, 30, 15, 45, r.randrange(0, 60, 5), r.randrange(60)), (52, 20, 9, 9, 7, 3))[0]
            if time(hour, minute) != but:
                return time(hour, minute)

    def any_length(self, but: int = 30) -> int:
        """Minutes, and none that they were."""
        while (minutes := self.random.choice(_LENGTHS)) == but:
            pass
        return minutes

    def length(self, minutes: int) -> str:
        """Words for a length."""
        return (saying.length_in_words if self.speech else saying.length)(minutes, self.random)

    def lasting(self, words: str) -> str:
        """What says of a request how long it takes."""
        form = self.random.choice(_LASTING)
        return form.format(first_upper(words) if form == ". {}." else words)

    def span(self, start: datetime) -> tuple[int, str]:
        """Minutes, and the words for a beginning and an end."""
        r = self.random
        minutes = r.choice((15, 30, 60, 60, 90, 120, 45, 180, 75, 105, 240, 20, 40, 150, 300, 50))
        end = start + timedelta(minutes=minutes)
        first, last = self.clock(start.time()), self.clock(end.time())
        if r.random() < 0.25 and start.hour > 12 and end.date() == start.date():
            first = first.removesuffix("pm").removesuffix("PM").strip()
        forms = ("from {} to {}", "from {} until {}", "{} to {}", "{} - {}", "from {} till {}", "{} until {}", "{}-{}",
                 "between {} and {}", "{} till {}", "starts at {} and ends at {}", "{} through {}")  # fmt: skip
        return minutes, r.choice(forms).format(first, last)

    def timed(self, start: datetime, at: str = "", *, span: float, length: float) -> tuple[int, str, dict[str, str]]:
        """Minutes, how a beginning is said (`at`, if given), and the words for time and duration. That share of times
        its end is said, or its length; 30 minutes else."""
        shape = self.random.random()
        if shape < span and start.hour < 19 and not at:
            minutes, said = self.span(start)
            return minutes, said, {"time": said}
        said, clock = (at, at) if at else self.at(start.time())
        if shape > span + length:
            return 30, said, {"time": clock}
        minutes = self.any_length()
        return minutes, said, {"time": clock, "duration": self.length(minutes)}

    # entries ---------------------------------------------------------------------------------------------------

    def article(self, bare: str) -> str:
        """A new entry with an article, or what stands in its place."""
        r = self.random
        if ("'s " in bare.split(" with ")[0] and bare[0].isupper()) or self.words.is_task(bare):
            return bare
        shape = r.random()
        if shape < 0.62 and not bare.endswith("s"):
            article = "an" if bare[0].lower() in "aeiou" else "a"
            return self._repaired(f"{article} {bare}", f"{article} {self.words.event(r)}")
        return bare if shape < 0.75 else f"{r.choice(('my', 'my', 'the', 'the', 'our', 'another', 'this'))} {bare}"

    def as_title(self, bare: str) -> str:
        """A title as it is written, or as it is spoken."""
        return titled(bare) if self.random.random() < 0.5 else bare

    def the(self, entry: MadeEntry, entries: Sequence[MadeEntry]) -> str:
        """An entry by its full name, or by something only it has."""
        r, others = self.random, [other for other in entries if other.id != entry.id]
        head, _, person = entry.bare.partition(" with ")
        proper = "'s " in entry.bare and entry.bare[0].isupper()
        ways = [entry.bare if proper else f"{r.choice(('the', 'the', 'my', 'the'))} {entry.bare}"] * 5
        if person and not any(other.bare.endswith(f" with {person}") for other in others):
            ways.append(f"the one with {person}")
        if person and not any(head.split()[-1] in other.bare.split() for other in others):
            ways.append(f"the {head}")
        own = [word for word in self.telling(entry.bare) if not any(word in other.bare.split() for other in others)]
        if own:
            word, tail = r.choice(own).removesuffix("'s"), own[-1].removesuffix("'s")
            ways += [f"the {word} one", f"the {word} thing", f"the {tail}", f"the {tail}", f"my {tail}"]
            if word[0].isupper():
                ways += [f"{word}'s", *([f"the one with {word}"] if f" with {word}" in entry.bare else [])]
        if any(other.bare == entry.bare for other in others):
            ways = []
        if not any(other.start.time() == entry.start.time() for other in others) and (not ways or r.random() < 0.5):
            ways.append(f"the one at {self.clock(entry.start.time())}")
        if not any(other.start.date() == entry.start.date() for other in others) and (not ways or r.random() < 0.5):
            ways.append(f"the one on {self.day(entry.start.date())}")
        return r.choice(ways or [f"the {entry.bare}"])

    def telling(self, bare: str) -> list[str]:
        """The words of a title that tell it from others."""
        return [word for word in bare.split() if len(word) > 2 and word.lower() not in _SMALL]

    def fresh_title(self, *taken: str) -> str:
        """A title that is none of those; what is dictated is not told by figures or dots."""
        while True:
            bare = self.words.title(self.random)
            if titled(bare) not in map(titled, taken) and not (self.speech and saying.dictated(bare) != bare.lower()):
                return bare

    def other_word(self, word: str) -> str:
        """What a word of a title should be: another one, or one with another letter."""
        r, bare = self.random, word.removesuffix("'s")
        if r.random() < 0.3 and len(bare) > 3:
            at = r.randrange(1, len(bare))
            new = bare[:at] + r.choice("aeiouylrnst") + bare[at + 1 :]
        elif bare[:1].isupper() and r.random() < 0.4:
            new = self.words.pick(r, "people")
        else:
            new = made_up(r, 2) if r.random() < 0.6 else self.words.event(r).split()[0].removesuffix("'s").lower()
            new = new.capitalize() if bare[:1].isupper() else new
        return self.other_word(word) if new == bare else new + ("'s" if word.endswith("'s") else "")
