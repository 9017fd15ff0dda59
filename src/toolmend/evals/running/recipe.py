"""A plan as it was asked for, in plain values: what another process on another machine makes the same plan of."""

from __future__ import annotations

from dataclasses import dataclass

from toolmend.corrections import read_pool
from toolmend.errors import BadOption
from toolmend.evals.running.grid import base_models, read_grid, read_roles, with_grid, with_roles
from toolmend.evals.running.part import read_part
from toolmend.evals.running.plan import Plan
from toolmend.evals.suites.mistake_cases import with_mistakes
from toolmend.evals.suites.suite import Suite, load_suite, select
from toolmend.models.chosen import contestants
from toolmend.store import Store


@dataclass(frozen=True)
class RunRecipe:
    """The options of `toolmend run` that say what is played, as they are given there. `store` is its place."""

    suite: str
    tools: str | None = None
    cases: str | None = None
    experiments: tuple[str, ...] = ()
    mistakes_of: str | None = None
    models: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    grids: tuple[str, ...] = ()
    attempts: int | None = None
    temperature: float | None = None
    history: str | None = None
    mend: str = "no"
    wordings: str | None = None
    part: str | None = None
    max_cost: float | None = None
    store: str | None = None

    def plan(self) -> Plan:
        """Everything loaded and checked, nothing run or stored. Raises what is wrong with it, a ToolmendError."""
        part = read_part(self.part) if self.part else None
        suite = select(self._suite(), self.experiments)
        grid, roles = read_grid(self.grids), read_roles(self.roles)
        if (grid or roles) and self.max_cost is not None:
            raise BadOption("--max-cost cannot tell the models of several roles apart; --max-tokens-total can limit it")
        first = base_models({role: (model,) for role, model in roles.items()} | grid) if grid or roles else ()
        pool = read_pool(self.wordings) if self.wordings else None
        plan = Plan.make(
            suite,
            self.models or first or contestants(suite.tools)[0],
            self.strategies,
            mend=self.mend,
            pool=pool,
            part=part,
            attempts=self.attempts,
            temperature=self.temperature,
            history=self.history,
        )
        return with_grid(with_roles(plan, roles), grid)

    def _suite(self) -> Suite:
        suite = load_suite(self.suite, self.tools, **({"cases": self.cases} if self.cases else {}))
        if not self.mistakes_of:
            return suite
        with Store(self.store) as kept:
            return with_mistakes(suite, kept.samples(kept.find_run(self.mistakes_of).id))
