"""`toolmend serve --workers 2`: workers can be killed in mid-talk, and a key's limits hold over them all."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from toolmend.apps.server.keys import KeyFile
from toolmend.apps.server.settings import ServerSettings
from toolmend.base.errors import BadOption

PACKAGE = Path(__file__).parents[3] / "src"
TEXTS = {name: {"type": "string"} for name in ("title", "date", "time")}
ADD = {
    "name": "add_calendar_entry",
    "parameters": {"type": "object", "properties": {**TEXTS, "duration": {"type": "integer"}}},
}


@contextmanager
def door(keys: Path) -> Iterator[tuple[str, int]]:
    """The address of a server of two workers, and the number of the process that has them."""
    command = [sys.executable, "-m", "toolmend.apps.cli", "serve", "--port", "0", "--workers", "2"]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "TOOLMEND_CONFIG": "off"}
    process = subprocess.Popen([*command, "--keys", str(keys)], stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stderr is not None
    try:
        yield (
            next(told[1] for line in process.stderr if (told := re.search(r"listening on (\S+)/v1", line))),
            process.pid,
        )
    finally:
        process.terminate()
        process.communicate()


def test_tools_of_the_server_itself_are_one_process_s() -> None:
    with pytest.raises(BadOption, match="--workers 2 cannot go with --toolbox"):
        ServerSettings(workers=2, toolbox="calendar")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="finds processes by /proc")
def test_a_talk_goes_on_when_workers_are_killed(tmp_path: Path) -> None:
    messages: list[dict[str, Any]] = []
    times = []
    with door(tmp_path / "none.json") as (url, process):
        for said in ("Add a meeting with Fred on Nov 11 2024 at 5PM", "It should be at 6PM"):
            messages.append({"role": "user", "content": said})
            asked = {"model": "builtin/small", "messages": messages, "tools": [{"type": "function", "function": ADD}]}
            answer = httpx2.post(f"{url}/v1/chat/completions", json=asked, timeout=200).json()["choices"][0]["message"]
            [call] = answer["tool_calls"]
            times.append(re.findall(r"\d\d:\d\d", call["function"]["arguments"]))
            messages += [answer, {"role": "tool", "tool_call_id": call["id"], "content": "entry 7"}]
            children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
            workers = [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
            assert workers
            for worker in workers:
                os.kill(int(worker), signal.SIGKILL)
    assert times == [["17:00"], ["18:00"]]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot share a port")
def test_the_limits_of_a_key_hold_over_all_workers(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    headers = {"Authorization": f"Bearer {file.add('ada', 1, None)}"}
    with door(file.path) as (url, _):
        asked = [httpx2.get(f"{url}/v1/models", headers=headers, timeout=200).status_code for _ in range(3)]
        assert asked == [200, 429, 429]
        assert httpx2.get(f"{url}/v1/models", timeout=200).status_code == 401
