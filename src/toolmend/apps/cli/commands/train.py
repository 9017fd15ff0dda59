"""`toolmend train adapter`: teaches a base model the spoken notation. Knows nothing of training."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import click

from toolmend.apps.cli.commands.train_files import average, base_option, course_of, cut, pack, rank_of, talks_option
from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.progress import TrainingMeter
from toolmend.base.errors import BadOption, needs

_folder = click.Path(file_okay=False, path_type=Path)
_file = click.Path(dir_okay=False, path_type=Path)


@click.group("train", cls=options.Group)
@options.debug_option
def train() -> None:
    """Train an adapter over a base."""


@options.command
@base_option
@click.option("--out", type=_folder, required=True, help="Where the adapter goes; use it with --model smol/./OUT.")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="How long, on this machine.")
@click.option("--tokens", type=click.IntRange(min=1), help="Padded tokens to see, instead of minutes.")
@talks_option
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="Lessons from what `toolmend data build` wrote, or from a file of chats (ShareGPT, OpenAI, HF), instead.",
)
@click.option(
    "--method", type=click.Choice(["sft", "hindsight"]), default="sft", show_default=True,
    help="Of --data: right replies, or worse ones and then the better.",
)  # fmt: skip
@click.option("--rows", type=_file, help="Lessons that `toolmend train pack` made, instead.")
@click.option("--from", "begin", type=_folder, help="A folder with an adapter to begin with.")
@click.option("--rank", type=click.IntRange(1, 512), help="Of the adapter. [default: that of --from, else 16]")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.pass_context
def adapter(
    ctx: click.Context, /, out: Path, data: Path | None, talks: tuple[str, ...], method: str, rows: Path | None,
    rank: int | None, **asked: Any,
) -> None:  # fmt: skip
    """Teach a base to say which words belong to which argument (docs/notation.md), and print how well it does.

    With --data it learns from corrected talks, in the notation of their replies; a GPU is used where torch sees one
    (docs/training.md). Needs the extra `train` (torch). Stopped or killed, the same command goes on to the same result.
    """
    if (asked["minutes"] is None) == (asked["tokens"] is None):
        raise BadOption("say how long: --minutes N, or --tokens N")
    if sum(map(bool, (data, talks, rows))) > 1:
        raise BadOption("--talks, --data and --rows each say what is learned: one of them")
    needs("training an adapter", "train", "torch")
    from toolmend.training.adapter.courses import data_course
    from toolmend.training.adapter.packed_rows import packed_course
    from toolmend.training.adapter.teaching import AdapterAsked, train_adapter

    work = out.with_name(f"{out.name}.work")
    if rows:
        course: Any = packed_course(rows, asked["base"])
    else:
        course = data_course(data, method) if data else course_of(talks)
    rank = rank or rank_of(asked["begin"])
    wanted = AdapterAsked(out=out, work=work, course=course, rank=rank, rounds=0 if rows else 2, **asked)
    with Stopping().heard() as stop, TrainingMeter(exam_told) as meter:
        figures = train_adapter(wanted, meter.row, meter.say, lambda: stop.asked)
    if figures is None:
        screen.note(f"stopped; the state is kept in {work}: the same command goes on")
        ctx.exit(130)
    click.echo(f"{out}: {exam_told(figures)}")


for _command in (adapter, average, cut, pack):
    train.add_command(_command)


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
