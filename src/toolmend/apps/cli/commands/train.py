"""`toolmend train adapter`: teaches a base model the spoken notation. Knows nothing of training."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.progress import TrainingMeter
from toolmend.base.errors import BadOption, needs

_folder = click.Path(file_okay=False, path_type=Path)


@click.group("train", cls=options.Group)
@options.debug_option
def train() -> None:
    """Train an adapter over a base."""


@options.command
@click.option("--base", default="smollm2", show_default=True, metavar="NAME", help="A Llama in GGUF: a name, a path.")
@click.option("--out", type=_folder, required=True, help="Where the adapter goes; use it with --model smol/./OUT.")
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
@click.option("--from", "begin", type=_folder, help="A folder with an adapter to begin with.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.pass_context
def adapter(ctx: click.Context, /, out: Path, data: Path | None, talks: str, method: str, **asked: Any) -> None:
    """Teach a base to say which words belong to which argument (docs/notation.md), and print how well it does.

    With --data it learns from corrected talks, in the notation of their replies (docs/training.md).
    Needs the extra `train` (torch). Stopped or killed, the same command goes on to the same result.
    """
    if (asked["minutes"] is None) == (asked["tokens"] is None):
        raise BadOption("say how long: --minutes N, or --tokens N")
    needs("training an adapter", "train", "torch")
    from toolmend.training.adapter.courses import WrittenCourse, data_course
    from toolmend.training.adapter.teaching import AdapterAsked, train_adapter

    work = out.with_name(f"{out.name}.work")
    course = data_course(data, method) if data else WrittenCourse(talks)
    wanted = AdapterAsked(out=out, work=work, course=course, rounds=2, **asked)
    with Stopping().heard() as stop, TrainingMeter(exam_told) as meter:
        figures = train_adapter(wanted, meter.row, meter.say, lambda: stop.asked)
    if figures is None:
        screen.note(f"stopped; the state is kept in {work}: the same command goes on")
        ctx.exit(130)
    click.echo(f"{out}: {exam_told(figures)}")


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


train.add_command(adapter)
train.add_command(average)


def exam_told(figures: Any) -> str:
    """`91.2 % of 642 turns of held-out talks right`, or how many replies of written talks come out word for word."""
    if "n" in figures:
        return f"{100 * figures['right']:.1f} % of {figures['n']:,} turns of held-out talks right"
    if "replies" in figures:
        return f"{figures['word_for_word']:,} of {figures['replies']:,} replies of talks kept back, word for word"
    return "taught; measure it on a suite that played no part"


class Stopping:
    """Whether somebody asked to stop, by Ctrl-C or SIGTERM: heard between two steps. A second time ends it at once."""

    def __init__(self) -> None:
        self.asked = False

    @contextmanager
    def heard(self) -> Iterator[Stopping]:
        """While this lasts."""
        old = {kind: signal.signal(kind, self._hear) for kind in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield self
        finally:
            for kind, handler in old.items():
                signal.signal(kind, handler)

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        screen.note("stopping after this step; once more, and it stops now")
