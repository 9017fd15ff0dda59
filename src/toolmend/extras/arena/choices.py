"""What a visitor of the arena may name: the one place. Every name is a key of a table that stands before anybody comes.

What a visitor sends is looked up and nothing else: it is never read as options, a file, a module or a command, and
names out of the records are no better. Whoever starts the arena names what is offered, in whatever spelling; beside
that there are the strategies that ship, and worlds that need nothing else. What remembers beyond a talk is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from toolmend import registry
from toolmend.base.errors import BadOption, UnknownName
from toolmend.evals.suites.suite import load_suite, shipped
from toolmend.extras.arena.views import Contestant, ToolsView
from toolmend.models import Model, load_model
from toolmend.strategies import Strategy, load_strategy
from toolmend.tools import Toolbox

_EXAMPLES, _SHORT = 3, 80
WORLDS = ("calendar", "dungeon", "dungeon-cases", "growth-5", "growth-20", "growth-80", "growth-320", "shop")
"""Toolboxes that hold nothing but what a talk put there. Memory and knowledge are none, nor are those of plug-ins."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Names, and what they stand for."""

    models: Mapping[str, Model]
    strategies: Mapping[str, Strategy]
    toolboxes: Mapping[str, Callable[[], Toolbox]]

    @classmethod
    def of(cls, contestants: Iterable[Contestant], toolboxes: Iterable[str], made: Mapping[str, Model]) -> Choices:
        """What these names come to; `made` are models that were made instead of named. Loads no weights.

        Raises what is wrong with a name.
        """
        who = list(contestants)
        named = dict.fromkeys(contestant.model for contestant in who)
        ways = dict.fromkeys([*registry.strategies.shipped(), *(contestant.strategy for contestant in who)])
        own = [name for name in toolboxes if name not in WORLDS]
        for name in own:
            _loaded(name)
        boxes = {name: partial(_loaded, name) for name in (*WORLDS, *own)}
        models = {name: made.get(name) or load_model(name) for name in named}
        return cls(models, {name: load_strategy(name) for name in ways}, boxes)

    def about(self, toolbox: str) -> ToolsView:
        """What can be said in a world: its own words, else a shipped suite's of its name; and what its tools do."""
        box = self.toolboxes[toolbox]()
        tools = tuple((spec.name.replace("_", " "), spec.description.partition("\n")[0]) for spec in box.specs)
        suite = load_suite(toolbox) if toolbox in shipped() and not box.openings() else None
        cases = suite.cases().values() if suite and suite.tools == toolbox else ()
        firsts = [case.steps[0].say for case in cases if case.steps]
        said = [*box.openings(), *firsts, *(what.partition(".")[0] for _, what in tools if what)]
        examples = [text for text in dict.fromkeys(said) if len(text) <= _SHORT]
        title = Path(toolbox.partition("?")[0]).stem.replace("_", " ")
        return ToolsView(title, tools, tuple(examples[:_EXAMPLES]))

    def check(self, setup: Setup) -> None:
        """Raise UnknownName for settings with a name that is not offered."""
        _known("model", setup.contestant.model, self.models)
        _known("strategy", setup.contestant.strategy, self.strategies)
        _known("toolbox", setup.toolbox, self.toolboxes)


def _known(kind: str, name: str, known: Iterable[str]) -> None:
    if name not in (names := list(known)):
        raise UnknownName(kind, name[:80], names)


LONGEST_SYSTEM = 20_000


@dataclass(frozen=True, slots=True)
class Setup:
    """A side's settings."""

    contestant: Contestant
    toolbox: str = "calendar"
    system: str | None = None
    temperature: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what no model can be asked for. Raises BadOption."""
        if not 0 <= self.temperature <= 2:
            raise BadOption(f"temperature must lie between 0 and 2, not {self.temperature}")
        if self.system is not None and len(self.system) > LONGEST_SYSTEM:
            raise BadOption(f"the system text has {len(self.system):,} characters; {LONGEST_SYSTEM:,} are the most")

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Setup:
        """What `to_json` wrote."""
        return cls(Contestant(**data["contestant"]), data["toolbox"], data["system"], data["temperature"])

    def with_(self, changes: Mapping[str, Any]) -> Setup:
        """The settings with those that are not None changed; "" takes the system text away."""
        given = {name: value for name, value in changes.items() if value is not None}
        if given.get("system") == "":
            given["system"] = None
        return replace(self, **given)


def _loaded(name: str) -> Toolbox:
    """The toolbox of a name. Raises what is wrong with it, BadOption for one that would open the operator's store."""
    box = Toolbox.load(name)
    if any(
        kind.__module__.startswith(("toolmend.extras.knowledge", "toolmend.extras.memory"))
        for kind in type(box).__mro__
    ):
        raise BadOption(f"an arena offers no {name}: it would show visitors what your own store holds")
    return box


def usual_contestants(
    models: Sequence[str] = (), strategies: Sequence[str] = (), toolbox: str = "calendar"
) -> list[Contestant]:
    """Every model with every strategy, without strategies by the model's own, as runs name it; by `auto` where that
    knows costlier ones. Without models: those here for that toolbox; an embedded one alone also as one that may repeat
    what was just called wrong."""
    from toolmend.models.chosen import contestants

    if not models:
        models = contestants(toolbox)[0]
        alone = len(models) == 1 and models[0].startswith("builtin/")
        strategies = strategies or (("oneline", "oneline?repeat=true") if alone else ())
    return [Contestant(model, strategy) for model in models for strategy in strategies or (_own(model),)]


def _own(model: str) -> str:
    abilities = load_model(model).abilities
    climbs = abilities.toolboxes is None and abilities.strategy != "spoken"
    return "auto" if climbs else abilities.strategy
