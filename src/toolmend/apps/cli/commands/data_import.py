"""`toolmend data import`: talks out of a copy of a public set, for `toolmend train adapter --talks`."""

from __future__ import annotations

from pathlib import Path

import click

from toolmend.apps.cli.kit import options, screen

_NAMES = ("sgd", "snips", "hwu64", "slurp")


@options.command
@click.argument("name", type=click.Choice(_NAMES), metavar="|".join(_NAMES))
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.jsonl[.xz]",
    help="Where the talks are written. [default: NAME_talks.jsonl.xz]",
)  # fmt: skip
def import_(name: str, folder: Path, out: Path | None) -> None:
    """Make talks of FOLDER, your copy of a public set: what people said, and the calls that were due.

    Of SGD only the training part is read. What is made keeps the set's licence: name it where you pass the talks, or
    what was taught by them, on. See docs/training.md.
    """
    from toolmend.training.people.sets import import_set

    out = out or Path(f"{name}_talks.jsonl.xz")
    talks, turns, licence = import_set(name, folder, out)
    click.echo(f"{out}: {screen.counted(talks, 'talk')}, {screen.counted(turns, 'turn')} ({licence})")
    screen.note(f"to teach them: toolmend train adapter --talks {out} --out mine --minutes 60")
