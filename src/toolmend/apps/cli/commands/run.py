"""`toolmend run`: its options. What it does is in run_play.py, which is imported when it runs."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click

from toolmend.apps.cli.kit import options
from toolmend.apps.cli.kit.form import form_options


def _finite(_ctx: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not isfinite(value):
        raise click.BadParameter(f"{value} is no temperature")
    return value


@options.command
@click.argument("suite", metavar="SUITE|PATH.yaml")
@click.option(
    "--model",
    "models",
    type=options.MODEL,
    multiple=True,
    metavar="NAME",
    help="May be given again. [default: what is here for the suite's tools]",
)
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    metavar="NAME",
    help="May be given again. [default: each model's own, mostly oneline]",
)
@options.role_option
@click.option(
    "--grid",
    "grids",
    type=options.ROLE,
    multiple=True,
    metavar="ROLE=MODEL,MODEL",
    help="Every one of these models in that role of the strategies; for several roles, all combinations.",
)
@options.other_tools_option
@options.cases_option
@click.option("--attempts", type=click.IntRange(min=1), help="Instead of what the suite says.")
@click.option(
    "--temperature", type=click.FloatRange(min=0), callback=_finite, help="0 is greedy: the same reply every time."
)
@click.option("--history", type=click.Choice(["own", "gold"]), help="As it went, or as it should have gone.")
@click.option(
    "--mend",
    type=click.Choice(["no", "yes", "both"]),
    default="no",
    show_default=True,
    help="Corrections mended by the ladder of docs/corrections.md; both: every contestant without and with it.",
)
@click.option("--wordings", metavar="FILE.jsonl", help="How corrections are said. [default: the wordings that ship]")
@click.option("--experiment", "experiments", multiple=True, metavar="NAME", help="Only this one; may be given again.")
@click.option("--tasks", type=click.IntRange(min=1), help="Of an agent system: the first so many of each group.")
@click.option("--steps", type=click.IntRange(min=1), help="Of an agent system: replies that a task may take.")
@click.option("--concurrency", type=click.IntRange(1, 1000), default=8, show_default=True, help="Samples side by side.")
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="The longest for a sample."
)
@click.option(
    "--cache/--no-cache",
    help="Answer a request that was asked before from the store; not in experiments of several attempts. "
    "[default: no-cache, to hear what the model says today]",
)
@options.spending_options
@click.option("--dry-run", is_flag=True, help="Print what it would come to; ask nothing, keep nothing.")
@options.store_option
@form_options
@options.notation_option
@click.option("--headline", is_flag=True, help="Ten lines instead of the tables, and what to try next.")
@click.option(
    "--part", metavar="K/N", help="Play one of N parts only, as many as you start; into one store or one each (merge)."
)
@click.option(
    "--on",
    metavar="ray[://HEAD:10001]",
    help="Over the workers of a Ray cluster, this machine's or another (scale.md).",
)
@click.pass_context
def run(ctx: click.Context, /, **asked: Any) -> None:
    """Play a suite with every model and strategy, keep every sample, print the report.

    Stopped or killed, the same command goes on where it was. Samples that could not be run are counted apart, make the
    exit code 1, and are tried again by the same command. A limit that is reached makes it 3.
    """
    from toolmend.apps.cli.commands.run_play import play

    ctx.exit(play(ctx, **asked))
