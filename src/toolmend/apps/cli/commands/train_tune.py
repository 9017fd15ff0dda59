"""`toolmend train --base … --data …`: fine-tunes a model on a data folder. Knows nothing of training."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from toolmend.apps.cli.commands.train import Watch
from toolmend.apps.cli.kit import options, screen

_folder = click.Path(file_okay=False, path_type=Path)


@options.command
@click.option(
    "--base",
    required=True,
    metavar="NAME",
    help="keras/NAME of KerasHub, or a folder ./FOLDER: its kind or Hugging Face's.",
)
@click.option("--data", type=_folder, required=True, help="What `toolmend data build` wrote.")
@click.option(
    "--method",
    type=click.Choice(["sft", "hindsight", "preference"]),
    default="sft",
    show_default=True,
    help="Right replies; worse then better; or chosen over rejected (DPO).",
)
@click.option("--out", type=_folder, required=True, help="Where it is written; use it with --model keras/./OUT.")
@click.option(
    "--work", type=_folder, help="Where checkpoints are kept; a stopped training goes on. [default: OUT.work]"
)
@click.option("--epochs", type=click.FloatRange(min=0, min_open=True), default=3.0, show_default=True)
@click.option("--tokens", type=click.IntRange(min=1), help="Padded tokens to see, instead of epochs.")
@click.option("--batch", type=click.IntRange(min=1), default=4096, show_default=True, help="Padded tokens in a step.")
@click.option("--rate", type=click.FloatRange(min=0, min_open=True), default=3e-4, show_default=True, help="Highest.")
@click.option("--length", type=click.IntRange(min=2), help="Longer conversations are left out. [default: the window]")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--every", type=click.IntRange(min=1), default=50, show_default=True, help="Steps between checkpoints.")
@click.option(
    "--patience", type=click.IntRange(min=1), default=5, show_default=True, help="Checkpoints without a better."
)
@click.option("--beta", type=click.FloatRange(min=0, min_open=True), default=0.1, show_default=True, help="DPO's.")
@click.option("--lora", is_flag=True, help="Train small adapters instead of every weight, and merge them at the end.")
@click.option("--rank", type=click.IntRange(min=1), default=8, show_default=True, help="Of the adapters.")
@click.option(
    "--alpha", type=click.FloatRange(min=0, min_open=True), default=16.0, show_default=True, help="Their scale."
)
@click.option("--skip-bad", is_flag=True, help="Leave out broken lines of data, and count them.")
@options.format_option
@click.pass_context
def tune(ctx: click.Context, /, form: str, lora: bool, **asked: Any) -> None:
    """Fine-tune a base on a data folder and write a preset that works at once.

    Needs the extra `local` (Keras, JAX). Stopped or killed, the same command goes on to the same result. The weights
    kept are the best on the data's test part.
    """
    from toolmend.training.tune.recipe import Recipe
    from toolmend.training.tune.tuning import Asked
    from toolmend.training.tune.tuning import tune as train

    out = asked.pop("out")
    work = asked.pop("work") or out.with_name(f"{out.name}.work")
    whole = {name: asked.pop(name) for name in ("base", "data", "skip_bad")}
    rank = asked.pop("rank") * lora
    wanted = Asked(**whole, out=out, work=work, recipe=Recipe(**asked, rank=rank), command=_command(ctx))
    try:
        with Watch(figures_line) as watch:
            figures = train(wanted, watch.update, screen.note)
    except KeyboardInterrupt:
        screen.note(f"stopped; the last checkpoint is in {work}: the same command goes on from it")
        ctx.exit(130)
    if form == "json":
        screen.print_json({"schema": 1, "base": wanted.base, "preset": str(out), **figures})
        return
    console = screen.console()
    console.print(f"{out}: step {figures['kept_step']:,} of {figures['steps']:,} kept", style="bold")
    console.print(f"  before  {figures_line(figures['before'])}\n  after   {figures_line(figures['after'])}")


def figures_line(row: Mapping[str, Any]) -> str:
    """`held-out loss 0.4501, the best so far`."""
    return f"held-out loss {row['held_out_loss']:.4f}{', the best so far' if row.get('best') else ''}"


def _command(ctx: click.Context) -> str:
    """The command as it was given, for the card."""
    words = ["toolmend", "train"]
    for option in ctx.command.params:
        given = ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name in ctx.params and option.name != "form":
            value = ctx.params[option.name]
            words += [option.opts[0], *([] if value is True else [str(value)])]
    return shlex.join(words)
