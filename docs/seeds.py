"""Plays each row of seeds.md in small: a line for each with its result, and exit code 1 if one fails (`make seeds`).

    python docs/seeds.py [WORDS…]     only rows whose system has one of these words; --table FILE: another table's

A row passes if all its commands end with 0 and the words that it names stand in what they print. Two are played at a
time, each with a store and a folder of its own, which go. Ctrl-C ends the commands that run, too: exit code 130.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "seeds.md"
HEAD = ["system", "command", "in small", "test", "published", "here"]
AT_ONCE = 2
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


class Printed(NamedTuple):
    """What a row's commands printed, how long they took, and why they failed ("" where all ended with 0)."""

    text: str
    seconds: float
    failed: str


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


class Player:
    """Runs the commands of rows, two at a time, each in a store and a folder of its own. `stop` ends what runs."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def play(self, small: Sequence[str]) -> Printed:
        """Run commands in order until one fails."""
        began, printed = time.monotonic(), ""
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            for command in small:
                code, said = self._run(_words(command, Path(folder)), Path(folder))
                printed += said
                if code:
                    why = f"`{command}`: exit code {code}" if code > 0 else f"`{command}`: ended after {SECONDS} s"
                    return Printed(printed, time.monotonic() - began, f"{why}\n{_tail(said)}")
        return Printed(printed, time.monotonic() - began, "")

    def stop(self) -> None:
        """End what runs, and whatever it started; nothing more begins."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            _end(process)

    def _run(self, words: Sequence[str], folder: Path) -> tuple[int, str]:
        """Exit code and all that was printed; a code below 0 for a command that was ended here."""
        place = {"TOOLMEND_STORE": str(folder / "toolmend.db"), "TOOLMEND_CONFIG": "off", "COLUMNS": "200"}
        with self._lock:
            if self._stopped:
                return -1, ""
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
            self._running.add(process)
        try:
            said = process.communicate(timeout=SECONDS)[0]
            return process.returncode, said
        except subprocess.TimeoutExpired:
            _end(process)
            return -1, process.communicate()[0]
        finally:
            with self._lock:
                self._running.discard(process)


def told(row: Row, printed: Printed) -> tuple[bool, str]:
    """Whether the row passed, and the line that has its words, or why it failed."""
    if printed.failed:
        return False, printed.failed
    lines = [" ".join(line.split()) for line in printed.text.splitlines()]
    shown = next((line for line in lines if " ".join(row.shows.split()) in line), "")
    return bool(shown), shown[:_WIDTH] or f"“{row.shows}” is not in what it prints\n{_tail(printed.text)}"


def _words(command: str, folder: Path) -> list[str]:
    program, *arguments = [
        word.replace("$ROOT", str(ROOT)).replace("$OUT", str(folder)) for word in shlex.split(command)
    ]
    return [sys.executable, *_PROGRAMS[program], *arguments]


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
    player, began, failed = Player(), time.monotonic(), list[str]()
    played = 0
    with ThreadPoolExecutor(AT_ONCE) as workers:
        # Rows of the same commands share what these print.
        playing = {small: workers.submit(player.play, small) for small in dict.fromkeys(row.small for row in wanted)}
        try:
            for row in wanted:
                printed = playing[row.small].result()
                passed, says = told(row, printed)
                failed += [] if passed else [row.system]
                played += 1
                print(f"{'ok  ' if passed else 'FAIL'} {printed.seconds:5.1f} s  {row.system}: {says}", flush=True)
        except KeyboardInterrupt:
            player.stop()
            workers.shutdown(cancel_futures=True)
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
