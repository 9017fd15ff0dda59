"""What an agent system is, and how one is found by name. Knows no model, no store and no screen.

    tasks() ─► solve(bench, task, way) ─► answer ─► score(task, answer)

An answer is JSON-able and is all that is judged, so that a stored run can be graded again. `solve` must do the same
again when it gets the same replies again: that is how a killed run goes on at the step where it was (bench.py).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

from toolmend import registry
from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.options import read_options, split_name
from toolmend.evals.suites.yaml12 import load

if TYPE_CHECKING:
    from toolmend.extras.agents.bench import Bench
    from toolmend.models import Model


@dataclass(frozen=True)
class AgentTask:
    """One task: what is asked in words, and what solving and checking it takes (`data`, JSON-able). `group` is its
    heading in the report."""

    id: str
    say: str
    group: str = ""
    data: Any = None


@dataclass(frozen=True)
class Scored:
    """What an answer is worth: 1 right, 0 wrong, parts between; `why` it is not 1. `figures` are further numbers, whose
    means over the tasks are reported."""

    value: float
    why: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class PublishedFigure:
    """A published number that stands beside a report: context, not a comparison."""

    what: str
    value: str
    source: str


class AgentSystem(ABC):
    """Everything `toolmend run NAME` needs. `version` goes up whenever a prompt or a rule changes: that is another run.

    `ways` are how it can be played, by name, the first where nobody says: each a dataclass whose fields are options
    (`tot?breadth=5`). `steps` is how many replies a task may take, `floor` what who says nothing gets.
    """

    name: str
    about: str
    ways: Mapping[str, Callable[..., Any]]
    steps: int
    version: int = 1
    floor: float = 0.0

    @property
    def beside(self) -> Sequence[PublishedFigure]:
        """What was published of such a system: those of published.yaml."""
        return [PublishedFigure(*row) for row in shipped("published.yaml").get(self.name, ())]

    @abstractmethod
    def tasks(self) -> Sequence[AgentTask]:
        """Every task, always the same."""

    @abstractmethod
    def oracle(self, task: AgentTask, way: Any) -> Model:
        """A model that answers every request of this way with what is right."""

    @abstractmethod
    def reference(self, task: AgentTask) -> Any:
        """A right answer."""

    @abstractmethod
    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> Any:
        """The answer; None for none. What stands so far is in `bench.answer`, for when the steps are used up."""

    @abstractmethod
    def score(self, task: AgentTask, answer: Any) -> Scored:
        """What an answer is worth, whatever it is: nothing is raised, nothing of it is evaluated."""


def load_system(name: str) -> AgentSystem:
    """The system of a name, with its options: `challenges?lengths=2`. Raises UnknownName or BadOption."""
    known, given = split_name(name, "agent system")
    made: AgentSystem = _made(registry.systems.get(known), given, f"agent system {known!r}")
    return made


def load_way(system: AgentSystem, name: str = "") -> tuple[str, Any]:
    """How a system is played, by name: the name in full, and the way. Raises UnknownName or BadOption."""
    known, given = split_name(name, "way") if name else (next(iter(system.ways)), {})
    if known not in system.ways:
        raise UnknownName(f"way of playing {system.name}", known, system.ways)
    return name or known, _made(system.ways[known], given, f"way {known!r}")


def content_hash(system: AgentSystem, tasks: Sequence[AgentTask]) -> str:
    """A hash of the version and everything the tasks hold."""
    rows = [system.version, *(dataclasses.asdict(task) for task in tasks)]
    return hashlib.sha256(json.dumps(rows, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()[:32]


def _made(factory: Any, given: dict[str, str], what: str) -> Any:
    if not given:
        return factory()
    if not dataclasses.is_dataclass(factory):
        raise BadOption(f"{what} takes no options; it was given {', '.join(given)}")
    return read_options(factory, given, what)  # type: ignore[arg-type]


@cache
def shipped(name: str) -> Any:
    """What a file of this package says, YAML or JSON, by its path in it."""
    with as_file(files(__package__).joinpath(name)) as path:
        return json.loads(path.read_text(encoding="utf-8")) if path.suffix == ".json" else load(path)
