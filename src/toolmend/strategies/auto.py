"""Picks a strategy by what is known of the model and the toolbox, climbs to a costlier one after a mistake, says why.

What is known is a plain table, a row per strategy: evals/running/strategy_table.py makes one from stored runs. Without
a row the choice is by what the model can do. A mistake is a turn that amends another: somebody had to say that it was
wrong.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from toolmend.errors import ToolmendError
from toolmend.strategies import load_strategy
from toolmend.strategies.strategy import About, Flag, Flow, Strategy, Talk

NEAR = 0.02
"""Strategies that finish as many dialogues, but for this share, are equally good: the cheapest is taken."""

NATIVE, WORDS = ("native", "freyr", "react"), ("freyr", "react")
MADE_FOR = {"oneline": "one line", "spoken": "the words that were said"}


@dataclass(frozen=True, slots=True)
class Known:
    """What a model came to with a strategy on a toolbox: the share of dialogues done, and the cost of a request in
    whatever unit all rows have (input tokens, where toolmend makes the table)."""

    model: str
    toolbox: str
    strategy: str
    done: float
    cost: float


class Auto:
    """`rows` are what is known."""

    name = "auto"
    bare = False
    roles = ("main", "intent", "params", "summary", "chat")

    def __init__(self, rows: Sequence[Known] = ()) -> None:
        self.known = tuple(rows)

    @property
    def prompt_hash(self) -> str:
        """That of the table and of every strategy that may be picked."""
        names = sorted({*NATIVE, *WORDS, *MADE_FOR, *(row.strategy for row in self.known)})
        parts = [each.prompt_hash for name in names if (each := _loaded(name))]
        rows = sorted(json.dumps(asdict(row), sort_keys=True) for row in self.known)
        return hashlib.sha256("\n".join([*parts, *rows]).encode()).hexdigest()[:12]

    def turn(self, talk: Talk) -> Flow:
        """The turn of the strategy that is picked, which is told first."""
        strategy, why = self.choose(talk.about)
        yield Flag(self.name.partition("?")[0], f"{strategy.name}: {why}")
        yield from strategy.turn(talk)

    def system_text(self, talk: Talk) -> str:
        """That of the strategy that would be picked."""
        return self.choose(talk.about)[0].system_text(talk)

    def choose(self, about: About) -> tuple[Strategy, str]:
        """The strategy for a talk, and why."""
        ladder, why = self._ladder(about)
        step = min(about.corrections, len(ladder) - 1)
        strategy = ladder[step]
        if about.corrections:
            corrected = f"after {about.corrections} correction{'s' if about.corrections > 1 else ''}"
            more = "" if step == about.corrections else ", the costliest there is"
            why = f"{corrected}{more}; at first {ladder[0].name}: {why}"
        return strategy, why

    def _ladder(self, about: About) -> tuple[list[Strategy], str]:
        """The strategy to begin with and the costlier ones after it, and why that one."""
        rows, where = _fitting(self.known, about)
        found = [(row, each) for row in rows if (each := _loaded(row.strategy)) and _can(each, about)]
        if not found:
            names, why = _unknown(about)
            return [load_strategy(name) for name in names], why
        best = max(row.done for row, _ in found)
        good = [pair for pair in found if pair[0].done >= best - NEAR]
        row, first = min(good, key=lambda pair: pair[0].cost)
        costlier = sorted((pair for pair in found if pair[0].cost > row.cost), key=lambda pair: pair[0].cost)
        why = f"{row.done:.0%} done at a cost of {row.cost:,.4g} {where}"
        return [first, *(each for _, each in costlier)], why


def _fitting(rows: Sequence[Known], about: About) -> tuple[list[Known], str]:
    """The rows of this model and toolbox, else of this model; options in a model's name do not count."""
    mine = [row for row in rows if _base(row.model) == _base(about.model) and row.strategy.partition("?")[0] != "auto"]
    exact = [row for row in mine if row.model == about.model]
    here = [row for row in exact or mine if row.toolbox == about.toolbox]
    if here:
        return here, f"with this model on {about.toolbox}"
    return _averages(exact or mine), "with this model on other toolboxes"


def _averages(rows: Iterable[Known]) -> list[Known]:
    by: dict[str, list[Known]] = {}
    for row in rows:
        by.setdefault(row.strategy, []).append(row)
    return [
        Known("", "", name, sum(r.done for r in group) / len(group), sum(r.cost for r in group) / len(group))
        for name, group in by.items()
    ]


def _unknown(about: About) -> tuple[Sequence[str], str]:
    """The usual order where nothing is known."""
    if about.trained:
        return (about.strategy,), f"the model was trained for this toolbox and {MADE_FOR.get(about.strategy, 'it')}"
    if about.strategy == "spoken":
        return (about.strategy,), f"the model was trained for {MADE_FOR[about.strategy]}"
    if about.calls_tools:
        return NATIVE, "nothing is known of this model; it calls tools itself"
    return WORDS, "nothing is known of this model; it does not call tools itself"


def _base(model: str) -> str:
    return model.partition("?")[0]


def _can(strategy: Strategy, about: About) -> bool:
    return about.calls_tools or not getattr(strategy, "calls_tools", False)


def _loaded(name: str) -> Strategy | None:
    """The strategy of a name in a table; None for one that is not there any more."""
    try:
        return load_strategy(name)
    except ToolmendError:
        return None
