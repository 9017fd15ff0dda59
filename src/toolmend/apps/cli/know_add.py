"""`toolmend know add`: files, folders and addresses into a library. Reads and fetches nothing itself."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolmend.apps.cli import options, screen
from toolmend.apps.cli.options import Command, debug_option

if TYPE_CHECKING:
    from toolmend.knowledge import Library, Outcome

    Add = Callable[[Library, str], Iterator[Outcome]]

_HOUR = 3600.0
_NUMBER = click.FloatRange(0)


@click.command(cls=Command)
@click.argument("places", nargs=-1, metavar="[FILE|FOLDER|URL…]")
@click.option("--url", default="", help="Where the one file was saved from.")
@click.option("--list", "listed", metavar="FILE", help="Further places, one a line; # begins a remark.")
@click.option("--fetch", is_flag=True, help="Fetch addresses. Without it nothing is sent anywhere.")
@click.option("--pause", type=_NUMBER, default=1.0, show_default=True, help="Seconds between requests to a host.")
@click.option("--max-age", type=_NUMBER, default=24.0, show_default=True, help="Hours: what is older is asked again.")
@click.option("--allow", multiple=True, metavar="HOST", help="A host or IP inside your network to fetch from as well.")
@click.option(
    "--store",
    metavar="PLACE",
    envvar="TOOLMEND_STORE",
    help="A file or database URL. [default: $TOOLMEND_STORE, else a file in your data folder]",
)
@options.format_option
@debug_option
@click.pass_context
def add(
    ctx: click.Context,
    places: tuple[str, ...],
    url: str,
    listed: str | None,
    fetch: bool,
    pause: float,
    max_age: float,
    allow: tuple[str, ...],
    store: str | None,
    form: str,
) -> None:
    """Read pages, PDF, transcripts, PubMed XML, Markdown, notebooks; keep them.

    Each thing has its outcome. The exit code is 2 if nothing was kept. With --fetch, what a killed command had fetched
    is not asked for again.
    """
    from toolmend.apps.cli.progress import Meter
    from toolmend.errors import BadOption
    from toolmend.knowledge import Library
    from toolmend.store.place import default_place

    wanted = [*places, *(_lines(listed) if listed else ())]
    if not wanted:
        raise BadOption("say what to add: files, folders, addresses, or --list FILE")
    if url and (len(wanted) != 1 or listed or Path(wanted[0]).is_dir()):
        raise BadOption("--url goes with one file")
    adding = _fetching(pause, max_age, allow) if fetch else lambda library, place: library.add(place, url=url)
    rows: list[Outcome] = []
    far, began = _Far(0, len(wanted), 0), time.monotonic()
    with Library(store or default_place()) as library, Meter("place") as meter:
        try:
            for place in wanted:
                for each in adding(library, place):
                    rows.append(each)
                    if form == "text":
                        click.echo(_line(each))
                far = _Far(far.done + 1, far.total, sum(not each.kept for each in rows))
                meter.update(far)
        except KeyboardInterrupt:
            screen.note(f"stopped: {far.done:,} of {screen.counted(far.total, 'place')} done; the same command goes on")
            raise
    if form == "json":
        keys = ("name", "place", "says", "source", "notes")
        screen.print_json({"schema": 1, "outcomes": [{key: getattr(each, key) for key in keys} for each in rows]})
    if listed:
        counts = ", ".join(f"{count:,} {name}" for name, count in Counter(each.name for each in rows).most_common())
        screen.note(f"{screen.counted(len(wanted), 'place')} in {screen.span(time.monotonic() - began)}: {counts}")
    ctx.exit(0 if any(each.kept for each in rows) else 2)


@dataclass(frozen=True)
class _Far:
    """How far it is, for the meter."""

    done: int
    total: int
    errors: int


def _fetching(pause: float, max_age: float, allow: tuple[str, ...]) -> Add:
    """How a place is added where addresses are fetched."""
    from toolmend.knowledge.fetch import Fetchers, Manners
    from toolmend.knowledge.fetch.fetchers import is_address

    fetchers = Fetchers(Manners(allow=allow, pause=pause, max_age=max_age * _HOUR))
    return lambda library, place: fetchers.add(library, place) if is_address(place) else library.add(place)


def _lines(path: str) -> Iterator[str]:
    """The places that a file names, each once. Raises BadFile."""
    from toolmend.errors import BadFile

    try:
        text = Path(path).expanduser().read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise BadFile(path, f"cannot be read as text ({error})") from error
    bare = (line.strip() for line in text.splitlines())
    yield from dict.fromkeys(line for line in bare if line and not line.startswith("#"))


def _line(outcome: Outcome) -> str:
    told = ", ".join(filter(None, [outcome.says, *outcome.notes]))
    return screen.plain(f"{outcome.name:<17}  {outcome.source or '-':<12}  {outcome.place}  {told}".rstrip())
