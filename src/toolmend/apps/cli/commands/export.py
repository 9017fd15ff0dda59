"""`toolmend export`: a suite or a run in other programs' formats. Knows the doors of evals only."""

from __future__ import annotations

from pathlib import Path

import click

from toolmend.apps.cli.kit import names, options, screen

_OUT = click.Path(path_type=Path)


@click.group("export")
def export() -> None:
    """Write a suite as tasks of Inspect AI, or a run as its logs or as JSON Lines."""


@options.command
@click.argument("suite", type=names.SUITE, metavar="SUITE|PATH.yaml")
@click.option("--to", type=click.Choice(["inspect"]), default="inspect", show_default=True, help="The format.")
@click.option("--out", type=_OUT, required=True, metavar="FOLDER", help="Where the files are written.")
@options.other_tools_option
def suite_(suite: str, to: str, out: Path, tools: str | None) -> None:
    """Write SUITE as tasks for `inspect eval`: Inspect asks the models, toolmend plays and grades.

    What is equal to `toolmend run` and what is not stands in the head of the Python file.
    """
    from toolmend.evals.inspect_ai.tasks import write_tasks
    from toolmend.evals.suites.suite import load_suite

    paths = write_tasks(load_suite(suite, tools), out)
    for path in paths:
        click.echo(path)
    screen.note(f"to play it: pip install inspect-ai; cd {out}; inspect eval {paths[0].name} --model …")


@options.command
@click.argument("run", type=names.RUN, required=False)
@click.option(
    "--to",
    type=click.Choice(["inspect", "jsonl"]),
    required=True,
    help="inspect: its logs, one for each experiment of each contestant; jsonl: all samples, as `toolmend gate` reads.",
)
@click.option("--out", type=_OUT, required=True, metavar="PATH", help="A folder for inspect, a file for jsonl.")
@options.store_option
def run_(run: str | None, to: str, out: Path, store: str | None) -> None:
    """Write a stored run (the beginning of its id; default: the last) with every sample and all its events."""
    from toolmend.evals.comparing.baseline import find_stored, save_run
    from toolmend.evals.inspect_ai.log import write_logs
    from toolmend.evals.reports.report import played_suite
    from toolmend.store import Store

    with Store(store, create=False) as kept:
        found = find_stored(kept, run)
        if found.status == "open":
            screen.note(f"run {found.id} is not finished: this is what it has so far")
        if to == "jsonl":
            count = save_run(found, kept.samples(found.id), out)
            screen.note(f"{screen.counted(count, 'sample')} of run {found.id} written")
            click.echo(out)
            return
        suite = played_suite(found, [])
        for path in write_logs(found, kept.samples(found.id), suite.cases() if suite else {}, out):
            click.echo(path)


export.add_command(suite_)
export.add_command(run_)
