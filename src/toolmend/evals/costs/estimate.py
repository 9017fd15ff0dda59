"""What a run will come to, before it: replies, tokens and cost, each as the least and the most. Asks nothing.

The least is where every reply is right at once, the most where every correction is needed; a talk that is given up
needs less, a strategy that asks several times a turn more. Tokens are characters divided by 4.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from toolmend.base.messages import Call, Usage
from toolmend.evals.costs.prices import Prices
from toolmend.evals.running.plan import Plan, Planned, Player
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import Experiment, Step
from toolmend.grading import grade
from toolmend.strategies import Talk
from toolmend.tools import Toolbox

SCHEMA = 1
CHARACTERS = 4
_SENTENCE = 50  # characters of a correction, about
_ENDS = ("least", "most")


@dataclass(frozen=True, slots=True)
class Needs:
    """What samples need at one end: tokens as fractions, so that sums are rounded once."""

    replies: int = 0
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    cost: float = 0.0

    def __add__(self, other: Needs) -> Needs:
        """Both together."""
        return Needs(
            self.replies + other.replies,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost + other.cost,
        )


def estimate(plan: Plan, *, done: Collection[str] = (), prices: Prices | None = None) -> dict[str, Any]:
    """What a plan has left to do, as JSON-able data (docs/prices.md); `done` are the keys of its finished samples.

    Raises BadOption for a model that has no price.
    """
    left = [sample for sample in plan.samples() if sample.key not in done]
    guesses = _Guesses(plan)
    contestants, total = [], {end: Needs() for end in _ENDS}
    for player in plan.players:
        mine = [sample for sample in left if sample.player is player]
        ends = {end: _priced(guesses.of(mine, end), prices, player.model.name) for end in _ENDS}
        told = {"model": player.models, "strategy": player.way, "samples": len(mine)}
        contestants.append({**told, **_told(ends, prices)})
        total = {end: total[end] + ends[end] for end in _ENDS}
    return {
        "schema": SCHEMA,
        "suite": plan.suite.name,
        "planned": len(plan.samples()),
        "contestants": contestants,
        "total": {"samples": len(left), **_told(total, prices)},
        "currency": prices.currency if prices else None,
    }


def done_of(plan: Plan, store: Store) -> set[str]:
    """The keys of what the same plan has finished in a run that is to go on; none if there is no such run."""
    key = plan.config().key
    runs = [run for run in store.runs(plan.suite.name) if run.status != "finished" and run.config.key == key]
    return store.done_keys(runs[0].id) if runs else set()


def _priced(needs: Needs, prices: Prices | None, model: str) -> Needs:
    if prices is None:
        return needs
    return replace(needs, cost=prices.cost(Usage(ceil(needs.input_tokens), ceil(needs.output_tokens)), model))


def _told(ends: Mapping[str, Needs], prices: Prices | None) -> dict[str, Any]:
    names = ("replies", "input_tokens", "output_tokens")
    spans = {name: {end: ceil(getattr(needs, name)) for end, needs in ends.items()} for name in names}
    return {**spans, "cost": {end: round(needs.cost, 6) for end, needs in ends.items()} if prices else None}


class _Guesses:
    """What samples need as far as the suite tells; the same for every attempt."""

    def __init__(self, plan: Plan) -> None:
        self.suite, self.shared = plan.suite, Toolbox.load(plan.suite.tools)
        self._made: dict[tuple[str, str], list[Needs]] = {}

    def of(self, samples: Collection[Planned], end: str) -> Needs:
        """The needs of these samples at one end."""
        return sum((self._one(sample)[_ENDS.index(end)] for sample in samples), Needs())

    def _one(self, sample: Planned) -> list[Needs]:
        key = (sample.case_name, sample.player.name)
        if key not in self._made:
            walks = [self._walk(sample, corrected=corrected) for corrected in (False, True)]
            self._made[key] = [
                Needs(
                    end(walk.replies for walk in walks),
                    end(walk.sent for walk in walks) / CHARACTERS,
                    end(walk.written for walk in walks) / CHARACTERS,
                )
                for end in (min, max)
            ]
        return self._made[key]

    def _walk(self, sample: Planned, *, corrected: bool) -> _Length:
        """One sample with everything right at once, or with every correction needed."""
        experiment, case, player = sample.experiment, sample.case, sample.player
        box = self.suite.toolbox(case) if case.tools else self.shared
        system = player.strategy.system_text(Talk(box.specs, (), self.suite.system))
        reminder = self.suite.reminder(player.model.name)
        length = _Length(len(system), len(reminder) + 1 if reminder else 0)
        for number, step in enumerate(case.steps):
            reply = len(step.reference) or _SENTENCE
            gold = experiment.history == "gold" and number < len(case.steps) - 1
            length.say(len(step.say), len(step.given or "") or reply, asked=not gold and step.given is None)
            if gold:
                continue
            wrong = corrected if step.given is None else self._wrong(step, player, box)
            for _ in range(self._branches(experiment, step, wrong, box)):
                length.say(_SENTENCE, reply, stays=False)
            rounds = experiment.corrections if corrected else min(1, experiment.corrections)
            for _ in range(rounds if wrong else 0):
                length.say(_SENTENCE, reply)
        return length

    def _wrong(self, step: Step, player: Player, box: Toolbox) -> bool:
        if step.expected.free:  # only the world could tell, and nothing is run here
            return True
        expected = replace(step.expected, bare=player.strategy.bare)
        return bool(grade(step.given or "", expected, box.specs).mistakes)

    def _branches(self, experiment: Experiment, step: Step, wrong: bool, box: Toolbox) -> int:
        """How many are tried at most after the first reply: all levels but the talk's own, or the false one."""
        if not experiment.branches or not all(box.can_undo(Call(spec.full_name)) for spec in box.specs):
            return 0
        if not wrong:
            return "false" in experiment.branches and bool(step.reference)
        levels = {int(arm.removeprefix("level ")) for arm in experiment.branches if arm != "false"}
        return len(levels) - bool(experiment.corrections and {2, 3} <= levels)


@dataclass
class _Length:
    """Characters of a talk as it goes on: `before` is what a request begins with, `more` is added to what is said."""

    before: int
    more: int
    replies: int = 0
    sent: int = 0
    written: int = 0

    def say(self, said: int, reply: int, *, asked: bool = True, stays: bool = True) -> None:
        """Something is said and answered, by the model if it is `asked`; a branch does not stay."""
        if asked:
            self.replies += 1
            self.sent += self.before + said + self.more
            self.written += reply
        if stays:
            self.before += said + self.more + reply
