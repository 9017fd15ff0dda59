"""The words of a sentence that are due for a calendar call's arguments, found by computing each run of them back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from toolmend.messages import Call
from toolmend.resolve.arguments import Meant as Value
from toolmend.resolve.arguments import value_of
from toolmend.resolve.background import Background
from toolmend.resolve.calls import compute
from toolmend.resolve.said import CHANGE, MISSING, Said
from toolmend.training.adapter.align import Span, words_meaning
from toolmend.training.adapter.calendar_values import ADD, SPECS, same_calls, values_of
from toolmend.training.meaning import Entry, Meant

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_DAYS = re.compile(r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|[a-z]*-?(?:first|second|third|fifth|eighth|ninth|th))\b")
_Taken = list[Span]


_NO_LENGTH = re.compile(
    r"\b(?:[ap]\.?\s?m\b|in the|o'clock|noon|past)|\bin$|^(?:\d+|[a-z]+(?:-[a-z]+)?)$", re.IGNORECASE
)
"""A clock's words, or a number alone: no length, although one could be computed."""
_UNTIL = re.compile(r"(?:until|till|til|to|ends?)\b", re.IGNORECASE)


class CalendarWords:
    """Finds words in what was said. `computed` tells that a value had to stand where no words mean it: such a reply is
    not learned. `lower` is for a person who types no capitals."""

    def __init__(self, random: Random, *, lower: bool) -> None:
        self.random, self.lower, self.computed = random, lower, False

    def at_once(self, said: str, meant: Meant, background: Background) -> Said | None:
        """One line for an entry on several days, where the words name the days together."""
        line = self.addition(said, meant.entry, background, ())
        computed, self.computed = self.computed, False
        words = {name: word for name, word in line.words.items() if name != "date"}

        def means(run: str) -> bool:
            return same_calls(compute([Said(ADD, {**words, "date": run})], SPECS, background), meant)

        taken = [(place, place + len(word)) for name, word in words.items() if (place := said.find(word)) >= 0]
        span = words_meaning(said, "days", means, taken=taken)
        if span is None:
            self.computed = computed
            return None
        return Said(ADD, {"title": words.pop("title"), "date": said[slice(*span)], **words})

    def addition(self, said: str, entry: Entry, background: Background, before: Sequence[Said]) -> Said:
        """The line that adds an entry, after the lines that stand before it in the reply."""
        taken: _Taken = []
        words: dict[str, str] = {"title": self.title(said, entry.bare, taken)}
        due = values_of(entry)
        day = self._find(said, Said(ADD), "date", due, words, background, taken, before)
        if day:
            words["date"] = day
        words["time"] = self.words(said, Said(ADD), "time", due, words, background, taken, before)
        if not day and self._computed([*before, Said(ADD, words)], background).get("date") != due["date"]:
            words = {"title": words["title"], "date": self._composed(said, due["date"], background), **words}
        right = self._computed([*before, Said(ADD, words)], background).get("duration", 30) == entry.duration
        if right and entry.duration == 30:
            self.random.random()  # decides nothing, and keeps the talks of a seed as they were
        if entry.duration == 30 or not right:
            if length := self._find(said, Said(ADD), "duration", due, words, background, taken, before):
                words["duration"] = length
            elif not right:
                self.computed = True
                words["duration"] = str(entry.duration)
        return Said(ADD, words)

    def words(
        self,
        said: str,
        line: Said,
        name: str,
        due: dict[str, Any],
        words: dict[str, str],
        background: Background,
        taken: _Taken,
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
        for number in _DAYS.findall(said):
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
        taken: _Taken,
        before: Sequence[Said] = (),
    ) -> str | None:
        """The words in what was said that compute to the value that is due, marked as taken."""
        if background.open and not line.of and background.open.line.tool == ADD:  # the answer completes it
            known_words = {key: word for key, word in background.open.line.words.items() if word != MISSING}
            line, words = background.open.line, {**known_words, **words}
            background = replace(background, open=None)
        new = line.tool == ADD
        lines = [*before, replace(line, words=words)] if new or words or line.of else [Said(CHANGE)]
        made = compute(lines, SPECS, background, whole=False).calls
        if not made:
            return None
        values = {key: value for key, value in made[-1].arguments.items() if not new or key in words}
        known = (*background.calls, *made[:-1]) if new else background.calls
        like = (known[-1].arguments if known else {}) if new else values
        ranged = name == "time" and new and due["duration"] != 30

        def means(
            run: str, length: bool = False, known: Sequence[Call] = known, like: Mapping[str, Any] = like
        ) -> bool:
            if name == "duration" and _NO_LENGTH.search(run) and not _UNTIL.match(run):
                return False
            result = value_of(SPECS[0], name, run, values, like, background, known, new=new)
            if not isinstance(result, Value) or result.values.get(name) != due[name]:
                return False
            lengths = (due["duration"],) if length else (30, due["duration"])
            day = result.values.get("date", due["date"]) == due["date"]
            return day and (name == "duration" or result.values.get("duration", 30) in lengths)

        span = words_meaning(said, name, lambda run: means(run, length=True), taken=taken) if ranged else None
        plain = (lambda run: means(run, known=(), like={})) if new and not before else None
        span = span or words_meaning(said, name, means, plain=plain, taken=taken)
        if span is None:
            return None
        taken.append(span)
        return said[slice(*span)]

    def _computed(self, lines: Sequence[Said], background: Background) -> dict[str, Any]:
        """The last call's arguments as far as they can be computed: what is not said yet is left out."""
        computed = compute(lines, SPECS, background, whole=False)
        return dict(computed.calls[-1].arguments) if computed.calls else {}

    def differing(self, said: str, old: Any, new: Entry, background: Background, of: str = "") -> dict[str, str]:
        """Words for what differs between the old arguments and the new entry."""
        taken: _Taken = []
        words: dict[str, str] = {}
        due = values_of(new)
        for name in ("title", "date", "time", "duration"):
            if old.get(name, 30) == due[name]:
                continue
            if name == "title":
                words[name] = self.title(said, new.bare, taken)
            else:
                if self._computed([Said(CHANGE, words, of)], background).get(name, 30) == due[name]:
                    continue
                words[name] = self.words(said, Said(CHANGE, of=of), name, due, words, background, taken)
        return words

    def title(self, said: str, bare: str, taken: _Taken) -> str:
        """A title as it stands in the sentence, else as this person would write it."""
        place = said.lower().find(bare.lower())
        if place < 0:
            return bare.lower() if self.lower else bare
        taken.append((place, place + len(bare)))
        return said[place : place + len(bare)]
