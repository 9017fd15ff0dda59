"""`toolmend train`: teach a model, and see how far it is. Knows no recipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.errors import UnknownName

EVERY = 30.0


class _Train(click.Group):
    """The group, that names what took the place of what it had."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; options without the name of a command were those of `tune`."""
        bare = bool(args) and args[0].startswith("-") and not {args[0]} & {*ctx.help_option_names, "--debug"}
        return super().parse_args(ctx, ["tune", *args] if bare else args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names."""
        return ["adapter"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name == "adapter":
            from toolmend.apps.cli.commands.train_adapter import adapter

            return adapter
        raise UnknownName("command", f"train {cmd_name}", [f"train {name}" for name in self.list_commands(ctx)])


@click.group("train", cls=_Train)
@options.debug_option
def train() -> None:
    """Train an adapter over a base."""


class TrainingWatch:
    """Shows a training's rows on standard error: a bar on a terminal, else a line every half minute; every exam.

    `exam` says what a row without progress has to tell.
    """

    def __init__(self, exam: Callable[[Mapping[str, Any]], str]) -> None:
        """Ready; nothing is drawn yet."""
        self._exam = exam
        self._screen = screen.console(err=True)
        self._told: float | None = None
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> TrainingWatch:
        """Begin to draw."""
        if self._screen.is_terminal:
            from rich.progress import BarColumn, Progress, TextColumn

            columns = BarColumn(bar_width=None), TextColumn("{task.fields[line]}", markup=False)
            self._bar = Progress(*columns, console=self._screen, expand=True)
            self._task = self._bar.add_task("", total=None, line="starting")
            self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Leave the last state there."""
        if self._bar is not None:
            self._bar.stop()

    def update(self, row: Mapping[str, Any]) -> None:
        """Take note of a row of progress, or of an exam."""
        if "loss" not in row:
            self.say(f"{row['tokens']:,} tokens: {self._exam(row)}")
        elif self._bar is not None:
            self._bar.update(self._task, completed=row["tokens"], total=row["of"], line=progress_line(row))
        elif self._told is None or time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            self.say(progress_line(row))

    def say(self, text: str) -> None:
        """A line beside the bar."""
        if self._bar is not None:
            self._bar.console.print(f"toolmend: {text}")
        else:
            screen.note(text)


def progress_line(row: Mapping[str, Any]) -> str:
    """`4,096,000 of 50,000,000 tokens, loss 0.412, 21,300 tokens/s, 35 min 55 s left`."""
    speed = row["tokens_per_second"]
    left = f", {screen.span((row['of'] - row['tokens']) / speed)} left" if speed else ""
    return f"{row['tokens']:,} of {row['of']:,} tokens, loss {row['loss']:.3f}, {speed:,} tokens/s{left}"
