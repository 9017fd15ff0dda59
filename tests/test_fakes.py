"""The fake server itself: what it says without faults, that it keeps what it got, that schedules repeat."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes import FAULTS, FakeServer, Received, always, at, hosted, mixture
from toolmend.base.messages import Call, Reply

DOOR = Path(__file__).parent / "fakes" / "server.py"
BODIES = {"/v1/chat/completions": {"model": "fake"}, "/api/chat": {"model": "fake"}}


def head_of(path: str, body: dict[str, Any], *more: str) -> bytes:
    """A request's bytes."""
    raw = json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: here", f"Content-Length: {len(raw)}", *more]
    return "\r\n".join([*lines, "", ""]).encode() + raw


async def ask(server: FakeServer, path: str, **body: Any) -> tuple[str, str]:
    """Head and body of one reply on a connection of its own, chunks put together."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(head_of(path, body, "Connection: close", "Authorization: Bearer secret-key"))
    head, _, rest = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return head.decode(), (unchunked(rest) if b"chunked" in head else rest).decode()


def unchunked(text: bytes) -> bytes:
    """The bytes of a chunked body that is whole."""
    found = b""
    while text:
        size, _, text = text.partition(b"\r\n")
        found, text = found + text[: int(size, 16)], text[int(size, 16) + 2 :]
    return found


def said(server: FakeServer, path: str, **body: Any) -> tuple[str, str]:
    """The first reply of a server."""

    async def main() -> tuple[str, str]:
        async with server:
            return await ask(server, path, **body)

    return asyncio.run(main())


CALLS = Reply("", calls=(Call("look", {"at": "Zoë", "day": 3}), Call("wait", {})))


def test_openai_whole() -> None:
    head, body = said(FakeServer(["Good morning."]), "/v1/chat/completions", model="m", messages=[])
    assert head.startswith("HTTP/1.1 200 OK\r\ncontent-type: application/json")
    reply = json.loads(body)
    assert reply["choices"][0]["message"] == {"role": "assistant", "content": "Good morning."}
    assert (reply["choices"][0]["finish_reason"], reply["usage"]["completion_tokens"], reply["model"]) == (
        "stop",
        2,
        "m",
    )


def test_openai_streams() -> None:
    options = {"stream": True, "stream_options": {"include_usage": True}}
    _, body = said(FakeServer(["Good morning."]), "/v1/chat/completions", **options)
    *events, done, end = body.split("\n\n")
    assert (done, end) == ("data: [DONE]", "")
    chunks = [json.loads(event.removeprefix("data: ")) for event in events]
    assert [chunk["choices"][0]["delta"].get("content") for chunk in chunks[:-1]] == ["", "Good", " morning.", None]
    assert chunks[-1]["usage"]["completion_tokens"] == 2


def test_openai_streams_calls_in_pieces() -> None:
    _, body = said(FakeServer([CALLS]), "/v1/chat/completions", stream=True)
    deltas = [json.loads(event[6:])["choices"][0]["delta"] for event in body.split("\n\n")[:-2]]
    pieces = [piece for delta in deltas for piece in delta.get("tool_calls", ())]
    assert [piece["id"] for piece in pieces if "id" in piece] == ["call_0", "call_1"]
    first = "".join(piece["function"]["arguments"] for piece in pieces if piece["index"] == 0)
    assert json.loads(first) == {"at": "Zoë", "day": 3}


def test_ollama_whole_and_in_lines() -> None:
    _, body = said(FakeServer(["Good morning."]), "/api/chat", stream=False, options={"num_predict": 1})
    whole = json.loads(body)
    assert (whole["message"]["content"], whole["done_reason"], whole["eval_count"]) == ("Good", "length", 1)
    _, body = said(FakeServer([CALLS]), "/api/chat")
    lines = [json.loads(line) for line in body.splitlines()]
    assert [call["function"]["name"] for call in lines[0]["message"]["tool_calls"]] == ["look", "wait"]
    assert lines[-1]["done"] is True


def test_it_keeps_what_it_got_and_answers_by_script() -> None:
    def script(received: Received) -> str:
        return f"{received.number} {received.api} {received.key}"

    async def main() -> list[str]:
        async with FakeServer(script) as server:
            await ask(server, "/v1/models")
            bodies = [await ask(server, path, stream=False, model="m") for path in BODIES]
            assert [each.path for each in server.requests] == ["/v1/models", *BODIES]
            assert [each.body["model"] for each in server.chats] == ["m", "m"]
            return [body for _, body in bodies]

    openai, ollama = map(json.loads, asyncio.run(main()))
    assert openai["choices"][0]["message"]["content"] == "0 openai secret-key"
    assert ollama["message"]["content"] == "1 ollama secret-key"


def test_chats_are_numbered_as_they_come() -> None:
    async def main() -> list[int]:
        async with FakeServer() as server:
            opened = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(5)]
            for reader, writer in reversed(opened):
                writer.write(head_of("/api/chat", {"stream": False}, "Connection: close"))
                await reader.read()
                writer.close()
                await writer.wait_closed()
            return [chat.number for chat in server.chats]

    assert asyncio.run(main()) == [0, 1, 2, 3, 4]


def test_a_connection_is_kept() -> None:
    async def main() -> int:
        async with FakeServer() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            for _ in range(3):
                writer.write(head_of("/api/chat", {"stream": False}))
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(head.partition(b"content-length: ")[2].split()[0]))
            writer.close()
            await writer.wait_closed()
            return server.connections

    assert asyncio.run(main()) == 1


def test_a_request_in_chunks_is_read() -> None:
    async def main() -> dict[str, Any]:
        async with FakeServer() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            head = b"POST /api/chat HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            writer.write(head + b'8\r\n{"model"\r\n6\r\n: "m"}\r\n0\r\n\r\n')
            await reader.read()
            writer.close()
            await writer.wait_closed()
            return server.chats[0].body

    assert asyncio.run(main()) == {"model": "m"}


def test_schedules() -> None:
    def received(number: int, path: str = "/v1/chat/completions", raw: bytes = b'{"stream": true}') -> Received:
        return Received(number, 0, "POST", path, {}, raw)

    assert always("429", "slow")(received(5)) == ("429", "slow")
    assert [at({1: ["500"]})(received(number)) for number in range(3)] == [(), ["500"], ()]
    drawn = [tuple(mixture(1)(received(number))) for number in range(200)]
    assert drawn == [tuple(mixture(1)(received(number))) for number in range(200)]
    assert drawn != [tuple(mixture(2)(received(number))) for number in range(200)]
    assert {len(names) for names in drawn} == {1, 2}
    assert 60 < sum(bool(mixture(1, rate=0.5)(received(number))) for number in range(200)) < 140
    whole = {name for number in range(400) for name in mixture(1)(received(number, "/api/chat", b'{"stream": false}'))}
    assert whole and not any(FAULTS[name].where == "streams" or "ollama" not in FAULTS[name].apis for name in whole)


def test_every_fault_says_what_it_does() -> None:
    assert [name for name, each in FAULTS.items() if not each.about.endswith(".")] == []


@pytest.mark.parametrize("path", BODIES)
def test_faults_are_combined(path: str) -> None:
    head, body = said(FakeServer(["a b c"], always("500", "no-type", "slow")), path, stream=False)
    assert (head.splitlines()[0], "content-type" in head) == ("HTTP/1.1 500 Internal Server Error", False)
    assert "the model runner has crashed" in body


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("path", BODIES)
def test_any_two_faults_go_together(path: str, streaming: bool) -> None:
    raw = json.dumps({"stream": streaming}).encode()
    server = FakeServer(["Good morning.", CALLS], mixture(1, most=3))
    for number in range(500):
        made = server.exchange(Received(number, 0, "POST", path, {}, raw))
        assert made.status[:3].isdigit()


def test_hosted_serves_from_a_thread() -> None:
    with hosted(FakeServer(["Hi."])) as server:
        head, body = asyncio.run(ask(server, "/api/tags"))
    assert (head.splitlines()[0], json.loads(body)["models"][0]["name"]) == ("HTTP/1.1 200 OK", "fake")


def test_the_door_starts_tells_and_stops() -> None:
    command = [sys.executable, str(DOOR), "--port", "0", "--faults", "html-200"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[1]
        server = FakeServer(port=int(url.split(":")[2].split("/")[0]))
        _, body = asyncio.run(ask(server, "/v1/chat/completions"))
        told = process.stdout.readline()
        process.terminate()
    assert "<html>" in body
    assert told == "chat 0: openai, faults: html-200\n"
