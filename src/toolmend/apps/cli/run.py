"""`toolmend run`: plays a suite, goes on where it was stopped, prints the report. Knows the doors of evals only."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from toolmend.apps.cli import options, screen

if TYPE_CHECKING:
    from toolmend.apps.cli.progress import Meter
    from toolmend.evals.plan import Plan
    from toolmend.evals.suite import Suite
    from toolmend.store import Store


@options.command
@click.argument("suite", metavar="SUITE|PATH.yaml")
@click.option("--model", "models", multiple=True, metavar="NAME", help="May be given again. [default: all that ship]")
@click.option("--strategy", "strategies", multiple=True, metavar="NAME", default=("oneline",), show_default="oneline")
@click.option("--attempts", type=click.IntRange(min=1), help="Instead of what the suite says.")
@options.temperature_option
@click.option("--history", type=click.Choice(["own", "gold"]), help="As it went, or as it should have gone.")
@click.option("--experiment", "experiments", multiple=True, metavar="NAME", help="Only this one; may be given again.")
@click.option(
    "--mistakes-of", metavar="RUN", help="Add the experiment `others`: that run's wrong replies, to be mended."
)
@click.option("--concurrency", type=click.IntRange(1, 1000), default=8, show_default=True, help="Samples side by side.")
@options.store_option
@options.format_option
@options.notation_option
@click.option("--fresh", is_flag=True, help="Leave an unfinished run of this command as it is, and start over.")
@click.pass_context
def run(ctx: click.Context, /, store: str | None, form: str, notation: str | None, fresh: bool, **asked: Any) -> None:
    """Play a suite with every model and strategy, keep every sample, print the report.

    Stopped or killed, the same command goes on where it was. Samples that could not be run are counted apart, make the
    exit code 1, and are tried again by the same command.
    """
    import anyio

    from toolmend.apps.cli.progress import Meter
    from toolmend.evals.runner import run as play
    from toolmend.store import Store

    options.own_modules()
    plan = _plan(asked, store)
    for line in plan.notices():
        screen.note(line)
    with Store(store) as kept:
        run_id = _open(kept, plan, fresh)
        stopped = False
        meter = Meter()
        try:
            with meter:
                anyio.run(lambda: play(plan, kept, concurrency=asked["concurrency"], on_progress=meter.update))
        except* KeyboardInterrupt:  # a second Ctrl-C comes out of the tasks, in a group
            stopped = True
        _report(kept, run_id, form, notation)
        if stopped:
            screen.note(f"stopped: {_so_far(kept, run_id, plan)} kept in run {run_id}. To go on:\n  {_again(ctx)}")
            ctx.exit(130)
        _tell_end(kept, run_id, meter)
        ctx.exit(1 if kept.counts(run_id)["error"] else 0)


def _plan(asked: dict[str, Any], store: str | None) -> Plan:
    """What was asked for, everything loaded and checked before anything runs or is stored."""
    from toolmend.errors import BadOption
    from toolmend.evals.plan import Plan
    from toolmend.evals.suite import load_suite, select
    from toolmend.models import builtin

    suite = load_suite(asked["suite"])
    if asked["mistakes_of"]:
        suite = _with_mistakes(suite, asked["mistakes_of"], store)
    suite = select(suite, asked["experiments"])
    models = asked["models"] or [f"builtin/{name}" for name in builtin.names()]
    if not models:
        raise BadOption("no model ships with this copy of toolmend; name one with --model")
    named = {name: asked[name] for name in ("attempts", "temperature", "history")}
    return Plan.make(suite, models, asked["strategies"], **named)


def _with_mistakes(suite: Suite, run: str, store: str | None) -> Suite:
    from toolmend.evals.others import with_mistakes
    from toolmend.store import Store

    with Store(store) as kept:
        return with_mistakes(suite, kept.samples(kept.find_run(run).id))


def _open(store: Store, plan: Plan, fresh: bool) -> str:
    """The run to go on with, or a new one; with `fresh` an unfinished one is set aside first."""
    config = plan.config()
    run_id = store.open_run(config)
    counts = store.counts(run_id)
    if fresh and any(counts.values()):
        store.set_aside(run_id)
        screen.note(f"run {run_id} is set aside with its {screen.counted(sum(counts.values()), 'sample')}")
        return store.open_run(config)
    if any(counts.values()):
        again = f"; {screen.counted(counts['error'], 'error')} tried again" if counts["error"] else ""
        screen.note(f"going on with run {run_id}: {_so_far(store, run_id, plan)} there{again} (--fresh starts over)")
    return run_id


def _so_far(store: Store, run_id: str, plan: Plan) -> str:
    planned = {sample.key for sample in plan.samples()}
    done = len(planned & store.done_keys(run_id))
    return f"{done:,} of {screen.counted(len(planned), 'sample')} {'is' if len(planned) == 1 else 'are'}"


def _report(store: Store, run_id: str, form: str, notation: str | None) -> None:
    from toolmend.apps.cli.show import print_run

    if form == "json" or any(store.counts(run_id).values()):
        print_run(store, run_id, form, notation)


def _tell_end(store: Store, run_id: str, meter: Meter) -> None:
    counts, seconds = store.counts(run_id), meter.elapsed
    screen.note(f"run {run_id}: {screen.counted(sum(counts.values()), 'sample')} in {screen.span(seconds)}")
    if counts["error"]:
        first = next(store.samples(run_id, status="error"))
        what = f"{screen.counted(counts['error'], 'sample')} could not be run; the same command tries again"
        screen.note(f"{what}. First: {first.case}: {screen.plain(first.detail)}")


def _again(ctx: click.Context) -> str:
    """The command as it was given, without `--fresh` and `--debug`."""
    words = ctx.command_path.split()
    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name or "")
        given = ctx.get_parameter_source(parameter.name or "") == ParameterSource.COMMANDLINE
        if not given or not parameter.expose_value or parameter.name == "fresh":
            continue
        for each in value if isinstance(value, tuple) else (value,):
            words += [str(each)] if isinstance(parameter, click.Argument) else [parameter.opts[0], str(each)]
    return shlex.join(words)
