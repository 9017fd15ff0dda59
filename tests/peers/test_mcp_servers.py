"""MCP servers that nobody here wrote: mcp-server-time and mcp-server-git, as toolboxes over their standard input."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp")

from toolmend import Session, Toolbox
from toolmend.base.messages import Call, Reply
from toolmend.models.scripted import Scripted

pytestmark = [pytest.mark.peer, pytest.mark.timeout(300)]


def run(box: Toolbox, tool: str, /, **arguments: Any) -> Any:
    """One call."""
    return anyio.run(box.run, Call(tool, arguments))


def test_the_time(peer_python: Callable[[str], Path]) -> None:
    box = Toolbox.load(f"mcp:{peer_python('mcp_server_time')} -m mcp_server_time --local-timezone UTC")
    assert {spec.name: spec.effect for spec in box.specs} == {"get_current_time": "read", "convert_time": "read"}
    times = {"source_timezone": "UTC", "target_timezone": "Asia/Tokyo"}
    result = run(box, "convert_time", time="12:00", **times)
    assert result.foreign
    assert result.value["time_difference"] == "+9.0h"
    wrong = run(box, "convert_time", time="25:00", **times)
    assert wrong.fault == "refused"


def test_a_repository_in_a_loop_of_calls(peer_python: Callable[[str], Path], tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for key in ("name", "email"):
        subprocess.run(["git", "-C", tmp_path, "config", f"user.{key}", "ada@example.org"], check=True)
    (tmp_path / "notes.txt").write_text("milk\n")
    box = Toolbox.load(f"mcp:{peer_python('mcp_server_git')} -m mcp_server_git --repository {tmp_path}")
    effects = {spec.name: spec.effect for spec in box.specs}
    assert (effects["git_log"], effects["git_commit"], effects["git_reset"]) == ("read", "write", "danger")
    where = {"repo_path": str(tmp_path)}
    calls = [
        Call("git_add", {**where, "files": ["notes.txt"]}),
        Call("git_commit", {**where, "message": "Need milk"}),
        Call("git_reset", where),
        Call("git_log", where),
    ]
    model = Scripted([*(Reply("", (call,)) for call in calls), Reply("Committed.")])
    answer = Session(model, box, "native", approve="allow,danger=deny").request("Commit it")
    assert [result.ok for result in answer.results] == [True, True, False, True]
    assert "Need milk" in str(answer.results[3].value)
    assert '<outside note="' in model.requests[-1].messages[-1].content
