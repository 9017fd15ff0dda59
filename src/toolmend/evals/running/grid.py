"""Roles × models: every assignment of some models to some roles of a strategy is a contestant of its own.

    read_grid(["intent=ollama/gemma2,ollama/qwen2.5", "params=ollama/qwen2.5"])  ->  two assignments

Makes players; plays nothing. reports/heat.py draws what became of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product

from toolmend.base.errors import BadOption
from toolmend.evals.running.plan import Plan, Player
from toolmend.models import declared, load_model
from toolmend.strategies import WORDS, fits

RoleGrid = Mapping[str, tuple[str, ...]]


def read_grid(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The models of each role. Raises BadOption for what is no ROLE=MODEL,MODEL, and for what stands twice."""
    grid: dict[str, tuple[str, ...]] = {}
    for word in words:
        role, _, rest = word.partition("=")
        models = tuple(model.strip() for model in rest.split(","))
        if not role.strip() or not all(models):
            raise BadOption(f"{word!r} is no ROLE=MODEL,MODEL, such as intent=ollama/gemma2,ollama/qwen2.5")
        if role.strip() in grid or len(set(models)) < len(models):
            raise BadOption(f"{word!r}: every role once, and every model of it once")
        grid[role.strip()] = models
    return grid


def assignments(grid: RoleGrid) -> list[dict[str, str]]:
    """Every choice of one model for each role, the last role varying fastest."""
    return [dict(zip(grid, models, strict=True)) for models in product(*grid.values())]


def with_grid(plan: Plan, grid: RoleGrid) -> Plan:
    """The plan with each player once for every assignment, every model loaded once.

    Raises BadOption for a strategy that has no such role, UnknownName for a model, before anything runs.
    """
    loaded = {name: load_model(name) for models in grid.values() for name in models}
    for name in (name for role, models in grid.items() if role not in WORDS for name in models):
        if problem := declared(loaded[name], plan.suite.tools):
            raise BadOption(problem)
    players = list[Player]()
    for player in plan.players:
        for chosen in assignments(grid):
            fits(player.strategy, player.model, chosen)
            players.append(replace(player, roles={**player.roles, **{role: loaded[chosen[role]] for role in chosen}}))
    return replace(plan, players=tuple(players))
