"""Agent systems as `toolmend run`, `show` and `suites` know them: planned, reported, told (apps/cli/kit/players.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.apps.cli.kit.form import Form
from toolmend.base.errors import BadOption
from toolmend.evals.store import Store
from toolmend.extras.agents.plan import AgentPlan
from toolmend.extras.agents.system import load_system
from toolmend.registry import systems

_NOT_HERE = ("roles", "grids", "tools", "cases", "history", "wordings", "cache", "dry_run", "headline", "part", "on")


class AgentRuns:
    """Runs of agent systems."""

    def names(self) -> Sequence[str]:
        """The systems."""
        return systems.names()

    def plan(self, asked: Mapping[str, Any]) -> AgentPlan:
        """The plan of what is asked for. Raises BadOption for an option that only suites of talks have."""
        name = asked["suite"]
        if wrong := [option for option in _NOT_HERE if asked[option]] + ["mend"] * (asked["mend"] != "no"):
            raise BadOption(f"{name} is an agent system, which has no --{wrong[0].rstrip('s').replace('_', '-')}")
        system = load_system(name)
        models = asked["models"] or ("smol/tools",)
        named = {"attempts": asked["attempts"] or 1, "temperature": asked["temperature"], "steps": asked["steps"] or 0}
        ways, only, first = asked["strategies"], asked["experiments"], asked["tasks"]
        return AgentPlan.make(system, name, models, ways, only=only, first=first, **named)

    def write_report(self, store: Store, run_id: str, form: Form) -> None:
        """The report. Raises BadOption for a form that it does not come in."""
        from toolmend.extras.agents.agent_output import write_agents

        write_agents(store, run_id, form)

    def write_about(self, name: str, *, self_test: bool) -> int:
        """What a system is, or how it is judged; the exit code."""
        from toolmend.extras.agents.agent_output import write_system

        return write_system(name, self_test=self_test)
