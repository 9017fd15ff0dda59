"""`toolmend teach` and `toolmend improve`: an adapter for somebody's own tools. Knows nothing of how it is made."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from toolmend.apps.cli.commands.train import Stopping, exam_told
from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.progress import TrainingMeter
from toolmend.base.atomic import written
from toolmend.base.errors import BadOption, needs
from toolmend.tools import Toolbox
from toolmend.training.teach.examples import examples_file, read_examples
from toolmend.training.teach.kit import Kit
from toolmend.training.teach.stored import corrected
from toolmend.training.teach.talk import TaughtTalk
from toolmend.training.teach.teach import TRAINING, prepared, proposed
from toolmend.training.teach.teach import teach as begin

_folder = click.Path(file_okay=False, path_type=Path)


_shared = options.several(
    click.option(
        "--examples",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="What people say, and the calls: five sentences a tool or more. [default: TOOLS_examples.txt]",
    ),
    click.option(
        "--minutes", type=click.FloatRange(min=0, min_open=True), default=10.0, show_default=True, help="At most."
    ),
    click.option(
        "--out", type=_folder, help="Where the adapter goes; use it with --model smol/./OUT. [default: TOOLS_smol]"
    ),
    click.option("--yes", is_flag=True, help="Take the sentences that are proposed as they are."),
)


@options.command
@click.argument("tools", metavar="TOOLS")
@_shared
@click.option(
    "--start", default="smol/tools", show_default=True, metavar="MODEL", help="Begun with: smol/NAME or none."
)
@click.option("--check", is_flag=True, help="Read the examples, show what was made of them, and train nothing.")
def teach(
    tools: str, examples: Path | None, start: str, check: bool, yes: bool, out: Path | None, minutes: float
) -> None:
    """Teach the tools of TOOLS to an adapter: a file my_tools.py, package.module:toolbox, or a name such as shop.

    Without a file of examples sentences are proposed, to be struck out or reworded in an editor. Ctrl-C ends it with
    what it has; the same command goes on. Needs the extra `train` (torch). See docs/teaching.md.
    """
    if not check:
        needs(*TRAINING)  # before anybody writes sentences
    path = examples or examples_file(tools)
    if not path.is_file():
        _put(path, _struck_out(proposed(tools), path, yes=yes))
    kit = prepared(tools, path)
    for note in kit.notes:
        screen.note(f"{path}: {note}")
    if check:
        _show(kit)
    else:
        _train(kit, tools, start, out or _out(tools), minutes)


@options.command
@click.argument("tools", metavar="TOOLS")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@_shared
@options.store_option
def improve(
    tools: str,
    runs: tuple[str, ...],
    examples: Path | None,
    yes: bool,
    out: Path | None,
    minutes: float,
    store: str | None,
) -> None:
    """Go on teaching TOOLS with the corrections in stored talks (`toolmend chat --keep`, runs): all, or those of RUN.

    They are added to the file of examples, and the adapter in OUT stays as it was where it would do worse.
    """
    out = out or _out(tools)
    path = examples or examples_file(tools)
    if not (out / "toolmend.json").is_file() or not path.is_file():
        raise BadOption(f"nothing to improve: {out} and {path} are made by `toolmend teach {tools}`")
    needs(*TRAINING)
    lines = corrected(tools, runs, store, read_examples(path, Toolbox.load(tools)))
    if not lines:
        screen.note(f"no correction of {tools} in the store that is not in {path} yet")
        return
    found = _struck_out("".join(f"{line}\n" for line in lines), path, yes=yes)
    _put(path, f"{path.read_text(encoding='utf-8').rstrip()}\n\n# corrections from stored talks\n{found}")
    _train(prepared(tools, path), tools, _named(out), out, minutes)


def _struck_out(text: str, path: Path, *, yes: bool) -> str:
    """The sentences that are left when somebody has gone through them."""
    if yes:
        return text
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadOption(f"{path}: there are sentences to be looked at; write the file (docs/teaching.md), or say --yes")
    return click.edit(text, extension=".txt") or text


def _put(path: Path, text: str) -> None:
    with written(path) as part:
        part.write_text(text, encoding="utf-8")
    screen.note(f"{path}: {screen.counted(sum('=>' in line for line in text.splitlines()), 'sentence')}")


def _train(kit: Kit, tools: str, start: str, out: Path, minutes: float) -> None:
    work = out.with_name(f"{out.name}.work")
    with Stopping().heard() as stop, TrainingMeter(_held_out) as meter:
        figures = begin(
            kit, tools, out, work, start=start, minutes=minutes, threads=0,
            tell=meter.row, say=meter.say, stop=lambda: stop.asked,
        )  # fmt: skip
    if figures.get("kept") is False:
        click.echo(f"{out} stays as it was: {_held_out(figures)}, {100 * figures['before']:.0f} % before")
        return
    click.echo(f"{out}: {exam_told(figures) if 'by_op' in figures else _held_out(figures)}")
    for kind, right in figures.get("by_op", {}).items():
        click.echo(f"  {right:>9}  {kind}")
    click.echo(f"toolmend chat --model {_named(out)} --tools {tools}")


def _out(tools: str) -> Path:
    return Path(f"{Path(tools.replace(':', '.')).stem}_smol")


def _named(out: Path) -> str:
    return f"smol/{out if out.is_absolute() else f'./{out}'}"


def _held_out(row: Mapping[str, Any]) -> str:
    return f"{100 * row['right']:.0f} % of {row['n']} held-out replies word for word"


def _show(kit: Kit) -> None:
    """What was made of the examples: the beginnings of some talks."""
    for turn in (turn for seed in range(12) for turn in TaughtTalk(kit, seed).play()[:2] if turn.learned):
        click.echo(turn.said + "".join(f"\n    {line}" for line in turn.reply.splitlines()))
