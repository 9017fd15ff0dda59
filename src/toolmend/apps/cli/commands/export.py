"""`toolmend export run`: a stored run as JSON Lines. Knows the doors of evals only."""

from __future__ import annotations

from pathlib import Path

import click

from toolmend.apps.cli.kit import names, options, screen
from toolmend.errors import UnknownName


@click.group("export", cls=options.Group)
def export() -> None:
    """Write a stored run as JSON Lines."""


@options.command
@click.argument("run", type=names.RUN, required=False)
@click.option("--to", default="jsonl", show_default=True, help="The format: all samples, as `toolmend gate` reads.")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="PATH", help="Where it is written.")
@options.store_option
def run_(run: str | None, to: str, out: Path, store: str | None) -> None:
    """Write a stored run (the beginning of its id; default: the last) with every sample and all its events."""
    from toolmend.evals.comparing.baseline import find_stored, save_run
    from toolmend.store import Store

    if to != "jsonl":
        raise UnknownName("format", to, ["jsonl"])
    with Store(store, create=False) as kept:
        stored = find_stored(kept, run)
        if stored.status == "open":
            screen.note(f"run {stored.id} is not finished: this is what it has so far")
        count = save_run(stored, kept.samples(stored.id), out)
    screen.note(f"{screen.counted(count, 'sample')} of run {stored.id} written")
    click.echo(out)


export.add_command(run_)
