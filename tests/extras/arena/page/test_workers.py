"""`toolmend arena --workers 2` over PostgreSQL: every worker can be killed in mid-talk, and the visitor goes on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from click.testing import CliRunner

from postgres import MISSING, Server, binaries, running
from toolmend.extras.arena.commands.arena import arena

pytest.importorskip("itsdangerous")
pytest.importorskip("python_multipart")

PACKAGE = Path(__file__).parents[4] / "src"
LUNCH = "Add a lunch with Ada on May 3 at noon"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    yield from running(binaries, MISSING)


@pytest.fixture
def process(postgres: Server) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of an arena of two workers, and the process of its door."""
    with postgres.database() as url:
        command = [sys.executable, "-m", "toolmend.apps.cli", "arena", "--port", "0", "--store", url, "--workers", "2"]
        command += ["--model", "builtin/small", "--strategy", "oneline", "--approve", "write=ask"]
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
        door = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        try:
            assert door.stderr is not None
            line = door.stderr.readline()
            address = re.search(r"open (\S+)", line)
            assert address is not None, line + door.stderr.read()
            yield address[1], door
        finally:
            door.terminate()
            door.communicate()


def workers(door: int) -> list[int]:
    """The process ids of the workers of a door."""
    below = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            ours = parent == door and b"spawn_main" in (folder / "cmdline").read_bytes()
        except OSError:  # gone in the meantime
            continue
        below += [int(folder.name)] if ours else []
    return sorted(below)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="finds processes by /proc")
def test_whichever_worker_is_killed_in_mid_talk_the_visitor_goes_on(
    process: tuple[str, subprocess.Popen[str]],
) -> None:
    url, door = process
    apart = {"Connection": "close"}  # a browser tries again where the connection it kept is gone; this client does not
    with httpx2.Client(base_url=url, timeout=200, follow_redirects=True, headers=apart) as browser:
        browser.get("/")
        page = browser.post("/do", data={"do": "send left", "text": LUNCH}).text
        number = re.search(r'name="id" value="(\w+)"', page)
        assert number is not None and "May this call run?" in page
        for worker in workers(door.pid):  # the one that asked is among them
            os.kill(worker, signal.SIGKILL)
            page = browser.get("/").text
            assert number[0] in page and LUNCH in page
        page = browser.post("/do", data={"do": "allow left", "id": number[1]}).text
        assert "May this call run?" not in page and "allowed by person" in page
        [alive, *_] = workers(door.pid)
        os.kill(alive, signal.SIGKILL)
        page = browser.post("/do", data={"do": "correct left", "text": "It starts at one."}).text
        assert "13:00" in page


def test_workers_over_sqlite_are_refused_with_the_reason(tmp_path: Path) -> None:
    told = CliRunner().invoke(arena, ["--workers", "2", "--store", str(tmp_path / "arena.db")])
    assert told.exit_code != 0
    assert "--workers 2 needs PostgreSQL" in str(told.exception or told.output) + told.output
    assert list(tmp_path.iterdir()) == []
