"""A training as it is shown on standard error, and how it is stopped. Knows no recipe."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

from toolmend.apps.cli.kit import screen

EVERY = 30.0


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
