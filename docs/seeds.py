"""Plays each row of seeds.md in small: a line for each with its result, and exit code 1 if one fails (`make seeds`).

    python docs/seeds.py [WORDS…]     only rows whose system has one of these words; --table FILE: another table's

A row passes if all its commands end with 0 and the words that it names stand in what they print. Each row has a store
and a folder of its own, which go. Ctrl-C ends the command that runs, too: exit code 130.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "seeds.md"
HEAD = ["system", "command", "in small", "test", "published", "here"]
SECONDS = 300  # of one command; the slowest takes a tenth
_WIDTH = 100
_PROGRAMS = {
    "toolmend": ("-m", "toolmend"),
    "python": (),
    "pytest": ("-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"),
}


class Row(NamedTuple):
    """A row: `small` are the commands that `make seeds` runs, `shows` words that they print."""

    system: str
    command: str
    small: tuple[str, ...]
    shows: str
    test: str
    published: str
    here: str


class Played(NamedTuple):
    """What came of a row: the line that has its words, or why it failed."""

    passed: bool
    says: str
    seconds: float


def rows(text: str) -> list[Row]:
    """All rows of a page's tables with these columns. Raises ValueError for a row that is none."""
    lines = [
        [cell.strip() for cell in line.strip().strip("|").split(" | ")] for line in text.splitlines() if line[:1] == "|"
    ]
    found = [cells for cells in lines if cells != HEAD and set("".join(cells)) - set("-|: ")]
    return [_row(cells) for cells in found]


def _row(cells: Sequence[str]) -> Row:
    if len(cells) != len(HEAD) or not all(cells):
        raise ValueError(f"not {len(HEAD)} cells: {' | '.join(cells)}")
    system, command, small, test, published, here = cells
    commands, shows = re.findall(r"`([^`]+)`", small), re.search(r"“([^”]+)”", small)
    if not commands or not shows:
        raise ValueError(f"{system}: in small are `commands` and the “words” that they print, not {small!r}")
    return Row(system, command.strip("`"), tuple(commands), shows[1], test.strip("`"), published, here)


def play(row: Row, folder: Path) -> Played:
    """Run a row's commands in order, with a store and files in `folder`."""
    began, printed = time.monotonic(), ""
    for command in row.small:
        code, said = _run(_words(command, folder), folder)
        printed += said
        if code:
            why = f"`{command}`: exit code {code}" if code > 0 else f"`{command}`: no end after {SECONDS} s"
            return Played(False, f"{why}\n{_tail(said)}", time.monotonic() - began)
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    shown = next((line for line in lines if " ".join(row.shows.split()) in line), "")
    says = shown[:_WIDTH] or f"“{row.shows}” is not in what it prints\n{_tail(printed)}"
    return Played(bool(shown), says, time.monotonic() - began)


def _words(command: str, folder: Path) -> list[str]:
    program, *arguments = [
        word.replace("$ROOT", str(ROOT)).replace("$OUT", str(folder)) for word in shlex.split(command)
    ]
    return [sys.executable, *_PROGRAMS[program], *arguments]


def _run(words: Sequence[str], folder: Path) -> tuple[int, str]:
    """Exit code and all that was printed; a code below 0 for a command that was ended here."""
    place = {"TOOLMEND_STORE": str(folder / "toolmend.db"), "TOOLMEND_CONFIG": "off", "COLUMNS": "200"}
    process = subprocess.Popen(
        words,
        cwd=ROOT,
        env={**os.environ, **place},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        said = process.communicate(timeout=SECONDS)[0]
        return process.returncode, said
    except subprocess.TimeoutExpired:
        _end(process)
        return -1, process.communicate()[0]
    except BaseException:
        _end(process)
        raise


def _end(process: subprocess.Popen[str]) -> None:
    """End a command and whatever it started."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(10)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def _tail(text: str) -> str:
    return "\n".join(f"      {line[:_WIDTH]}" for line in text.strip().splitlines()[-6:])


def main(arguments: Sequence[str]) -> int:
    """Play the rows, print a line each; 0, or 1 if one failed."""
    table, words = TABLE, list(arguments)
    if words[:1] == ["--table"]:
        table, words = Path(words[1]), words[2:]
    every = rows(table.read_text(encoding="utf-8"))
    wanted = [row for row in every if not words or any(word.lower() in row.system.lower() for word in words)]
    if not wanted:
        print(f"no row has {' or '.join(words)}; the rows: {', '.join(row.system for row in every)}", file=sys.stderr)
        return 1
    done: dict[tuple[tuple[str, ...], str], Played] = {}
    began, failed, played = time.monotonic(), [], 0
    try:
        for row in wanted:
            key = (row.small, row.shows)
            with TemporaryDirectory() as folder:
                done[key] = result = done.get(key) or play(row, Path(folder))
            played += 1
            failed += [] if result.passed else [row.system]
            print(
                f"{'ok  ' if result.passed else 'FAIL'} {result.seconds:5.1f} s  {row.system}: {result.says}",
                flush=True,
            )
    except KeyboardInterrupt:
        print(f"stopped: {played} of {len(wanted)} rows played", file=sys.stderr)
        return 130
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    print(f"{len(wanted) - len(failed)} of {len(wanted)} rows in {minutes} min {seconds} s")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background of a script it was ignored
    sys.exit(main(sys.argv[1:]))
