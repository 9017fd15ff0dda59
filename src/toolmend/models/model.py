"""What a model is here: something that turns a request into a reply, and says what it can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from toolmend.base.errors import BadOption
from toolmend.base.messages import Reply, Request

OnDelta = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a model can be asked for. `toolboxes` is None where any will do; else the only ones it was trained for.

    `system` tells whether it reads system text; `window` is its context in tokens, None where unknown; `avoids`
    whether it can give another reply than those of `Request.avoid` (others are not asked to); `schemas` whether it is
    known to keep to a JSON Schema that it is asked for. `strategy` is the one it
    is asked by unless somebody names another.
    """

    native_tools: bool = False
    streaming: bool = False
    system: bool = True
    toolboxes: tuple[str, ...] | None = None
    window: int | None = None
    avoids: bool = False
    schemas: bool = False
    strategy: str = "oneline"


@runtime_checkable
class Model(Protocol):
    """The one method every model has. It may be awaited from several tasks at once.

    `reply` raises ModelError when there is no answer; a bad answer is a Reply like any other.
    """

    name: str
    abilities: Abilities

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """One reply to a request; pieces of its text go to `on_delta` as they come."""
        ...


def declared(model: Model, toolbox: str) -> str | None:
    """Why a model cannot serve a toolbox, in one line that says what would work; None if it can."""
    trained = model.abilities.toolboxes
    if trained is None or toolbox in trained:
        return None
    from toolmend.models.chosen import chosen

    others = f"{chosen(toolbox).model}, or one behind a server (docs/servers.md)"
    return (
        f"model '{model.name}' was trained for the toolbox {', '.join(trained)} only, "
        f"not for '{toolbox}'; use --tools {trained[0]}, or a model that reads any toolbox: {others}"
    )


def fits_toolbox(model: Model, *names: str) -> None:
    """Raise BadOption unless the model takes the toolbox by one of its names: what it was asked for by, and its own."""
    problems = [declared(model, name) for name in names]
    if all(problems):
        raise BadOption(str(problems[0]))
