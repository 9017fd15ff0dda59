"""`toolmend teach`: a tiny model for somebody's own tools. Knows nothing of how it is done."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from toolmend.apps.cli.kit import names, options, screen

_folder = click.Path(file_okay=False, path_type=Path)


@options.command
@click.argument("tools", metavar="TOOLS", type=names.TOOLBOX)
@click.option(
    "--examples",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="What people say, and the calls: five sentences a tool or more. [default: TOOLS_examples.txt, .jsonl, .yaml]",
)
@click.option("--teacher", type=names.MODEL, metavar="MODEL", help="A model that words the examples in further ways.")
@click.option("--max-tokens", type=click.IntRange(1), metavar="N", help="What the teacher may read and write in all.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="How long the training may take on this machine.",
)
@click.option(
    "--out", type=_folder, help="Where the preset is written; use it with --model ./FOLDER. [default: TOOLS_preset]"
)
@click.option(
    "--work", type=_folder, help="Where the state is kept; a stopped training goes on from it. [default: OUT.work]"
)
@click.option(
    "--start",
    default="builtin/small",
    show_default=True,
    metavar="MODEL",
    help="The embedded model it begins as, which can copy words already; none for a smaller one from nothing.",
)
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Cores to use. [default: all]")
@click.option("--check", is_flag=True, help="Read the examples, show what was made of them, and train nothing.")
@options.format_option
@click.pass_context
def teach(
    ctx: click.Context,
    tools: str,
    examples: Path | None,
    teacher: str | None,
    max_tokens: int | None,
    minutes: float,
    out: Path | None,
    work: Path | None,
    start: str,
    threads: int | None,
    check: bool,
    form: str,
) -> None:
    """Teach a tiny model the tools of TOOLS: a file my_tools.py, package.module:toolbox, or a name such as shop.

    Stopped or killed, the same command goes on where it was. Needs the extra `train` (torch).
    """  # fmt: skip
    from toolmend.training.teach.teach import lesson, teach, with_teacher

    what = lesson(tools, examples)
    for note in what.requests.notes():
        screen.note(note)
    if check:
        _show(what.requests, form)
        return
    out = out or Path(f"{Path(tools.replace(':', '.')).stem}_preset")
    work = work or out.with_name(f"{out.name}.work")
    if teacher:
        from toolmend.models import load_model

        what = with_teacher(what, load_model(teacher), work, max_tokens=max_tokens, tell=screen.note)
    from toolmend.apps.cli.commands.train import Watch

    command = shlex.join(["toolmend", *sys.argv[1:]])
    try:
        with Watch() as watch:
            figures = teach(
                what,
                out,
                work,
                minutes=minutes,
                start="" if start == "none" else start,
                threads=threads or 0,
                command=command,
                report=watch.update,
                tell=screen.note,
            )
    except KeyboardInterrupt:
        screen.note(f"stopped; the state is kept in {work}: the same command goes on")
        ctx.exit(130)
    _print(out, tools, figures, form)


def _show(requests: object, form: str) -> None:
    """What was made of the examples: some sentences with their calls."""
    from random import Random

    from toolmend.training.teach.requests import Requests

    assert isinstance(requests, Requests)
    said = [requests.one(Random(seed)) for seed in range(12)]
    if form == "json":
        rows = [{"say": each.text, "call": requests.written(each.calls), "reply": each.reply} for each in said]
        screen.print_json({"schema": 1, "wordings": len(requests.templates), "sentences": rows})
        return
    for each in said:
        click.echo(f"{each.text}\n    {requests.written(each.calls) or each.reply}")


def _print(out: Path, tools: str, figures: dict[str, object], form: str) -> None:
    from toolmend.training.teach.card import percent

    if form == "json":
        screen.print_json({"schema": 1, "preset": str(out), "toolbox": tools, "exam": figures})
        return
    for key, text in (("held_out", "exact, held-out sentences"), ("same", "exact, like training"), ("fix", "fix@1")):
        share = figures[key]
        assert isinstance(share, dict)
        click.echo(f"{percent(share)}  {text}")
    path = str(out) if out.is_absolute() else f"./{out}"
    click.echo(f"toolmend chat --model {path} --tools {tools}")
