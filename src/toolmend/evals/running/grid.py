"""Roles × models: every assignment of some models to some roles of a strategy is a contestant of its own.

    read_grid(["intent=ollama/gemma2,ollama/qwen2.5", "params=ollama/qwen2.5"])  ->  two assignments

Makes players; plays nothing. reports/heat.py draws what became of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from toolmend.errors import BadOption
from toolmend.evals.running.plan import Plan, Player
from toolmend.models import Model, declared, load_model
from toolmend.strategies import WORDS, fits, roles_of

Grid = Mapping[str, tuple[str, ...]]


def read_grid(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The models of each role. Raises BadOption for what is no ROLE=MODEL,MODEL, and for what stands twice."""
    made: dict[str, tuple[str, ...]] = {}
    for word in words:
        role, sign, rest = word.partition("=")
        models = tuple(model.strip() for model in rest.split(","))
        if not sign or not role.strip() or not all(models):
            raise BadOption(f"{word!r} is no ROLE=MODEL,MODEL, such as intent=ollama/gemma2,ollama/qwen2.5")
        if role.strip() in made or len(set(models)) < len(models):
            raise BadOption(f"{word!r}: every role once, and every model of it once")
        made[role.strip()] = models
    return made


def assignments(grid: Grid) -> list[dict[str, str]]:
    """Every choice of one model for each role, the last role varying fastest."""
    return [dict(zip(grid, models, strict=True)) for models in product(*grid.values())]


def base_models(grid: Grid) -> tuple[str, ...]:
    """Who plays the other roles where nobody says so: the first model of the first role."""
    return next(iter(grid.values()))[:1]


def read_roles(words: Iterable[str]) -> dict[str, str]:
    """The model of each role. Raises BadOption for what is no ROLE=MODEL."""
    grid = read_grid(words)
    for role, models in grid.items():
        if len(models) > 1:
            raise BadOption(f"role {role!r} is given {len(models)} models; --grid tries several")
    return {role: models[0] for role, models in grid.items()}


def with_roles(plan: Plan, roles: Mapping[str, str]) -> Plan:
    """The plan with these models in the roles of the strategies that have them.

    Raises BadOption for a role that none of them has, UnknownName for a model, before anything runs.
    """
    for role in roles:
        if not any(role in roles_of(player.strategy) for player in plan.players):
            known = sorted({each for player in plan.players for each in roles_of(player.strategy)})
            raise BadOption(f"no strategy asks in a role {role!r}; the roles: {', '.join(known)}")
    players = list[Player]()
    for player in plan.players:
        mine = {role: (model,) for role, model in roles.items() if role in roles_of(player.strategy)}
        players += with_grid(replace(plan, players=(player,)), mine).players
    return replace(plan, players=tuple(players))


def with_grid(plan: Plan, grid: Grid) -> Plan:
    """The plan with each player once for every assignment.

    Raises BadOption for a strategy that has no such role, UnknownName for a model, before anything runs.
    """
    loaded = {name: load_model(name) for models in grid.values() for name in models}
    for name in (name for role, models in grid.items() if role not in WORDS for name in models):
        if problem := declared(loaded[name], plan.suite.tools):
            raise BadOption(problem)
    players = tuple(_assigned(player, chosen, loaded) for player in plan.players for chosen in assignments(grid))
    return replace(plan, players=players)


def _assigned(player: Player, chosen: Mapping[str, str], loaded: Mapping[str, Model]) -> Player:
    fits(player.strategy, player.model, chosen)
    return replace(player, roles={**player.roles, **{role: loaded[name] for role, name in chosen.items()}})


def varying(contestants: Sequence[Mapping[str, object]]) -> list[str]:
    """The roles that are not played by the same model in all these contestants of a report, in the order given."""
    found: dict[str, set[object]] = {}
    for each in contestants:
        assigned = each["assigned"]
        assert isinstance(assigned, Mapping)
        for role, model in assigned.items():
            found.setdefault(role, set()).add(model)
    return [role for role, models in found.items() if len(models) > 1]
