"""What a visitor of the arena may name: the one place. Every name is a key of a table that stands before anybody comes.

What a visitor sends is looked up and nothing else: it is never read as options, a file, a module or a command, and
names out of the records are no better. Whoever starts the arena names what is offered, in whatever spelling; beside
that there are the strategies that ship, and worlds that need nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from toolmend import registry
from toolmend.arena.apart import Apart
from toolmend.arena.setup import Setup
from toolmend.arena.views import Contestant, ToolsView
from toolmend.errors import UnknownName
from toolmend.evals.suites.suite import load_suite, shipped
from toolmend.models import Model, load_model
from toolmend.strategies import Strategy, load_strategy
from toolmend.tools import Toolbox

_EXAMPLES, _SHORT = 3, 80
WORLDS = ("calendar", "dungeon", "dungeon-cases", "growth-5", "growth-20", "growth-80", "growth-320", "shop")
"""Toolboxes that hold nothing but what a talk put there. Memory and knowledge are none, nor are those of plug-ins."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Names, and what they stand for; `suites` are those whose cases can be loaded, none named: all that ship."""

    models: Mapping[str, Model]
    strategies: Mapping[str, Strategy]
    toolboxes: Mapping[str, Callable[[], Toolbox]]
    suites: Sequence[str]

    @classmethod
    def of(
        cls,
        contestants: Iterable[Contestant],
        toolboxes: Iterable[str],
        suites: Sequence[str],
        made: Mapping[str, Model],
        apart: Apart,
    ) -> Offer:
        """What these names come to; `made` are models that were made instead of named. Loads no weights.

        Raises what is wrong with a name.
        """
        who = list(contestants)
        named = dict.fromkeys(contestant.model for contestant in who)
        ways = dict.fromkeys([*registry.strategies.shipped(), *(contestant.strategy for contestant in who)])
        own = [name for name in (*toolboxes, *(load_suite(suite).tools for suite in suites)) if name not in WORLDS]
        for name in own:
            apart.load(name)
        worlds = {name: partial(Toolbox.load, name) for name in WORLDS}
        boxes = {**worlds, **{name: partial(apart.load, name) for name in own}}
        models = {name: made.get(name) or load_model(name) for name in named}
        return cls(models, {name: load_strategy(name) for name in ways}, boxes, tuple(suites))

    def about(self, toolbox: str) -> ToolsView:
        """What can be said in a world: from a shipped suite of its name, else from what its tools say they do."""
        specs = self.toolboxes[toolbox]().specs
        tools = tuple((spec.name.replace("_", " "), spec.description.partition("\n")[0]) for spec in specs)
        said = []
        if toolbox in shipped():
            firsts = [case.steps[0].say for case in load_suite(toolbox).cases().values() if case.steps]
            said = [text for text in dict.fromkeys(firsts) if len(text) <= _SHORT]
        examples = said or [what.rstrip(".") for _, what in tools if what]
        title = Path(toolbox.partition("?")[0]).stem.replace("_", " ")
        return ToolsView(title, tools, tuple(examples[:_EXAMPLES]))

    def check(self, setup: Setup) -> None:
        """Raise UnknownName for settings with a name that is not offered."""
        _known("model", setup.contestant.model, self.models)
        _known("strategy", setup.contestant.strategy, self.strategies)
        _known("toolbox", setup.toolbox, self.toolboxes)
        if setup.case is not None:
            _known("suite", setup.case.partition(":")[0], self.suites or shipped())


def _known(kind: str, name: str, known: Iterable[str]) -> None:
    if name not in (names := list(known)):
        raise UnknownName(kind, name[:80], names)
