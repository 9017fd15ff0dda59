"""Runs the commands whose output pages show, and puts what they print now in its place.

    python docs/figures.py          those that need no model; exit code 1 where a page showed something else
    python docs/figures.py --all    those too that play models (`make figures ALL=1`): minutes, with the base of smol/…

Of some commands a page shows parts only: those that begin with the words named here. A block that leaves lines out (…)
is told and not rewritten. Tutorials are run whole by tests/test_tutorials.py; figures that take longer stand with their
commands in figures.md.
"""

from __future__ import annotations

import re
import shlex
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Shown(NamedTuple):
    """A page that shows what a command prints: below `$ command`, or in the fence after its name. `plays`: a model.

    `parts`: the beginnings of the parts that are shown, which blank lines divide; all of them where it is empty.
    `some`: only some lines are shown, each of which is renewed by the one that begins with the same word.
    """

    page: str
    command: str
    plays: bool = False
    parts: tuple[str, ...] = ()
    some: bool = False


_RATES = ("Who fixes what", "fix@1 by what")
SHOWN = (
    Shown("docs/grading.md", "toolmend grade --suite calendar"),
    Shown("README.md", "toolmend run calendar --headline", plays=True, some=True),
    Shown("docs/published.md", "toolmend run calendar", True, ("calendar ·", "4.1", "4.3", "5 Recap", *_RATES)),
    Shown(
        "docs/published.md",
        "toolmend run calendar_test --model builtin/small --strategy oneline --strategy 'oneline?repeat=true'",
        True,
        ("calendar_test ·", *_RATES),
    ),
)
_LEFT_OUT = re.compile(r"(?:^|\s)…|…(?:\s|$)")
"""A mark that something is left out; between two figures (`-22…+28`) it is none."""
_SIGN = "°"
_RUN = re.compile(r" · run [0-9a-f]{12}")  # another one each time


def block(text: str, command: str) -> str:
    """The lines that a page shows of a command, as they stand there. Raises ValueError where it shows none."""
    below = re.search(rf"^(?P<margin> *)\$ {re.escape(command)}\n(?P<shown>(?:(?!```).+\n)+)", text, re.MULTILINE)
    fenced = re.search(
        rf"`{re.escape(command)}`[^`]*```\n(?P<shown>(?:(?!```).*\n)+)```", text.replace("](docs", "]docs")
    )
    if not (match := below or fenced):
        raise ValueError(f"nothing is shown of {command!r}")
    return match["shown"]


def printed(command: str, parts: tuple[str, ...] = ()) -> str:
    """What a command prints, or those parts of it, on a screen of 120 columns and with a store of its own.

    Raises RuntimeError where it ends with another exit code than 0.
    """
    from click.testing import CliRunner

    from toolmend.apps.cli.door import cli

    with TemporaryDirectory() as folder:
        place = {"COLUMNS": "120", "TOOLMEND_STORE": str(Path(folder, "figures.db")), "TOOLMEND_CONFIG": "off"}
        done = CliRunner(env=place).invoke(cli, shlex.split(command)[1:], catch_exceptions=False)
    if done.exit_code:
        raise RuntimeError(f"{command}: exit code {done.exit_code}: {done.stderr.strip().splitlines()[-1:]}")
    return parted(done.stdout, parts)


def parted(text: str, parts: tuple[str, ...]) -> str:
    """The parts of what was printed that begin so, and below them what its sign for few cases means, where it stands
    there; without the run's id. All of it, as it is, where no part is named."""
    if not parts:
        return text
    kept = [part for part in _RUN.sub("", text).split("\n\n") if part.lstrip("\n").startswith(parts)]
    kept += [line for line in text.splitlines() if line.startswith(_SIGN) and any(_SIGN in part for part in kept)]
    lines = [line for part in kept for line in ["", *part.splitlines()] if not line or line.strip()]
    return "\n".join(line.rstrip() for line in lines[1:]) + "\n"


def missing(shown: str, now: str) -> list[str]:
    """The lines shown that are not printed (any more); widths of columns, rules, lines left out and a line that the
    page breaks do not count."""
    lines = {_squeezed(line) for line in now.splitlines()} | {""}
    left: list[str] = []
    broken = False
    for line, following in pairwise([*shown.splitlines(), ""]):
        broken, second = not broken and _squeezed(f"{line} {following}") in lines, broken
        if not (broken or second or _LEFT_OUT.search(line) or _squeezed(line) in lines):
            left.append(line)
    return left


def renewed(shown: str, now: str, margin: str, *, some: bool) -> str:
    """What the page shows from now on: all of what is printed, or, of `some` lines, each renewed by its first word.

    What cannot be renewed stays as it is: lines left out (…), a word that begins several lines, or none.
    """
    if not some:
        return (
            shown
            if _LEFT_OUT.search(shown)
            else "".join(f"{margin}{line}".rstrip() + "\n" for line in now.splitlines())
        )
    begins: dict[str, list[str]] = {}
    for line in now.splitlines():
        begins.setdefault(line.partition(" ")[0], []).append(line.rstrip())
    fresh = {
        line: found[0] for line in missing(shown, now) if len(found := begins.get(line.partition(" ")[0], [])) == 1
    }
    return "".join(f"{fresh.get(line, line)}\n" for line in shown.splitlines())


def _squeezed(line: str) -> str:
    return " ".join(re.sub("[─━]+", " ", line).split())


def main(everything: bool) -> int:
    """Run them, rewrite what differs, tell it; the number of blocks that differ."""
    differ = 0
    for page, command, plays, parts, some in SHOWN:
        if plays and not everything:
            continue
        now = printed(command, parts)
        path = ROOT / page
        text = path.read_text(
            encoding="utf-8"
        )  # after the command: it may have taken minutes, and the page another hand
        shown = block(text, command)
        lines = missing(shown, now)
        differ += bool(lines)
        print(f"{'differs' if lines else 'as shown'}: {page}: {command}", *lines, sep="\n  ", flush=True)
        if lines:
            below = re.search(rf"^( *)\$ {re.escape(command)}\n", text, re.MULTILINE)
            path.write_text(
                text.replace(shown, renewed(shown, now, below[1] if below else "", some=some)), encoding="utf-8"
            )
    return differ


if __name__ == "__main__":
    sys.exit(min(1, main("--all" in sys.argv[1:])))
