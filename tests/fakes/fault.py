"""What a fault is: a name, the stage at which it spoils an exchange, and where it makes sense. Knows none of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fakes.exchange import Exchange, Received

# In this order: what is said, the objects, their bytes, the line they go over.
Stage = Literal["says", "shape", "bytes", "line"]
Where = Literal["anywhere", "streams", "whole"]
BOTH = ("openai", "ollama")


@dataclass(frozen=True)
class Fault:
    """One way in which a server can misbehave."""

    name: str
    stage: Stage
    about: str
    spoil: Callable[[Exchange], None]
    apis: tuple[str, ...] = BOTH
    where: Where = "anywhere"
    needs: Literal["", "calls"] = ""

    def fits(self, received: Received) -> bool:
        """Whether it means anything for such a request."""
        return received.api in self.apis and self.where in ("anywhere", "streams" if received.streaming else "whole")


def fault(
    name: str,
    stage: Stage,
    *,
    apis: tuple[str, ...] = BOTH,
    where: Where = "anywhere",
    needs: Literal["", "calls"] = "",
) -> Callable[[Callable[[Exchange], None]], Fault]:
    """Make a fault of a function that spoils an exchange; its docstring says what happens."""

    def make(spoil: Callable[[Exchange], None]) -> Fault:
        return Fault(name, stage, (spoil.__doc__ or "").strip(), spoil, apis, where, needs)

    return make
