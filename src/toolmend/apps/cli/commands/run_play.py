"""What `toolmend run` does: goes on where it was stopped, prints the report. Knows the doors of evals only."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import click

from toolmend import registry
from toolmend.apps.cli.commands.run_dry import print_estimate
from toolmend.apps.cli.kit import limits, screen
from toolmend.apps.cli.kit.form import Form
from toolmend.apps.cli.kit.progress import Meter
from toolmend.apps.cli.kit.run_output import write_report
from toolmend.base.errors import BadOption, BudgetSpent
from toolmend.evals.reports.headline import headline
from toolmend.evals.reports.report import build_report
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.recipe import RunRecipe
from toolmend.evals.running.runner import begin
from toolmend.evals.running.runner import run as run_plan
from toolmend.evals.store import Store
from toolmend.models.budget import Spending
from toolmend.models.chosen import contestants
from toolmend.models.openai_compat import UNASKED

if TYPE_CHECKING:
    from toolmend.extras.agents.plan import AgentPlan

_NEXT = (
    ("chat --tools examples/home.py", "your own functions, in English"),
    ("chat", "a calendar that is still there tomorrow"),
    ("arena", "two models side by side in the browser"),
)
_NOT_HERE = ("roles", "grids", "tools", "cases", "history", "wordings", "cache", "dry_run", "headline", "part", "on")


def play(ctx: click.Context, /, store: str | None, form: str, notation: str | None, **asked: Any) -> int:
    """Play what is asked for and print it; the exit code."""
    if asked["dry_run"]:
        ctx.call_on_close(partial(UNASKED.reset, UNASKED.set(True)))
    if asked["on"] and asked["part"]:
        raise BadOption("--on and --part both divide the run: give one of them")
    recipe, plan = _planned(asked, store)
    every = [model.name for player in plan.players for model in (player.model, *player.roles.values())]
    prices = limits.read_prices(asked, every)
    for line in plan.notices():
        screen.note(line)
    written = Form(form, asked["out"], notation or "both")
    if asked["dry_run"]:
        print_estimate(plan, store, written, prices=prices)
        return 0
    budget = limits.make_budget(asked, prices)
    if asked["on"]:
        from toolmend.evals.running.on_ray import connect

        connect(asked["on"])  # before there is a run that nobody can play
    with Store(store) as kept:
        run_id = _open(kept, plan)
        meter = Meter()
        ended = _play(plan, kept, meter, budget, asked, recipe)
        if asked["headline"]:
            _headline(kept, run_id)
        elif form == "json" or kept.counts(run_id)["ok"]:
            write_report(kept, run_id, written, prices)
        if isinstance(ended, KeyboardInterrupt):
            screen.note(f"stopped: {_so_far(kept, run_id, plan)} kept in run {run_id}; the same command goes on")
            return 130
        if budget is not None and ended is not None:
            left = f"{len(plan.samples()) - kept.counts(run_id)['ok']:,} left"
            screen.note(
                f"stopped: {ended}; {_so_far(kept, run_id, plan)} kept in run {run_id}, {left}. "
                "The same command goes on, with a higher limit"
            )
            return 3
        _tell_end(kept, run_id, meter, budget)
        return 1 if kept.counts(run_id)["error"] else 0


def _play(
    plan: Plan, store: Store, meter: Meter, budget: Spending | None, asked: dict[str, Any], recipe: RunRecipe
) -> KeyboardInterrupt | BudgetSpent | None:
    """Play it; what ended it before its time, None if nothing did."""
    play = _player(plan)
    terms = {name: asked[name] for name in ("concurrency", "cache", "timeout")}
    terms["on_progress"] = lambda now: meter.update(now.done, now.total, now.errors)
    with meter:
        if not asked["on"]:
            return limits.ended_early(lambda: anyio.run(lambda: play(store, budget=budget, **terms)))
        from toolmend.evals.running.on_ray import play_on

        return limits.ended_early(lambda: play_on(asked["on"], recipe, plan, store, budget=budget, **terms))


def _planned(asked: dict[str, Any], store: str | None) -> tuple[RunRecipe, Plan]:
    """What is played, everything loaded and checked before anything runs or is stored; who would play where nobody is
    named, and is not here, is told."""
    given = {field.name: asked[field.name] for field in fields(RunRecipe) if field.name != "store"}
    recipe = RunRecipe(**given, store=store)
    if agents := _agent_plan(asked):
        return recipe, agents  # type: ignore[return-value]  # a plan to everything that reads one here
    plan = recipe.plan()
    models, lacking = contestants(plan.suite.tools)
    if lacking and not (asked["models"] or asked["roles"] or asked["grids"]):
        screen.note(f"{' and '.join(models)}, {lacking}")
    return recipe, plan


def _open(store: Store, plan: Plan) -> str:
    """The run to go on with, or a new one."""
    run_id = begin(plan, store)
    counts = store.counts(run_id)
    if any(counts.values()):
        again = f"; {screen.counted(counts['error'], 'error')} tried again" if counts["error"] else ""
        there = _so_far(store, run_id, plan)
        screen.note(f"going on with run {run_id}: {there} there{again} (another --store starts over)")
    return run_id


def _so_far(store: Store, run_id: str, plan: Plan) -> str:
    planned = {sample.key for sample in plan.samples()}
    done = len(planned & store.done_keys(run_id))
    return f"{done:,} of {screen.counted(len(planned), 'sample')} {'is' if len(planned) == 1 else 'are'}"


def _headline(store: Store, run_id: str) -> None:
    """The report in ten lines, where the tables are, and what to try next, as it must be typed here."""
    console, me = screen.console(), screen.command()
    run = store.run(run_id)
    console.print(f"{run.config.suite}: what happens when a person says what is wrong (95 % intervals)", soft_wrap=True)
    for line in headline(build_report(store, run_id)):
        console.print(line, soft_wrap=True)
    if all(contestant.model.startswith("builtin/") for contestant in run.config.contestants):
        console.print("Trained on this very API, they say nothing of other tools.", soft_wrap=True)
    console.print(f"All tables: {me} show {run_id} (a page: --format html --out run.html)", soft_wrap=True)
    console.print("Next:")
    for words, what in _NEXT:
        console.print(f"  {me} {words:<31}  # {what}", soft_wrap=True)


def _tell_end(store: Store, run_id: str, meter: Meter, budget: Spending | None) -> None:
    counts, seconds = store.counts(run_id), meter.elapsed
    spent = limits.told(budget)
    screen.note(f"run {run_id}: {screen.counted(sum(counts.values()), 'sample')} in {screen.span(seconds)}{spent}")
    if counts["error"]:
        first = next(store.samples(run_id, status="error"))
        what = f"{screen.counted(counts['error'], 'sample')} could not be run; the same command tries again"
        screen.note(f"{what}. First: {first.case}: {screen.plain(first.detail)}")


def _agent_plan(asked: Mapping[str, Any]) -> AgentPlan | None:
    """The plan where the suite that is asked for is an agent system; None where it is none.

    Raises BadOption for an option that only suites of talks have, or only agent systems.
    """
    name = asked["suite"]
    if name.partition("?")[0] not in registry.systems.names():
        for option in ("tasks", "steps"):
            if asked[option] is not None:
                raise BadOption(f"--{option} is for agent systems: {', '.join(registry.systems.names())}")
        return None
    from toolmend.extras.agents.plan import AgentPlan
    from toolmend.extras.agents.system import load_system

    if wrong := [option for option in _NOT_HERE if asked[option]] + ["mend"] * (asked["mend"] != "no"):
        raise BadOption(f"{name} is an agent system, which has no --{wrong[0].rstrip('s').replace('_', '-')}")
    system = load_system(name)
    models = asked["models"] or ("smol/tools",)
    named = {"attempts": asked["attempts"] or 1, "temperature": asked["temperature"], "steps": asked["steps"] or 0}
    ways, only, first = asked["strategies"], asked["experiments"], asked["tasks"]
    return AgentPlan.make(system, name, models, ways, only=only, first=first, **named)


def _player(plan: Any) -> Callable[..., Awaitable[Any]]:
    """What plays a plan into a store."""
    return partial(run_plan, plan) if isinstance(plan, Plan) else plan.play
