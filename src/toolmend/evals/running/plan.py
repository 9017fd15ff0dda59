"""What a run will do: every sample of suite × contestants, its attempt, temperature and seed. Pure; runs nothing."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import Options
from toolmend.evals.store import RunConfig, StoredContestant, sample_key
from toolmend.evals.suites.suite import Case, Experiment, Suite
from toolmend.language.corrections import Pool, open_pool
from toolmend.models import Model, declared, load_model
from toolmend.strategies import WORDS, Strategy, fits, load_strategy, roles_of

DEFAULT_TEMPERATURE = 0.7
ARM = "corrected"
MOST_PARTS = 100_000
MENDED = " + ladder"
"""Behind the strategy of a contestant whose corrections are mended (mend/)."""
_LADDER = {"no": (False,), "yes": (True,), "both": (False, True)}


@dataclass(frozen=True, slots=True)
class RunPart:
    """Part `number` of `of`, counted from 1. Every key of a sample is in exactly one part, on every machine the same.

    Raises BadOption for a part that there is not.
    """

    number: int
    of: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.of <= MOST_PARTS:
            raise BadOption(f"there is no part {self}: parts go from 1/N to N/N, N up to {MOST_PARTS:,}")

    def has(self, key: str) -> bool:
        """Whether the sample with this key is in it."""
        return zlib.crc32(key.encode()) % self.of == self.number - 1

    def __str__(self) -> str:
        """`3/16`."""
        return f"{self.number}/{self.of}"


def read_part(text: str) -> RunPart:
    """The part of "3/16". Raises BadOption."""
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip())
    if match is None:
        raise BadOption(f"{text!r} is no part, such as 3/16")
    return RunPart(int(match[1]), int(match[2]))


@dataclass(frozen=True)
class Player:
    """A contestant ready to play: model × strategy. `roles` are other models for some roles of the strategy; `mend` has
    corrections understood by their words first."""

    model: Model
    strategy: Strategy
    roles: Mapping[str, Model] = field(default_factory=dict)
    mend: bool = False

    @property
    def models(self) -> str:
        """The model as samples are stored under it: `ollama/qwen2.5 intent=ollama/gemma2`."""
        return " ".join([self.model.name, *(f"{role}={model.name}" for role, model in self.roles.items())])

    @property
    def way(self) -> str:
        """The strategy as samples are stored under it: `oneline`, or with corrections mended `oneline + ladder`."""
        return self.strategy.name + MENDED * self.mend

    @property
    def name(self) -> str:
        """`builtin/small · oneline`."""
        return f"{self.models} · {self.way}"

    @property
    def options(self) -> dict[str, Any]:
        """What the model was given, and which models play which roles."""
        given = dict(getattr(self.model, "options", {}))
        return {**given, "roles": {role: model.name for role, model in self.roles.items()}} if self.roles else given


@dataclass(frozen=True)
class Planned:
    """One sample to be played."""

    experiment: Experiment
    case: Case
    player: Player
    attempt: int
    options: Options

    @property
    def case_name(self) -> str:
        """The case with its experiment, unique in a run: `fixing/wrong time/concert in the morning`."""
        return f"{self.experiment.id}/{self.case.id}"

    @property
    def limits(self) -> Mapping[str, int]:
        """The most corrections that its experiment allows a step."""
        return {self.experiment.id: self.experiment.corrections}

    @property
    def key(self) -> str:
        """The sample's key in the store."""
        return sample_key(self.case_name, self.player.models, self.player.way, self.attempt, ARM)


@dataclass(frozen=True)
class Plan:
    """A whole run. `attempts`, `temperature` and `history` replace what the suite says, where they are given.

    `pool` has the wordings of corrections; without one a suite with published rules has those of its time, any other
    the open half. With `part` only its samples are played, of the same run.
    """

    suite: Suite
    players: tuple[Player, ...]
    attempts: int | None = None
    temperature: float | None = None
    history: str | None = None
    first_seed: int = 1
    pool: Pool | None = None
    part: RunPart | None = None

    @classmethod
    def make(
        cls,
        suite: Suite,
        models: Sequence[str | Model],
        strategies: Sequence[str | Strategy],
        *,
        mend: str = "no",
        **options: object,
    ) -> Plan:
        """The plan of models × strategies, each by its name or as it is; without strategies each model with its own.

        `mend` is yes, no, or both: then every contestant plays without and with the ladder. Raises UnknownName or
        BadOption, before anything runs.
        """
        loaded = [load_model(model) for model in models]
        for model in loaded:
            if problem := declared(model, suite.tools):
                raise BadOption(problem)
        ways = [load_strategy(name) for name in strategies]
        players = tuple(
            Player(model, strategy, mend=mended)
            for model in loaded
            for strategy in ways or [load_strategy(model.abilities.strategy)]
            for mended in _LADDER[mend]
            if not (mended and getattr(strategy, "as_published", False))
        )
        if not players:
            raise BadOption("what is played as it was published has no ladder: leave out --mend")
        if len({player.name for player in players}) < len(players):
            raise BadOption("a contestant stands twice: name every model and strategy once")
        for player in players:
            fits(player.strategy, player.model)
        return cls(suite, players, **options)  # type: ignore[arg-type]

    def experiments(self) -> list[Experiment]:
        """The suite's experiments as this run plays them, with one attempt where more would be the same again."""
        return [
            replace(
                experiment,
                attempts=1 if self._greedy(experiment) else self._attempts(experiment),
                history=self.history or experiment.history,
            )
            for experiment in self.suite.experiments
        ]

    def notices(self) -> list[str]:
        """What a person should know before it starts."""
        cut = [
            experiment.id
            for experiment in self.suite.experiments
            if self._greedy(experiment) and self._attempts(experiment) > 1
        ]
        return [f"temperature 0 gives the same reply every time: one attempt in {', '.join(cut)}"] if cut else []

    def samples(self) -> list[Planned]:
        """Every sample, experiment by experiment, contestants taking turns; of a part, its own."""
        every = (
            Planned(experiment, case, player, attempt, self._options(experiment, attempt))
            for experiment in self.experiments()
            for attempt in range(experiment.attempts)
            for case in experiment.cases
            for player in self.players
        )
        return [sample for sample in every if self.part is None or self.part.has(sample.key)]

    def config(self) -> RunConfig:
        """What makes two runs the same run."""
        from toolmend import __version__

        suite = self.suite
        contestants = tuple(StoredContestant(p.models, p.way, p.strategy.prompt_hash, p.options) for p in self.players)
        experiments = [
            {
                "id": e.id,
                "attempts": e.attempts,
                "corrections": e.corrections,
                "history": e.history,
                "branches": list(e.branches),
                "options": asdict(self._options(e, 0)),
            }
            for e in self.experiments()
        ]
        most = max(e.attempts for e in self.experiments())
        return RunConfig(
            suite=suite.name,
            suite_hash=suite.hash,
            contestants=contestants,
            attempts=most,
            arms=(ARM,),
            history=self.history or "as the suite says",
            temperature=self._heat(most),
            seeds=tuple(range(self.first_seed, self.first_seed + most)),
            versions={"toolmend": __version__},
            settings={
                "experiments": experiments,
                "suite_path": suite.path,
                "tools": suite.tools,
                "samples": len(self.players) * sum(e.attempts * len(e.cases) for e in self.experiments()),
                **self._reminders(),
                **self._wordings(),
            },
        )

    @property
    def said(self) -> Pool | None:
        """The wordings of corrections."""
        return self.pool or (None if self.suite.notation else open_pool())

    def _wordings(self) -> dict[str, dict[str, str]]:
        """Where the wordings are from, where corrections are made."""
        pool = self.said
        if pool is None or not any(
            experiment.corrections or experiment.branches for experiment in self.suite.experiments
        ):
            return {}
        return {"wordings": {"file": pool.name, "hash": pool.hash}}

    def _reminders(self) -> dict[str, dict[str, str]]:
        """What is said to some models and not to others, by model; nothing where nobody needs it."""
        models = {player.model.name: self.suite.reminder(player.model.name) for player in self.players}
        found = {model: reminder for model, reminder in models.items() if reminder}
        return {"reminders": found} if found else {}

    def _attempts(self, experiment: Experiment) -> int:
        return self.attempts or experiment.attempts

    def _heat(self, attempts: int) -> float:
        return self.temperature if self.temperature is not None else DEFAULT_TEMPERATURE if attempts > 1 else 0.0

    def _greedy(self, experiment: Experiment) -> bool:
        return self._heat(self._attempts(experiment)) == 0

    def _options(self, experiment: Experiment, attempt: int) -> Options:
        heat = self._heat(experiment.attempts)
        return Options(temperature=heat, seed=self.first_seed + attempt)


def read_roles(words: Iterable[str]) -> dict[str, str]:
    """The model of each role. Raises BadOption for what is no ROLE=MODEL, and for a role that stands twice."""
    made: dict[str, str] = {}
    for word in words:
        role, _, model = (part.strip() for part in word.partition("="))
        if not role or not model or "," in model:
            raise BadOption(f"{word!r} is no ROLE=MODEL, such as intent=ollama/gemma2")
        if role in made:
            raise BadOption(f"role {role!r} is given two models: one plays it")
        made[role] = model
    return made


def with_roles(plan: Plan, roles: Mapping[str, str]) -> Plan:
    """The plan with these models in the roles of the strategies that have them.

    Raises BadOption for a role that none of them has, UnknownName for a model, before anything runs.
    """
    known = {role for player in plan.players for role in roles_of(player.strategy)}
    loaded = {role: load_model(name) for role, name in roles.items()}
    for role, model in loaded.items():
        if role not in known:
            raise BadOption(f"no strategy asks in a role {role!r}; the roles: {', '.join(sorted(known))}")
        if role not in WORDS and (problem := declared(model, plan.suite.tools)):
            raise BadOption(problem)
    players = []
    for player in plan.players:
        mine = {role: model for role, model in loaded.items() if role in roles_of(player.strategy)}
        fits(player.strategy, player.model, mine)
        players.append(replace(player, roles=mine))
    return replace(plan, players=tuple(players))
