"""`toolmend data repairs`: whether talks learn from the corrections that a person accepts, and what they learned."""

from __future__ import annotations

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.base.errors import BadOption
from toolmend.evals.store.place import beside
from toolmend.session.leaning_file import LeaningFile, delete

FILE = "repairs.jsonl"


@options.command
@click.option("--on/--off", "learn", default=None, help="Whether `toolmend chat` learns. [default: off]")
@click.option("--delete", "gone", is_flag=True, help="Delete what was learned; of everybody, and it is off again.")
@click.option("--person", metavar="NAME", help="Of this person alone (as of `toolmend chat --memory NAME`).")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@options.format_option
def repairs(learn: bool | None, gone: bool, person: str | None, yes: bool, form: str) -> None:
    """Show what talks learned of accepted corrections, for each person, toolbox and model; switch it on or off.

    What a person chose or said stands as counts of its kind, never as words or values: such candidates come first the
    next time. It is off until you switch it on.
    """
    path = beside(FILE)
    if learn is not None and (gone or person):
        raise BadOption("--on and --off hold for everybody who uses this store: leave out --delete and --person")
    if gone:
        if form == "json" and not yes:
            raise BadOption("--format json asks nothing: add --yes")
        if not yes and not click.confirm(f"delete what was learned of {person or 'everybody'}?", err=True):
            return
        screen.note(f"{screen.counted(delete(path, person), 'line')} deleted")
    kept = LeaningFile(path)
    if learn is not None:
        kept.switch(learn)
    counts: dict[tuple[str, ...], list[int]] = {}
    for (whose, leaning), count in kept.counts.items():
        if person in (None, whose[0]):
            kind = (*whose, leaning.tool, leaning.argument, leaning.why)
            counts.setdefault(kind, [0, 0])[not leaning.meant] += count
    names = ("person", "tools", "model", "tool", "argument", "why", "meant", "not_meant")
    rows = [dict(zip(names, (*kind, *told), strict=True)) for kind, told in sorted(counts.items())]
    if form == "json":
        screen.print_json({"schema": 1, "learn": kept.learn, "file": str(path), "repairs": rows})
        return
    for row in rows:
        line = "{person} · {tools} · {model} · {tool}: {argument}: {why}: meant {meant}, not meant {not_meant}"
        click.echo(screen.plain(line.format(**row)))
    screen.note("talks learn (--off)" if kept.learn else "talks do not learn (--on)")
