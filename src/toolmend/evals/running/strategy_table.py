"""What stored runs tell of strategies: the table that the strategy `auto` picks from. Only reads."""

from __future__ import annotations

from dataclasses import replace

from toolmend.evals.metrics.outcomes import NEEDED, WHOLE, outcome
from toolmend.evals.running.plan import Plan
from toolmend.store import Run, Store
from toolmend.strategies.auto import Auto, Known

Which = tuple[str, str, str]
MOST_RUNS = 50


def choices(store: Store) -> tuple[Known, ...]:
    """By model, toolbox and strategy: the share of dialogues done and the input tokens of a request, from the newest
    finished run that has it."""
    found: dict[Which, Known] = {}
    finished = [run for run in store.runs()[:MOST_RUNS] if run.status == "finished"]
    for run in finished:
        tools = str(run.config.settings.get("tools", ""))
        new = {(each.model, tools, each.strategy) for each in run.config.contestants} - set(found)
        if tools and new:
            found |= {which: row for which, row in _rows(store, run, tools).items() if which in new}
    return tuple(found.values())


def with_table(plan: Plan, store: Store) -> Plan:
    """The plan whose `auto` picks from what the store knows, unless it was given a table."""
    if not any(_blank(player.strategy) for player in plan.players):
        return plan
    auto = Auto(rows=choices(store))
    players = [replace(each, strategy=auto) if _blank(each.strategy) else each for each in plan.players]
    return replace(plan, players=tuple(players))


def _blank(strategy: object) -> bool:
    return isinstance(strategy, Auto) and not strategy.known


def _rows(store: Store, run: Run, tools: str) -> dict[Which, Known]:
    done: dict[Which, list[float]] = {}
    tokens: dict[Which, list[float]] = {}
    for sample in store.samples(run.id, status="ok", only=NEEDED):
        which = (sample.model, tools, sample.strategy)
        values = outcome(sample).values
        done.setdefault(which, []).append(values.get("done", {}).get(WHOLE, 0.0))
        tokens.setdefault(which, []).extend(values.get("request_input_tokens", {}).values())
    return {which: Known(*which, _mean(done[which]), _mean(tokens[which])) for which in done}


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
