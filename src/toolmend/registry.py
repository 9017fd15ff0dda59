"""Names to factories, one table per kind: models, strategies, toolboxes, ways of judging, suites, stores, columns.

Built-ins stand in the literal tables at the end as "module:attribute" and are imported when asked for; third parties
come through entry points, read only on a miss or for `names()`. Knows nothing of what a factory makes.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, cast

from toolmend.base.errors import BadOption, ToolmendError, UnknownName

T = TypeVar("T")

# Modules that have moved, under the names that stored runs hold.
_MOVED = {"toolmend.evals.offered": "toolmend.evals.suites.stub_tools"}


def load_object(target: str) -> Any:
    """The object that "package.module:name" says (`name` may be dotted).

    Raises BadOption when the module cannot be imported and UnknownName when it has no such name.
    """
    module_name, _, attribute = target.partition(":")
    if not module_name or not attribute:
        raise BadOption(f"{target!r} is not of the form package.module:name")
    if module_name.endswith(".py") or "/" in module_name:
        raise BadOption(f"{target!r}: a module is named as it is imported, package.module:name, without folders or .py")
    try:
        module = importlib.import_module(_MOVED.get(module_name, module_name))
    except ToolmendError:
        raise
    except Exception as error:  # whatever a foreign module does while it is imported
        itself = isinstance(error, ModuleNotFoundError) and module_name.startswith(error.name or "")
        where = " (neither installed nor in the current folder)" if itself else ""
        raise BadOption(f"cannot load {target!r}: {type(error).__name__}: {_first_line(error)}{where}") from error
    try:
        return functools.reduce(getattr, attribute.split("."), module)
    except AttributeError as error:
        known = [name for name in vars(module) if not name.startswith("_")]
        raise UnknownName(f"name in {module_name}", attribute, known) from error


class Registry(Generic[T]):
    """A table of factories of one kind, `T` being the factory's type.

    A later `add` replaces an earlier one, so that a notebook cell may run twice; what is added or built in goes before
    an entry point of the same name.
    """

    def __init__(self, kind: str, group: str, built_in: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self.group = group
        self._table: dict[str, T | str] = dict(built_in or {})
        self._shipped = tuple(sorted(built_in or ()))
        self._foreign: dict[str, str] | None = None

    def add(self, name: str, factory: T | str) -> None:
        """Register a factory, or a "module:attribute" string that is imported when asked for."""
        self._table[name] = factory

    def shipped(self) -> tuple[str, ...]:
        """The names that come with toolmend, sorted: what strangers may be offered, whatever else is installed."""
        return self._shipped

    def names(self) -> list[str]:
        """Every known name, sorted; entry points included."""
        return sorted({*self._table, *self._entry_points()})

    def get(self, name: str) -> T:
        """The factory of that name. Raises UnknownName, or BadOption when its module cannot be loaded."""
        found = self._table.get(name)
        if found is None:
            found = self._entry_points().get(name)
        if found is None:
            raise UnknownName(self.kind, name, self.names())
        if isinstance(found, str):
            found = cast(T, load_object(found))
            self._table[name] = found
        return found

    def _entry_points(self) -> dict[str, str]:
        if self._foreign is None:
            from importlib.metadata import entry_points

            self._foreign = {point.name: f"{point.module}:{point.attr}" for point in entry_points(group=self.group)}
        return self._foreign


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


Factory = Callable[..., Any]

models: Registry[Factory] = Registry(
    "model",
    "toolmend.models",
    {
        "builtin": "toolmend.models.builtin:load",
        "policy": "toolmend.extras.agents.networks.darkroom:load",
        "scripted": "toolmend.models.scripted:load",
        "openai": "toolmend.models.openai_compat:load",
        "gemini": "toolmend.models.openai_compat:gemini",
        "mistral": "toolmend.models.openai_compat:mistral",
        "groq": "toolmend.models.openai_compat:groq",
        "openrouter": "toolmend.models.openai_compat:openrouter",
        "ollama": "toolmend.models.ollama:load",
        "gguf": "toolmend.models.gguf:load",
        "keras": "toolmend.extras.keras:load",
        "smol": "toolmend.models.smol:load",
    },
)
formats: Registry[Any] = Registry(
    "format",
    "toolmend.formats",
    {
        "deepseek": "toolmend.reading.formats.deepseek:DEEPSEEK",
        "gemma": "toolmend.reading.formats.gemma:GEMMA",
        "glm": "toolmend.reading.formats.glm:GLM",
        "harmony": "toolmend.reading.formats.harmony:HARMONY",
        "hermes": "toolmend.reading.formats.hermes:HERMES",
        "kimi": "toolmend.reading.formats.deepseek:KIMI",
        "llama": "toolmend.reading.formats.llama:LLAMA",
        "mistral": "toolmend.reading.formats.mistral:MISTRAL",
        "parameters": "toolmend.reading.formats.parameters:PARAMETERS",
        "pythonic": "toolmend.reading.formats.pythonic:PYTHONIC",
    },
)
strategies: Registry[Factory] = Registry(
    "strategy",
    "toolmend.strategies",
    {
        "auto": "toolmend.strategies.auto:Auto",
        "freyr": "toolmend.strategies.freyr:Freyr",
        "freyr_paper": "toolmend.strategies.freyr_paper:FreyrPaper",
        "native": "toolmend.strategies.native:Native",
        "oneline": "toolmend.strategies.oneline:Oneline",
        "react": "toolmend.strategies.react:React",
        "spoken": "toolmend.strategies.spoken:Spoken",
    },
)
toolboxes: Registry[Factory] = Registry(
    "toolbox",
    "toolmend.toolboxes",
    {
        "agenda": "toolmend.tools.toolboxes.agenda:Agenda",
        "calendar": "toolmend.tools.toolboxes.calendar:Calendar",
        "dungeon": "toolmend.extras.worlds.dungeon:Dungeon",
        "dungeon-cases": "toolmend.extras.worlds.dungeon:cases",
        "growth-5": "toolmend.extras.worlds.growth:growth_5",
        "growth-20": "toolmend.extras.worlds.growth:growth_20",
        "growth-80": "toolmend.extras.worlds.growth:growth_80",
        "growth-320": "toolmend.extras.worlds.growth:growth_320",
        "knowledge": "toolmend.extras.knowledge.toolbox:KnowledgeTools",
        "memory": "toolmend.extras.memory.toolbox:MemoryTools",
        "shop": "toolmend.extras.worlds.shop:Shop",
    },
)
judges: Registry[Factory] = Registry(
    "way of judging",
    "toolmend.judges",
    {
        "likert": "toolmend.extras.arena.judges.ways:Likert",
        "ranking": "toolmend.extras.arena.judges.ways:Ranking",
    },
)
suites: Registry[Factory] = Registry("suite", "toolmend.suites", {"llmaker": "toolmend.evals.benchmarks.llmaker:suite"})
systems: Registry[Factory] = Registry(
    "agent system",
    "toolmend.agents",
    {
        "challenges": "toolmend.extras.agents.thinking.challenges:Challenges",
        "darkroom": "toolmend.extras.agents.networks.darkroom:DarkRoom",
        "game24": "toolmend.extras.agents.thinking.game24:Game24",
        "household": "toolmend.extras.agents.thinking.household:HouseholdTasks",
        "microtasks": "toolmend.extras.agents.coding.microtasks:Microtasks",
        "apibank": "toolmend.extras.agents.planning.tooltasks:apibank",
        "engineer": "toolmend.extras.agents.planning.engineer:Engineer",
        "experts": "toolmend.extras.agents.planning.tooltasks:experts",
        "hugginggpt": "toolmend.extras.agents.planning.conducting:TaskBench",
        "judged": "toolmend.extras.agents.planning.tooltasks:judged",
        "mrkl": "toolmend.extras.agents.planning.tooltasks:mrkl",
        "planning": "toolmend.extras.agents.planning.llmp:Planning",
        "town": "toolmend.extras.agents.worlds.party:Party",
        "toolformer": "toolmend.extras.agents.thinking.toolformer:Toolformer",
    },
)
# By the scheme of a place, "SCHEME://…": what makes an engine of SQLAlchemy's of it, from the place and `create`.
stores: Registry[Factory] = Registry("kind of store", "toolmend.stores")
# A number of each finished sample, None where it has none; reports show the mean for each contestant.
columns: Registry[Factory] = Registry("report column", "toolmend.columns")
