"""`toolmend suites import`: suites of others, taken over as suites of lines. Knows the doors of evals only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolmend.apps.cli.kit import options, screen

if TYPE_CHECKING:
    from toolmend.evals.suites.lines import ImportedSuite

_FILE = click.Path(path_type=Path)


@click.group("import")
def import_() -> None:
    """Take over a suite of somebody else, so that `toolmend run` plays it."""


@options.command
@click.option(
    "--category", "categories", multiple=True, metavar="NAME",
    help="May be given again. [default: simple_python, irrelevance]",
)  # fmt: skip
@click.option(
    "--corrections", type=click.IntRange(min=0), default=0, show_default=True,
    help="How many a request may have; the public table knows none.",
)  # fmt: skip
@click.option("--wheel", type=_FILE, metavar="FILE.whl", help="A wheel of bfcl-eval that is here already.")
def bfcl(categories: tuple[str, ...], corrections: int, wheel: Path | None) -> None:
    """Fetch the package bfcl-eval with pip (1.9 MB, Apache-2.0) and make the suite `bfcl` of its data.

    Nothing of the package is installed or run. Single turns only, in Python or any JSON Schema.
    """
    from toolmend.evals.benchmarks.bfcl import DEFAULT, import_bfcl

    _tell(import_bfcl(categories or DEFAULT, corrections=corrections, wheel=wheel))


@options.command
@click.argument("folder", type=_FILE)
def _api_bank(folder: Path) -> None:
    """Make the suite `api_bank` of FOLDER, a copy of API-Bank: its apis/ and lv1-lv2-samples/.

    Nothing in it is run. Requests that are answered in words have those words given.
    """
    from toolmend.evals.benchmarks.apibank import import_api_bank

    _tell(import_api_bank(folder))


@options.command
@click.argument("log", type=_FILE, metavar="LOG.json")
@click.option("--name", metavar="NAME", help="What the suite is called. [default: as the log's task]")
def inspect(log: Path, name: str | None) -> None:
    """Make a suite of a log of Inspect AI: the samples whose target is calls of the tools that were offered."""
    from toolmend.evals.benchmarks.inspect_log import import_log

    _tell(import_log(log, name))


def _tell(kept: ImportedSuite) -> None:
    for group, count in kept.cases.items():
        click.echo(f"{group}  {screen.counted(count, 'case')}")
    if kept.left_out:
        some = ", ".join(kept.left_out[:5])
        more = f" and {len(kept.left_out) - 5:,} more" if len(kept.left_out) > 5 else ""
        screen.note(screen.plain(f"left out, as nothing could be right for them: {some}{more}"))
    screen.note(f"{kept.path}: to play it, toolmend run {kept.path.stem} --model NAME")


for _command in (bfcl, _api_bank, inspect):
    import_.add_command(_command)
