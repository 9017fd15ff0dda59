"""README's front in a fresh clone, by the clock: seconds of each command, and what the page shows beside the screen.

    python tests/five_minutes.py     # or: make five-minutes; exit 1 where a bar is missed

A home of its own, so nothing of this person's is used but pip's cache. CPU seconds stand beside, for busy machines.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from terminals import Typist

ROOT = Path(__file__).parents[1]
PROMPT = "\n> "
ASKED = "run it? [y/N/always, or what is wrong] "
SECONDS, COMMANDS = 300, 4


class Front(NamedTuple):
    """What README's first section tells somebody to do, and shows."""

    install: str
    file: str
    code: str
    chat: str
    talk: str


class Step(NamedTuple):
    """A command as typed, and what it took."""

    command: str
    seconds: float
    cpu: float
    printed: str


def front(page: str) -> Front:
    """Of README's text: the blocks of its first section."""
    blocks = re.findall(r"^```(.*?)\n(.*?)^```$", page.partition("\n## ")[2], re.MULTILINE | re.DOTALL)
    install, (kind, code), chat, talk = blocks[0][1], blocks[1], blocks[2][1], blocks[3][1]
    return Front(install.partition("#")[0].strip(), kind.split()[1], code, chat.strip(), talk)


def typed(talk: str) -> list[str]:
    """The lines of a shown talk that the person types."""
    return re.findall(rf"(?:^> |{re.escape(ASKED)})(.+)$", talk, re.MULTILINE)


def at_home(folder: Path) -> dict[str, str]:
    """The environment of somebody new: nothing set, nothing kept."""
    (folder / "home" / ".local" / "bin").mkdir(parents=True, exist_ok=True)
    mine = {
        name: value for name, value in os.environ.items() if not re.match("PYTHONPATH|VIRTUAL_ENV|TOOLMEND|XDG_", name)
    }
    cache = os.environ.get("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))
    path = f"{folder / 'home/.local/bin'}{os.pathsep}{mine['PATH']}"
    return mine | {"HOME": str(folder / "home"), "PATH": path, "TERM": "xterm", "PIP_CACHE_DIR": cache}


def walk(folder: Path) -> tuple[list[Step], str, str]:
    """Clone, install, write the file, talk. The steps to the first right call; what was shown, and what was printed.

    Raises:
        subprocess.CalledProcessError: a command failed; its output says why.
    """
    own, clone = at_home(folder), folder / "toolmend"
    steps = [_timed(f"git clone -q file://{ROOT} toolmend", lambda line: _ran(line, folder, own))]
    page = front((clone / "README.md").read_text(encoding="utf-8"))
    steps += [Step("cd toolmend", 0, 0, ""), _timed(page.install, lambda line: _ran(line, clone, own))]
    (clone / page.file).write_text(page.code, encoding="utf-8")
    first, second, *others = typed(page.talk)
    typists = list[Typist]()
    try:
        steps.append(_timed(page.chat, lambda line: _begun(typists, line, clone, own, [first, second])))
        printed = steps[-1].printed + _talked(typists[0], others)
        typists[0].leave()
    finally:
        for typist in typists:
            typist.close()
    return steps, page.talk, printed.removeprefix("\n").removesuffix(PROMPT)


def _timed(command: str, act: Callable[[str], str]) -> Step:
    start, used = time.monotonic(), sum(os.times()[2:4])
    printed = act(command)
    return Step(command, time.monotonic() - start, sum(os.times()[2:4]) - used, printed)


def _ran(command: str, folder: Path, own: dict[str, str]) -> str:
    return subprocess.run(command.split(), cwd=folder, env=own, capture_output=True, text=True, check=True).stdout


def _begun(typists: list[Typist], command: str, clone: Path, own: dict[str, str], lines: list[str]) -> str:
    program = shutil.which(command.split()[0], path=own["PATH"]) or f".venv/bin/{command.split()[0]}"
    typists.append(Typist([program, *command.split()[1:]], clone, own))
    typists[0].until(PROMPT)
    return PROMPT + _talked(typists[0], lines)


def _talked(chat: Typist, lines: list[str]) -> str:
    return "".join(line + chat.say(line, PROMPT, ASKED) + chat.met for line in lines)


def main() -> int:
    """Walk, and print it. 1: a bar is missed."""
    with tempfile.TemporaryDirectory() as folder:
        steps, shown, printed = walk(Path(folder))
    for step in steps:
        print(f"{step.seconds:7.1f} s {step.cpu:7.1f} s CPU  {step.command}")
    total = sum(step.seconds for step in steps)
    print(f"{total:7.1f} s  from the clone to the first call; {len(steps)} commands (bars: {SECONDS} s, {COMMANDS})")
    print(
        *difflib.unified_diff(shown.splitlines(), printed.splitlines(), "README", "printed", n=1, lineterm=""), sep="\n"
    )
    return int(total > SECONDS or len(steps) > COMMANDS or "ran:" not in steps[-1].printed)


if __name__ == "__main__":
    sys.exit(main())
