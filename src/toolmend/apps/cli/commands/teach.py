"""`toolmend teach` and `toolmend improve`: an adapter for somebody's own tools. Knows nothing of how it is made."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.errors import BadOption

if TYPE_CHECKING:
    from toolmend.training.teach.kit import Kit

F = TypeVar("F", bound=Callable[..., Any])
_folder = click.Path(file_okay=False, path_type=Path)


def _shared(function: F) -> F:
    """The options that both commands have."""
    for option in (
        options.format_option,
        click.option("--threads", type=click.IntRange(min=1), metavar="N", help="[default: as torch counts cores]"),
        click.option("--yes", is_flag=True, help="Take the sentences that are proposed as they are."),
        click.option(
            "--work", type=_folder, help="Where the state is kept; the same command goes on. [default: OUT.work]"
        ),
        click.option(
            "--out",
            type=_folder,
            help="Where the adapter is written; use it with --model smol/./OUT. [default: TOOLS_smol]",
        ),
        click.option(
            "--minutes", type=click.FloatRange(min=0, min_open=True), default=10.0, show_default=True, help="At most."
        ),
        click.option(
            "--examples",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="What people say, and the calls: five sentences a tool or more. [default: TOOLS_examples.txt]",
        ),
    ):
        function = option(function)
    return function


@options.command
@click.argument("tools", metavar="TOOLS")
@_shared
@options.gone("--teacher", "sentences are proposed from the signatures; --examples FILE takes any others")
@click.option(
    "--start", default="smol/tools", show_default=True, metavar="MODEL", help="Begun with: smol/NAME or none."
)
@click.option("--check", is_flag=True, help="Read the examples, show what was made of them, and train nothing.")
def teach(tools: str, examples: Path | None, start: str, check: bool, yes: bool, form: str, **how: Any) -> None:
    """Teach the tools of TOOLS to an adapter: a file my_tools.py, package.module:toolbox, or a name such as shop.

    Without a file of examples sentences are proposed, to be struck out or reworded in an editor. Ctrl-C ends it with
    what it has; the same command goes on. Needs the extra `train` (torch). See docs/teaching.md.
    """
    from toolmend.training.teach.examples import examples_file
    from toolmend.training.teach.teach import prepared, proposed

    path = examples or examples_file(tools)
    if not path.is_file():
        _put(path, _struck_out(proposed(tools), path, yes=yes))
    kit = prepared(tools, path)
    for note in kit.notes:
        screen.note(f"{path}: {note}")
    if check:
        _show(kit, form)
    else:
        _train(kit, tools, start, form, **how)


@options.command
@click.argument("tools", metavar="TOOLS")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@_shared
@options.gone(
    "--suite", "improve learns from stored talks; `toolmend data build` and `toolmend train adapter` learn from a suite"
)
@options.store_option
def improve(
    tools: str, runs: tuple[str, ...], examples: Path | None, yes: bool, store: str | None, form: str, **how: Any
) -> None:
    """Go on teaching TOOLS with the corrections in stored talks (`toolmend chat --keep`, runs): all, or those of RUN.

    They are added to the file of examples, and the adapter in OUT stays as it was where it would do worse.
    """
    from toolmend.tools import Toolbox
    from toolmend.training.teach.examples import examples_file, read_examples
    from toolmend.training.teach.stored import corrected
    from toolmend.training.teach.teach import prepared

    out = how["out"] = how["out"] or _out(tools)
    path = examples or examples_file(tools)
    if not (out / "toolmend.json").is_file() or not path.is_file():
        raise BadOption(f"nothing to improve: {out} and {path} are made by `toolmend teach {tools}`")
    lines = corrected(tools, runs, store, read_examples(path, Toolbox.load(tools)))
    if not lines:
        screen.note(f"no correction of {tools} in the store that is not in {path} yet")
        return
    found = _struck_out("".join(f"{line}\n" for line in lines), path, yes=yes)
    _put(path, f"{path.read_text(encoding='utf-8').rstrip()}\n\n# corrections from stored talks\n{found}")
    _train(prepared(tools, path), tools, _named(out), form, **how)


def _struck_out(text: str, path: Path, *, yes: bool) -> str:
    """The sentences that are left when somebody has gone through them."""
    if yes:
        return text
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadOption(f"{path}: there are sentences to be looked at; write the file (docs/teaching.md), or say --yes")
    return click.edit(text, extension=".txt") or text


def _put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    screen.note(f"{path}: {screen.counted(sum('=>' in line for line in text.splitlines()), 'sentence')}")


def _train(
    kit: Kit,
    tools: str,
    start: str,
    form: str,
    out: Path | None,
    work: Path | None,
    minutes: float,
    threads: int | None,
) -> None:
    from toolmend.apps.cli.commands.training_watch import Stopping, TrainingWatch
    from toolmend.training.teach.teach import teach as begin

    out = out or _out(tools)
    work = work or out.with_name(f"{out.name}.work")
    with Stopping().heard() as stop, TrainingWatch(_held_out) as watch:
        figures = begin(
            kit,
            tools,
            out,
            work,
            start=start,
            minutes=minutes,
            threads=threads or 0,
            tell=watch.update,
            say=watch.say,
            stop=lambda: stop.asked,
        )
    _print(out, tools, figures, form)


def _out(tools: str) -> Path:
    return Path(f"{Path(tools.replace(':', '.')).stem}_smol")


def _named(out: Path) -> str:
    return f"smol/{out if out.is_absolute() else f'./{out}'}"


def _held_out(row: Mapping[str, Any]) -> str:
    return f"{100 * row['right']:.0f} % of {row['n']} held-out replies word for word"


def _show(kit: Kit, form: str) -> None:
    """What was made of the examples: the beginnings of some talks."""
    from toolmend.training.teach.talk import TaughtTalk

    turns = [turn for seed in range(12) for turn in TaughtTalk(kit, seed).play()[:2] if turn.learned]
    if form == "json":
        rows = [{"say": turn.said, "reply": turn.reply} for turn in turns]
        screen.print_json({"schema": 1, "wordings": sum(len(tool.wordings) for tool in kit.held), "sentences": rows})
        return
    for turn in turns:
        click.echo(turn.said + "".join(f"\n    {line}" for line in turn.reply.splitlines()))


def _print(out: Path, tools: str, figures: Mapping[str, Any], form: str) -> None:
    if form == "json":
        screen.print_json({"schema": 1, "adapter": str(out), "toolbox": tools, "exam": figures})
        return
    if figures.get("kept") is False:
        click.echo(f"{out} stays as it was: {_held_out(figures)}, {100 * figures['before']:.0f} % before")
        return
    told = (
        _held_out(figures)
        if "by_op" not in figures
        else (f"{100 * figures['right']:.1f} % of {figures['n']} turns of held-out talks right")
    )
    click.echo(f"{out}: {told}")
    for kind, right in figures.get("by_op", {}).items():
        click.echo(f"  {right:>9}  {kind}")
    click.echo(f"toolmend chat --model {_named(out)} --tools {tools}")
