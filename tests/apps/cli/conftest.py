"""What the tests of the command line share: commands called in this process or in another, and a tiny suite."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from toolmend import registry
from toolmend.apps.cli.door import cli
from toolmend.base.messages import Reply, Request
from toolmend.models.scripted import Scripted

Invoke = Callable[..., Result]
Command = Callable[..., list[str]]

RIGHT = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
LATE = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="13:00")'

SUITE = """\
suite: tiny
tools: calendar
experiments:
  quick:
    about: one request
    cases: [lunch]
    attempts: ATTEMPTS
    corrections: 1
    branches: []
cases:
  lunch:
    - steps:
        - say: Add a lunch on May 3 2024 at noon.
          expect: action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")
"""

# A family of models that comes from outside, by entry point: it writes a line for each request to the pipe SLOWLY_LOG,
# and from the request on whose number SLOWLY_UNTIL says it never answers.
SLOWLY = """\
import os
import anyio
from toolmend.base.messages import Reply
from toolmend.models import Abilities

class Slowly:
    abilities = Abilities()
    def __init__(self, name):
        self.name, self.asked = name, 0
    async def reply(self, request, *, on_delta=None):
        self.asked += 1
        os.write(int(os.environ["SLOWLY_LOG"]), f"{request.options.seed or 0}\\n".encode())
        if self.asked >= int(os.environ.get("SLOWLY_UNTIL", "1000000")):
            await anyio.sleep_forever()
        await anyio.sleep(0.001)
        return Reply(REPLY, model=self.name)

def load(name):
    return Slowly(f"slowly/{name}")
"""


def _late_then_right(request: Request) -> Reply:
    wrong = len(request.messages) <= 2
    return Reply(LATE if wrong else RIGHT, model="canned/late")


def _canned(name: str) -> Scripted:
    if name == "late":
        return Scripted(_late_then_right, "canned/late")
    return Scripted([RIGHT], f"canned/{name}")


@pytest.fixture(autouse=True)
def _quiet_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store and a folder of this test's own, and a screen of a known width."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("TOOLMEND_STORE", str(tmp_path / "runs.db"))
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def canned(monkeypatch: pytest.MonkeyPatch) -> None:
    """`canned/right` is right at once, `canned/late` when corrected."""
    monkeypatch.setitem(registry.models._table, "canned", _canned)


@pytest.fixture
def invoke(canned: None) -> Invoke:
    """A command in this process: `invoke("run", suite)`."""
    return lambda *words, stdin=None: CliRunner().invoke(
        cli, [str(word) for word in words], input=stdin, prog_name="toolmend"
    )


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite of two samples."""
    return write_suite(tmp_path, 2)


def write_suite(folder: Path, attempts: int) -> Path:
    path = folder / "tiny.yaml"
    path.write_text(SUITE.replace("ATTEMPTS", str(attempts)), encoding="utf-8")
    return path


class Program:
    """The command line in a process of its own, with the family of models `slowly` and a pipe it writes to."""

    def __init__(self, folder: Path) -> None:
        plugins = folder / "plugins"
        about = plugins / "slowly-1.dist-info"
        about.mkdir(parents=True)
        (plugins / "slowly.py").write_text(SLOWLY.replace("REPLY", repr(RIGHT)), encoding="utf-8")
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: slowly\nVersion: 1\n", encoding="utf-8")
        (about / "entry_points.txt").write_text("[toolmend.models]\nslowly = slowly:load\n", encoding="utf-8")
        self.log, self.fd = os.pipe()
        paths = [str(plugins), *(path for path in sys.path if path)]
        self.environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "SLOWLY_LOG": str(self.fd)}

    def start(
        self, *words: object, stdin: int = subprocess.DEVNULL, stdout: int = subprocess.PIPE, **more: Any
    ) -> subprocess.Popen[str]:
        """Begin; `more` is environment. Ctrl-C works in it however the tests themselves were started."""
        return subprocess.Popen(
            [sys.executable, "-m", "toolmend.apps.cli", *map(str, words)],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            env={**self.environment, **more},
            pass_fds=[self.fd],
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
        )

    def run(self, *words: object, **more: Any) -> tuple[int, str, str]:
        """Exit code, standard output, standard error."""
        with self.start(*words, stdout=subprocess.PIPE, **more) as process:
            out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def asked(self, count: int) -> list[int]:
        """The seeds of that many further requests, waited for."""
        text = b""
        while text.count(b"\n") < count:
            text += os.read(self.log, 1)
        return [int(line) for line in text.split()]

    def asked_since(self) -> list[int]:
        """The seeds of the requests not read yet, when no process writes any more."""
        os.set_blocking(self.log, False)
        text = b""
        try:
            while piece := os.read(self.log, 65536):
                text += piece
        except BlockingIOError:
            os.set_blocking(self.log, True)
        return [int(line) for line in text.split()]


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    made = Program(tmp_path)
    yield made
    os.close(made.log)
    os.close(made.fd)
