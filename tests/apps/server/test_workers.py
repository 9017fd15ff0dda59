"""`toolmend serve --workers 2`: workers can be killed in the middle of a talk: its messages are all there is to it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from toolmend.apps.server.settings import ServerSettings
from toolmend.errors import BadOption

PACKAGE = Path(__file__).parents[3] / "src"
ADD = {
    "name": "add_calendar_entry",
    "parameters": {
        "type": "object",
        "properties": {
            **{name: {"type": "string"} for name in ("title", "date", "time")},
            "duration": {"type": "integer"},
        },
    },
}


def test_tools_of_the_server_itself_are_one_process_s() -> None:
    with pytest.raises(BadOption, match="--workers 2 cannot go with --toolbox"):
        ServerSettings(workers=2, toolbox="calendar")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="finds processes by /proc")
def test_a_talk_goes_on_when_workers_are_killed_and_figures_are_summed_up() -> None:
    command = [sys.executable, "-m", "toolmend.apps.cli", "serve", "--port", "0", "--workers", "2"]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    door = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    assert door.stderr is not None
    try:
        url = next(found[1] for line in door.stderr if (found := re.search(r"listening on (\S+)/v1", line)))
        messages: list[dict[str, Any]] = []
        times = []
        for said in ("Add a meeting with Fred on Nov 11 2024 at 5PM", "It should be at 6PM"):
            messages.append({"role": "user", "content": said})
            asked = {"model": "builtin/small", "messages": messages, "tools": [{"type": "function", "function": ADD}]}
            answer = httpx2.post(f"{url}/v1/chat/completions", json=asked, timeout=200).json()["choices"][0]["message"]
            [call] = answer["tool_calls"]
            times.append(re.findall(r"\d\d:\d\d", call["function"]["arguments"]))
            messages += [answer, {"role": "tool", "tool_call_id": call["id"], "content": "entry 7"}]
            counted = f'path="/v1/chat/completions",status="200"}} {len(times)}.0'
            while counted not in httpx2.get(f"{url}/metrics", timeout=200).text:
                pass  # a request is counted when its answer has gone out
            children = Path(f"/proc/{door.pid}/task/{door.pid}/children").read_text().split()
            for child in children if said.startswith("Add") else ():
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(int(child), signal.SIGKILL)
        assert times == [["17:00"], ["18:00"]]
        figures = httpx2.get(f"{url}/metrics", timeout=200).text
        assert 'path="/v1/chat/completions",status="200"} 2.0' in figures
    finally:
        door.terminate()
        door.communicate()
