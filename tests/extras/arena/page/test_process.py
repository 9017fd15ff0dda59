"""`toolmend arena` as a process: killed at any moment and started again, no talk and no vote is lost."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

pytest.importorskip("itsdangerous")
pytest.importorskip("python_multipart")

PACKAGE = Path(__file__).parents[4] / "src"
LUNCH = "Add a lunch with Ada on May 3 at noon"


@contextmanager
def serving(store: Path, *more: str, **variables: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of an arena of its own, and its process."""
    command = [sys.executable, "-m", "toolmend.apps.cli", "arena", "--port", "0", "--store", str(store)]
    command += ["--model", "builtin/small", "--strategy", "oneline", "--strategy", "oneline?repeat=true", *more]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), **variables}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"open (\S+)", line)
        assert found is not None, line + process.stderr.read()
        yield found[1], process
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_kill_minus_9_loses_no_talk_and_no_vote(tmp_path: Path) -> None:
    store = tmp_path / "arena.db"
    with serving(store) as (url, process), httpx2.Client(base_url=url, timeout=60, follow_redirects=True) as browser:
        browser.get("/")
        browser.post("/do", data={"do": "send both", "text": LUNCH})
        page = browser.post("/battle/do", data={"do": "begin", "text": LUNCH}).text
        desk = re.search(r'name="desk" value="([\w-]+)"', page)
        assert desk is not None
        browser.post("/battle/do", data={"do": "vote tie", "desk": desk[1]})
        browser.post("/battle/do", data={"do": "begin", "text": "Lunch with Bob on May 4 at noon"})
        before = [browser.get("/").text, browser.get("/battle").text, browser.get("/votes.csv").text]
        cookies = dict(browser.cookies)
        process.kill()
    assert LUNCH in before[0] and "Lunch with Bob" in before[1] and ",tie," in before[2]
    again = {"follow_redirects": True, "cookies": cookies, "timeout": 60}
    with serving(store) as (url, _), httpx2.Client(base_url=url, **again) as browser:
        assert [browser.get("/").text, browser.get("/battle").text, browser.get("/votes.csv").text] == before
        page = browser.post("/do", data={"do": "correct left", "text": "It starts at one."}).text
        assert "13:00" in page


@pytest.mark.slow
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_ends_and_leaves_no_temporary_file(tmp_path: Path, told: signal.Signals) -> None:
    own = tmp_path / "own"
    own.mkdir()
    with serving(tmp_path / "arena.db", TMPDIR=str(own)) as (url, process):
        httpx2.get(f"{url}/")
        process.send_signal(told)
        assert process.wait(60) == 0
    assert list(own.iterdir()) == []
