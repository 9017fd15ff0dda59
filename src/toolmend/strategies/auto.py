"""Picks a strategy by what the model can do, climbs to a costlier one after each mistake, and says why.

A mistake is a turn that amends another: somebody had to say that it was wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from toolmend.strategies import load_strategy
from toolmend.strategies.strategy import About, Flag, Flow, Strategy, Talk

NATIVE, WORDS = ("native", "freyr", "react"), ("freyr", "react")
MADE_FOR = {"oneline": "one line", "spoken": "the words that were said"}


class Auto:
    """The strategy of that name."""

    name = "auto"
    bare = False
    roles = ("main", "intent", "params", "summary", "chat")

    @property
    def prompt_hash(self) -> str:
        """That of every strategy that may be picked."""
        hashes = [load_strategy(name).prompt_hash for name in sorted({*NATIVE, *MADE_FOR})]
        return hashlib.sha256("\n".join(hashes).encode()).hexdigest()[:12]

    def turn(self, talk: Talk) -> Flow:
        """The turn of the strategy that is picked, which is told first."""
        strategy, why = self.choose(talk.about)
        yield Flag("auto", f"{strategy.name}: {why}")
        yield from strategy.turn(talk)

    def system_text(self, talk: Talk) -> str:
        """That of the strategy that would be picked."""
        return self.choose(talk.about)[0].system_text(talk)

    def choose(self, about: About) -> tuple[Strategy, str]:
        """The strategy for a talk, and why."""
        names, why = _ladder(about)
        step = min(about.corrections, len(names) - 1)
        if about.corrections:
            corrected = f"after {about.corrections} correction{'s' if about.corrections > 1 else ''}"
            more = "" if step == about.corrections else ", the costliest there is"
            why = f"{corrected}{more}; at first {names[0]}: {why}"
        return load_strategy(names[step]), why


def _ladder(about: About) -> tuple[Sequence[str], str]:
    """The strategy to begin with and the costlier ones after it, and why that one."""
    if about.trained:
        return (about.strategy,), f"the model was trained for this toolbox and {MADE_FOR.get(about.strategy, 'it')}"
    if about.strategy == "spoken":
        return (about.strategy,), f"the model was trained for {MADE_FOR[about.strategy]}"
    if about.calls_tools:
        return NATIVE, "the model calls tools itself"
    return WORDS, "the model does not call tools itself"
