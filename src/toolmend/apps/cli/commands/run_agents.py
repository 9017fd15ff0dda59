"""`toolmend run SYSTEM`: the plan of an agent system from the options of `run`, and who plays it. Draws nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolmend.agents.plan import AgentPlan

_NOT_HERE = ("roles", "grids", "tools", "cases", "history", "wordings", "cache", "dry_run", "headline")


def agent_plan(asked: Mapping[str, Any]) -> AgentPlan | None:
    """The plan where the suite that is asked for is an agent system; None where it is none.

    Raises BadOption for an option that only suites of talks have, or only agent systems.
    """
    from toolmend.errors import BadOption
    from toolmend.registry import systems

    name = asked["suite"]
    if name.partition("?")[0] not in systems.names():
        for option in ("tasks", "steps"):
            if asked[option] is not None:
                raise BadOption(f"--{option} is for agent systems: {', '.join(systems.names())}")
        return None
    from toolmend.agents.plan import AgentPlan
    from toolmend.agents.system import load_system

    if wrong := [option for option in _NOT_HERE if asked[option]] + ["mend"] * (asked["mend"] != "no"):
        raise BadOption(f"{name} is an agent system, which has no --{wrong[0].rstrip('s').replace('_', '-')}")
    system = load_system(name)
    models = asked["models"] or ("smol/tools",)
    named = {"attempts": asked["attempts"] or 1, "temperature": asked["temperature"], "steps": asked["steps"] or 0}
    ways, only, first = asked["strategies"], asked["experiments"], asked["tasks"]
    return AgentPlan.make(system, name, models, ways, only=only, first=first, **named)


def player(plan: Any) -> Callable[..., Awaitable[Any]]:
    """What plays a plan into a store."""
    from toolmend.evals.running.plan import Plan
    from toolmend.evals.running.runner import run

    return partial(run, plan) if isinstance(plan, Plan) else plan.play
