"""The walk of somebody new: README's front in its order, at a terminal; and all of it in a fresh clone (slow)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from five_minutes import COMMANDS, at_home, front, typed, walk
from terminals import Typist
from toolmend.apps.cli import door

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAM = [sys.executable, "-m", "toolmend.apps.cli"]
ASKED = "run it? [y/N/always, or what is wrong] "
Start = Callable[..., Typist]


def named(file: str) -> str:
    """The block of README that is that file."""
    found = re.search(rf"^```python {re.escape(file)}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """A person's own, of nobody who was here before, but for the models that are in the cache."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return {
        **os.environ,
        "PYTHONPATH": paths,
        "TOOLMEND_STORE": str(folder / "kept" / "runs.db"),
        "TERM": "xterm",
    } | more


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A chat at a terminal with README's file, and a model that repeats what it is told."""
    (tmp_path / "home.py").write_text(named("home.py"), encoding="utf-8")
    typists = []

    def started(*words: str, columns: int = 80, **more: str) -> Typist:
        command = [*PROGRAM, "chat", "--mend", "--model", "scripted/echo", *words]
        typists.append(Typist(command, tmp_path, environment(tmp_path, **more), columns))
        return typists[-1]

    yield started
    for typist in typists:
        typist.close()


def test_the_example_is_a_file_too() -> None:
    assert (ROOT / "examples" / "home.py").read_text(encoding="utf-8") == named("home.py")


def test_every_command_of_the_front_is_one() -> None:
    front = README.partition("## Five minutes")[2].partition("## What it does")[0]
    commands = re.findall(r"(?:^|`)toolmend ([a-z]+)", front, re.MULTILINE)
    assert "chat" in commands
    assert set(commands) <= set(door.COMMANDS)


def test_ones_own_tools_at_a_terminal(start: Start) -> None:
    chat = start("--tools", "home.py")
    greeting = chat.until("\n> ")
    assert "heat(room='bath'|'kitchen'|'bedroom', degrees)" in greeting
    question = chat.say('heat("bath", 22)', ASKED)
    assert '  heat("bath", degrees=22)  [write]\n' in question
    assert '  c1 ran: "bath: 22.0 °C"' in chat.say("y")
    assert '  heat("bath", degrees=21)  [write]\n' in chat.say("No, 21", ASKED)
    assert "  changed: degrees 22 → 21" in chat.say("y")
    assert '    degrees 21 ← "21"' in chat.say("/why")
    chat.say('lights("kitchen", True)', ASKED)
    assert '  lights("bedroom", on=True)  [write]\n' in chat.say("no, the bedroom", ASKED)
    assert '  c4 ran: "bedroom: on"' in chat.say("always")
    assert '  c5 ran: "bath: on"' in chat.say('lights("bath", True)')
    assert chat.leave() == 0


def test_a_calendar_is_there_in_the_next_talk(start: Start) -> None:
    first = start()
    first.until("\n> ")
    first.say('action.add_calendar_entry("Tea", "2031-05-06", "16:00")')
    assert first.leave() == 0
    second = start()
    assert "kept in" in second.until("\n> ")
    assert "16:00  30 min  Tea" in second.say("what's on 2031-05-06?")
    assert "there is nothing to undo yet" in second.say("undo the last two")


def test_what_is_usual_is_said_once(start: Start) -> None:
    first = start("--memory", "me")
    first.until("\n> ")
    assert "is 45 by default where it is about" in first.say("meetings are 45 minutes")
    assert "from now on: duration" in first.say("y")
    assert first.leave() == 0
    second = start("--memory", "me")
    second.until("\n> ")
    assert "16:00  45 min  Meeting" in second.say('action.add_calendar_entry("Meeting", "2031-05-06", "16:00")')
    assert "    duration 45 ← your wish (m1)\n" in f"{second.say('/why')}\n"


def test_a_talk_is_gone_on_with_and_nothing_runs_twice(start: Start) -> None:
    first = start("--tools", "home.py")
    first.until("\n> ")
    first.say('heat("bath", 22)', ASKED)
    first.say("y")
    assert first.leave() == 0
    second = start("-c")
    assert "going on with 1 message about home.py" in second.until("\n> ")
    assert '  heat("bath", degrees=21)  [write]\n' in second.say("No, 21", ASKED)


@pytest.mark.parametrize("more", [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}])
def test_terminals_of_all_kinds(start: Start, more: dict[str, str]) -> None:
    chat = start("--tools", "home.py", columns=40, **more)
    assert max(map(len, chat.until("\n> ").splitlines())) <= 40
    assert "lights" in chat.say('lights("kitchen", True)', "[write]")


def test_without_a_terminal_a_file_with_an_error_in_line_7_is_one_line(tmp_path: Path) -> None:
    lines = named("home.py").splitlines()
    lines[6] = "def heat(room) -> str"
    (tmp_path / "home.py").write_bytes("\r\n".join(lines).encode())
    command = [*PROGRAM, "chat", "--tools", "home.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path), input="hi", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "toolmend: home.py:7: cannot be run: SyntaxError: expected ':'\n"


def test_what_the_front_says_is_found_in_it() -> None:
    told = front(README)
    assert (told.file, told.code, told.chat) == ("home.py", named("home.py"), "toolmend chat --tools home.py")
    assert typed(told.talk) == ["Set the bath to 22 degrees", "y", "No, 21", "y", "/why"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif("TOOLMEND_WALK" not in os.environ, reason="installs from a package index: make walk")
def test_a_fresh_clone(tmp_path: Path) -> None:
    try:
        steps, shown, printed = walk(tmp_path)
    except subprocess.CalledProcessError as error:
        if "No matching distribution" in error.stderr:
            pytest.skip("no package index here")
        raise
    assert len(steps) <= COMMANDS
    assert printed == shown
    own = at_home(tmp_path)
    made = subprocess.run(
        ["make", "run"], cwd=tmp_path / "toolmend", env=own, capture_output=True, text=True, check=True
    )
    told = made.stdout.splitlines()
    assert len(told) <= 12
    assert [line.split("#")[0].strip() for line in told[-3:]] == [
        "toolmend chat --tools examples/home.py",
        "toolmend chat",
        "toolmend arena",
    ]
