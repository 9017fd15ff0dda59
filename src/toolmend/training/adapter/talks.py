"""Lessons from simulated calendar talks: what the person says, and the reply that is due in the spoken notation.

Every reply is computed back before it becomes a lesson: a talk is cut where the words do not mean what was meant.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from toolmend.messages import Call, ToolSpec
from toolmend.reading.spoken import write_spoken
from toolmend.resolve.calls import Background, Computed, compute
from toolmend.resolve.said import AGAIN, CHANGE, MISSING, UNDO, Said
from toolmend.toolboxes.calendar import Calendar
from toolmend.training import saying
from toolmend.training.adapter.align import words_meaning
from toolmend.training.adapter.heard import HeardTalk
from toolmend.training.asides import WHAT_NAME, WHAT_TIME, WHICH_DAY, WHICH_ONE
from toolmend.training.meaning import Entry, Meant
from toolmend.training.moves import WHEN
from toolmend.training.phrases import Phrases
from toolmend.training.simulate import SPEECH_SHARE, published
from toolmend.training.slips import Slip, complaint
from toolmend.training.words import Words

ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"
SPECS: tuple[ToolSpec, ...] = Calendar().specs
NAMED = {REMOVE: {"entry": "entry"}}
NOW, HOURS = dt.datetime(2023, 1, 1), "07-19"
_ASKED = {WHAT_TIME: ("time",), WHICH_DAY: ("date",), WHAT_NAME: ("title",), WHEN: ("date", "time")}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_LEVELS, _LEVEL_WEIGHTS = (1, 2, 3), (25, 40, 35)
_TOPICS = ("time", "date", "title", "duration")


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said, the reply, and whether it is learned (a slip is only shown). `op` names the kind of request."""

    said: str
    reply: str
    learned: bool
    op: str


@cache
def _phrases(files: str, held_out: float) -> Phrases:
    return Phrases(files, held_out)


class Lessons:
    """One simulated talk by its seed, as turns. `held_out`: wordings and names that are never trained on (all of them).

    `slips` is the share of requests that are answered wrongly at first and complained about.
    """

    def __init__(self, seed: int, *, held_out: bool = False, slips: float = 0.3, turns: tuple[int, int] = (4, 11)) -> None:
        self.random = Random(seed * 2 + held_out)
        self.slips, self.wanted = slips, self.random.randint(*turns)
        share = 1.0 if held_out else 0.0
        self.complaints = _phrases("complaints.txt", share)
        self.words = Words(held_out, made_up_share=0.5)
        speech = self.random.random() < SPEECH_SHARE
        self.talk = HeardTalk(self.random, self.words, _phrases("phrases.txt moves.txt", share), speech=speech)
        self.talk.today = NOW.date() if self.random.random() < 0.25 else None
        self.calls: list[Call] = []
        self.gone: list[Call] = []
        self.turns: list[Turn] = []
        self.lost = ""
        self.count = 0

    def play(self) -> list[Turn]:
        """The turns until the end of the talk, or until words do not mean what was meant (`lost` says which)."""
        for _ in range(self.wanted):
            before = list(self.talk.entries)
            op, said, meant = self.talk.step()
            if published(said) or not self._turn(op, said, meant, before):
                self.lost = self.lost or op
                break
        return self.turns

    def _turn(self, op: str, said: str, meant: Meant, before: list[Entry]) -> bool:
        background = self._background(said, before)
        self.computed = False
        lines = self._lines(op, said, meant, before, background)
        if lines is None:
            self.turns.append(Turn(said, meant.words, True, op))
            return True
        computed = compute(lines, SPECS, background)
        if not meant.words and not _same(computed, meant):
            self.lost = f"{op}: {said!r} {write_spoken(lines, SPECS)} -> {computed} not {meant}"
            return False
        due = write_spoken(lines, SPECS)
        if meant.words:
            self.open = computed.open
            self.turns.append(Turn(said, due, not self.computed, op))
            return computed.question is not None
        self.open = None
        slipped = self._slip(op, said, meant, lines, background) if self.random.random() < self.slips else False
        if not slipped:
            self.turns.append(Turn(said, due, not self.computed, op))
            self._stand(computed)
            if self.random.random() < 0.08 and len(computed.calls) == 1:
                topic = self.random.choice(_TOPICS[: 3 if meant.remove else 4])
                doubt = complaint(Slip("", topic), self.random.choice((1, 2)), meant, self.random, self.complaints)
                self.turns.append(Turn(doubt, "change()", True, "groundless"))
        else:
            self._stand(computed)
        return True

    # what is due -----------------------------------------------------------------------------------------------

    open: Any = None
    computed: bool = False  # a value stands in the reply that no words of the sentence mean

    def _background(self, said: str, before: Sequence[Entry]) -> Background:
        things = {"entry": tuple(_values(entry) for entry in before)}
        return Background(
            tuple(self.calls), (), tuple(self.gone), things, NAMED, said, self.open, NOW, HOURS
        )

    def _lines(
        self, op: str, said: str, meant: Meant, before: list[Entry], background: Background
    ) -> list[Said] | None:
        """The lines that are due; None where words are."""
        if meant.words and meant.words not in (*_ASKED, WHICH_ONE):
            return None
        if meant.words in _ASKED:
            return self._unsaid(op, said, _ASKED[meant.words], before, background)
        if op == "answer":
            return self._answer(said, meant, background)
        if meant.words == WHICH_ONE or meant.remove:
            return self._removals(op, said, meant, background)
        if op == "restore":
            return [Said(UNDO)]
        if op == "revive":
            return [Said(UNDO, of=self._shown(said, meant.entry, self.talk.words_for(meant.entry)))]
        if self.talk.changed:
            return self._changes(said, background)
        if op in ("again", "again_days"):
            old = self.calls[-1].arguments if self.calls else {}
            return [Said(AGAIN, self._differing(said, old, entry, background)) for entry in _entries(meant)]
        lines: list[Said] = []
        for entry in _entries(meant):
            lines.append(self._addition(said, entry, background, lines))
        return lines

    def _addition(self, said: str, entry: Entry, background: Background, before: Sequence[Said]) -> Said:
        taken: list[tuple[int, int]] = []
        words: dict[str, str] = {"title": self._title(said, entry.bare, taken)}
        due = _values(entry)
        day = self._find(said, Said(ADD), "date", due, words, background, taken, before)
        if day:
            words["date"] = day
        words["time"] = self._words(said, Said(ADD), "time", due, words, background, taken, before)
        if not day and self._computed([*before, Said(ADD, words)], background).get("date") != due["date"]:
            words = {"title": words["title"], "date": self._composed(said, due["date"], background), **words}
        if self._computed([*before, Said(ADD, words)], background).get("duration", 30) != entry.duration or (
            entry.duration == 30 and self.random.random() < 1
        ):
            found = self._find(said, Said(ADD), "duration", due, words, background, taken, before)
            if found:
                words["duration"] = found
            elif entry.duration != self._computed([*before, Said(ADD, words)], background).get("duration", 30):
                self.computed = True
                words["duration"] = str(entry.duration)
        return Said(ADD, words)

    def _words(
        self,
        said: str,
        line: Said,
        name: str,
        due: dict[str, Any],
        words: dict[str, str],
        background: Background,
        taken: list[tuple[int, int]],
        before: Sequence[Said] = (),
    ) -> str:
        """The words for an argument in what was said now, or earlier, or else its value."""
        if found := self._find(said, line, name, due, words, background, taken, before):
            return found
        self.computed = True
        return str(due[name])

    def _composed(self, said: str, day: str, background: Background) -> str:
        """A day whose month was said elsewhere in the sentence: "the 5th, the 12th and the 19th of December"."""
        months = [word for word in re.findall(r"[A-Za-z]+", said) if word[:3].lower() in _MONTHS]
        for number in re.findall(r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|[a-z]*-?(?:first|second|third|fifth|eighth|ninth|th))\b", said):
            for month in dict.fromkeys(months):
                words = f"{number.removeprefix('the ')} of {month}"
                if self._computed([Said(ADD, {"date": words})], background).get("date") == day:
                    return words
        self.computed = True
        return day

    def _find(
        self,
        said: str,
        line: Said,
        name: str,
        due: dict[str, Any],
        words: dict[str, str],
        background: Background,
        taken: list[tuple[int, int]],
        before: Sequence[Said] = (),
    ) -> str | None:
        alone = replace(background, calls=(), gone=())
        ranged = name == "time" and line.tool == ADD and due["duration"] != 30

        def means(run: str, background: Background = background, length: bool = False) -> bool:
            values = self._computed([*before, replace(line, words={**words, name: run})], background)
            lengths = (due["duration"],) if length else (30, due["duration"])
            return values.get(name) == due[name] and (name == "duration" or values.get("duration", 30) in lengths)

        span = words_meaning(said, name, lambda run: means(run, length=True), taken=taken) if ranged else None
        plain = (lambda run: means(run, alone)) if line.tool == ADD and not before else None
        span = span or words_meaning(said, name, means, plain=plain, taken=taken)
        if span is None:
            return None
        taken.append(span)
        return said[slice(*span)]

    def _computed(self, lines: Sequence[Said], background: Background) -> dict[str, Any]:
        """The last call's arguments as far as they can be computed: what is not said yet is left out."""
        (*before, last) = lines
        line = last
        computed = compute([*before, line], SPECS, background, whole=False)
        return dict(computed.calls[-1].arguments) if computed.calls else {}

    def _differing(self, said: str, old: Any, new: Entry, background: Background, of: str = "") -> dict[str, str]:
        taken: list[tuple[int, int]] = []
        words: dict[str, str] = {}
        due = _values(new)
        for name in ("title", "date", "time", "duration"):
            if old.get(name, 30) == due[name]:
                continue
            if name == "title":
                words[name] = self._title(said, new.bare, taken)
            else:
                if self._computed([Said(CHANGE, words, of)], background).get(name, 30) == due[name]:
                    continue
                words[name] = self._words(said, Said(CHANGE, of=of), name, due, words, background, taken)
        return words

    def _changes(self, said: str, background: Background) -> list[Said]:
        """One change; of several entries by the words for them."""
        (old, new), *more = self.talk.changed
        if more:
            of = self._shown(said, old, [self.talk.several])
            one = replace(background, calls=tuple(c for c in self.calls if _matches(c.arguments, _values(old))))
            return [Said(CHANGE, self._differing(said, _values(old), new, one), of)]
        of = "" if self._last_is(old) else self._of(said, old, background)
        return [Said(CHANGE, self._differing(said, _values(old), new, background, of), of)]

    def _last_is(self, entry: Entry) -> bool:
        return bool(self.calls) and self.calls[-1].tool == ADD and _matches(self.calls[-1].arguments, _values(entry))

    def _of(self, said: str, old: Entry, background: Background) -> str:
        ways = [self._shown(said, old, [way]) for way in self.talk.words_for(old)] or [old.bare]
        for way in (*ways, f"the {old.bare}", old.bare):
            computed = compute([Said(CHANGE, {}, way)], SPECS, background)
            if len(computed.calls) == 1 and _matches(computed.calls[0].arguments, _values(old)):
                return way
        return ways[0]

    def _shown(self, said: str, entry: Entry, ways: Sequence[str]) -> str:
        """The words for an entry as they stand in the sentence, else as they were thought."""
        for way in ways:
            place = said.lower().find(way.lower())
            if way and place >= 0:
                return said[place : place + len(way)]
        return ways[0] if ways else entry.bare

    def _title(self, said: str, bare: str, taken: list[tuple[int, int]]) -> str:
        place = said.lower().find(bare.lower())
        if place < 0:
            return bare.lower() if self.talk.speech else bare
        taken.append((place, place + len(bare)))
        return said[place : place + len(bare)]

    def _removals(self, op: str, said: str, meant: Meant, background: Background) -> list[Said]:
        if op == "not_that":
            return [Said(CHANGE, {"entry": self._shown(said, meant.entry, self.talk.words_for(meant.entry))})]
        if op == "which":
            head = self._twin_head(said)
            return [Said(REMOVE, {"entry": head})]
        entries = _entries(meant)
        if self.talk.several:
            return [Said(REMOVE, {"entry": self.talk.several})]
        if op == "clear":
            return [Said(REMOVE, {"entry": "everything"})]
        if op == "cancel_last":
            return [Said(REMOVE, {"entry": "it"})]
        return [Said(REMOVE, {"entry": self._entry(said, entry, background)}) for entry in entries]

    def _entry(self, said: str, entry: Entry, background: Background) -> str:
        ways = [self._shown(said, entry, [way]) for way in self.talk.words_for(entry)]
        if not ways:
            ways = [run for run in (said[slice(*span)] for span in _spans(said)) if self._names(run, entry, background)][:1]
        for way in (*ways, entry.bare):
            if self._names(way, entry, background):
                return way
        return ways[0] if ways else entry.bare

    def _names(self, words: str, entry: Entry, background: Background) -> bool:
        computed = compute([Said(REMOVE, {"entry": words})], SPECS, background)
        return len(computed.calls) == 1 and _matches(computed.calls[0].arguments, _removed(entry))

    def _twin_head(self, said: str) -> str:
        head, _ = self.talk._twins()
        place = said.lower().find(head.lower())
        return said[place : place + len(head)] if head and place >= 0 else head

    def _unsaid(
        self, op: str, said: str, missing: Sequence[str], before: list[Entry], background: Background
    ) -> list[Said]:
        assert self.talk.open
        entry = self.talk.open[1].entry
        if op == "vague":
            old = next(
                (e for e in before if e.bare == entry.bare and (e.date == entry.date or e.time == entry.time)), entry
            )
            of = "" if self._last_is(old) else self._of(said, old, background)
            return [Said(CHANGE, {missing[0]: MISSING}, of)]
        taken: list[tuple[int, int]] = []
        words: dict[str, str] = {"title": MISSING if "title" in missing else self._title(said, entry.bare, taken)}
        due = _values(entry)
        for name in ("date", "time"):
            if name in missing:
                words[name] = MISSING
            else:
                known = {key: value for key, value in words.items() if value != MISSING}
                words[name] = self._words(said, Said(ADD), name, due, known, background, taken)
        return [Said(ADD, words)]

    def _answer(self, said: str, meant: Meant, background: Background) -> list[Said]:
        waiting = background.open
        if waiting is None:
            return [Said(CHANGE)]
        if meant.remove:
            return [Said(CHANGE, {"entry": said})]
        asked = [name for name, word in waiting.line.words.items() if word == MISSING]
        taken: list[tuple[int, int]] = []
        words: dict[str, str] = {}
        due = _values(meant.entry)
        for name in asked:
            if name == "title":
                words[name] = self._title(said, meant.entry.bare, taken)
            else:
                words[name] = self._words(said, Said(CHANGE), name, due, words, background, taken)
        return [Said(CHANGE, words)]

    # slips -----------------------------------------------------------------------------------------------------

    def _slip(self, op: str, said: str, meant: Meant, lines: list[Said], background: Background) -> bool:
        """A wrong reply, what is said about it, and the reply that mends it."""
        random = self.random
        if self.computed or len(lines) != 1 or meant.also or op in ("answer", "restore", "revive", "not_that"):
            return False
        due = compute(lines, SPECS, background).calls[0]
        kind = random.random()
        if kind < 0.16:
            words = random.choice(("All right.", "I can only add and remove calendar entries.", "Done.", "At what time?", "Which one?"))
            wrong, topic, mended = words, "no call", lines
            computed = Computed()
        else:
            slipped = self._wrong(lines[0], due, background)
            if slipped is None:
                return False
            line, topic, mended_words, computed = slipped
            wrong = write_spoken([line], SPECS)
            mended = [Said(CHANGE, mended_words)] if mended_words else lines
        self.turns.append(Turn(said, wrong, False, op))
        level = random.choices(_LEVELS, _LEVEL_WEIGHTS)[0]
        argument = {"duration": "duration", "year": "date"}.get(topic, topic)
        text = complaint(Slip("", topic, argument), level, meant, random, self.complaints)
        if topic in _TOPICS and mended and mended[0].tool == CHANGE:
            shown = replace(self._background(text, ()), calls=(*self.calls, replace(computed.calls[0], id=f"c{self.count}w")))
            shown = replace(shown, things=background.things)
            value = due.arguments[topic]
            span = words_meaning(text, topic, lambda run: _changed(run, topic, shown) == value) if topic != "title" else None
            if topic == "title" and str(value).lower() in text.lower():
                place = text.lower().find(str(value).lower())
                span = (place, place + len(str(value)))
            words = text[slice(*span)] if span else mended[0].words[topic]
            mended = [Said(CHANGE, {topic: words})]
            again = compute(mended, SPECS, shown)
            if not again.calls or not _matches(again.calls[0].arguments, due.arguments):
                self.turns.pop()
                return False
        self.turns.append(Turn(text, write_spoken(mended, SPECS), True, f"fix {level} {topic}"))
        return True

    def _wrong(self, line: Said, due: Call, background: Background) -> tuple[Said, str, dict[str, str], Computed] | None:
        """The line with one argument in words for something else; what it was; the right words for it."""
        random = self.random
        names = [name for name in due.arguments if name in ("title", "date", "time", "duration")]
        if line.tool == REMOVE or not names:
            others = [thing for thing in background.things["entry"] if not _same_thing(thing, due.arguments)]
            if not others:
                return None
            wrong = Said(REMOVE, {"entry": f"the {random.choice(others)['title'].lower()}"})
            computed = compute([wrong], SPECS, background)
            if len(computed.calls) != 1 or computed.calls[0].arguments == due.arguments:
                return None
            return wrong, "which", {"entry": str(line.words.get("entry", ""))}, computed
        name = random.choice(names)
        words = self._other_words(name, due)
        wrong = replace(line, words={**line.words, name: words})
        if name == "duration" and "duration" in line.words and random.random() < 0.5:
            wrong = replace(line, words={key: value for key, value in line.words.items() if key != name})
        computed = compute([wrong], SPECS, background)
        if len(computed.calls) != 1:
            return None
        differing = [key for key in names if computed.calls[0].arguments.get(key, 30) != due.arguments.get(key, 30)]
        if differing != [name]:
            return None
        return wrong, name, {name: str(line.words.get(name, due.arguments[name]))}, computed

    def _other_words(self, name: str, due: Call) -> str:
        """Words for another value: one said before in this talk, or any."""
        random, values = self.random, [call.arguments for call in self.calls if name in call.arguments]
        if name == "title":
            own = str(due.arguments["title"])
            cut = own.split()[: max(1, random.randint(1, len(own.split())))]
            return random.choice([self.words.title(random), " ".join(cut), *(str(value[name]) for value in values)])
        if values and random.random() < 0.3:
            return str(random.choice(values)[name])
        if name == "time":
            clock = dt.time.fromisoformat(str(due.arguments["time"]))
            return saying.clock(clock.replace(hour=(clock.hour + random.choice((12, 12, 1, 23, 2))) % 24), random)
        if name == "date":
            day = dt.date.fromisoformat(str(due.arguments["date"])) + dt.timedelta(random.choice((-1, 1, 7, -7, 30, 2)))
            return saying.day(day, random, with_year=random.random() < 0.2)
        return saying.length(random.choice((15, 30, 45, 60, 90, 120, 20, 180)), random)

    def _stand(self, computed: Computed) -> None:
        """The calls take effect."""
        for call in computed.calls:
            self.count += 1
            self.calls = [old for old in self.calls if old.id != call.amends]
            made = replace(call, id=f"c{self.count}")
            if call.tool == REMOVE:
                removed = [old for old in self.calls if old.tool == ADD and _same_thing(old.arguments, call.arguments)]
                self.gone = [*self.gone, *removed]
                self.calls = [old for old in self.calls if old not in removed]
            self.calls.append(made)


def _changed(words: str, name: str, background: Background) -> Any:
    computed = compute([Said(CHANGE, {name: words})], SPECS, background)
    return computed.calls[0].arguments.get(name) if computed.calls else None


def _spans(text: str) -> Iterator[tuple[int, int]]:
    from toolmend.training.adapter.align import runs

    yield from runs(text)


def _entries(meant: Meant) -> list[Entry]:
    return [meant.entry, *(other.entry for other in meant.also)]


def _values(entry: Entry) -> dict[str, Any]:
    return {
        "title": entry.title,
        "date": entry.date.isoformat(),
        "time": f"{entry.time:%H:%M}",
        "duration": entry.duration,
    }


def _removed(entry: Entry) -> dict[str, Any]:
    return {name: value for name, value in _values(entry).items() if name != "duration"}


def _same_thing(values: Any, arguments: Any) -> bool:
    return all(str(values.get(name)).lower() == str(arguments.get(name)).lower() for name in ("title", "date", "time"))


def _matches(arguments: Any, values: Any) -> bool:
    """Whether both are the same, titles apart from their case, 30 minutes where no duration is given."""
    names = {*arguments, *values}
    return all(str(arguments.get(name, 30)).casefold() == str(values.get(name, 30)).casefold() for name in names)


def _same(computed: Computed, meant: Meant) -> bool:
    """Whether the calls are those that are due, in any order, titles apart from their case."""

    def key(tool: str, values: Any) -> tuple[Any, ...]:
        title = str(values.get("title", "")).casefold()
        return (tool, title, values.get("date"), values.get("time"), values.get("duration", 30) if tool == ADD else 0)

    due = sorted(key(REMOVE if one.remove else ADD, _values(one.entry)) for one in (meant, *meant.also))
    return due == sorted(key(call.tool, call.arguments) for call in computed.calls)


Make = Callable[[int], list[Turn]]
