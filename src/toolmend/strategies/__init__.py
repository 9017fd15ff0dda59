"""Ways of turning a request into tool calls. `load_strategy("freyr?retries=2")` finds any of them by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.options import read_options, split_name
from toolmend.registry import strategies
from toolmend.strategies.strategy import WORDS, About, Act, Ask, Flag, Flow, PutBack, Say, Strategy, TakeBack, Talk

__all__ = [
    "WORDS",
    "About",
    "Act",
    "Ask",
    "Flag",
    "Flow",
    "PutBack",
    "Say",
    "Strategy",
    "TakeBack",
    "Talk",
    "calls_tools",
    "fits",
    "load_strategy",
    "roles_of",
    "told_lines",
]


def load_strategy(name: str | Strategy) -> Strategy:
    """The strategy of a name, with its options: `freyr?retries=2&atomic=true`; a Strategy is returned as it is.

    The name as given is the strategy's name. Raises UnknownName with what is known, BadOption for an option.
    """
    if not isinstance(name, str):
        return name
    known, given = split_name(name, "strategy")
    factory: Any = strategies.get(known)
    if not given:
        plain: Strategy = factory()
        return plain
    if not dataclasses.is_dataclass(factory):
        raise BadOption(f"strategy {known!r} takes no options; it was given {', '.join(given)}")
    made: Any = read_options(factory, given, f"strategy {known!r}")  # type: ignore[arg-type]
    made.name = name
    found: Strategy = made
    return found


def fits(strategy: Strategy, model: Any, roles: Iterable[str] = ()) -> None:
    """Raise BadOption unless the model can do what the strategy needs, and it asks in these roles."""
    if calls_tools(strategy) and not model.abilities.native_tools:
        raise BadOption(
            f"model '{model.name}' does not call tools itself, as strategy '{strategy.name}' wants it to; "
            f"use one that reads text: freyr, oneline, react"
        )
    known = roles_of(strategy)
    for role in roles:
        if role not in known:
            raise BadOption(f"strategy '{strategy.name}' asks in no role {role!r}; its roles: {', '.join(known)}")


def calls_tools(strategy: Strategy) -> bool:
    """Whether its model calls tools itself."""
    return bool(getattr(strategy, "calls_tools", False))


def told_lines(strategy: Strategy) -> bool:
    """Whether it is told earlier calls as lines of Python, and a system text instead of its own."""
    return bool(getattr(strategy, "lines", False))


def roles_of(strategy: Strategy) -> tuple[str, ...]:
    """The roles in which it asks models."""
    return tuple(getattr(strategy, "roles", ("main",)))
