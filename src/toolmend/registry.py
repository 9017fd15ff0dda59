"""Names to factories, one table per kind: models, strategies, toolboxes, suites, commands, stores, columns and more.

Built-ins stand in the literal tables at the end as "module:attribute" and are imported when asked for. Each folder
under extras/ says in its entry_points.txt what it brings, as other packages do; theirs are read only on a miss
or for `names()`. Knows nothing of what a factory makes.
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, cast

from toolmend.base.errors import BadOption, ToolmendError, UnknownName

T = TypeVar("T")

_EXTRAS = os.path.join(os.path.dirname(__file__), "extras")


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
        module = importlib.import_module(module_name)
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


@functools.cache
def _bundled() -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """What the extras that are here bring: by group and name the target, and what is said of it after a `#`."""
    groups: dict[str, dict[str, tuple[str, str]]] = {}
    for extra in sorted(os.listdir(_EXTRAS)) if os.path.isdir(_EXTRAS) else ():
        place, group = os.path.join(_EXTRAS, extra, "entry_points.txt"), ""
        if not os.path.isfile(place):
            continue
        with open(place, encoding="utf-8") as file:
            for line in map(str.strip, file):
                name, equals, rest = line.partition("=")
                if line.startswith("["):
                    group = line.strip("[]")
                elif equals:
                    target, _, about = rest.partition("#")
                    groups.setdefault(group, {})[name.strip()] = (target.strip(), about.strip())
    return groups


class Registry(Generic[T]):
    """A table of factories of one kind, `T` being the factory's type.

    A later `add` replaces an earlier one, so that a notebook cell may run twice; what is added or built in goes before
    an entry point of the same name.
    """

    def __init__(self, kind: str, group: str, built_in: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self.group = group
        bundled = _bundled().get(group, {})
        self._table: dict[str, T | str] = {
            **(built_in or {}),
            **{name: target for name, (target, _) in bundled.items()},
        }
        self._about = {name: about for name, (_, about) in bundled.items()}
        self._shipped = tuple(sorted(self._table))
        self._foreign: dict[str, str] | None = None

    def add(self, name: str, factory: T | str) -> None:
        """Register a factory, or a "module:attribute" string that is imported when asked for."""
        self._table[name] = factory

    def shipped(self) -> tuple[str, ...]:
        """The names that come with toolmend, sorted: what strangers may be offered, whatever else is installed."""
        return self._shipped

    def about(self, name: str) -> str:
        """What an extra says of its part in one line; "" where nothing is said."""
        return self._about.get(name, "")

    def target(self, name: str) -> str:
        """Where a part is, "module:attribute", without importing it; "" for one that is loaded or unknown."""
        found = self._table.get(name) or self._entry_points().get(name)
        return found if isinstance(found, str) else ""

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
        return cast(T, load_object(found)) if isinstance(found, str) else found

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
        "scripted": "toolmend.models.scripted:load",
        "openai": "toolmend.models.openai_compat:load",
        "gemini": "toolmend.models.openai_compat:gemini",
        "mistral": "toolmend.models.openai_compat:mistral",
        "groq": "toolmend.models.openai_compat:groq",
        "openrouter": "toolmend.models.openai_compat:openrouter",
        "ollama": "toolmend.models.ollama:load",
        "gguf": "toolmend.models.gguf:load",
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
    },
)
judges: Registry[Factory] = Registry("way of judging", "toolmend.judges")
# A factory, or a suite's file: "package:folder/NAME.yaml".
suites: Registry[Factory] = Registry("suite", "toolmend.suites", {"llmaker": "toolmend.evals.benchmarks.llmaker:suite"})
systems: Registry[Factory] = Registry("agent system", "toolmend.agents")
# By the scheme of a place, "SCHEME://…": what makes an engine of SQLAlchemy's of it, from the place and `create`.
stores: Registry[Factory] = Registry("kind of store", "toolmend.stores")
# A number of each finished sample, None where it has none; reports show the mean for each contestant.
columns: Registry[Factory] = Registry("report column", "toolmend.columns")
# Commands of the command line beside those in apps/cli/door.py.
commands: Registry[Any] = Registry("command", "toolmend.commands")
# What `toolmend chat --NAME` brings into a talk: made of the session, the store's place, a namespace, and who tells.
companions: Registry[Factory] = Registry("companion of a talk", "toolmend.companions")
# Other things than suites of talks that `toolmend run` plays and reports (apps/cli/kit/players.py).
players: Registry[Any] = Registry("player", "toolmend.players")
# Lines about models that `toolmend models` lists.
catalogues: Registry[Callable[[], list[str]]] = Registry("catalogue of models", "toolmend.catalogues")
# Modules that `import toolmend as tm` shows as `tm.NAME`.
rooms: Registry[Any] = Registry("room", "toolmend.rooms")
