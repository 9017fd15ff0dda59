"""`toolmend store merge`: the parts of a run, each played into a store of its own, brought into one."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.base.errors import BadOption
from toolmend.evals.store import Store


@click.group("store")
def store() -> None:
    """Bring the parts of a run together."""


@options.command
@click.argument("into", metavar="INTO")
@click.argument("parts", nargs=-1, required=True, metavar="PART...")
def _merge(into: str, parts: tuple[str, ...]) -> None:
    """Copy the run that was played in parts (`run --part 3/16`) into the store INTO: a file or a database URL.

    A PART is a store, or a folder with stores (*.db) in it. Done again it changes nothing; a part that comes later is
    added. Parts of another suite or version, and two runs of one name, are refused, and INTO stays as it was.
    """
    with ExitStack() as stack:
        opened = [stack.enter_context(Store(place, create=False)) for part in parts for place in _places(part)]
        kept = stack.enter_context(Store(into))
        merged = kept.merge(opened)
        counts = kept.counts(merged.run.id)
    missing = int(merged.run.config.settings.get("samples", 0)) - sum(counts.values())
    left = "" if merged.whole else f"; {screen.counted(missing, 'sample')} of other parts still missing"
    screen.note(
        f"run {merged.run.id}: {screen.counted(merged.new, 'sample')} new, {merged.there:,} there already, "
        f"{counts['error']:,} could not be run{left}"
    )


def _places(part: str) -> list[str]:
    """The store, or the stores in a folder. Raises BadOption for a folder without any."""
    if "://" in part or not Path(part).is_dir():
        return [part]
    places = sorted(map(str, Path(part).glob("*.db")))
    if not places:
        raise BadOption(f"the folder {part} holds no store (*.db)")
    return places


store.add_command(_merge)
