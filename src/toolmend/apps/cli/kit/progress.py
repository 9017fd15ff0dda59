"""How far a run is, on standard error: a bar on a terminal, else a line every ten seconds. Knows numbers only."""

from __future__ import annotations

import time
from typing import Any, Protocol

from toolmend.apps.cli.kit.screen import console, counted, note, span

EVERY = 10.0
_REDRAW = 0.1


class HowFar(Protocol):
    """What a meter reads; those done at an earlier time count."""

    @property
    def done(self) -> int:
        """Samples that are finished."""
        ...

    @property
    def total(self) -> int:
        """Samples of the whole run."""
        ...

    @property
    def errors(self) -> int:
        """Samples that could not be run, this time."""
        ...


class Meter:
    """Shows what it is told, at its own pace. Use it as a context; `update` takes a microsecond most of the time."""

    def __init__(self, noun: str = "sample") -> None:
        """Ready; nothing is drawn yet. `noun` is what is counted."""
        self._noun = noun
        self.began = self._told = time.monotonic()
        self._first: int | None = None
        self._last: HowFar | None = None
        self._screen = console(err=True)
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Meter:
        """Begin to draw."""
        if self._screen.is_terminal:
            self._bar = _bar(self._screen)
            self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Draw the last state and leave it there."""
        if self._bar is not None:
            if self._last is not None:
                self._draw(self._last)
            self._bar.stop()

    @property
    def elapsed(self) -> float:
        """Seconds since it was made."""
        return time.monotonic() - self.began

    def update(self, how_far: HowFar) -> None:
        """Take note; drawn when it is time."""
        if self._first is None:
            self._first = how_far.done
        self._last = how_far
        now = time.monotonic()
        if self._bar is not None and (now - self._told >= _REDRAW or how_far.done == self._first):
            self._told = now
            self._draw(how_far)
        elif self._bar is None and now - self._told >= EVERY:
            self._told = now
            note(f"{how_far.done:,} of {counted(how_far.total, self._noun)}, {self.line(how_far, self.elapsed)}")

    def line(self, how_far: HowFar, elapsed: float) -> str:
        """`3.4/s, 25 s left, 2 errors` after so many seconds; what is not known yet is left out."""
        made = how_far.done - (self._first or 0)
        parts = []
        if made and elapsed > 0:
            rate = made / elapsed
            parts.append(f"{rate:.0f}/s" if rate >= 10 else f"{rate:.1f}/s" if rate >= 0.1 else f"{rate * 60:.1f}/min")
            if how_far.done < how_far.total:
                parts.append(f"{span((how_far.total - how_far.done) / rate)} left")
        parts.append(counted(how_far.errors, "error"))
        return ", ".join(parts)

    def _draw(self, how_far: HowFar) -> None:
        line = self.line(how_far, self.elapsed)
        if self._task is None:
            self._task = self._bar.add_task("", total=how_far.total, line="")
        self._bar.update(self._task, completed=how_far.done, total=how_far.total, line=line)


def _bar(screen: Any) -> Any:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = BarColumn(bar_width=None), MofNCompleteColumn(), TextColumn("{task.fields[line]}", markup=False)
    return Progress(*columns, console=screen, expand=True)
