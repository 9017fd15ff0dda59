"""Ways of turning a request into tool calls. `load_strategy("oneline")` finds any of them by name."""

from __future__ import annotations

from toolmend.registry import strategies
from toolmend.strategies.strategy import Act, Ask, Flag, Flow, Say, Step, Strategy, TakeBack, Talk

__all__ = ["Act", "Ask", "Flag", "Flow", "Say", "Step", "Strategy", "TakeBack", "Talk", "load_strategy"]


def load_strategy(name: str | Strategy) -> Strategy:
    """The strategy of a name; a Strategy is returned as it is. Raises UnknownName with what is known."""
    if not isinstance(name, str):
        return name
    made: Strategy = strategies.get(name)()
    return made
