"""A program at a terminal, typed at by a script: what is on the screen so far, and what is typed next."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

_HEARS = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])"
_STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Typist:
    """Starts the command; `until` waits for words on the screen, and gives what stood before them, without styles."""

    def __init__(self, words: Sequence[str], folder: Path, environment: Mapping[str, str], columns: int = 80) -> None:
        self.master, slave = os.openpty()
        # A scroll-free size: `stty` would need the terminal of its own.
        environment = {**environment, "COLUMNS": str(columns), "LINES": "40"}
        # Ctrl-C works in it however the tests themselves were started.
        words = [sys.executable, "-c", _HEARS, *words]
        self.process = subprocess.Popen(words, cwd=folder, env=environment, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self._held = self.met = ""

    def until(self, *wanted: str) -> str:
        """What came before the first that is there of `wanted`, which is `met` then. AssertionError where the program
        ends without it."""
        while not (there := [words for words in wanted if words in self._held]):
            piece = self._piece()
            assert piece, f"it ended before {wanted!r}: {self._held}"
            self._held = _STYLE.sub("", self._held + piece).replace("\r\n", "\n")
        self.met = min(there, key=self._held.index)
        before, _, self._held = self._held.partition(self.met)
        return before

    def say(self, text: str, *then: str) -> str:
        """Type a line; what was answered, until the next prompt or what else was waited for."""
        os.write(self.master, f"{text}\n".encode())
        self.until(text)
        return self.until(*(then or ["\n> "]))

    def leave(self) -> int:
        """Ctrl-D; the exit code."""
        os.write(self.master, b"\x04")
        while self._piece():
            pass
        return self.process.wait(60)

    def close(self) -> None:
        """End what still runs."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def _piece(self) -> str:
        with suppress(OSError):  # the other side is gone
            return os.read(self.master, 4096).decode("utf-8", "replace")
        return ""
