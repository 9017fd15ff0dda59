"""`toolmend train average`, `cut` and `pack`: the files that a training reads and leaves. Knows nothing of training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.base.errors import BadOption, needs

WRITTEN = ("calendar", "tools", "both")
_folder = click.Path(file_okay=False, path_type=Path)

base_option = click.option(
    "--base", default="smollm2", show_default=True, metavar="NAME", help="A Llama in GGUF: a name, a path."
)
talks_option = click.option(
    "--talks", multiple=True, metavar="calendar|tools|both|FILE",
    help="Lessons: written talks, or talks of people in a file (toolmend data import) beside written ones; files may "
    "be given again. [default: calendar]",
)  # fmt: skip


def course_of(talks: Sequence[str]) -> Any:
    """The course of kinds of written talks, or of files beside them. Raises BadFile, BadOption."""
    from toolmend.training.adapter.courses import WrittenCourse
    from toolmend.training.people.course import people_course

    kinds = [name for name in talks if name in WRITTEN]
    files = [Path(name) for name in talks if name not in WRITTEN]
    if len(kinds) > 1:
        raise BadOption(f"--talks {' --talks '.join(kinds)}: one kind of written talks; both is both")
    for path in files:
        if not path.is_file():
            raise BadOption(f"--talks {path}: no such file; written talks are {', '.join(WRITTEN)}")
    kind = kinds[0] if kinds else "both" if files else "calendar"
    return people_course(files, kind) if files else WrittenCourse(kind)


def rank_of(begin: Path | None) -> int:
    """The rank of the adapter in a folder; 16 without one. Raises BadFile."""
    from toolmend.models.gguf.peft import read_peft

    return int(read_peft(begin)[0].get("r", 16)) if begin else 16


@options.command
@click.argument("adapters", type=_folder, nargs=-1, required=True, metavar="ADAPTER ADAPTER...")
@click.option("--out", type=_folder, required=True, help="Where their mean goes; use it with --model smol/./OUT.")
def average(adapters: tuple[Path, ...], out: Path) -> None:
    """Write the mean of adapters that were taught from one another (--from): often better than each of them."""
    if len(adapters) < 2 or out.exists():
        raise BadOption(
            f"{out} is there already: another --out" if out.exists() else "a mean is of two folders or more"
        )
    from toolmend.models.gguf.peft import average as averaged

    averaged(adapters, out)
    click.echo(f"{out}: the mean of {len(adapters)} adapters")


@options.command
@click.argument("adapter", type=_folder, metavar="ADAPTER")
@click.option("--rank", type=click.IntRange(1), required=True, help="The lower rank.")
@click.option("--out", type=_folder, required=True, help="Where it goes; use it with --model smol/./OUT.")
def cut(adapter: Path, rank: int, out: Path) -> None:
    """Cut an adapter to a lower rank, by singular values: smaller and faster, and often as good. Measure it again."""
    if out.exists():
        raise BadOption(f"{out} is there already: another --out")
    from toolmend.models.gguf.lowrank import cut_rank

    kept = cut_rank(adapter, rank, out)
    click.echo(f"{out}: rank {rank}, {100 * kept:.1f} % of the energy kept")
    screen.note(f"half as large again in whole numbers: toolmend convert {_named(out)} --to int8 OUT")


def _named(folder: Path) -> str:
    return str(folder) if folder.is_absolute() else f"./{folder}"


@options.command
@base_option
@talks_option
@click.option("--count", type=click.IntRange(min=1), required=True, help="How many rows.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True, metavar="FILE.xz",
    help="Where they go; use them with `toolmend train adapter --rows FILE.xz`.",
)  # fmt: skip
def pack(base: str, talks: tuple[str, ...], count: int, out: Path) -> None:
    """Make the rows of a training before it: what a GPU is taught on, made where there is none (docs/training.md)."""
    needs("packing rows", "train", "torch")
    from toolmend.models.gguf.places import locate
    from toolmend.training.adapter.base import GgufBase
    from toolmend.training.adapter.packed_rows import pack_rows, taught_rows
    from toolmend.training.adapter.rows import Tokens

    course = course_of(talks)
    tokens = Tokens(GgufBase(locate(base)).tokenizer())
    rows = list(taught_rows(course, tokens, count))
    size = pack_rows(out, rows, course.kept_back(tokens), base=base, course=course.name, title=course.title)
    click.echo(
        f"{out}: {screen.counted(count, 'row')}, {size:,} tokens with those kept back, {out.stat().st_size:,} bytes"
    )
