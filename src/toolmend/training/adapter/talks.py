"""Lessons from simulated calendar talks: what the person says, and the reply that is due in the spoken notation.

Every reply is computed back before it becomes a lesson: a talk is cut where the words do not mean what was meant.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from random import Random

from toolmend.messages import Call
from toolmend.reading.spoken import write_spoken
from toolmend.resolve.background import Background, Computed, Open
from toolmend.resolve.calls import compute
from toolmend.resolve.said import AGAIN, CHANGE, MISSING, UNDO, Said
from toolmend.training.adapter.align import runs
from toolmend.training.adapter.calendar_own import own_mended, own_slip, said_in
from toolmend.training.adapter.calendar_slips import TOPICS, WrongLine, needless_question, wrong_line
from toolmend.training.adapter.calendar_values import (
    ADD,
    NAMED,
    REMOVE,
    SPECS,
    entries_of,
    removed_values,
    same_calls,
    same_thing,
    same_values,
    values_of,
)
from toolmend.training.adapter.calendar_words import CalendarWords
from toolmend.training.adapter.heard import HeardTalk
from toolmend.training.asides import WHAT_NAME, WHAT_TIME, WHICH_DAY, WHICH_ONE
from toolmend.training.meaning import Entry, Meant
from toolmend.training.moves import WHEN
from toolmend.training.phrases import Phrases
from toolmend.training.published import published
from toolmend.training.slips import Slip, complaint
from toolmend.training.words import Words

NOW, WORKING_HOURS = dt.datetime(2023, 1, 1), "07-19"
_ASKED = {WHAT_TIME: ("time",), WHICH_DAY: ("date",), WHAT_NAME: ("title",), WHEN: ("date", "time")}
SPEECH_SHARE = 0.12
_LEVELS, _LEVEL_WEIGHTS = (1, 2, 3), (25, 40, 35)
_NO_CALLS = ("All right.", "I can only add and remove calendar entries.", "Done.", "At what time?", "Which one?")


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said, the reply, and whether it is learned (a slip is only shown). `op` names the kind of request,
    `against` is what the words of the reply are computed against."""

    said: str
    reply: str
    learned: bool
    op: str
    against: Background = field(default=Background(), compare=False, repr=False)


Own = Callable[[Sequence[Turn], str], str]
"""A model's reply to what is said after these turns."""


@cache
def _phrases(files: str, held_out: float) -> Phrases:
    return Phrases(files, held_out)


class Lessons:
    """One simulated talk by its seed, as turns. `held_out`: wordings and names that are never trained on (all of them).

    `slips` is the share of requests that are answered wrongly at first and complained about; with `own`, the replies
    are a model's, and its mistakes are what is complained about ("" stands for the reply that is due).
    """

    def __init__(
        self,
        seed: int,
        *,
        held_out: bool = False,
        slips: float = 0.3,
        turns: tuple[int, int] = (4, 11),
        own: Own | None = None,
    ) -> None:
        self.random = Random(seed * 2 + held_out)
        self.slips, self.wanted, self.own = slips, self.random.randint(*turns), own
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
        self.open: Open | None = None
        self.find = CalendarWords(self.random, lower=speech)

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
        self.find.computed = False
        lines = self._lines(op, said, meant, before, background)
        if lines is None:
            self.turns.append(Turn(said, meant.words, True, op, background))
            return True
        computed = compute(lines, SPECS, background)
        if not meant.words and not same_calls(computed, meant):
            self.lost = f"{op}: {said!r} {write_spoken(lines, SPECS)} -> {computed} not {meant}"
            return False
        due = write_spoken(lines, SPECS)
        if meant.words:
            self.open = computed.open
            self.turns.append(Turn(said, due, not self.find.computed, op, background))
            return computed.question is not None
        self.open = None
        if self.own:
            slipped = self._own_slip(op, said, meant, lines, background, self.own(self.turns, said))
        else:
            slipped = self.random.random() < self.slips and self._slip(op, said, meant, lines, background)
        if not slipped:
            self.turns.append(Turn(said, due, not self.find.computed, op, background))
            self._stand(computed)
            if self.random.random() < 0.08 and len(computed.calls) == 1:
                topic = self.random.choice(TOPICS[: 3 if meant.remove else 4])
                doubt = complaint(Slip("", topic), self.random.choice((1, 2)), meant, self.random, self.complaints)
                self.turns.append(Turn(doubt, "change()", True, "groundless", self._background(doubt, ())))
        else:
            self._stand(computed)
        return True

    # what is due -----------------------------------------------------------------------------------------------

    def _background(self, said: str, before: Sequence[Entry]) -> Background:
        things = {"entry": tuple(values_of(entry) for entry in before)}
        return Background(
            tuple(self.calls),
            gone=tuple(self.gone),
            things=things,
            named=NAMED,
            text=said,
            open=self.open,
            now=NOW,
            hours=WORKING_HOURS,
            recent=max(1, len(self.talk.group)),
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
            return [Said(UNDO, of=_shown(said, meant.entry, self.talk.words_for(meant.entry)))]
        if self.talk.changed:
            return self._changes(said, background)
        if op in ("again", "again_days"):
            old = self.calls[-1].arguments if self.calls else {}
            return [Said(AGAIN, self.find.differing(said, old, entry, background)) for entry in entries_of(meant)]
        lines: list[Said] = []
        if op == "days" and (one := self.find.at_once(said, meant, background)):
            return [one]
        for entry in entries_of(meant):
            lines.append(self.find.addition(said, entry, background, lines))
        return lines

    def _changes(self, said: str, background: Background) -> list[Said]:
        """One change; of several entries by the words for them."""
        (old, new), *more = self.talk.changed
        if more:
            of = _shown(said, old, [self.talk.several])
            one = replace(background, calls=tuple(c for c in self.calls if same_values(c.arguments, values_of(old))))
            return [Said(CHANGE, self.find.differing(said, values_of(old), new, one), of)]
        of = "" if self._last_is(old) else self._of(said, old, background)
        return [Said(CHANGE, self.find.differing(said, values_of(old), new, background, of), of)]

    def _last_is(self, entry: Entry) -> bool:
        return (
            bool(self.calls) and self.calls[-1].tool == ADD and same_values(self.calls[-1].arguments, values_of(entry))
        )

    def _of(self, said: str, old: Entry, background: Background) -> str:
        ways = [_shown(said, old, [way]) for way in self.talk.words_for(old)] or [old.bare]
        for way in (*ways, f"the {old.bare}", old.bare):
            computed = compute([Said(CHANGE, {}, way)], SPECS, background)
            if len(computed.calls) == 1 and same_values(computed.calls[0].arguments, values_of(old)):
                return way
        return ways[0]

    def _removals(self, op: str, said: str, meant: Meant, background: Background) -> list[Said]:
        if op == "not_that":
            return [Said(CHANGE, {"entry": _shown(said, meant.entry, self.talk.words_for(meant.entry))})]
        if op == "which":
            head = self._twin_head(said)
            return [Said(REMOVE, {"entry": head})]
        entries = entries_of(meant)
        if self.talk.several:
            return [Said(REMOVE, {"entry": self.talk.several})]
        if op == "clear":
            return [Said(REMOVE, {"entry": "everything"})]
        if op == "cancel_last":
            return [Said(REMOVE, {"entry": "it"})]
        return [Said(REMOVE, {"entry": self._entry(said, entry, background)}) for entry in entries]

    def _entry(self, said: str, entry: Entry, background: Background) -> str:
        ways = [_shown(said, entry, [way]) for way in self.talk.words_for(entry)]
        if not ways:
            named = (run for run in (said[slice(*span)] for span in runs(said)) if self._names(run, entry, background))
            ways = [*islice(named, 1)]
        for way in (*ways, entry.bare):
            if self._names(way, entry, background):
                return way
        return ways[0] if ways else entry.bare

    def _names(self, words: str, entry: Entry, background: Background) -> bool:
        computed = compute([Said(REMOVE, {"entry": words})], SPECS, background)
        return len(computed.calls) == 1 and same_values(computed.calls[0].arguments, removed_values(entry))

    def _twin_head(self, said: str) -> str:
        head, _ = self.talk._twins()
        place = said.lower().find(head.lower())
        return said[place : place + len(head)] if head and place >= 0 else head

    def _unsaid(
        self, op: str, said: str, missing: Sequence[str], before: list[Entry], background: Background
    ) -> list[Said]:
        if self.talk.open is None:
            return [Said(CHANGE)]
        entry = self.talk.open[1].entry
        if op == "vague":
            old = next(
                (e for e in before if e.bare == entry.bare and (e.date == entry.date or e.time == entry.time)), entry
            )
            of = "" if self._last_is(old) else self._of(said, old, background)
            return [Said(CHANGE, {missing[0]: MISSING}, of)]
        taken: list[tuple[int, int]] = []
        words: dict[str, str] = {"title": MISSING if "title" in missing else self.find.title(said, entry.bare, taken)}
        due = values_of(entry)
        for name in ("date", "time"):
            if name in missing:
                words[name] = MISSING
            else:
                known = {key: value for key, value in words.items() if value != MISSING}
                words[name] = self.find.words(said, Said(ADD), name, due, known, background, taken)
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
        due = values_of(meant.entry)
        for name in asked:
            if name == "title":
                words[name] = self.find.title(said, meant.entry.bare, taken)
            else:
                words[name] = self.find.words(said, Said(CHANGE), name, due, words, background, taken)
        return [Said(CHANGE, words)]

    # slips -----------------------------------------------------------------------------------------------------

    def _slip(self, op: str, said: str, meant: Meant, lines: list[Said], background: Background) -> bool:
        """A wrong reply, what is said about it, and the reply that mends it. Whether there was one."""
        random = self.random
        if self.find.computed or len(lines) != 1 or meant.also or op in ("answer", "restore", "revive", "not_that"):
            return False
        due = compute(lines, SPECS, background).calls[0]
        slip, shown = None, replace(background, open=None)
        if random.random() < 0.1:
            wrong, topic, mended = random.choice(_NO_CALLS), "no call", lines
        elif random.random() < 0.15 and (asked := needless_question(lines[0], background, random)):
            wrong, topic, mended = write_spoken([asked[0]], SPECS), "no call", lines
            shown = replace(shown, open=asked[1].open)
        else:
            slip = wrong_line(lines[0], due, background, self.words, random)
            if slip is None:
                return False
            wrong, topic = write_spoken([slip.line], SPECS), slip.topic
            mended = [Said(CHANGE, slip.right)]
            made = replace(slip.computed.calls[0], id=f"c{self.count}w")
            shown = replace(shown, calls=(*self.calls, made))
        level = random.choices(_LEVELS, _LEVEL_WEIGHTS)[0]
        text = complaint(Slip("", topic, topic), level, meant, random, self.complaints)
        if slip and topic in TOPICS:
            mended = _mended(text, slip, due, replace(shown, text=text))
            if not mended:
                return False
        self.turns.append(Turn(said, wrong, False, op, background))
        fix = f"fix {level} {topic}"
        self.turns.append(Turn(text, write_spoken(mended, SPECS), True, fix, replace(shown, text=text)))
        return True

    def _own_slip(
        self, op: str, said: str, meant: Meant, lines: list[Said], background: Background, reply: str
    ) -> bool:
        """A model's reply: where it is wrong, what is said about it, and the reply that mends it."""
        wrong = own_slip(reply, lines, meant, background) if reply and not self.find.computed else None
        if wrong is None:
            return False
        level = self.random.choices(_LEVELS, _LEVEL_WEIGHTS)[0] if wrong.topic else 1
        text = complaint(Slip("", wrong.topic, wrong.topic), level, meant, self.random, self.complaints)
        shown = replace(wrong.shown, text=text)
        mended = own_mended(text, wrong, lines, meant, shown)
        if not mended:
            return False
        self.turns.append(Turn(said, reply, False, op, background))
        self.turns.append(Turn(text, write_spoken(mended, SPECS), True, f"own {level} {wrong.topic}".rstrip(), shown))
        return True

    def _stand(self, computed: Computed) -> None:
        """The calls take effect."""
        for call in computed.calls:
            self.count += 1
            self.calls = [old for old in self.calls if old.id != call.amends]
            made = replace(call, id=f"c{self.count}")
            if call.tool == REMOVE:
                removed = [old for old in self.calls if old.tool == ADD and same_thing(old.arguments, call.arguments)]
                self.gone = [*self.gone, *removed]
                self.calls = [old for old in self.calls if old not in removed]
            self.calls.append(made)


def _mended(text: str, slip: WrongLine, due: Call, background: Background) -> list[Said]:
    """The change that mends a slip, in the words of the complaint where it says any; empty if it does not mend."""
    name = slip.topic
    mended = [Said(CHANGE, {name: said_in(text, name, due.arguments[name], background) or slip.right[name]})]
    again = compute(mended, SPECS, background)
    return mended if again.calls and same_values(again.calls[0].arguments, due.arguments) else []


def _shown(said: str, entry: Entry, ways: Sequence[str]) -> str:
    """The words for an entry as they stand in the sentence, else as they were thought."""
    for way in ways:
        place = said.lower().find(way.lower())
        if way and place >= 0:
            return said[place : place + len(way)]
    return ways[0] if ways else entry.bare
