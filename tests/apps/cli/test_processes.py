"""The command line as a process: Ctrl-C, kill -9 at any moment, closed pipes, terminals."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from toolmend.evals.store import Store

NOON = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'


def write_suite(folder: Path, attempts: int) -> Path:
    path = folder / "tiny.yaml"
    path.write_text(
        "suite: tiny\n"
        "tools: calendar\n"
        f"experiments: {{quick: {{cases: [lunch], attempts: {attempts}, corrections: 0, branches: []}}}}\n"
        "cases:\n"
        "  lunch:\n"
        "    - steps:\n"
        "        - say: Add a lunch on May 3 2024 at noon.\n"
        f"          expect: {NOON}\n"
    )
    return path


def stored_attempts() -> set[int]:
    with Store(create=False) as store:
        return {sample.attempt for run in store.runs() for sample in store.samples(run.id)}


@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_prints_what_is_done_and_how_to_go_on(program: Any, tmp_path: Path, form: str) -> None:
    words = ["run", write_suite(tmp_path, 8), "--model", "slowly/one", "--concurrency", 1, "--format", form]
    with program.start(*words, SLOWLY_UNTIL="6") as process:
        program.asked(6)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert ("slowly/one" in out) if form == "text" else (json.loads(out)["run"]["samples"] == 5)
    assert err.startswith("toolmend: stopped: 5 of 8 samples are kept in run ")
    assert err.endswith("; the same command goes on\n")
    code, _, err = program.run(*words)
    assert (code, "going on with run" in err) == (0, True)
    assert program.asked_since() == [6, 7, 8]
    assert stored_attempts() == set(range(8))


def test_ctrl_c_before_the_first_sample(program: Any, tmp_path: Path) -> None:
    with program.start("run", write_suite(tmp_path, 1), "--model", "slowly/one", SLOWLY_UNTIL="1") as process:
        program.asked(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "stopped: 0 of 1 sample is kept" in err


def test_ctrl_c_ends_two_hundred_requests_that_are_under_way(program: Any, tmp_path: Path) -> None:
    words = ["run", write_suite(tmp_path, 200), "--model", "slowly/one", "--concurrency", 200]
    with program.start(*words, SLOWLY_UNTIL="1") as process:
        program.asked(200)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped: 0 of 200 samples are kept" in err


def kill_and_go_on(program: Any, folder: Path, kills: int, seed: int) -> None:
    """Kill a run so many times, each at another moment; let it end; see that nothing was lost and nothing repeated."""
    chance, most = random.Random(seed), 40
    attempts = kills * most + 60
    words = ["run", write_suite(folder, attempts), "--model", "slowly/one", "--format", "json", "--concurrency", 4]
    kept: set[int] = set()
    for _ in range(kills):
        with program.start(*words) as process:
            asked = program.asked(chance.randrange(1, most))
            process.kill()
            process.communicate(timeout=60)
        asked += program.asked_since()
        assert process.returncode == -signal.SIGKILL
        assert not {seed - 1 for seed in asked} & kept, "a finished sample was played again"
        now = stored_attempts()
        assert kept <= now, "a finished sample was lost"
        assert len({seed - 1 for seed in asked} - now) <= 4, "more was lost than what was being made"
        kept = now
    code, out, _ = program.run(*words)
    assert code == 0
    assert sorted(seed - 1 for seed in program.asked_since()) == sorted(set(range(attempts)) - kept)
    assert json.loads(out)["run"]["samples"] == attempts
    with Store(create=False) as store:
        (run,) = store.runs()
        assert store.counts(run.id) == {"ok": attempts, "error": 0}


def test_killed_at_random_moments_it_goes_on(program: Any, tmp_path: Path) -> None:
    kill_and_go_on(program, tmp_path, kills=5, seed=1)


@pytest.mark.slow
def test_killed_at_twenty_random_moments_it_goes_on(program: Any, tmp_path: Path) -> None:
    kill_and_go_on(program, tmp_path, kills=20, seed=2)


@pytest.mark.parametrize("words", [["suites"], ["models"], ["--help"]])
def test_a_closed_pipe_is_no_matter_for_words(program: Any, words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with program.start(*words, stdout=writer) as process:
        os.close(writer)
        _, err = process.communicate(timeout=60)
    assert err == ""


def test_a_sign_that_the_stream_lacks_does_not_end_it(program: Any) -> None:
    code, out, err = program.run("suites", PYTHONIOENCODING="ascii")
    assert (code, err) == (0, "")
    assert "1 case \\xd7 5 attempts" in out


class Terminal:
    """`toolmend chat` on a terminal of its own; ended for certain when the context is."""

    def __init__(self, program: Any, **more: str) -> None:
        self.master, slave = os.openpty()
        self.process: subprocess.Popen[str] = program.start(
            "chat", "--model", "slowly/one", stdin=slave, stdout=slave, NO_COLOR="1", TERM="xterm", **more
        )
        os.close(slave)
        self.text = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.kill()
        self.process.communicate(timeout=60)
        os.close(self.master)

    def until(self, wanted: str) -> None:
        """Read until that is on the screen, and forget what stands before."""
        while wanted not in self.text:
            piece = self._piece()
            assert piece, f"it ended before {wanted!r}: {self.text}"
            self.text += piece
        self.text = self.text.partition(wanted)[2]

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def interrupt(self) -> None:
        """Ctrl-C until it is heard: readline misses one that comes just before it begins to wait for a key."""
        while self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=2)

    def end(self) -> tuple[int, str]:
        """Exit code, and what was said on standard error."""
        while self._piece():
            pass
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err

    def _piece(self) -> str:
        try:
            return os.read(self.master, 1024).decode("utf-8", "replace")
        except OSError:  # the other side is gone
            return ""


def test_a_terminal_has_a_prompt_and_ctrl_d_leaves(program: Any) -> None:
    with Terminal(program) as terminal:
        terminal.until("/help, or Ctrl-D to leave.")
        terminal.until("> ")
        terminal.type("Add a lunch\n")
        terminal.until("2024-05-03 12:00  30 min  Lunch")
        terminal.until("> ")
        terminal.type("\x04")
        assert terminal.end() == (0, "")


def test_ctrl_c_at_the_prompt_leaves(program: Any) -> None:
    with Terminal(program) as terminal:
        terminal.until("> ")
        terminal.interrupt()
        assert terminal.end() == (0, "")


def test_ctrl_c_during_a_reply_takes_back_what_was_said(program: Any) -> None:
    with Terminal(program, SLOWLY_UNTIL="1") as terminal:
        terminal.until("> ")
        terminal.type("Add a lunch\n")
        program.asked(1)
        terminal.process.send_signal(signal.SIGINT)
        terminal.until("(stopped: as if it had not been said)")
        terminal.until("> ")
        terminal.type("/undo\n")
        terminal.until("> ")
        terminal.type("\x04")
        assert terminal.end() == (0, "toolmend: there is nothing to undo yet\n")


def test_the_package_runs_as_a_module_where_the_script_is_not_on_the_path():
    said = subprocess.run([sys.executable, "-m", "toolmend", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.startswith("toolmend ")
