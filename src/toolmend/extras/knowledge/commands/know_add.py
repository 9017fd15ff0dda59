"""`toolmend know add`: files, folders and addresses into a library, and how one is opened. Reads nothing itself."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.base.errors import BadFile, BadOption
from toolmend.evals.store.place import default_place
from toolmend.extras.knowledge import Library, Outcome
from toolmend.extras.knowledge.collect import files_in
from toolmend.extras.knowledge.fetch import Manners, Web
from toolmend.extras.knowledge.fetch.web import is_address, keep

Add = Callable[[Library, str], Iterator[Outcome]]


@options.command
@click.argument("places", nargs=-1, metavar="[FILE|FOLDER|URL…]")
@click.option("--url", default="", help="Where the one file was saved from.")
@click.option("--list", "listed", metavar="FILE", help="Further places, one a line; # begins a remark.")
@click.option("--fetch", is_flag=True, help="Fetch addresses. Without it nothing is sent anywhere.")
@click.option("--pause", type=click.FloatRange(0), default=1.0, show_default=True, help="Seconds between two.")
@click.option("--allow", multiple=True, metavar="HOST", help="A host or IP inside your network to fetch from as well.")
@options.place_option
@options.format_option
@click.pass_context
def add(
    ctx: click.Context,
    places: tuple[str, ...],
    url: str,
    listed: str | None,
    fetch: bool,
    pause: float,
    allow: tuple[str, ...],
    store: str | None,
    form: str,
) -> None:
    """Read pages, PDF, transcripts, Markdown and text; keep them.

    Each thing has its outcome. The exit code is 2 if nothing was kept. With --fetch, what a killed command had fetched
    is not asked for again.
    """
    named = [*places, *(_lines(listed) if listed else ())]
    if not named:
        raise BadOption("say what to add: files, folders, addresses, or --list FILE")
    if url and (len(named) != 1 or listed or Path(named[0]).is_dir()):
        raise BadOption("--url goes with one file")
    wanted = [item for place in named for item in _spread(place)]
    way = _fetching(wanted, pause, allow) if fetch else _reading(url)
    rows: list[Outcome] = []
    done, began = 0, time.monotonic()
    with way as adding, opened(store, create=True) as library:
        try:
            for place in wanted:
                for outcome in adding(library, place):
                    rows.append(outcome)
                    if form == "text":
                        click.echo(_line(outcome))
                done += 1
        except KeyboardInterrupt:
            screen.note(f"stopped: {done:,} of {screen.counted(len(wanted), 'place')} done; the same command goes on")
            raise
    if form == "json":
        keys = ("name", "place", "says", "source", "notes")
        screen.print_json({"schema": 1, "outcomes": [{key: getattr(row, key) for key in keys} for row in rows]})
    if listed or len(rows) > 1:
        counts = ", ".join(f"{count:,} {name}" for name, count in Counter(row.name for row in rows).most_common())
        screen.note(f"{screen.counted(len(wanted), 'place')} in {screen.span(time.monotonic() - began)}: {counts}")
    ctx.exit(0 if any(row.kept for row in rows) else 2)


def opened(store: str | None, *, create: bool = False) -> Library:
    """The library; a file that is not there is made only for `create`: a slip in its name is told, not answered."""
    return Library(store or default_place(), create=create)


def _spread(place: str) -> list[str]:
    """The files of a folder one by one, so that it is known how far it is; anything else as it is."""
    path = Path(place.removeprefix("file://")).expanduser()
    return [str(file) for file in files_in(path)] or [place] if path.is_dir() else [place]


def _reading(url: str) -> AbstractContextManager[Add]:
    """How a place is added where nothing is fetched."""
    return nullcontext(lambda library, place: library.add(place, url=url))


@contextmanager
def _fetching(wanted: list[str], pause: float, allow: tuple[str, ...]) -> Iterator[Add]:
    """How places are added, in the order of `wanted`, where addresses are fetched."""
    for host in allow:
        if "/" in host or host.count(":") == 1:
            raise BadOption(f"--allow {host}: give a host or an IP alone; it holds for every port")
    web = Web(Manners(allow=allow, pause=pause))
    with closing(web.fetch_all(place for place in wanted if is_address(place))) as ahead:
        yield lambda library, place: keep(library, *next(ahead)) if is_address(place) else library.add(place)


def _lines(path: str) -> Iterator[str]:
    """The places that a file names, each once. Raises BadFile."""
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise BadFile(path, f"cannot be read as text ({error})") from error
    bare = (line.strip() for line in text.splitlines())
    yield from dict.fromkeys(line for line in bare if line and not line.startswith("#"))


def _line(outcome: Outcome) -> str:
    told = ", ".join(filter(None, [outcome.says, *outcome.notes]))
    line = f"{outcome.name:<17}  {outcome.source or '-':<12}  {outcome.place}  {told}".rstrip()
    return screen.plain(line.replace("\n", "\\n"))  # a file may have a line break in its name
