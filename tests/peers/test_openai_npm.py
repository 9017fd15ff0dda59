"""The official openai package of npm, unmodified, streaming a loop of calls from the server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatting import CALENDAR

pytestmark = [pytest.mark.peer, pytest.mark.timeout(300)]
HERE = Path(__file__).parent
FOLDER = Path(os.environ.get("TOOLMEND_PEERS") or HERE.parents[1] / ".venv-peers")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """`toolmend serve` with an embedded model and a scripted one."""
    if shutil.which("node") is None or not (FOLDER / "node_modules" / "openai").is_dir():
        pytest.skip(f"there is no node, or no package openai: npm install --prefix {FOLDER.name} openai")
    command = [sys.executable, "-m", "toolmend.apps.cli", "serve", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1] / "src"), "TOOLMEND_CONFIG": "off"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stderr is not None
        yield server.stderr.readline().split("listening on ")[1].split()[0]
        server.terminate()
        server.stderr.read()


def test_a_loop_of_calls_with_corrections(url: str) -> None:
    said = ["Add a meeting with Fred on Nov 11 2024 at 5PM", "It should be at 6PM", "No, at 7PM"]
    asked: dict[str, Any] = {"tools": CALENDAR, "said": said}
    done = subprocess.run(
        ["node", HERE / "ask_openai.mjs", url, "builtin/small", FOLDER.resolve()],
        input=json.dumps(asked), capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [call["time"] for call in found["calls"]] == ["17:00", "18:00", "19:00"]
    assert found["words"].startswith("add_calendar_entry: done")
