"""A run of an agent system: its tasks and contestants, and how one is played, kept step by step and gone on with.

It is what the runner of suites plays (evals/running/runner.py): samples under keys, finished ones kept for good. Knows
no screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.events import Event, Finished, Guarded, Looked, Replied
from toolmend.base.messages import Options
from toolmend.evals.running.plan import ARM, DEFAULT_TEMPERATURE
from toolmend.evals.running.runner import Work
from toolmend.evals.running.runner import run as run_plan
from toolmend.evals.store import Run, RunConfig, Store, StoredContestant, sample_key
from toolmend.extras.agents.bench import Bench, StepsSpent
from toolmend.extras.agents.system import AgentSystem, AgentTask, content_hash, load_way
from toolmend.models import Model, load_model
from toolmend.models.scripted import Untold


@dataclass(frozen=True)
class AgentPlayer:
    """A contestant: model × way. `models` is the model as samples are stored under it."""

    model: Model
    models: str
    way: str
    way_made: Any
    roles: Mapping[str, Model] = field(default_factory=dict)


@dataclass(frozen=True)
class AgentSample:
    """One task to be played by one contestant. `case_name` is the task's id, `key` the sample's in the store."""

    task: AgentTask
    player: AgentPlayer
    attempt: int
    options: Options
    case_name: str
    key: str

    @property
    def limits(self) -> Mapping[str, int]:
        """No task is corrected."""
        return {}


@dataclass(frozen=True)
class AgentPlan:
    """A whole run, never a part of one. `steps` and `temperature` replace what the system and the ways say."""

    system: AgentSystem
    named: str
    chosen: tuple[AgentTask, ...]
    players: tuple[AgentPlayer, ...]
    attempts: int = 1
    temperature: float | None = None
    steps: int = 0
    part: None = None

    @classmethod
    def make(
        cls,
        system: AgentSystem,
        named: str,
        models: Sequence[str],
        ways: Sequence[str],
        *,
        only: Sequence[str] = (),
        first: int | None = None,
        **terms: Any,
    ) -> AgentPlan:
        """The plan of models × ways over the tasks of the groups or ids `only`, of each group the `first` so many.

        Raises UnknownName or BadOption, before anything runs.
        """
        known, chosen, count, players = system.tasks(), list[AgentTask](), Counter[str](), list[AgentPlayer]()
        if unknown := [name for name in only if not any(name in (task.id, task.group) for task in known)]:
            groups = ", ".join(dict.fromkeys(task.group for task in known))
            raise BadOption(f"{system.name} has no task or group {unknown[0]!r}; its groups: {groups}")
        for task in known:
            if not only or task.id in only or task.group in only:
                count[task.group] += 1
                chosen += [task] if first is None or count[task.group] <= first else []
        for model in map(load_model, models):
            players += [AgentPlayer(model, model.name, *load_way(system, way)) for way in ways or [""]]
        return cls(system, named, tuple(chosen), tuple(players), **terms)

    def notices(self) -> list[str]:
        """What a person should know before it starts."""
        return []

    def samples(self) -> list[AgentSample]:
        """Every sample, contestants taking turns."""
        heat = self.temperature if self.temperature is not None else DEFAULT_TEMPERATURE if self.attempts > 1 else 0.0
        return [
            AgentSample(
                *(task, player, attempt, Options(temperature=heat, seed=1 + attempt), task.id),
                sample_key(task.id, player.models, player.way, attempt, ARM),
            )
            for attempt in range(self.attempts)
            for task in self.chosen
            for player in self.players
        ]

    def config(self) -> RunConfig:
        """What makes two runs the same run."""
        from toolmend import __version__

        return RunConfig(
            suite=self.system.name,
            suite_hash=content_hash(self.system, self.chosen),
            contestants=tuple(
                StoredContestant(p.models, p.way, "", getattr(p.model, "options", {})) for p in self.players
            ),
            attempts=self.attempts,
            arms=(ARM,),
            temperature=-1.0 if self.temperature is None else self.temperature,
            versions={"toolmend": __version__},
            settings={"agents": self.named, "steps": self.steps or self.system.steps},
        )

    async def play(self, store: Store, **terms: Any) -> Run:
        """Play what is not in the store yet, as evals/running/runner.py does; within a budget one after the other, so
        that it is passed by one step at most."""
        one_by_one = {"concurrency": 1} if terms.get("budget") is not None else {}
        return await run_plan(self, store, work=AgentWork, **{**terms, **one_by_one, "cache": False})  # type: ignore[arg-type]


class AgentWork(Work):
    """How a sample of an agent system is played."""

    async def play(self, planned: Any) -> tuple[Event, ...]:
        """The events of a sample, the answer that was looked at and `Finished` last."""
        system: AgentSystem = self.plan.system  # type: ignore[attr-defined]
        task, player = planned.task, planned.player
        asked = system.oracle(task, player.way_made) if isinstance(player.model, Untold) else player.model

        def keep(events: tuple[Event, ...]) -> None:
            steps = sum(isinstance(event, Replied) for event in events)
            self.store.commit(self.run_id, self.sample(planned, events, f"under way: {steps} steps"))

        told = [event for event in self.so_far(planned) if isinstance(event, Replied)]
        steps = self.plan.steps or system.steps  # type: ignore[attr-defined]
        bench = Bench(self.model(planned, asked), steps=steps, options=planned.options, told=told, keep=keep)
        ended = Finished("done")
        try:
            bench.answer = await system.solve(bench, task, player.way_made)
        except StepsSpent as spent:
            ended = Finished("gave_up", str(spent))
            bench.note(Guarded(bench.turn, "step_limit", f"a goal without end: {spent} and not done"))
        scored = system.score(task, bench.answer)
        bench.note(Looked(max(0, bench.turn - 1), task.data, bench.answer, scored.value == 1, scored.why))
        return (*bench.events, ended)

    def so_far(self, planned: Any) -> tuple[Event, ...]:
        """What an earlier try of this sample left, which was killed or failed."""
        left = self.store.samples(self.run_id, model=planned.player.models, case=planned.case_name, status="error")
        return next((sample.events for sample in left if sample.key == planned.key), ())
