"""Consoles for standard output and error that look right in pipes, narrow terminals and without colour.

What a model or a person wrote is shown as it is: no markup, no emoji codes, and no control characters that a terminal
would obey. Knows rich; nothing of runs.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from toolmend.base.mistakes import Mistake

PIPE_WIDTH = 100
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def console(*, err: bool = False, markup: bool = False) -> Console:
    """A console on standard output, or error. A pipe is 100 columns wide unless COLUMNS says otherwise."""
    from rich.console import Console

    made = Console(stderr=err, highlight=False, markup=markup, emoji=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = PIPE_WIDTH
    return made


def command() -> str:
    """How this program is called from here: `toolmend` where the shell finds it, else its path."""
    import shutil
    from pathlib import Path

    own = Path(sys.argv[0])
    found = shutil.which("toolmend")
    if own.name != "toolmend" or (found and Path(found).resolve() == own.resolve()):
        return "toolmend"
    with contextlib.suppress(ValueError, OSError):
        return str(own.absolute().relative_to(Path.cwd()))
    return str(own)


def print_json(data: Any) -> None:
    """JSON, alone on standard output; anything but ASCII as escapes where the stream is not Unicode."""
    unicode = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "").startswith("utf")
    click.echo(json.dumps(data, ensure_ascii=not unicode, indent=1))


def note(text: str) -> None:
    """A line on standard error."""
    click.echo(f"toolmend: {plain(text)}", err=True)


def plain(text: str) -> str:
    """Text whose control characters are shown (\\x1b), not obeyed; line breaks and tabs stay."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text.replace("\r\n", "\n"))


def hang(screen: Console, label: str, text: str, style: str = "", *, indent: int = 0) -> None:
    """`label  text`, the text's further lines below its first; wrapped on a terminal, whole in a pipe."""
    from rich.text import Text

    lines = [Text(line, style) for line in plain(text).split("\n")]
    if screen.is_terminal:
        lines = [piece for line in lines for piece in line.wrap(screen, max(20, screen.width - indent - 2))]
    for number, line in enumerate(lines):
        head = label if number == 0 else ""
        line.rstrip()
        screen.print(Text.assemble((f"{head:<{indent}}  ", "dim"), line), soft_wrap=True)


def difference(mistake: Mistake) -> str:
    """`wrong_value(time): should be '20:00', is '08:00'`."""
    parts = []
    if mistake.expected is not None:
        parts.append(f"should be {mistake.expected!r}")
    if mistake.got is not None:
        parts.append(f"is {mistake.got!r}")
    return f"{mistake}: {', '.join(parts)}" if parts else str(mistake)


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 sample`, `1,000 samples`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def span(seconds: float) -> str:
    """`12 s`, `3 min 20 s`, `2 h 05 min`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
