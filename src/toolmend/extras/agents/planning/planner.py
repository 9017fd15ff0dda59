"""Fast Downward, through unified-planning (extra `planner`): a domain and a problem in, the actions of a plan out.

Fast Downward is a program of its own under the GPL; it is started, not linked. Imports it when it is needed.
"""

from __future__ import annotations

from threading import Lock

from toolmend.base.errors import ToolError, needs
from toolmend.extras.agents.planning.worlds import Atom, Domain, PddlProblem

SECONDS = 30.0
"""The longest that a plan is looked for."""
_ONE = Lock()  # unified-planning has one environment for all threads, and loses facts where two read at once


def solve(domain: Domain, problem: PddlProblem) -> tuple[Atom, ...]:
    """The actions that lead from the beginning to the goal; () where the goal holds already.

    Raises ToolError where there is no plan or none is found in time, MissingExtra without the planner.
    """
    ready()
    from unified_planning.engines import PlanGenerationResultStatus as Status
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import OneshotPlanner, get_environment

    get_environment().credits_stream = None
    with _ONE, OneshotPlanner(name="fast-downward") as planner:
        read = PDDLReader().parse_problem_string(domain.text(), problem.text(domain))
        answer = planner.solve(read, timeout=SECONDS)
    if answer.plan is None:
        proven = answer.status in (Status.UNSOLVABLE_PROVEN, Status.UNSOLVABLE_INCOMPLETELY)
        raise ToolError("there is no plan" if proven else f"no plan was found in {SECONDS:g} s ({answer.status.name})")
    return tuple((step.action.name, *map(str, step.actual_parameters)) for step in answer.plan.actions)


def ready() -> None:
    """Raises MissingExtra without the planner."""
    needs("planning with Fast Downward", "planner", "unified_planning", "up_fast_downward")
