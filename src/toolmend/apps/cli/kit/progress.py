"""How far something is, on standard error: a bar on a terminal, else a line every ten seconds. Knows numbers only."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from toolmend.apps.cli.kit.screen import console, counted, note, span

EVERY = 10.0
QUIET = 30.0
_REDRAW = 0.1


class Meter:
    """Shows what it is told, at its own pace. Use it as a context; `update` takes a microsecond most of the time."""

    def __init__(self, noun: str = "sample") -> None:
        """Ready; nothing is drawn yet. `noun` is what is counted."""
        self._noun = noun
        self.began = self._told = time.monotonic()
        self._first: int | None = None
        self._last: tuple[int, int, str] | None = None
        self._screen = console(err=True)
        self._bar: Any = None

    def __enter__(self) -> Meter:
        """Begin to draw."""
        if self._screen.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            columns = BarColumn(bar_width=None), MofNCompleteColumn(), TextColumn("{task.fields[line]}", markup=False)
            self._bar = Progress(*columns, console=self._screen, expand=True)
            self._task = self._bar.add_task("", total=None, line="")
            self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Draw the last state and leave it there."""
        if self._bar is not None:
            if self._last is not None:
                self._draw(*self._last)
            self._bar.stop()

    @property
    def elapsed(self) -> float:
        """Seconds since it was made."""
        return time.monotonic() - self.began

    def update(self, done: int, total: int, errors: int = 0, about: str = "") -> None:
        """Take note; drawn when it is time. Those done at an earlier time count; `about` is told with it."""
        if self._first is None:
            self._first = done
        self._last = done, total, self.line(done, total, self.elapsed, errors, about)
        now = time.monotonic()
        if self._bar is not None and (now - self._told >= _REDRAW or done == self._first):
            self._told = now
            self._draw(*self._last)
        elif self._bar is None and now - self._told >= EVERY:
            self._told = now
            line = self._last[2]
            note(f"{done:,} of {counted(total, self._noun)}{line and ', '}{line}")

    def say(self, text: str) -> None:
        """A line beside the bar."""
        if self._bar is not None:
            self._bar.console.print(f"toolmend: {text}")
        else:
            note(text)

    def line(self, done: int, total: int, elapsed: float, errors: int = 0, about: str = "") -> str:
        """`3.4/s, 25 s left, 2 errors` after so many seconds; what is not known yet is left out."""
        made = done - (self._first or 0)
        parts = [about] if about else []
        if made and elapsed > 0:
            rate = made / elapsed
            whole = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
            parts.append(whole if rate >= 0.1 else f"{rate * 60:.1f}/min")
            if done < total:
                parts.append(f"{span((total - done) / rate)} left")
        if errors:
            parts.append(counted(errors, "error"))
        return ", ".join(parts)

    def _draw(self, done: int, total: int, line: str) -> None:
        self._bar.update(self._task, completed=done, total=total, line=line)


class TrainingMeter(Meter):
    """Shows a training's rows, and every exam; `exam` says what a row without progress has to tell. A single step or
    look may take minutes: then it says that it goes on."""

    def __init__(self, exam: Callable[[Mapping[str, Any]], str]) -> None:
        super().__init__("token")
        self._exam, self._over = exam, threading.Event()

    def __enter__(self) -> TrainingMeter:
        """Begin to draw."""
        super().__enter__()
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        """Draw the last state and leave it there."""
        self._over.set()
        super().__exit__(*error)

    def _watch(self) -> None:
        while not self._over.wait(QUIET / 3):
            self.beat()

    def beat(self) -> None:
        """Say that it goes on, where nothing was said for a while."""
        if time.monotonic() - self._told >= QUIET:
            self.say(f"still at it, {span(self.elapsed)} so far ...")

    def say(self, text: str) -> None:
        """A line beside the bar."""
        self._told = time.monotonic()
        super().say(text)

    def row(self, row: Mapping[str, Any]) -> None:
        """Take note of a row of progress, or of an exam."""
        if "loss" in row:
            self.update(row["tokens"], row["of"], about=f"loss {row['loss']:.3f}")
        else:
            self.say(f"{row['tokens']:,} tokens: {self._exam(row)}")
