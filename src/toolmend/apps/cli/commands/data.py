"""`toolmend data`: stored talks and corrections, and public sets, as training data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from toolmend.apps.cli.commands.data_import import import_
from toolmend.apps.cli.commands.data_repairs import repairs
from toolmend.apps.cli.kit import options, screen
from toolmend.training.datasets.build import build as make


@click.group(cls=options.Group)
def data() -> None:
    """Make training data of stored talks and corrections, or of public sets; say whether talks learn from them."""


@options.command
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="FOLDER", help="Where the data are written."
)
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN|FILE.jsonl",
    help="A stored run (the beginning of its id) or a saved one; may be given again. [default: every stored run]",
)
@options.store_option
@click.option(
    "--dev",
    multiple=True,
    default=["calendar_dev"],
    show_default=True,
    metavar="SUITE",
    help="A suite for development: its prompts may be learned; may be given again.",
)
@click.option("--force", is_flag=True, help="Replace a data folder.")
@options.format_option
def build(out: Path, runs: tuple[str, ...], store: str | None, dev: tuple[str, ...], force: bool, form: str) -> None:
    """Write chats and sequences of hindsight as JSON Lines, curated, with a data card.

    Learned is only what was marked right, or let stand after a correction. See docs/datasets.md.
    """
    found = make(out, runs, store, dev=dev, force=force)
    if form == "json":
        screen.print_json(found)
        return
    intake = found["intake"]
    console = screen.console()
    screen.hang(console, f"{screen.counted(intake['samples'], 'sample')} read", _counted(intake["left_out"]))
    for kind, kept in found["kept"].items():
        click.echo(f"{kind}: {kept:,} lines of {found['made'][kind]:,}")
    for reason, count in found["dropped"].items():
        click.echo(f"  {reason}: {count:,}")
    screen.note(str(out))


def _counted(reasons: Mapping[str, int]) -> str:
    return "; ".join(f"{reason}: {count:,}" for reason, count in reasons.items())


data.add_command(build)
data.add_command(import_, "import")
data.add_command(repairs)
