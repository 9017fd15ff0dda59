"""A talk about the calendar as it stands, and what a person says to add entries: one or several, on days and at times
that are named, or said from those of others. A year nobody says is 2023, a length nobody says 30 minutes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolmend.messages import Call, ToolSpec
from toolmend.resolve.background import Background, Computed
from toolmend.resolve.calls import compute
from toolmend.resolve.said import Said
from toolmend.strategies.spoken_signature import spoken_spec, spoken_system
from toolmend.toolboxes.calendar import Calendar
from toolmend.training import saying
from toolmend.training.adapter.align import words_meaning
from toolmend.training.adapter.calendar_person import CalendarPerson, MadeEntry, entry_values
from toolmend.training.adapter.talks import Due, Own, SimulatedTalk
from toolmend.training.adapter.tool_requests import Asking, Offered, ToolAsk
from toolmend.training.adapter.tool_values import SaidValue
from toolmend.training.adapter.toolkits import MadeParameter, MadeTool, ValueKind
from toolmend.training.phrases import published
from toolmend.training.words import titled

ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"
SPECS: tuple[ToolSpec, ...] = Calendar().specs
NAMED = {REMOVE: {"entry": "entry"}}
SHOWN = tuple(spoken_spec(spec, NAMED) for spec in SPECS)
"""The tools as the notation has them."""
CALENDAR_SYSTEM = spoken_system(SPECS, NAMED)
"""What stands before every talk about the calendar."""

_NOW = dt.datetime(2023, 1, 1)
_TEXTS = {"title": "text", "date": "date", "time": "time", "duration": "minutes", "entry": "text"}


def _offered(spec: ToolSpec) -> Offered:
    """A tool of the calendar as a made-up one, so that slips in its arguments can be made up."""
    parameters = {name: MadeParameter(name, ValueKind(_TEXTS[name], ("lunch", "tea", "a walk", "yoga class")), name,
                                      name in spec.required) for name in spec.properties}  # fmt: skip
    wording = " ".join(f"{{{name}}}" for name in spec.required)
    names = {name: name for name in parameters}
    return Offered(MadeTool("calendar", spec.name, "", parameters, (wording,)), spec, names)


_TOOLS = tuple(map(_offered, SHOWN))
ADDING, REMOVING = _TOOLS


class CalendarAdding(SimulatedTalk):
    """The state of one talk by its seed, and its new entries."""

    slips, doubts, hours = 0.3, 0.08, "07-19"

    def __init__(self, seed: int, *, held_out: bool = False, own: Own | None = None) -> None:
        super().__init__(seed, "tool_talks.txt complaints.txt phrases.txt moves.txt", held_out=held_out, own=own)
        self.tools, self.specs, self.shown = _TOOLS, SPECS, SHOWN
        self.system, self.now = CALENDAR_SYSTEM, _NOW
        self.person: CalendarPerson = CalendarPerson(self.random, self.phrases, _NOW.date(), held_out=held_out)
        self.asking = Asking(self.random, _NOW, lower=self.person.speech)
        self.wanted = self.random.randint(4, 11)
        self.bares: dict[str, str] = {}
        self.made: list[str] = []  # ids of the calls of the last reply
        self.gone: list[Call] = []

    # what stands -----------------------------------------------------------------------------------------------

    @property
    def entries(self) -> list[MadeEntry]:
        """The entries that stand, in the order of their making."""
        return [self._entry(call) for call in self.calls if call.tool == ADD]

    def _entry(self, call: Call) -> MadeEntry:
        title, day, clock = (str(call.arguments[name]) for name in ("title", "date", "time"))
        start = dt.datetime.fromisoformat(f"{day}T{clock}")
        return MadeEntry(call.id, self.bares.get(title.casefold(), title), start, call.arguments.get("duration", 30))

    @property
    def last(self) -> MadeEntry | None:
        """The entry that the last reply made, if it made one."""
        alone = len(self.made) == 1 and self.calls and self.calls[-1].tool == ADD
        return self._entry(self.calls[-1]) if alone else None

    @property
    def group(self) -> list[MadeEntry]:
        """The entries that the last reply made, if it made several."""
        together = [entry for entry in self.entries if entry.id in self.made]
        return together if len(together) > 1 else []

    def _background(self, said: str, amended: Sequence[Call] = ()) -> Background:
        things = tuple({"duration": 30, **call.arguments} for call in self.calls if call.tool == ADD)
        plain, recent = super()._background(said, amended), max(1, len(self.group))
        return replace(plain, gone=tuple(self.gone), things={"entry": things}, named=NAMED, recent=recent)

    def _plain(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: str(value).casefold() for name, value in {"duration": 30, **values}.items()}

    def _reply(self, said: str, lines: Sequence[Said], op: str, computed: Computed) -> None:
        before, stood = self.calls, len(computed.calls)
        super()._reply(said, lines, op, computed)
        new = self.calls[len(self.calls) - stood :]
        self.made = [call.id for call in new]
        for call in before:
            if call.tool == REMOVE and call not in self.calls:  # the wrong one was removed, and is there again
                back = [old for old in self.gone if _is_of(old, call)]
                self.gone = [old for old in self.gone if old not in back]
                self.calls = [*back, *self.calls]
        for call in new:
            removed = [old for old in self.calls if call.tool == REMOVE and old.tool == ADD and _is_of(old, call)]
            self.gone += removed
            self.calls = [old for old in self.calls if old not in removed]

    # the words -------------------------------------------------------------------------------------------------

    def _as_said(self, said: str, asks: Sequence[ToolAsk], due: Due) -> Sequence[ToolAsk]:
        if published(said):
            return []
        heard = []
        for place, ask in enumerate(asks):
            told: dict[str, SaidValue] = {}
            for name, one in ask.told.items():
                words = self._in(said, one.words) if one.words else self._meaning(said, name, ask, due)
                if not words and name not in ("title", "entry"):
                    return []
                told[name] = SaidValue(words or one.words, due[min(place, len(due) - 1)][1].get(name))
            heard.append(replace(ask, sentence=said, told=told, of=self._in(said, ask.of) or ask.of))
        if len(heard) == 1:
            for name in ("time", "date"):  # said in more words than mean it
                ask = heard[0]
                if ask.told.get(name) and not self._is(self._computed([ask.line()], said), due):
                    words = self._meaning(said, name, ask, due) or ask.told[name].words
                    heard = [replace(ask, told={**ask.told, name: replace(ask.told[name], words=words)})]
        return heard

    def _in(self, said: str, words: str) -> str:
        """Words as they stand in what was said; "" where they do not."""
        for heard in dict.fromkeys((full := self.person.mannered(words).lower(), full.rstrip("."))):
            if heard and (place := said.lower().find(heard)) >= 0:
                return said[place : place + len(heard)]
        return ""

    def _meaning(self, said: str, name: str, ask: ToolAsk, due: Due) -> str:
        """The words of what was said that mean what is due."""
        line, background = ask.line(), self._background(said)

        def means(words: str) -> bool:
            lines = [replace(line, words={**line.words, name: words})]
            return self._is(compute(lines, SPECS, background, whole=len(due) > 1), due)

        span = words_meaning(said, "days" if len(due) > 1 and not ask.as_ else name, means)
        return said[slice(*span)] if span else ""

    # new entries -----------------------------------------------------------------------------------------------

    def _title(self) -> str:
        """A title that no entry has; at times one that begins like another: lunch, with somebody else."""
        heads = [entry.bare.partition(" with ")[0] for entry in self.entries if " with " in entry.bare]
        bare = self.person.fresh_title(*(entry.bare for entry in self.entries))
        if heads and self.random.random() < 0.12 and not self.person.speech:
            bare = f"{self.random.choice(heads)} with {self.person.words.person(self.random)}"
        self.bares[titled(bare).casefold()] = bare
        return bare

    def _add(self) -> bool | None:
        return self._new("add", *self.person.new_day())

    def _relative(self) -> bool | None:
        """On a day or at a time said from the entry made last."""
        base = self.entries[-1]
        shape, say = self.random.random(), self.person.phrase
        if shape < 0.12:
            return self._new("relative", base.end.date(), "", clock=base.end.time(), at=say("right after"))
        if shape < 0.28:
            day = base.start.replace(day=self.random.randint(1, 28)).date()
            return self._new("relative", day, say("month day", nth=saying.nth(day.day)))
        days, words = self.person.offset()
        day, same = base.start.date() + dt.timedelta(days=days), shape < 0.36
        return self._new("relative", day, words, clock=base.start.time() if same else None,
                         at=say("same time") if same else "")  # fmt: skip

    def _relative_to(self) -> bool | None:
        base = self.random.choice(self.entries)
        the = self.person.the(base, self.entries)
        if self.random.random() < 0.2:
            words = self.person.phrase("right after entry", the=the)
            return self._new("relative_to", base.end.date(), "", clock=base.end.time(), at=words)
        ways = (("same day as", 0), ("day after entry", 1), ("day before entry", -1), ("week after entry", 7))
        section, days = self.random.choice(ways)
        day = base.start.date() + dt.timedelta(days=days)
        return self._new("relative_to", day, self.person.phrase(section, the=the))

    def _near(self) -> bool | None:
        """So long before or after the beginning of an entry."""
        base = self.last or self.random.choice(self.entries)
        the = "that" if base == self.last else self.person.the(base, self.entries)
        minutes, later = self.random.choice((15, 30, 45, 60, 60, 120, 120, 180)), self.random.random() < 0.5
        start = base.start + dt.timedelta(minutes=minutes if later else -minutes)
        section = "near after" if later else "near before"
        words = self.person.phrase(section, dur=self.person.length(minutes), the=the)
        return self._new("near", start.date(), "", clock=start.time(), at=words)

    def _weekday(self) -> bool | None:
        assert self.last
        return self._new("weekday", *self.person.weekday(self.last.start.date()))

    def _new(self, op: str, day: dt.date, said: str, *, clock: dt.time | None = None, at: str = "") -> bool | None:
        """One new entry on a day, at a time, where none is given at any."""
        r, person, bare = self.random, self.person, self._title()
        start = dt.datetime.combine(day, clock or person.any_clock())
        minutes, timed, words = person.timed(start, at, span=0.08, length=0.3)
        words = {"title": bare, "date": said, **words}
        lasting = person.lasting(words["duration"]) if "duration" in words else ""
        parts = [part for part in (person.on(said) if said and r.random() < 0.85 else said, timed) if part]
        when = r.choice((" ", " ", " ", ", ")).join(reversed(parts) if r.random() < 0.28 else parts)
        text = person.phrase("add", **self._naming(bare, when))
        text = f"{text.rstrip('.?') if lasting[:1] in ',. ' else text}{lasting}" if lasting else text
        return self._asked(op, [self._adding(words)], text, [_added(bare, start, minutes)])

    def _naming(self, bare: str, when: str) -> dict[str, str]:
        person = self.person
        return {"a": person.article(bare), "the": f"the {bare}", "bare": bare, "title": person.as_title(bare),
                "when": when, "when0": when.removeprefix("on ")}  # fmt: skip

    def _adding(self, words: Mapping[str, str], **more: Any) -> ToolAsk:
        """A request to add, or to change, with these words; their values are what they were taken from."""
        told = {name: SaidValue(said, None) for name, said in words.items() if said or more}
        return ToolAsk(ADDING, "", told, **more)

    # several ---------------------------------------------------------------------------------------------------

    def _two(self) -> bool | None:
        person, bares = self.person, (self._title(), self._title())
        (day, said), clocks = person.new_day(), (person.any_clock(), person.any_clock())
        same = self.random.random() < 0.6
        other, words = (day, person.phrase("same day")) if same else person.new_day(again=True)
        words = "" if same and self.random.random() < 0.4 else words
        (at, one), (after, two) = person.at(clocks[0]), person.at(clocks[1])
        asks = [self._adding({"title": bares[0], "date": said, "time": one}),
                self._adding({"title": bares[1], "date": words, "time": two})]  # fmt: skip
        when, after = f"{person.on(said)} {at}", f"{person.on(words)} {after}" if words else after
        text = person.phrase("two", a=person.article(bares[0]), b=person.article(bares[1]), when=when, after=after)
        due = [_added(bare, dt.datetime.combine(on, clock))
               for bare, on, clock in zip(bares, (day, other), clocks, strict=True)]  # fmt: skip
        return self._asked("two", asks, text, due)

    def _three(self) -> bool | None:
        """Two or three things on one day."""
        r, person = self.random, self.person
        day, said = person.new_day()
        start = dt.datetime.combine(day, person.any_clock().replace(hour=r.randint(7, 10)))
        asks, due, parts = list[ToolAsk](), list[tuple[str, dict[str, Any]]](), list[str]()
        for place in range(r.choice((2, 3, 3))):
            bare = self._title()
            minutes, at, words = person.timed(start, span=0.2, length=0.15)
            at += f" for {words['duration']}" if "duration" in words else ""
            asks.append(self._adding({"title": bare, "date": "" if place else said, **words}))
            due.append(_added(bare, start, minutes))
            named = r.choice((bare, bare, person.article(bare)))
            parts.append(r.choice((f"{named} {at}", f"{at} {named}", f"{named} {at}")))
            start += dt.timedelta(minutes=r.choice((90, 120, 150, 180)))
        listed = r.choice((_and(parts), ", ".join(parts), ", then ".join(parts), "; ".join(parts)))
        on = person.on(said)
        text = r.choice((f"{said}: {listed}", f"{on} {listed}", f"{listed}, all {on}", f"Add these {on}: {listed}"))
        return self._asked("three", asks, text, due)

    def _days(self) -> bool | None:
        """One title on several days at the same time."""
        r, person, bare = self.random, self.person, self._title()
        days, said = self._several_days()
        start, lasting = dt.datetime.combine(days[0], person.any_clock()), ""
        minutes, at, words = person.timed(start, span=0.2, length=0.25)
        if "duration" in words:
            lasting = r.choice((", {} each", " for {} each", ", each {}", ". {} each time")).format(words["duration"])
        when = r.choice(("{0} {1}", "{0}, {1}", "{1} {0}", "{0}, always {1}", "{0}, each time {1}")).format(said, at)
        text = person.phrase("add", **self._naming(bare, when))
        due = [_added(bare, dt.datetime.combine(day, start.time()), minutes) for day in days]
        text = f"{text.rstrip('.?') if lasting else text}{lasting}"
        told = {name: SaidValue(said, None) for name, said in {"title": bare, **words, "date": ""}.items()}
        return self._asked("days", [ToolAsk(ADDING, "", told)], text, due)

    def _several_days(self) -> tuple[list[dt.date], str]:
        """Two to four days of one month or the next, and how they are said."""
        r, person = self.random, self.person
        first = person.new_day(again=True)[0].replace(day=r.randint(1, 10))
        step = r.choice((1, 2, 7, 7, r.randint(3, 6)))
        days = [first + dt.timedelta(days=step * n) for n in range(r.choice((2, 2, 2, 3, 3, 4)))]
        if days[-1].month != first.month:
            return days, "on " + _and([person.day(day) for day in days])
        on, month = r.choice(("on the ", "", "")), f"{first:%B}"
        numbers = _and([f"{on if n else 'the '}{saying.nth(day.day)}" for n, day in enumerate(days)])
        forms = [f"on {numbers} of {month}", f"on {month} {_and([str(day.day) for day in days])}"]
        return days, r.choice(forms)


def _and(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}"


def _added(bare: str, start: dt.datetime, minutes: int = 30) -> tuple[str, dict[str, Any]]:
    return ADD, {**entry_values(bare, start), "duration": minutes}


def _is_of(made: Call, removal: Call) -> bool:
    """Whether a removal is of what a call made."""
    return all(
        str(made.arguments[name]).casefold() == str(value).casefold() for name, value in removal.arguments.items()
    )
