"""`toolmend convert`: a trained model in another program's format, or back. Knows no format itself."""

from __future__ import annotations

from pathlib import Path

import click

from toolmend.apps.cli.kit import options, screen


@options.command
@click.argument("model", metavar="MODEL")
@click.option("--to", type=click.Choice(["hf", "gguf", "keras", "preset"]), required=True, help="The format.")
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT")
@click.option(
    "--type",
    "kind",
    type=click.Choice(["f32", "f16", "q8_0"]),
    default="f16",
    show_default=True,
    help="Numbers of a GGUF file.",
)
@options.format_option
def convert(model: str, to: str, out: Path, kind: str, form: str) -> None:
    """Write MODEL as the folder OUT: for transformers (hf), llama.cpp and Ollama (gguf), KerasHub (keras) or toolmend.

    MODEL is builtin/NAME, a preset folder ./FOLDER, a KerasHub Llama 3 preset, or what this command wrote. The extra
    `convert` is needed for gguf, `local` for keras.
    """
    from toolmend.training.convert.converting import convert as write

    files = write(model, to, out, kind)
    if form == "json":
        screen.print_json({"schema": 1, "model": model, "to": to, "out": str(out), "files": dict(files)})
        return
    for name, size in files:
        click.echo(f"{size:>12,}  {out / name}")
