"""`toolmend train adapter`: teaches a base model the spoken notation. Knows nothing of training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from toolmend.apps.cli.commands.training_watch import Stopping, TrainingWatch
from toolmend.apps.cli.kit import options, screen
from toolmend.errors import TORCH_WEIGHS, BadOption, MissingExtra

_folder = click.Path(file_okay=False, path_type=Path)


@click.group(cls=options.Group)
@options.debug_option
def train() -> None:
    """Train an adapter over a base."""


@options.command
@click.option(
    "--base",
    default="smollm2",
    show_default=True,
    metavar="NAME",
    help="A Llama in GGUF, as after gguf/: a name, a path.",
)
@click.option(
    "--out", type=_folder, required=True, help="Where the adapter is written; use it with --model smol/./OUT."
)
@click.option("--work", type=_folder, help="Where the state is kept; a stopped training goes on. [default: OUT.work]")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="How long, on this machine.")
@click.option("--tokens", type=click.IntRange(min=1), help="Padded tokens to see, instead of minutes.")
@click.option(
    "--talks", type=click.Choice(["calendar", "tools", "both"]), default="calendar", show_default=True, help="Lessons."
)
@click.option("--data", type=_folder, help="Lessons from what `toolmend data build` wrote, instead.")
@click.option(
    "--method", type=click.Choice(["sft", "hindsight"]), default="sft", show_default=True,
    help="Of --data: right replies, or worse ones and then the better.",
)  # fmt: skip
@click.option("--rank", type=click.IntRange(min=1), default=16, show_default=True)
@click.option("--threads", type=click.IntRange(min=1), help="[default: as torch counts cores]")
@click.option("--from", "begin", type=_folder, help="A folder with an adapter to begin with.")
@click.option("--rounds", type=click.IntRange(min=0), default=2, show_default=True, help="Of playing for mistakes.")
@click.option("--played", type=click.IntRange(min=1), default=100, show_default=True, help="Talks of such a round.")
@click.option("--exam", type=click.IntRange(min=1), default=100, show_default=True, help="Held-out talks of the exam.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@options.format_option
@click.pass_context
def adapter(
    ctx: click.Context, /, form: str, out: Path, work: Path | None, threads: int | None, data: Path | None, **asked: Any
) -> None:
    """Teach a base to say which words belong to which argument (docs/notation.md), and print its exam.

    With --data it learns from corrected talks, in the notation of their replies (docs/training.md).
    Needs the extra `train` (torch). Stopped or killed, the same command goes on to the same result.
    """
    if (asked["minutes"] is None) == (asked["tokens"] is None):
        raise BadOption("say how long: --minutes N, or --tokens N")
    try:
        from toolmend.training.adapter.courses import MadeTalks
        from toolmend.training.adapter.data_course import data_course
        from toolmend.training.adapter.teaching import AdapterAsked, train_adapter
    except ImportError as error:
        raise MissingExtra("training an adapter", "train", TORCH_WEIGHS) from error

    work = work or out.with_name(f"{out.name}.work")
    talks, method = asked.pop("talks"), asked.pop("method")
    course = data_course(data, method) if data else MadeTalks(talks)
    wanted = AdapterAsked(out=out, work=work, threads=threads or 0, course=course, **asked)
    with Stopping().heard() as stop, TrainingWatch(exam_told) as watch:
        figures = train_adapter(wanted, watch.update, watch.say, lambda: stop.asked)
    if figures is None:
        screen.note(f"stopped; the state is kept in {work}: the same command goes on")
        ctx.exit(130)
    if form == "json":
        screen.print_json({"schema": 1, "base": wanted.base, "adapter": str(out), "exam": figures})
        return
    console = screen.console()
    console.print(f"{out}: {exam_told(figures)}", style="bold")
    for kind, right in figures["by_op"].items():
        console.print(f"  {right:>11}  {kind}")


def exam_told(figures: Any) -> str:
    """`91.2 % of 642 turns of held-out talks right`."""
    if not figures["n"]:
        return "taught; measure it on a suite that played no part"
    return f"{100 * figures['right']:.1f} % of {figures['n']:,} turns of held-out talks right"


train.add_command(adapter)
