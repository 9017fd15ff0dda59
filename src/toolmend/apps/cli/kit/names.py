"""Names on the command line: a model's alias becomes the model, and a shell completes what is known.

Completing runs while somebody is typing: it imports what it needs then, and offers nothing where something is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click
from click.shell_completion import CompletionItem

from toolmend.apps.cli.kit import settings

Finder = Callable[[click.Context], Iterable[tuple[str, str]]]

MOST_RUNS = 50


class Name(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.4
    """A name that a shell completes. `find` gives names with what to say about each; `files` if a path will do, too."""

    name = "name"

    def __init__(self, find: Finder, *, files: bool = False) -> None:
        self._find, self._files = find, files

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """What begins like the word typed so far."""
        try:
            found = [CompletionItem(name, help=text) for name, text in self._find(ctx) if name.startswith(incomplete)]
        except Exception:  # a traceback into a prompt helps nobody; the command itself will say what is wrong
            found = []
        return found or ([CompletionItem(incomplete, type="file")] if self._files else [])


class ModelName(Name):
    """A model's name; one that stands under [models] in a file of settings becomes what it stands for."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The model meant. Raises UnknownName for a bare word where there are aliases and it is none."""
        return settings.of(ctx).model(str(value)) if ctx else value


class RoleModels(click.ParamType):  # type: ignore[type-arg]  # as above
    """`ROLE=MODEL,MODEL`; a name that stands under [models] in a file of settings becomes what it stands for."""

    name = "role"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The same with the models meant; what is wrong with it is for evals/running/grid.py to say."""
        role, sign, models = str(value).partition("=")
        if ctx is None or not sign:
            return value
        return f"{role}={','.join(settings.of(ctx).model(each) if each else each for each in models.split(','))}"


def _models(ctx: click.Context) -> Iterator[tuple[str, str]]:
    from toolmend.models import builtin, smol
    from toolmend.registry import models

    for name, found in settings.of(ctx).aliases.items():
        yield name, str(found.value)
    for name in builtin.names():
        yield f"builtin/{name}", "ships with toolmend"
    for name in smol.names():
        yield f"smol/{name}", "ships with toolmend, over gguf/smollm2"
    for family in models.names():
        yield f"{family}/", "a family of models"


def _strategies(_ctx: click.Context) -> Iterator[tuple[str, str]]:
    from toolmend.registry import strategies

    return ((name, "") for name in strategies.names())


def _toolboxes(_ctx: click.Context) -> Iterator[tuple[str, str]]:
    from toolmend.registry import toolboxes

    return ((name, "") for name in toolboxes.names())


def _suites(_ctx: click.Context) -> Iterator[tuple[str, str]]:
    from toolmend.evals.suites.suite import imported, shipped
    from toolmend.registry import systems

    return ((name, "") for name in [*shipped(), *imported(), *systems.names()])


def _runs(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """The newest runs of a store that is a file; a database elsewhere is not asked at every press of a key."""
    from toolmend.store import Store, default_place

    place = ctx.params.get("store") or default_place()
    if "://" in place and not place.startswith("sqlite:"):
        return
    with Store(place, create=False) as store:
        for run in store.runs()[:MOST_RUNS]:
            models = ", ".join(dict.fromkeys(each.model for each in run.config.contestants))
            begun = run.created[:16].replace("T", " ")
            yield run.id, f"{begun} {run.status} {run.config.suite}: {models}"


MODEL = ModelName(_models)
GRID = RoleModels()
STRATEGY = Name(_strategies)
TOOLBOX = Name(_toolboxes)
SUITE = Name(_suites, files=True)
RUN = Name(_runs)
