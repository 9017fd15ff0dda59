"""Talks about the calendar: new entries (calendar_adding.py), then those changed, removed, wanted back, one or several;
things left unsaid and asked for, things that a calendar cannot do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolmend.resolve.said import AGAIN, CHANGE, MISSING, UNDO, Said
from toolmend.training import saying
from toolmend.training.adapter.calendar_adding import ADD, REMOVE, REMOVING, CalendarAdding
from toolmend.training.adapter.calendar_changes import EntryChange, change_of
from toolmend.training.adapter.calendar_person import MadeEntry, entry_values
from toolmend.training.adapter.talks import Due, Turn
from toolmend.training.adapter.tool_requests import ToolAsk
from toolmend.training.adapter.tool_slips import ToolSlip
from toolmend.training.adapter.tool_values import SaidValue

CANNOT, WELCOME, NOTHING_TO_DO = "I can only add and remove calendar entries.", "You're welcome.", "All right."
_BESIDES = {"cannot": CANNOT, "question": CANNOT, "thanks": WELCOME, "idle": NOTHING_TO_DO}
_COUNT = {2: ("both", "the two", "those two", "both of them"), 3: ("all three", "the three", "all of them")}
_TH = ("first", "second", "third", "fourth")
_OPS = {"add": 22, "two": 2, "days": 2.5, "three": 2.5, "lacking": 4, "besides": 2.5}
_WITH_ENTRIES = {"relative_to": 6, "near": 5, "change": 65, "vague": 1.5, "besides": 6.5}
_OF_LAST = {
    "duration": 8, "time": 7, "date": 5, "shift": 8, "rename": 4, "both": 3, "shift_days": 4, "until": 2, "longer": 2,
    "word": 3, "head": 1.5, "move_days": 5, "time_and_length": 1.5, "span_to": 1, "person": 2,
}  # fmt: skip
_OF_ANY = {"duration": 4, "time": 7, "date": 5, "both": 3, "rename": 3, "shift": 5, "until": 2, "word": 4, "head": 1.5,
           "move_days": 5, "time_and_length": 2, "span_to": 1}  # fmt: skip
_OF_GROUP = {"time": 6, "duration": 4, "shift": 6, "shift_days": 3}
_LACKING = {"time": ("time",), "day": ("date",), "name": ("title",), "when": ("date", "time")}


class CalendarTalk(CalendarAdding):
    """One talk by its seed."""

    def ops(self) -> Mapping[str, float]:
        """Any that makes sense now."""
        entries, ops = self.entries, dict[str, float](_OPS)
        removed = bool(self.calls) and self.calls[-1].tool == REMOVE and self.calls[-1].id in self.made
        if entries:
            ops |= {**_WITH_ENTRIES, "cancel": 9 + 2 * len(entries)}
        if len(entries) > 1:
            ops |= {"cancel_several": 4, "which": 5 * bool(self._twins())}
        if self.group:
            ops |= {"group": 19, "group_one": 12}
        if removed:
            ops |= {"restore": 5, "not_that": 3 * bool(entries)}
        if self.gone:
            ops["revive"] = 4
        if self.last:
            ops |= {"relative": 15, "again": 3}
            ops["weekday"] = 10 * (self.last.start.date() in self.person.weekdays)
        return ops

    # changes ---------------------------------------------------------------------------------------------------

    def _change(self) -> bool | None:
        """Something of the entry made last is to be otherwise, or of another one."""
        old = self.last if self.last and self.random.random() < 0.6 else self.random.choice(self.entries)
        kinds = dict[str, float](_OF_LAST if old == self.last else _OF_ANY)
        if old == self.last and self.person.year is None and len(self.entries) <= 2:
            kinds["year"] = 18
        kind = self.random.choices(list(kinds), list(kinds.values()))[0]
        change = change_of(kind, old, self.person)
        the = self.person.the(old, self.entries)
        if old == self.last:
            return self._changed(kind, change, [old], "", the="it")
        named = f"{change.section} of" in self.phrases.lines
        section = f"{change.section} of" if named else change.section
        of = the if named or kind == "span_to" else f"the {old.bare}"
        return self._changed(f"{kind}_of", replace(change, section=section), [old], of, the=of)

    def _group(self) -> bool | None:
        """All that were made together are to be otherwise."""
        group, kind = self.group, self.random.choices(list(_OF_GROUP), list(_OF_GROUP.values()))[0]
        change, them = change_of(kind, group[0], self.person), self._them()
        return self._changed(
            f"group_{kind}", replace(change, section=f"group {change.section}"), group, them, them=them
        )

    def _changed(
        self, op: str, change: EntryChange, entries: Sequence[MadeEntry], of: str, **slots: str
    ) -> bool | None:
        """A change said of the first of these entries, and of the others as much."""
        due = list[tuple[str, dict[str, Any]]]()
        for entry in entries:
            values = dict(change.values)
            if "date" in values and "time" in values and len(entries) > 1:  # each moves as far as the first
                moved = dt.datetime.fromisoformat(f"{values['date']}T{values['time']}") - entries[0].start
                values = entry_values("", entry.start + moved)
                del values["title"]
            due.append((ADD, {**entry.values, **values}))
        for _, values in due:
            self.bares.setdefault(str(values["title"]).casefold(), change.words.get("title", ""))
        text = self.person.phrase(change.section, **{**change.slots, **slots})
        return self._asked(op, [self._adding(change.words, as_=CHANGE, of=of)], text, due)

    def _again(self) -> bool | None:
        """The entry made last once more, on another day or two."""
        old, person, r = self.entries[-1], self.person, self.random
        if r.random() < 0.4:
            days = [old.start.date() + dt.timedelta(days=gap) for gap in sorted(r.sample(range(1, 12), 2))]
            words = [person.day(day) for day in days]
            if {day.month for day in days} == {old.start.month} and r.random() < 0.6:
                words = [f"the {saying.nth(day.day)}" for day in days]
            said = f"on {words[0]} and {words[1]}"
        else:
            days, words = [old.start.date()], [""]
            while days[0] == old.start.date():
                offset, words[0] = person.offset()
                days = [old.start.date() + dt.timedelta(days=offset)]
                if r.random() < 0.4:
                    days[0], words[0] = person.new_day(again=True)
            said = person.on(words[0])
        asks = [self._adding({"date": word}, as_=AGAIN) for word in words]
        due = [(ADD, {**old.values, "date": day.isoformat()}) for day in days]
        return self._asked("again", asks, person.phrase("again", when=said), due)

    # removing --------------------------------------------------------------------------------------------------

    def _cancel(self) -> bool | None:
        if self.last and self.random.random() < 0.2:
            return self._cancelled("cancel_last", "cancel last", [(self.last, "it")])
        entry = self.random.choice(self.entries)
        the = self.person.the(entry, self.entries)
        return self._cancelled("cancel", "cancel", [(entry, the)], the=the, bare=entry.bare)

    def _cancel_several(self) -> bool | None:
        entries = self.entries
        if len(entries) < 4 and self.random.random() < 0.3:
            return self._cancelled("clear", "clear", [(entry, "everything") for entry in entries])
        one, two = self.random.sample(entries, 2)
        the, other = self.person.the(one, entries), self.person.the(two, entries)
        return self._cancelled("cancel_two", "cancel two", [(one, the), (two, other)], the=the, other=other)

    def _group_one(self) -> bool | None:
        """One of those made together, by its place or its day; or all of them."""
        group, r, person = self.group, self.random, self.person
        if r.random() < 0.25:
            them = self._them()
            return self._cancelled("group_cancel", "cancel", [(entry, them) for entry in group], the=them, bare=them)
        place = r.randrange(len(group))
        entry, others = group[place], [other for other in self.entries if other.id != group[place].id]
        ways = [f"the {_TH[place]} one", f"the {_TH[place]} of those"] + ["the last one"] * (entry == group[-1])
        if all(other.start.date() != entry.start.date() for other in others):
            ways += [f"the one on {person.day(entry.start.date())}", f"the one on the {saying.nth(entry.start.day)}"]
        if all(other.start.time() != entry.start.time() for other in others):
            ways.append(f"the one at {person.clock(entry.start.time())}")
        the = r.choice(ways)
        return self._cancelled("group_one", "cancel", [(entry, the)], the=the, bare=entry.bare)

    def _cancelled(self, op: str, section: str, named: Sequence[tuple[MadeEntry, str]], **slots: str) -> bool | None:
        """Entries removed by the words for each; those that go by the same words are removed by one line."""
        asks = [_removing(words) for words in dict.fromkeys(words for _, words in named)]
        return self._asked(op, asks, self.person.phrase(section, **slots), [_removed(entry) for entry, _ in named])

    def _them(self) -> str:
        return self.random.choice(_COUNT.get(len(self.group), ("all of them", "all these", "everything")))

    def _not_that(self) -> bool | None:
        """Another one was to be removed, not the one that was."""
        entry = self.random.choice(self.entries)
        the = self.person.the(entry, self.entries)
        ask = replace(_removing(the), as_=CHANGE)
        return self._asked("not_that", [ask], self.person.phrase("not that", the=the), [_removed(entry)])

    def _restore(self) -> bool | None:
        """What was removed just now is wanted back."""
        return self._back("restore", self.gone[-1], "") if self.gone else None

    def _revive(self) -> bool | None:
        """What was removed some time ago is wanted back."""
        call = self.random.choice(self.gone)
        return self._back("revive", call, self.person.the(self._entry(call), [*self.entries, self._entry(call)]))

    def _back(self, op: str, call: Any, the: str) -> bool | None:
        entry, person = self._entry(call), self.person
        said = person.types(person.phrase(op, the=the, bare=entry.bare) if the else person.phrase(op), [])
        right = self._comes_to(op, said, [Said(UNDO, of=self._in(said, the) or the)], [(ADD, entry.values)])
        self.gone = [old for old in self.gone if old is not call or not right]
        return right

    # left unsaid -----------------------------------------------------------------------------------------------

    def _lacking(self) -> bool | None:
        """A new entry without what it must have; then the answer."""
        r, person, bare = self.random, self.person, self._title()
        kind = r.choices(list(_LACKING), (15, 10, 7, 10))[0]
        day, said = person.new_day()
        clock = person.any_clock()
        at, words = person.at(clock)
        when = {"time": person.on(said), "day": at, "name": f"{person.on(said)} {at}", "when": ""}[kind]
        lacks = _LACKING[kind]
        told = {"title": bare, "date": said, "time": words}
        ask = replace(self._adding({name: one for name, one in told.items() if name not in lacks}), lacks=lacks)
        section = "nameless" if kind == "name" else "incomplete"
        naming = {} if kind == "name" else {"a": person.article(bare), "title": person.as_title(bare)}
        text = person.types(person.phrase(section, when=when, **naming), [])
        due = [(ADD, entry_values(bare, dt.datetime.combine(day, clock)))]
        heard = self._as_said(text, [ask], due)
        if not heard or not self._asks_back(f"without {kind}", text, heard[0].line(), lacks[0]):
            return False
        return self._answered(kind, lacks, bare, day, clock, due)

    def _vague(self) -> bool | None:
        """A change whose value is not said; then the answer."""
        person, old = self.person, self.last or self.random.choice(self.entries)
        of = "" if old == self.last else person.the(old, self.entries)
        kind, name = self.random.choice((("time", "time"), ("time", "time"), ("day", "date")))
        text = person.types(person.phrase(f"vague {kind}", the=of or "it"), [])
        line = Said(CHANGE, {name: MISSING}, self._in(text, of) or of)
        if not self._asks_back("vague", text, line, name):
            return False
        day, clock = old.start.date(), person.any_clock(but=old.start.time())
        if kind == "day":
            day, clock = person.new_day(again=True)[0], old.start.time()
        start = dt.datetime.combine(day, clock)
        return self._answered(
            kind, (name,), old.bare, day, clock, [(ADD, {**old.values, **entry_values(old.bare, start)})]
        )

    def _answered(
        self, kind: str, names: Sequence[str], bare: str, day: dt.date, clock: dt.time, due: Due
    ) -> bool | None:
        """What was asked for is said."""
        person, said = self.person, self.person.day(day)
        at, words = person.at(clock)
        slots = {"clock": words, "at": at, "onday": person.on(said), "title": bare, "a": person.article(bare)}
        text = person.types(person.phrase(f"answer {kind}", **slots), [])
        told = {"title": bare, "date": said, "time": words}
        ask = self._adding({name: told[name] for name in names}, as_=CHANGE)
        heard = self._as_said(text, [ask], due)
        return bool(heard) and self._comes_to("answer", text, [heard[0].line()], due)

    def _which(self) -> bool | None:
        """Something removed that two entries are called; then which."""
        head, twins = self._twins()[0]
        entry, person = self.random.choice(twins), self.person
        text = person.types(person.phrase("cancel", the=f"the {head}", bare=head), [])
        if not self._asks_back("which", text, Said(REMOVE, {"entry": self._in(text, head) or head}), "entry"):
            return False
        who = entry.bare.partition(" with ")[2]
        ways = [f"the one at {person.clock(entry.start.time())}", f"the one on {person.day(entry.start.date())}"]
        said = person.mannered(self.random.choice([*ways, f"the one with {who}", f"with {who}", who]))
        return self._comes_to("answer", said, [Said(CHANGE, {"entry": said})], [_removed(entry)])

    def _twins(self) -> list[tuple[str, list[MadeEntry]]]:
        """Heads that several entries share, as in lunch with Ada, lunch with Ben; those entries."""
        heads: dict[str, list[MadeEntry]] = {}
        for entry in self.entries:
            if " with " in entry.bare:
                heads.setdefault(entry.bare.partition(" with ")[0], []).append(entry)
        return [(head, twins) for head, twins in heads.items() if len(twins) > 1]

    def _besides(self) -> bool | None:
        """What a calendar cannot do, or no request at all."""
        person, r = self.person, self.random
        entries, kind = self.entries, r.choices(list(_BESIDES), (30, 29, 22, 10))[0]
        the = person.the(r.choice(entries), entries) if entries else "my meeting"
        slots = {"the": the, "person": person.words.person(r), "bare": person.words.event(r)}
        text = person.reason() if kind == "idle" else person.phrase(kind, **slots)
        self.turns.append(Turn(person.types(text, []), _BESIDES[kind], True, kind, self._background("")))
        return None

    # slips -----------------------------------------------------------------------------------------------------

    def _made_slip(self, op: str, said: str, asks: Sequence[ToolAsk], due: Due) -> bool:
        """A slip that is made up: of a removal another entry is removed."""
        if asks[-1].offered is not REMOVING or self.random.random() < 0.1:
            return super()._made_slip(op, said, asks, due)
        words, other = dict(asks[-1].line().words), self.random.choice(self.entries)
        wrong = [ask.line() for ask in asks[:-1]] + [Said(REMOVE, {"entry": f"the {other.bare}"})]
        return len(asks) == 1 and self._slipped(
            op, said, asks, due, ToolSlip(tuple(wrong), "which", "", "entry", words)
        )


def _removing(words: str) -> ToolAsk:
    return ToolAsk(REMOVING, "", {"entry": SaidValue(words, None)})


def _removed(entry: MadeEntry) -> tuple[str, dict[str, Any]]:
    return REMOVE, entry_values(entry.bare, entry.start)
