"""A training as it is shown on standard error, and how it is stopped. Knows no recipe."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

from toolmend.apps.cli.kit import screen

EVERY = 10.0


class TrainingWatch:
    """Tells a training's rows on standard error: one of progress every ten seconds, every exam.

    `exam` says what a row without progress has to tell.
    """

    def __init__(self, exam: Callable[[Mapping[str, Any]], str]) -> None:
        self._exam = exam
        self._told: float | None = None

    def update(self, row: Mapping[str, Any]) -> None:
        """Take note of a row of progress, or of an exam."""
        if "loss" not in row:
            screen.note(f"{row['tokens']:,} tokens: {self._exam(row)}")
        elif self._told is None or time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            screen.note(progress_line(row))


def progress_line(row: Mapping[str, Any]) -> str:
    """`4,096,000 of 50,000,000 tokens, loss 0.412, 21,300 tokens/s, 35 min 55 s left`."""
    speed = row["tokens_per_second"]
    left = f", {screen.span((row['of'] - row['tokens']) / speed)} left" if speed else ""
    return f"{row['tokens']:,} of {row['of']:,} tokens, loss {row['loss']:.3f}, {speed:,} tokens/s{left}"


def exam_told(figures: Any) -> str:
    """`91.2 % of 642 turns of held-out talks right`."""
    if not figures["n"]:
        return "taught; measure it on a suite that played no part"
    return f"{100 * figures['right']:.1f} % of {figures['n']:,} turns of held-out talks right"


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
