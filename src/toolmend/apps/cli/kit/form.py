"""In which form something is written, and where: standard output, or a file that is there when it is whole."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from toolmend.apps.cli.kit import screen
from toolmend.apps.cli.kit.options import several
from toolmend.base.atomic import written

if TYPE_CHECKING:
    from rich.console import Console

FORMS = ("text", "json", "markdown", "html")


_told = "html is one file with plots and every conversation."
form_options = several(
    click.option("--format", "form", type=click.Choice(FORMS), default="text", show_default=True, help=_told),
    click.option("--out", metavar="FILE", help="Write there instead of on standard output."),
)


@dataclass(frozen=True)
class Form:
    """One of FORMS, the file it goes into (None: standard output), and the notation of its tables."""

    name: str = "text"
    out: str | None = None
    notation: str = "both"

    @contextmanager
    def opened(self) -> Iterator[TextIO]:
        """A stream of UTF-8, lines ended as they are written. Raises BadFile for a file that cannot be written."""
        if self.out is None:
            with _standard_output() as stream:
                yield stream
            return
        path = Path(self.out).expanduser()
        with written(path) as part, part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            yield stream
        if path.is_file():
            screen.note(f"wrote {self.out} ({path.stat().st_size / 1e3:,.1f} kB)")

    @contextmanager
    def console(self) -> Iterator[Console]:
        """A console on it: the terminal's own where there is one."""
        from rich.console import Console

        if self.out is None:
            yield screen.console()
            return
        with self.opened() as stream:
            yield Console(file=stream, width=screen.PIPE_WIDTH, highlight=False, markup=False, emoji=False)

    def json(self, data: Any) -> None:
        """JSON, alone."""
        if self.out is None:
            screen.print_json(data)
            return
        with self.opened() as stream:
            stream.write(json.dumps(data, ensure_ascii=False, indent=1) + "\n")


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    stream = io.TextIOWrapper(sys.stdout.buffer, "utf-8", errors="backslashreplace", newline="")
    try:
        yield stream
        stream.flush()
    finally:
        stream.detach()
