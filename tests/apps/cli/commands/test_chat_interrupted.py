"""Ctrl-C and pipes in `toolmend chat`: heard at once, no line is swallowed; what nobody answers is no success."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

import toolmend
from terminals import Typist

Invoke = Callable[..., Result]
TOOLS = 'def heat(room: str, degrees: float) -> str:\n    return f"{room} {degrees}"\n'
ASKED = "or what is wrong] "
BATH, HALL = 'heat("bath", 22)', 'heat("hall", 18)'
NOON = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'


@pytest.fixture
def typist(tmp_path: Path) -> Iterator[Typist]:
    """A chat at a terminal, with a model that repeats what it is told."""
    (tmp_path / "here" / "home.py").write_text(TOOLS)
    words = [sys.executable, "-m", "toolmend", "chat", "--model", "scripted/echo", "--no-mend", "--tools", "home.py"]
    typist = Typist(words, tmp_path / "here", {**os.environ, "PYTHONPATH": str(Path(toolmend.__file__).parents[1])})
    typist.until("\n> ")
    yield typist
    typist.close()


def interrupt(typist: Typist) -> None:
    """Ctrl-C as soon as the program waits for a key: between its prompt and that, CPython's readline would not wake."""
    stat, still = Path(f"/proc/{typist.process.pid}/task/{typist.process.pid}/stat"), 0
    while still < 200:
        still = still + 1 if stat.read_text().rpartition(") ")[2][0] == "S" else 0
    typist.process.send_signal(signal.SIGINT)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs to see whether a process waits")
def test_a_ctrl_c_at_the_question_is_heard_and_the_next_line_too(typist: Typist) -> None:
    typist.say(BATH, ASKED)
    interrupt(typist)
    assert "(stopped: as if it had not been said)" in typist.until("\n> ")
    assert 'heat("hall", degrees=18)' in typist.say(HALL, ASKED)
    assert 'ran: "hall 18.0"' in typist.say("y")
    assert "bath" not in typist.say("/calls")


def test_ctrl_d_at_the_question_is_no_yes_and_is_said(typist: Typist) -> None:
    typist.say(BATH, ASKED)
    os.write(typist.master, b"\x04")
    assert "c1 not run: the user did not allow it: nobody answered" in typist.until("\n> ")


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([BATH], 2),
        ([BATH, "y"], 0),
        ([BATH, "n"], 0),
        ([BATH, "no: too warm"], 0),
        ([BATH, HALL, "y"], 2),
        ([BATH, "y", HALL], 2),
        ([BATH, "always", 'heat("bath", 23)'], 0),
        (["hello"], 0),
        ([BATH, "/state"], 2),
        ([BATH, "", "y"], 2),
        ([], 0),
    ],
)
def test_a_run_that_nobody_answered_is_no_success(invoke: Invoke, lines: list[str], code: int) -> None:
    Path("home.py").write_text(TOOLS)
    words = ("chat", "--model", "scripted/echo", "--no-mend", "--tools", "home.py")
    result = invoke(*words, stdin="".join(f"{line}\n" for line in lines))
    assert result.exit_code == code
    assert ("nobody answered whether heat may run: it was not run" in result.stderr) == (code == 2)


def test_a_question_of_the_models_that_nobody_answered_is_no_success(invoke: Invoke) -> None:
    said = 'add_calendar_entry(title="Lunch", date="2024-05-03", time="?")\n'
    result = invoke("chat", "--model", "scripted/echo", "--strategy", "spoken", stdin=said)
    assert result.exit_code == 2
    assert "nobody answered: At what time?" in result.stderr
    assert invoke("chat", "--model", "scripted/echo", "--strategy", "spoken", stdin=f"{said}at 3 pm\n").exit_code == 0
