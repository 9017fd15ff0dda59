"""How one person's corrections came out, of one model in one toolbox: which kind of candidate was meant, and which not.

Counted by tool, argument and kind, without a value or a word of what was said. Knows no file: `keep` is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.base.messages import Call
from toolmend.language.corrections.understood import Place
from toolmend.session.mend.candidates import Candidate, candidates
from toolmend.session.mend.case import Edits, MendCase, same
from toolmend.session.mend.direction import says_other_way
from toolmend.strategies.strategy import Step

_Making = Generator[Step, Any, bool]
_Ranked = tuple[Candidate, ...]


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
        self._doubted: tuple[Sequence[Call], _Ranked] = (), ()

    def ranked(self, case: MendCase, places: Sequence[Place], words: Mapping[int, str] | None = None) -> _Ranked:
        """The candidates, likeliest first as far as the person is known."""
        known = (
            replace(one, factor=self._factor(case, one)) for one in (*_back(case), *candidates(case, places, words))
        )
        self._doubted = case.calls, tuple(sorted(known, key=lambda one: -one.weight))
        return self._doubted[1]

    def learning(self, case: MendCase, edits: Edits, how: str, making: _Making) -> _Making:
        """Goes on as `making` does, and learns of it where it took effect: a person said, or chose, what the calls
        should be; or a candidate was taken without asking, which the next correction may tell was not meant."""
        done = yield from making
        if done and self._keep and how in ("edit", "choice", "candidate"):
            for leaning in self._learned(case, edits, guess=how == "candidate"):
                self._counts[leaning] += 1
                self._keep(leaning)
        return done

    def _learned(self, case: MendCase, edits: Edits, *, guess: bool) -> list[Leaning]:
        places = [(number, name) for number, changes in edits.items() for name in changes]
        guessed, self._guess = self._guess, None
        touched = [(case.calls[number].tool, name) for number, name in places]
        learned = [guessed] if guessed and (guessed.tool, guessed.argument) in touched else []
        calls, ranked = self._doubted
        asked = len(calls) == len(case.calls) and all(map(same, calls, case.calls))
        if not asked or not any(_within(one.edits, edits) for one in ranked):
            ranked = self.ranked(case, places)
        meant = next((place for place, one in enumerate(ranked) if _within(one.edits, edits)), None)
        if meant is None or guess:
            self._guess = None if meant is None else _leaning(case, ranked[meant], meant=False)
            return learned
        return learned + [_leaning(case, ranked[place], meant=place == meant) for place in range(meant + 1)]

    def _factor(self, case: MendCase, candidate: Candidate) -> float:
        """How much more, or less, its kind was meant than not, as if there had been two of either: one alone makes no
        guess of a question. Four times at most, a quarter at least."""
        meant, not_meant = (self._counts[_leaning(case, candidate, meant=meant)] for meant in (True, False))
        return min(4.0, max(0.25, (2 + meant) / (2 + not_meant)))


def _back(case: MendCase) -> Iterator[Candidate]:
    """What was moved, moved as far the other way, where the sentence says that it went the wrong one."""
    for number in range(len(case.calls)) if says_other_way(case.said) else ():
        edits = {number: {name: value for name, value in case.moved(number).items() if value}}
        if edits[number] and case.is_new(edits):
            yield Candidate(edits, "the other way round")


def _leaning(case: MendCase, candidate: Candidate, *, meant: bool) -> Leaning:
    tools = sorted({case.calls[number].tool for number in candidate.edits})
    names = sorted({name for changes in candidate.edits.values() for name in changes})
    return Leaning(",".join(tools), ",".join(names), candidate.why, meant)


def _within(part: Edits, whole: Edits) -> bool:
    return all(changes.items() <= whole.get(number, {}).items() for number, changes in part.items())
