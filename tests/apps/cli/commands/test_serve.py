"""`toolmend serve` and its keys: what is refused before it listens, and how it stops."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

import httpx2

SLOW = """\
import anyio
from toolmend.base.messages import Reply
from toolmend.models import Abilities

class Slow:
    name, abilities = "slow/one", Abilities(streaming=True)
    async def reply(self, request, *, on_delta=None):
        for number in range(20):
            if on_delta:
                on_delta(f"{number} ")
            await anyio.sleep(0.01 if request.messages[-1].content == "Count" else 600)
        return Reply("".join(f"{number} " for number in range(20)))

def load(name):
    return Slow()
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which the model slow/one is installed."""
    (tmp_path / "slowmodel.py").write_text(SLOW)
    info = tmp_path / "slow-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[toolmend.models]\nslow = slowmodel:load\n")
    source = str(Path(__file__).parents[4] / "src")
    path = os.pathsep.join([str(tmp_path), source, os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "TOOLMEND_SERVE_KEYS": str(tmp_path / "keys.json")}


@pytest.fixture
def server(environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its address."""
    command = [sys.executable, "-m", "toolmend.apps.cli", "serve", "--model", "slow/one", "--port", "0"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("toolmend: listening on "), line
        yield process, line.split()[3]
        process.kill()


def test_a_stream_that_has_begun_is_finished_before_the_server_stops(server: Any) -> None:
    process, url = server
    body = {"model": "slow/one", "messages": [{"role": "user", "content": "Count"}], "stream": True}
    with httpx2.Client() as client, client.stream("POST", f"{url}/chat/completions", json=body) as answer:
        pieces = answer.iter_text()
        first = next(pieces)
        process.send_signal(signal.SIGTERM)
        rest = "".join(pieces)
    assert "0 " in first
    assert rest.endswith("data: [DONE]\n\n")
    assert process.wait(20) in (0, -signal.SIGTERM)
    lines = [json.loads(line) for line in process.stderr.read().splitlines()]
    lines = [line for line in lines if line["event"] != "stopping"]  # said where the server notices before the end
    assert [line["event"] for line in lines] == ["request"]
    assert "disconnected" not in lines[0]


def test_a_second_signal_does_not_wait(server: Any) -> None:
    process, url = server
    body = {"model": "slow/one", "messages": [{"role": "user", "content": "Never end"}], "stream": True}
    with httpx2.Client() as client, client.stream("POST", f"{url}/chat/completions", json=body) as answer:
        pieces = answer.iter_text()
        next(pieces)
        process.send_signal(signal.SIGINT)
        line = json.loads(process.stderr.readline())
        assert (line["event"], line["unfinished"]) == ("stopping", 1)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130, -signal.SIGINT)
    lines = [json.loads(line) for line in process.stderr.read().splitlines()]
    assert [line["level"] for line in lines if line["level"] == "error"] == []


def test_an_answer_that_was_read_is_no_disconnect(server: Any) -> None:
    process, url = server
    with httpx2.Client() as client:
        for _ in range(3):
            assert client.get(f"{url}/models").status_code == 200
            body = {"model": "slow/one", "messages": [{"role": "user", "content": "Count"}]}
            assert client.post(f"{url}/chat/completions", json=body).status_code == 200
    process.send_signal(signal.SIGINT)
    assert process.wait(20) in (0, 130, -signal.SIGINT)
    assert "disconnected" not in process.stderr.read()


def test_a_host_for_others_needs_a_key(invoke: Any, tmp_path: Path) -> None:
    done = invoke("serve", "--host", "0.0.0.0", "--port", "0", "--keys", str(tmp_path / "none.json"))
    assert done.exit_code == 2
    assert "there is no API key yet" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "builtin/nothing"], "unknown embedded model 'nothing'"),
        (["--model", "native:builtin/small"], "does not call tools itself"),
        (["--model", "builtin/small", "--model", "builtin/small"], "two models are called builtin/small"),
        (["--strategy", "magic"], "unknown strategy 'magic'"),
        (["--toolbox", "garage"], "unknown toolbox 'garage'"),
    ],
)
def test_what_cannot_be_served_is_one_line(invoke: Any, tmp_path: Path, arguments: list[str], said: str) -> None:
    done = invoke("serve", "--port", "0", "--keys", str(tmp_path / "none.json"), *arguments)
    assert done.exit_code == 2
    assert said in done.stderr


def test_keys_are_made_listed_and_revoked(invoke: Any, tmp_path: Path) -> None:
    keys = ["--keys", str(tmp_path / "keys.json")]
    made = invoke("serve", "key", "add", "ada", "--requests", "60", *keys)
    assert made.stdout.startswith("tm-")
    (row,) = invoke("serve", "key", "list", *keys).stdout.splitlines()
    assert row.startswith("ada  made ") and row.endswith(", 60 requests a minute")
    assert invoke("serve", "key", "revoke", "ada", *keys).exit_code == 0
    assert invoke("serve", "key", "list", *keys).stdout == "no keys: only this machine is served\n"


def test_keys_are_where_the_file_of_settings_says(invoke: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toolmend.toml").write_text('[serve]\nkeys = "mine.json"\nport = 9000\n')
    monkeypatch.setenv("TOOLMEND_CONFIG", str(tmp_path / "toolmend.toml"))
    assert invoke("serve", "key", "add", "ada").exit_code == 0
    assert (tmp_path / "mine.json").exists()
