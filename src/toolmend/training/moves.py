"""Changes as people make them later in a talk: an older entry moved, a word of a title put right, a day named by its
weekday, something cancelled that is wanted back, a change with its value left out.

Part of the simulated talk (dialogues.py).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from toolmend.training import saying
from toolmend.training.asides import CANNOT, WHAT_TIME, WHICH_DAY
from toolmend.training.meaning import Entry, Meant
from toolmend.training.plans import Plans
from toolmend.training.words import made_up

WHEN, NOTHING_TO_DO = "On which day and at what time?", "All right."
_NOTHING = Entry("", date(2023, 1, 1), datetime.min.time())
_SMALL = frozenset("with and about for of at the in on to a an my our from".split())


class Moves(Plans):
    """The turns that change or revive what was said earlier."""

    def __post_init__(self) -> None:
        """Nothing said, nothing cancelled."""
        super().__post_init__()
        self.gone: list[Entry] = []

    def _any_entry(self) -> Entry:
        """The entry made last, or another."""
        if self.last and not self.last.remove and self.random.random() < 0.35:
            return self.last.entry
        return self.random.choice(self.entries)

    def _is_last(self, entry: Entry) -> bool:
        return bool(self.last and not self.last.remove and self.last.entry == entry)

    # times and lengths of older entries ------------------------------------------------------------------------

    def _shift_of(self) -> tuple[str, Meant]:
        old, r = self.random.choice(self.entries), self.random
        minutes = r.choice((10, 15, 20, 30, 30, 45, 60, 60, 60, 90, 120, 180))
        later = r.random() < 0.6
        moved = datetime.combine(old.date, old.time) + timedelta(minutes=minutes if later else -minutes)
        new = replace(old, date=moved.date(), time=moved.time())
        return self._replaced(
            old, new, "later of" if later else "earlier of", the=self._the(old), dur=saying.length(minutes, r)
        )

    def _until_of(self) -> tuple[str, Meant]:
        old = self.random.choice(self.entries)
        minutes = self.random.choice((45, 60, 90, 120, 180, 30, 15, 150, 240))
        clock = saying.clock((datetime.combine(old.date, old.time) + timedelta(minutes=minutes)).time(), self.random)
        return self._replaced(old, replace(old, duration=minutes), "until of", the=self._the(old), clock=clock)

    def _longer(self) -> tuple[str, Meant]:
        """Longer or shorter by so much."""
        assert self.last
        old, r = self.last.entry, self.random
        more = r.random() < 0.6 or old.duration <= 30
        minutes = r.choice((15, 30, 30, 60, 10)) if more else r.choice((10, 15))
        new = replace(old, duration=old.duration + (minutes if more else -minutes))
        return self._replaced(old, new, "longer" if more else "shorter", dur=saying.length(minutes, r))

    def _time_and_length(self) -> tuple[str, Meant]:
        old = self._any_entry()
        new = replace(old, time=self._clock(but=old.time), duration=self._length(but=old.duration))
        slots = {"at": self._at(new.time), "dur": saying.length(new.duration, self.random)}
        if self._is_last(old):
            return self._replaced(old, new, "time and length", **slots)
        return self._replaced(old, new, "time and length of", the=self._the(old), **slots)

    def _span_to(self) -> tuple[str, Meant]:
        """Another beginning and end."""
        old = self._any_entry()
        clock = self._clock(but=old.time)
        if clock.hour >= 20:
            clock = clock.replace(hour=9)
        minutes, span = self._span(old.date, clock)
        new = replace(old, time=clock, duration=minutes)
        the = "it" if self._is_last(old) else self._the(old)
        return self._replaced(old, new, "span to", the=the, span=span)

    # days ------------------------------------------------------------------------------------------------------

    def _move_days(self) -> tuple[str, Meant]:
        """To a day named from the one it was on; the time stays."""
        old, r = self._any_entry(), self.random
        days, said = self._offset(old)
        if not days:
            days, said = 1, "a day later"
        if r.random() < 0.3:
            day = old.date.replace(day=r.choice([n for n in range(1, 29) if n != old.date.day]))
            days, said = (day - old.date).days, r.choice(("", "on ")) + f"the {saying.nth(day.day)}"
        elif old.date in self.weekdays and r.random() < 0.5:
            days, said = self._by_weekday(old.date)
        new = replace(old, date=old.date + timedelta(days=days))
        if self._is_last(old):
            return self._replaced(old, new, "move days", offset=said, Offset=said[:1].upper() + said[1:])
        return self._replaced(old, new, "move days of", the=self._the(old), offset=said)

    def _by_weekday(self, base: date) -> tuple[int, str]:
        """Days from a day whose weekday is known to another, and its weekday."""
        r = self.random
        back = r.random() < 0.15
        days = -r.randint(1, 6) if back else r.randint(1, 6)
        day = base + timedelta(days=days)
        self.weekdays.add(day)
        name = f"{day:%A}"
        if back:
            return days, r.choice((f"the {name} before", f"on the {name} before that", f"the previous {name}"))
        forms = (
            f"on {name}",
            f"on {name}",
            f"on the {name}",
            f"the {name} after",
            f"the following {name}",
            f"that {name}",
        )
        return days, r.choice(forms)

    def _weekday(self) -> tuple[str, Meant]:
        """A new entry on a weekday after one that is known."""
        assert self.last
        days, said = self._by_weekday(self.last.entry.date)
        return self._new_entry(self.last.entry.date + timedelta(days=days), said)

    def _near(self) -> tuple[str, Meant]:
        """A new entry so long before or after the beginning of another."""
        r = self.random
        base = self._any_entry()
        minutes, later = r.choice((15, 30, 45, 60, 60, 120, 120, 180)), r.random() < 0.5
        at = datetime.combine(base.date, base.time) + timedelta(minutes=minutes if later else -minutes)
        dur = saying.length(minutes, r)
        section = "near after" if later else "near before"
        the = "that" if self._is_last(base) else self._the(base)
        return self._new_entry(at.date(), "", at=at.time(), said_at=self._say(section, dur=dur, the=the))

    # titles ----------------------------------------------------------------------------------------------------

    def _word(self) -> tuple[str, Meant]:
        """One word of a title is another: a name heard wrong, another guest, a typo."""
        old, r = self._any_entry(), self.random
        spots = [word for word in old.bare.split() if word.lower() not in _SMALL and len(word) > 2]
        word = r.choice(spots) if spots else old.bare.split()[-1]
        new_word = self._other_word(word)
        new = replace(old, bare=" ".join(new_word if each == word else each for each in old.bare.split()))
        owner = "'s" if word.endswith("'s") else ""
        slots = {"old": word.removesuffix("'s"), "new": new_word.removesuffix("'s")}
        if owner and r.random() < 0.5:
            slots = {"old": word, "new": new_word}
        if self._is_last(old):
            return self._replaced(old, new, "word", **slots)
        return self._replaced(old, new, "word of", the=self._the(old), **slots)

    def _other_word(self, word: str) -> str:
        r = self.random
        bare = word.removesuffix("'s")
        if bare[:1].isupper():
            new = self.words.pick(r, "people") if r.random() < 0.4 else made_up(r).capitalize()
        else:
            new = self.words.event(r).split()[0].removesuffix("'s").lower() if r.random() < 0.4 else made_up(r)
        if r.random() < 0.3 and len(bare) > 3:  # one letter or two
            at = r.randrange(1, len(bare))
            new = bare[:at] + r.choice("aeiouylrnst") + bare[at + 1 :]
        if new == bare:
            new = made_up(r, 2)
            new = new.capitalize() if bare[:1].isupper() else new
        return new + ("'s" if word.endswith("'s") else "")

    def _head(self) -> tuple[str, Meant]:
        """Another kind of event with the same person."""
        old, r = self._any_entry(), self.random
        head, _, person = old.bare.partition(" with ")
        new_head = r.choice([self.words.pick(r, "meetings"), self.words.event(r)])
        if new_head == head or not person:
            return self._word()
        new = replace(old, bare=f"{new_head} with {person}")
        slots = {"old": head, "new": new_head, "person": person}
        return self._replaced(old, new, "head", **slots)

    # back again ------------------------------------------------------------------------------------------------

    def _revive(self) -> tuple[str, Meant]:
        """An entry that was cancelled is wanted back."""
        entry = self.random.choice(self.gone)
        self.gone = [each for each in self.gone if each != entry]
        said = self._say("revive", the=self._the(entry), bare=entry.bare)
        self.entries.append(entry)
        return said, Meant(entry)

    # without a value -------------------------------------------------------------------------------------------

    def _without_both(self) -> tuple[str, Meant]:
        entry, _ = self._imagined()
        self.open = ("when", Meant(entry))
        said = self._say("incomplete", a=self._article(entry.bare), title=self._as_title(entry.bare), when="")
        return said, Meant(_NOTHING, words=WHEN)

    def _vague(self) -> tuple[str, Meant]:
        """A change whose value is not said."""
        old, r = self._any_entry(), self.random
        the = "it" if self._is_last(old) else self._the(old)
        if r.random() < 0.6:
            self.open = ("new time", Meant(replace(old, time=self._clock(but=old.time))))
            return self._say("vague time", the=the), Meant(old, words=WHAT_TIME)
        day, _ = self._new_day(again=True)
        self.open = ("new day", Meant(replace(old, date=day)))
        return self._say("vague day", the=the), Meant(old, words=WHICH_DAY)

    def _idle(self) -> tuple[str, Meant]:
        """Something said to nobody in particular."""
        return self._reason(), Meant(_NOTHING, words=NOTHING_TO_DO)

    def _question(self) -> tuple[str, Meant]:
        """What a calendar that only adds and removes cannot tell."""
        the = self._the(self.random.choice(self.entries))
        return self._say("question", the=the, person=self.words.person(self.random)), Meant(_NOTHING, words=CANNOT)
