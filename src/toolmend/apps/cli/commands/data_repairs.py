"""`toolmend data repairs`: whether talks learn from the corrections that a person accepts, and what they learned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli.kit import options, screen

if TYPE_CHECKING:
    from toolmend.memory.repairs import LeaningFile
    from toolmend.session import Session

FILE = "repairs.jsonl"


@options.command
@click.option("--on/--off", "learn", default=None, help="Whether `toolmend chat` learns. [default: off]")
@click.option("--delete", "gone", is_flag=True, help="Delete what was learned; of everybody, and it is off again.")
@click.option("--person", metavar="NAME", help="Of this person alone (as of `toolmend chat --memory NAME`).")
@click.option("--yes", is_flag=True, help="Delete without asking.")
def repairs(learn: bool | None, gone: bool, person: str | None, yes: bool) -> None:
    """Show what talks learned of accepted corrections, for each person, toolbox and model; switch it on or off.

    What a person chose or said stands as counts of its kind, never as words or values: such candidates come first the
    next time. It is off until you switch it on.
    """
    from toolmend.errors import BadOption
    from toolmend.memory.repairs import LeaningFile, delete
    from toolmend.store.place import beside

    path = beside(FILE)
    if gone and learn is not None:
        raise BadOption("--delete goes without --on and --off")
    if person and learn is not None:
        raise BadOption("--on and --off hold for everybody who uses this store: leave out --person")
    if gone:
        whose = f"of {person}" if person else "of everybody"
        if yes or click.confirm(f"delete what was learned {whose}?", err=True):
            screen.note(f"{screen.counted(delete(path, person), 'line')} deleted")
        else:
            return
    kept = LeaningFile(path)
    if learn is not None:
        kept.switch(learn)
    rows = [row for row in _rows(kept) if person in (None, row["person"])]
    for row in rows:
        click.echo(screen.plain(_line(row)))
    screen.note("talks learn (--off)" if kept.learn else "talks do not learn (--on)")


def _rows(kept: LeaningFile) -> Iterator[dict[str, Any]]:
    """What is known, by person, toolbox, model, tool, argument and kind."""
    rows: dict[tuple[str, ...], dict[str, Any]] = {}
    for (whose, one), count in kept.counts.items():
        row = {**asdict(whose), **asdict(one)}
        meant = row.pop("meant")
        told = rows.setdefault(tuple(row.values()), {**row, "meant": 0, "not_meant": 0})
        told["meant" if meant else "not_meant"] += count
    for _, told in sorted(rows.items()):
        yield told


def _line(row: dict[str, Any]) -> str:
    who = " · ".join((row["person"], row["tools"], row["model"], row["tool"]))
    return f"{who}: {row['argument']}: {row['why']}: meant {row['meant']}, not meant {row['not_meant']}"


def learning(session: Session, person: str, tools: str) -> None:
    """Have the session know, and go on learning, what its person's corrections came to, where that is switched on."""
    from toolmend.store.place import beside

    path = beside(FILE)
    if session.mender is None or not path.exists():
        return
    from toolmend.memory.repairs import LeaningFile, Whose

    named = str(Path(tools).resolve()) if tools.endswith(".py") else tools
    session.mender.leanings = LeaningFile(path).leanings(Whose(person, named, session.model.name))
