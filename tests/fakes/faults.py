"""Every fault by name, and schedules: which of them each request meets."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from fakes import breaks, connections, refusals, shapes
from fakes.exchange import Received
from fakes.fault import Fault, Stage

__all__ = ["FAULTS", "Fault", "Schedule", "Stage", "always", "at", "mixture"]

FAULTS: dict[str, Fault] = {
    each.name: each
    for module in (refusals, shapes, breaks, connections)
    for each in vars(module).values()
    if isinstance(each, Fault)
}

Schedule = Callable[[Received], Sequence[str]]


def always(*names: str) -> Schedule:
    """The same faults every time."""
    return lambda received: names


def at(numbers: Mapping[int, Sequence[str]]) -> Schedule:
    """Faults by the number of the chat, counted from 0."""
    return lambda received: numbers.get(received.number, ())


def mixture(seed: int, rate: float = 1.0, names: Sequence[str] = tuple(FAULTS), most: int = 2) -> Schedule:
    """One to `most` random faults that fit, on a share `rate` of the chats; the same for the same seed and number."""

    def choose(received: Received) -> Sequence[str]:
        chance = random.Random(f"{seed}:{received.number}")
        if chance.random() >= rate:
            return ()
        fitting = [name for name in names if FAULTS[name].fits(received)]
        return chance.sample(fitting, min(len(fitting), chance.randint(1, most)))

    return choose
