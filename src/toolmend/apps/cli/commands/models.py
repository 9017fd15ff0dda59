"""`toolmend models`: the embedded models that ship, the catalogue of local ones, and the families that are known.

Below it: GGUF files (models_files.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli.commands import models_files
from toolmend.apps.cli.kit import options, screen

if TYPE_CHECKING:
    from toolmend.models.builtin.preset import Preset


@click.group("models", cls=options.CommandGroup, invoke_without_command=True)
@options.debug_option
@options.format_option
@click.pass_context
def models(ctx: click.Context, form: str) -> None:
    """List the embedded models that ship with toolmend, those of the published experiment, and the families known.

    The figures of the exam are shares of replies that are right to the last letter, on dialogues never trained on.
    """
    if ctx.invoked_subcommand is None:
        _list(form)


models.add_command(models_files.get)
models.add_command(models_files.local)


def _list(form: str) -> None:
    from toolmend.models import builtin
    from toolmend.models.builtin.preset import Preset
    from toolmend.models.keras import catalogue, here
    from toolmend.registry import models as registry

    adapters = _adapters()
    rows = [_model(name, Preset.read(builtin.PRESETS / name)) for name in builtin.names()]
    families, local = registry.names(), here.rows()
    if form == "json":
        hosted = [{"model": name, "label": label} for name, label in [catalogue.HOSTED]]
        screen.print_json(
            {"schema": 1, "models": rows, "adapters": adapters}
            | {"catalogue": local, "hosted": hosted, "families": families}
        )
        return
    console = screen.console()
    for row in rows:
        console.print(
            f"{row['model']}  {row['parameters'] / 1e6:.2f} M parameters, {row['bytes'] / 1e6:.1f} MB, "
            f"window {row['window']} tokens, {_boxes(row['toolboxes'])}"
        )
        if exam := _exam(row["exam"]):
            console.print(f"  exam: {exam}", style="dim")
    if not rows:
        console.print("no model ships with this copy of toolmend")
    for row in adapters:
        console.print(_adapter(row), soft_wrap=True)
        if row["remark"]:
            console.print(f"  {row['remark']}", style="dim")
    for row in local:
        console.print(_local(row), soft_wrap=True)
    console.print(f"{catalogue.HOSTED[0]}  {catalogue.HOSTED[1]}")
    console.print(
        f"families: {', '.join(families)} (a model is named FAMILY/NAME; a preset folder is ./FOLDER; "
        "behind a server: openai/NAME?base_url=URL, ollama/NAME?num_ctx=8192; a GGUF file: gguf/PATH, and those of "
        "`toolmend models local`)",
        soft_wrap=True,
    )


def _model(name: str, preset: Preset) -> dict[str, Any]:
    return {
        "model": f"builtin/{name}",
        "parameters": preset.parameters,
        "bytes": sum(path.stat().st_size for path in preset.folder.iterdir() if path.is_file()),
        "toolboxes": list(preset.toolboxes),
        "window": preset.window,
        "exam": preset.about.get("figures"),
    }


def _adapters() -> list[dict[str, Any]]:
    """The adapters that ship, and whether their base is on this machine."""
    from toolmend.models import smol
    from toolmend.models.gguf.places import local
    from toolmend.models.smol.preset import SmolPreset

    here = {held.name for held in local()}
    presets = {name: SmolPreset.about(smol.SHELF / name) for name in smol.names()}
    return [
        {
            "model": f"smol/{name}",
            "title": preset.title,
            "toolboxes": list(preset.toolboxes or ()),
            "base": preset.base,
            "here": preset.base in here,
            "exam": preset.figures,
            "remark": preset.remark,
        }
        for name, preset in presets.items()
    ]


def _adapter(row: Mapping[str, Any]) -> str:
    """An adapter in a line: what it is, how its exam went, what it needs."""
    exam = row["exam"]
    told = f"; {100 * exam['right']:.1f} % of held-out turns right (n={exam['n']:,})" if "right" in exam else ""
    needs = "can run here" if row["here"] else f"get its base with `toolmend models get {row['base']}`"
    return f"{row['model']}  {row['title']}, {_boxes(row['toolboxes'])}{told}: {needs}"


def _local(row: Mapping[str, Any]) -> str:
    """A model of the catalogue in a line: what it is, and whether it can run here."""
    about = f"{row['parameters'] / 1e9:.1f} B parameters, context {row['context']}, {row['licence']}"
    return f"{row['model']}  {about}: {'; '.join(row['why_not']) or 'can run here'} (or {row['elsewhere']})"


def _boxes(names: list[str]) -> str:
    return f"toolbox {', '.join(names)}" if names else "any toolbox"


def _exam(figures: Any) -> str:
    """The exam's two shares in a sentence; its details are in the JSON and in the model's card."""
    if not isinstance(figures, Mapping) or "held_out" not in figures:
        return ""
    held_out, same, count = figures["held_out"], figures.get("same"), figures.get("n", "?")
    known = f", {100 * same:.1f} % of familiar ones" if same is not None else ""
    return f"{100 * held_out:.1f} % of held-out replies exact (n={count}){known}"
