"""How one person's corrections came out, of one model in one toolbox: which kind of candidate was meant, and which not.

Counted by tool, argument and kind, without a value or a word of what was said. Weighs the candidates of later talks.
Knows no file; whoever keeps it is told through `keep`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.corrections.understood import Place
from toolmend.mend.asking import chosen
from toolmend.mend.candidates import Candidate, candidates
from toolmend.mend.case import Case, Edits, same
from toolmend.messages import Call
from toolmend.strategies.strategy import Step

_Making = Generator[Step, Any, bool]
FARTHEST = 4.0
"""A candidate gets at most so many times its weight, and at least that part of it."""
DOUBT = 2
"""So many repairs of either kind are thought to have been before the first: one alone makes no guess of a question."""


@dataclass(frozen=True, slots=True)
class Leaning:
    """A candidate for an argument, or for several, that was meant, or was likelier than what was meant."""

    tool: str
    argument: str
    why: str
    meant: bool


class Leanings:
    """The repairs of a person, which weigh what else a call could be. Nothing is learned where nobody keeps it."""

    def __init__(self, repairs: Iterable[Leaning] = (), keep: Callable[[Leaning], None] | None = None) -> None:
        self._counts, self._keep = Counter(repairs), keep
        self._guess: Leaning | None = None
        self._doubted: tuple[Sequence[Call], tuple[Candidate, ...]] = (), ()

    def ranked(
        self, case: Case, places: Sequence[Place], words: Mapping[int, str] | None = None
    ) -> tuple[Candidate, ...]:
        """The candidates, likeliest first as far as the person is known."""
        known = (replace(one, factor=self._factor(case, one)) for one in candidates(case, places, words))
        ranked = tuple(sorted(known, key=lambda one: -one.weight))
        self._doubted = case.calls, ranked
        return ranked

    def learning(self, case: Case, edits: Edits, how: str, making: _Making) -> _Making:
        """Goes on as `making` does, and learns of it where it took effect: a person said, or chose, what the calls
        should be; or a candidate was taken without asking, which the next correction may tell was not meant."""
        done = yield from making
        if done and self._keep and how in ("edit", "choice", "candidate"):
            self._learn(case, edits, guess=how == "candidate")
        return done

    def _learn(self, case: Case, edits: Edits, *, guess: bool) -> None:
        places = [(number, name) for number, changes in edits.items() for name in changes]
        touched = {(case.calls[number].tool, name) for number, name in places}
        guessed, self._guess = self._guess, None
        if guessed and (guessed.tool, guessed.argument) in touched:
            self._count(guessed)
        calls, ranked = self._doubted
        asked = len(calls) == len(case.calls) and all(map(same, calls, case.calls))
        if not asked or (place := _place(ranked, edits)) is None:
            place = _place(ranked := self.ranked(case, places), edits)
        if place is None:
            return
        if guess:
            self._guess = Leaning(*_kind(case, ranked[place]), False)
            return
        for one in ranked[: place + 1]:
            self._count(Leaning(*_kind(case, one), one is ranked[place]))

    def _factor(self, case: Case, candidate: Candidate) -> float:
        """How much more, or less, that kind of candidate was meant than not; 1 where nothing is known."""
        meant, not_meant = (self._counts[Leaning(*_kind(case, candidate), meant)] for meant in (True, False))
        return min(FARTHEST, max(1 / FARTHEST, (DOUBT + meant) / (DOUBT + not_meant)))

    def _count(self, repair: Leaning) -> None:
        self._counts[repair] += 1
        if self._keep:
            self._keep(repair)


def picks(text: str) -> bool:
    """Whether a sentence does nothing but pick an answer that was offered: no words to learn from."""
    return any(chosen(text, ({},) * count) is not None for count in (1, 3))


def _kind(case: Case, candidate: Candidate) -> tuple[str, str, str]:
    tools = sorted({case.calls[number].tool for number in candidate.edits})
    names = sorted({name for changes in candidate.edits.values() for name in changes})
    return ",".join(tools), ",".join(names), candidate.why


def _place(ranked: Sequence[Candidate], edits: Edits) -> int | None:
    return next((place for place, one in enumerate(ranked) if _within(one.edits, edits)), None)


def _within(edits: Edits, whole: Edits) -> bool:
    """Whether the whole has all of these edits."""
    missing = object()
    return all(
        whole.get(number, {}).get(name, missing) == value
        for number, changes in edits.items()
        for name, value in changes.items()
    )
