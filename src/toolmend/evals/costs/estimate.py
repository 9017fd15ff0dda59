"""What a run will come to, before it: replies, tokens and cost, each as the least and the most. Asks nothing.

The least is where every reply is right at once, the most where every correction is needed; a talk that is given up
needs less, a strategy that asks several times a turn more. Tokens are characters divided by 4.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from toolmend.evals.costs.prices import Prices
from toolmend.evals.running.plan import Plan, Planned, Player
from toolmend.evals.suites.suite import Experiment, Step
from toolmend.grading import grade
from toolmend.messages import Call, Usage
from toolmend.store import Store
from toolmend.strategies import Talk
from toolmend.tools import Toolbox

SCHEMA = 1
CHARACTERS = 4
_SENTENCE = 50  # characters of a correction, about


@dataclass(frozen=True, slots=True)
class Bounds:
    """From the least to the most."""

    least: float = 0.0
    most: float = 0.0

    def __add__(self, other: Bounds) -> Bounds:
        """Both together."""
        return Bounds(self.least + other.least, self.most + other.most)

    def to_json(self) -> dict[str, int]:
        """Whole numbers, rounded up."""
        return {"least": ceil(self.least), "most": ceil(self.most)}


@dataclass(frozen=True, slots=True)
class Needs:
    """What samples need."""

    samples: int = 0
    replies: Bounds = Bounds()
    input_tokens: Bounds = Bounds()
    output_tokens: Bounds = Bounds()

    def __add__(self, other: Needs) -> Needs:
        """Both together."""
        return Needs(
            self.samples + other.samples,
            self.replies + other.replies,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data, by the names of the fields."""
        spans = {name: getattr(self, name).to_json() for name in ("replies", "input_tokens", "output_tokens")}
        return {"samples": self.samples, **spans}

    def cost(self, prices: Prices, model: str) -> Bounds:
        """What it costs with that model."""
        read, written = self.input_tokens, self.output_tokens
        ends = [(read.least, written.least), (read.most, written.most)]
        return Bounds(*(prices.cost(Usage(ceil(a), ceil(b)), model) for a, b in ends))


def estimate(plan: Plan, *, done: Collection[str] = (), prices: Prices | None = None) -> dict[str, Any]:
    """What a plan has left to do, as JSON-able data (docs/prices.md); `done` are the keys of its finished samples.

    Raises BadOption for a model that has no price.
    """
    left = [sample for sample in plan.samples() if sample.key not in done]
    guesses = _Guesses(plan)
    contestants, total, cost = [], Needs(), Bounds()
    for player in plan.players:
        mine = [sample for sample in left if sample.player is player]
        needs = sum((guesses.of(sample) for sample in mine), Needs())
        price = needs.cost(prices, player.model.name) if prices else None
        named = {"model": player.models, "strategy": player.way}
        contestants.append({**named, **needs.to_json(), "cost": _money(price)})
        total, cost = total + needs, cost + (price or Bounds())
    return {
        "schema": SCHEMA,
        "suite": plan.suite.name,
        "planned": len(plan.samples()),
        "contestants": contestants,
        "total": {**total.to_json(), "cost": _money(cost if prices else None)},
        "currency": prices.currency if prices else None,
    }


def done_of(plan: Plan, store: Store) -> set[str]:
    """The keys of what the same plan has finished in a run that is to go on; none if there is no such run."""
    key = plan.config().key
    runs = [run for run in store.runs(plan.suite.name) if run.status != "finished" and run.config.key == key]
    return store.done_keys(runs[0].id) if runs else set()


def _money(cost: Bounds | None) -> dict[str, float] | None:
    return None if cost is None else {"least": round(cost.least, 6), "most": round(cost.most, 6)}


class _Guesses:
    """What samples need as far as the suite tells; the same for every attempt."""

    def __init__(self, plan: Plan) -> None:
        self.suite, self.shared = plan.suite, Toolbox.load(plan.suite.tools)
        self._made: dict[tuple[str, str], Needs] = {}

    def of(self, sample: Planned) -> Needs:
        """The needs of one sample."""
        key = (sample.case_name, sample.player.name)
        if key not in self._made:
            ends = [self._walk(sample, corrected=False), self._walk(sample, corrected=True)]
            spans = [
                Bounds(min(ends_), max(ends_))
                for ends_ in zip(*((e.replies, e.sent / CHARACTERS, e.written / CHARACTERS) for e in ends), strict=True)
            ]
            self._made[key] = Needs(1, *spans)
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
