"""A plan as it was asked for, in plain values: what another process on another machine makes the same plan of."""

from __future__ import annotations

from dataclasses import dataclass

from toolmend.base.errors import BadOption
from toolmend.evals.running.grid import read_grid, with_grid
from toolmend.evals.running.plan import Plan, read_part, read_roles, with_roles
from toolmend.evals.suites.suite import load_suite, select
from toolmend.language.corrections import read_pool
from toolmend.models.chosen import contestants


@dataclass(frozen=True)
class RunRecipe:
    """The options of `toolmend run` that say what is played, as they are given there. `store` is its place."""

    suite: str
    tools: str | None = None
    cases: str | None = None
    experiments: tuple[str, ...] = ()
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
        suite = load_suite(self.suite, self.tools, **({"cases": self.cases} if self.cases else {}))
        suite, roles = select(suite, self.experiments), read_roles(self.roles)
        grid = read_grid(self.grids)
        if (roles or grid) and self.max_cost is not None:
            raise BadOption("--max-cost cannot tell the models of several roles apart; --max-tokens-total can limit it")
        first = (*roles.values(), *(model for models in grid.values() for model in models))[:1]
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
