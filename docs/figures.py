"""Runs the commands whose output pages show, and puts what they print now in its place.

    python docs/figures.py          those that need no model; exit code 1 where a page showed something else
    python docs/figures.py --all    those too that play models (`make figures ALL=1`): minutes, with the base of smol/…

A block that leaves lines out (…) is told and not rewritten. Tutorials are run whole by tests/test_tutorials.py; figures
that take longer stand with their commands in figures.md.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Shown(NamedTuple):
    """A page that shows what a command prints: below `$ command`, or in the fence after its name. `plays`: a model."""

    page: str
    command: str
    plays: bool = False


SHOWN = (
    Shown("docs/grading.md", "toolmend grade --suite calendar"),
    Shown("README.md", "toolmend run calendar --headline", plays=True),
    Shown("docs/published.md", "toolmend run calendar", plays=True),
)


def block(text: str, command: str) -> str:
    """The lines that a page shows of a command, as they stand there. Raises ValueError where it shows none."""
    below = re.search(rf"^(?P<margin> *)\$ {re.escape(command)}\n(?P<shown>(?:(?!```).+\n)+)", text, re.MULTILINE)
    fenced = re.search(
        rf"`{re.escape(command)}`[^`]*```\n(?P<shown>(?:(?!```).*\n)+)```", text.replace("](docs", "]docs")
    )
    if not (match := below or fenced):
        raise ValueError(f"nothing is shown of {command!r}")
    return match["shown"]


def printed(command: str) -> str:
    """What a command prints, on a screen of 120 columns."""
    from click.testing import CliRunner

    from toolmend.apps.cli.door import cli

    return CliRunner(env={"COLUMNS": "120"}).invoke(cli, shlex.split(command)[1:], catch_exceptions=False).stdout


def missing(shown: str, now: str) -> list[str]:
    """The lines shown that are not printed (any more); widths of columns, rules, lines left out and one line that the
    page breaks do not count."""
    lines = {_squeezed(line) for line in now.splitlines()}
    left = [line for line in shown.splitlines() if "…" not in line and _squeezed(line) not in lines | {""}]
    return [] if _squeezed(" ".join(left)) in lines else left


def _squeezed(line: str) -> str:
    return " ".join(re.sub("[─━]+", " ", line).split())


def main(everything: bool) -> int:
    """Run them, rewrite what differs, tell it; the number of blocks that differ."""
    differ = 0
    for page, command, plays in SHOWN:
        if plays and not everything:
            continue
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        shown, now = block(text, command), printed(command)
        lines = missing(shown, now)
        differ += bool(lines)
        print(f"{'differs' if lines else 'as shown'}: {page}: {command}", *lines, sep="\n  ")
        if lines and "…" not in shown:
            margin = re.match(" *", shown)[0]  # type: ignore[index]  # it may be empty
            fresh = "".join(f"{margin}{line}".rstrip() + "\n" for line in now.splitlines())
            path.write_text(text.replace(shown, fresh), encoding="utf-8")
    return differ


if __name__ == "__main__":
    sys.exit(min(1, main("--all" in sys.argv[1:])))
