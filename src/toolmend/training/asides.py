"""What people say besides the plain request: thanks, things a calendar cannot do, requests with something missing and
the answer to the question, several entries at once, the same again.

Part of the simulated talk (dialogues.py). A reply without a call is a short plain sentence, a question ends with "?".
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta

from toolmend.training import saying
from toolmend.training.meaning import Entry, Meant
from toolmend.training.phrases import first_upper
from toolmend.training.wording import UNSTATED_YEAR, Wording

WELCOME = "You're welcome."
CANNOT = "I can only add and remove calendar entries."
WHAT_TIME, WHICH_DAY, WHICH_ONE, WHAT_NAME = "At what time?", "On which day?", "Which one?", "What is it called?"
_NOTHING = Entry("", date(UNSTATED_YEAR, 1, 1), time(0))


class Asides(Wording):
    """The turns of a talk that are no single call, and those that only make sense after them."""

    def __post_init__(self) -> None:
        """Nothing said, nothing open."""
        super().__post_init__()
        self.open: tuple[str, Meant] | None = None

    def _thanks(self) -> tuple[str, Meant]:
        return self._say("thanks"), Meant(_NOTHING, words=WELCOME)

    def _cannot(self) -> tuple[str, Meant]:
        the = self._the(self.random.choice(self.entries)) if self.entries else "my meeting"
        said = self._say("cannot", person=self.words.person(self.random), the=the, bare=self.words.event(self.random))
        return said, Meant(_NOTHING, words=CANNOT)

    # something is missing --------------------------------------------------------------------------------------

    def _without_time(self) -> tuple[str, Meant]:
        entry, said_day = self._imagined()
        return self._ask("time", entry, when=self._on(said_day)), Meant(_NOTHING, words=WHAT_TIME)

    def _without_day(self) -> tuple[str, Meant]:
        entry, _ = self._imagined()
        return self._ask("day", entry, when=self._at(entry.time)), Meant(_NOTHING, words=WHICH_DAY)

    def _without_name(self) -> tuple[str, Meant]:
        entry, said_day = self._imagined()
        self.open = ("name", Meant(entry))
        when = f"{self._on(said_day)} {self._at(entry.time)}"
        return self._say("nameless", when=when, When=first_upper(when)), Meant(_NOTHING, words=WHAT_NAME)

    def _which(self) -> tuple[str, Meant]:
        """Cancel something that two entries are called."""
        head, twins = self._twins()
        entry = self.random.choice(twins)
        self.open = ("which", Meant(entry, remove=True))
        return self._say("cancel", the=f"the {head}", bare=head), Meant(_NOTHING, words=WHICH_ONE)

    def _answer(self) -> tuple[str, Meant]:
        """What the open question asked for."""
        assert self.open
        kind, meant = self.open
        self.open, entry = None, meant.entry
        if kind == "which":
            return self._answer_which(entry), meant
        if kind.startswith("new "):
            kind = kind.removeprefix("new ")
            self.entries = [e for e in self.entries if e.title != entry.title]
        self.entries.append(entry)
        on = self._on(saying.day(entry.date, self.random, with_year=False))
        said = {
            "when": lambda: self._say("answer when", onday=on, at=self._at(entry.time)),
            "time": lambda: self._say("answer time", clock=self._said_clock(entry.time)),
            "day": lambda: self._say(
                "answer day", onday=self._on(saying.day(entry.date, self.random, with_year=False))
            ),
            "name": lambda: self._say("answer name", title=self._as_title(entry.bare), a=self._article(entry.bare)),
        }[kind]()
        return said, meant

    def _answer_which(self, entry: Entry) -> str:
        _, _, person = entry.bare.partition(" with ")
        choices = [f"the one at {saying.clock(entry.time, self.random)}"]
        if len({other.date for other in self.entries}) == len(self.entries):
            choices.append(f"the one on {saying.day(entry.date, self.random, with_year=False)}")
        if person:
            choices += [f"the one with {person}", f"with {person}", person]
        return self.random.choice(choices)

    def _twins(self) -> tuple[str, list[Entry]]:
        """A head that several entries share, as in lunch with Ada, lunch with Ben; those entries."""
        heads: dict[str, list[Entry]] = {}
        for entry in self.entries:
            if " with " in entry.bare:
                heads.setdefault(entry.bare.partition(" with ")[0], []).append(entry)
        for head, twins in heads.items():
            if len(twins) > 1 and len({entry.time for entry in twins}) == len(twins):
                return head, twins
        return "", []

    def _imagined(self) -> tuple[Entry, str]:
        day, said = self._new_day()
        return Entry(self._fresh_title(), day, self._clock()), said

    def _ask(self, missing: str, entry: Entry, when: str) -> str:
        self.open = (missing, Meant(entry))
        return self._say("incomplete", a=self._article(entry.bare), title=self._as_title(entry.bare), when=when)

    # several at once -------------------------------------------------------------------------------------------

    def _two(self) -> tuple[str, Meant]:
        one, said_day = self._imagined()
        bare = self._fresh_title(but=(one.bare,))
        same = self.random.random() < 0.6
        day, other = (one.date, self._say("same day")) if same else self._new_day(again=True)
        two = Entry(bare, day, self._clock(but=one.time))
        when = f"{self._on(said_day)} {self._at(one.time)}"
        only_time = same and self.random.random() < 0.4
        after = self._at(two.time) if only_time else f"{self._on(other)} {self._at(two.time)}"
        self.entries += [one, two]
        said = self._say("two", a=self._article(one.bare), b=self._article(two.bare), when=when, after=after)
        return said, Meant(one, also=(Meant(two),))

    def _cancel_two(self) -> tuple[str, Meant]:
        one, two = self.random.sample(self.entries, 2)
        said = self._say("cancel two", the=self._the(one), other=self._the(two))
        return said, Meant(one, remove=True, also=(Meant(two, remove=True),))

    def _clear(self) -> tuple[str, Meant]:
        """Cancel everything, oldest first."""
        first, *others = self.entries
        return self._say("clear"), Meant(first, remove=True, also=tuple(Meant(e, remove=True) for e in others))

    # changes of several arguments ------------------------------------------------------------------------------

    def _both(self) -> tuple[str, Meant]:
        """Another day and another time."""
        assert self.last
        old = self.last.entry
        day, said = self._new_day(again=True)
        new = replace(old, date=day, time=self._clock(but=old.time))
        return self._replaced(old, new, "both", day=said, onday=self._on(said), at=self._at(new.time))

    def _both_of(self) -> tuple[str, Meant]:
        old = self.random.choice(self.entries)
        day, said = self._new_day(again=True)
        new = replace(old, date=day, time=self._clock(but=old.time))
        the = self._the(old)
        return self._replaced(old, new, "both of", day=said, onday=self._on(said), at=self._at(new.time), the=the)

    def _shift_days(self) -> tuple[str, Meant]:
        assert self.last
        old, r = self.last.entry, self.random
        days, said = r.choice(
            ((1, "a day"), (1, "one day"), (2, "two days"), (3, "3 days"), (7, "a week"), (14, "two weeks"))
        )
        later = r.random() < 0.6
        new = replace(old, date=old.date + timedelta(days=days if later else -days))
        return self._replaced(old, new, "later" if later else "earlier", dur=said)

    def _until(self) -> tuple[str, Meant]:
        """A length given by its end."""
        assert self.last
        old = self.last.entry
        minutes = self.random.choice((45, 60, 90, 120, 180, 30, 15, 150, 240))
        end = datetime.combine(old.date, old.time) + timedelta(minutes=minutes)
        return self._replaced(old, replace(old, duration=minutes), "until", clock=saying.clock(end.time(), self.random))

    def _rename_of(self) -> tuple[str, Meant]:
        old = self.random.choice(self.entries)
        new = replace(old, bare=self._fresh_title())
        return self._replaced(old, new, "rename of", the=self._the(old), title=self._as_title(new.bare))

    def _again(self) -> tuple[str, Meant]:
        """The same entry once more, on another day."""
        assert self.last
        old = self.last.entry
        days, said = self._offset(old)
        if not days or self.random.random() < 0.4:
            day, said = self._new_day(again=True)
            said = self._on(said)
        else:
            day = old.date + timedelta(days=days)
        entry = replace(old, date=day)
        self.entries.append(entry)
        return self._say("again", when=said), Meant(entry)

    def _replaced(self, old: Entry, new: Entry, section: str, /, **slots: str) -> tuple[str, Meant]:
        self.entries = [new if entry == old else entry for entry in self.entries]
        return self._say(section, **slots), Meant(new)
