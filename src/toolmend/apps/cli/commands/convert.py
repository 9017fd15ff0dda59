"""`toolmend convert`: a taught adapter for other programs. Knows no format itself."""

from __future__ import annotations

from pathlib import Path

import click

from toolmend.apps.cli.kit import options
from toolmend.models.smol.preset import export_adapter


@options.command
@click.argument("model", metavar="MODEL")
@click.option("--to", required=True, metavar="hf|gguf|int8", help="The format.")
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT")
def convert(model: str, to: str, out: Path) -> None:
    """Write MODEL as the folder OUT: for transformers and PEFT (hf), llama.cpp and Ollama (gguf), or small (int8).

    MODEL is smol/NAME, or a folder ./FOLDER that `toolmend train adapter` or `toolmend teach` wrote.
    """
    files = export_adapter(model, to, out)
    for name, size in files.items():
        click.echo(f"{size:>12,}  {out / name}")
