"""The fake server: listens on loopback, answers from a script, lets a schedule of faults spoil what it says."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

from fakes import ollama, openai
from fakes.exchange import Exchange, Received
from fakes.faults import FAULTS, Schedule, Stage, always
from fakes.http11 import read_request, send
from toolmend.base.messages import Reply, Usage

Answer = str | Reply
Script = Sequence[Answer] | Callable[[Received], Answer]
NONE = always()


class FakeServer:
    """Answers chats from a sequence, over and over, or from a function of the request; keeps every request it got.

    `faults` names the faults of each chat. `retry_after` is what a refusal asks for, in seconds. A reply held back goes
    out when `release` is set, or after `patience` seconds. `pace` is slept after each piece of a reply; None: no pause.
    """

    def __init__(
        self,
        script: Script = ("Hello from the fake server.",),
        faults: Schedule = NONE,
        *,
        model: str = "fake",
        retry_after: float = 0.0,
        patience: float = 0.01,
        pace: float | None = None,
        port: int = 0,
    ) -> None:
        self._script, self._faults, self.model = script, faults, model
        self.retry_after, self.patience, self.pace, self.port = retry_after, patience, pace, port
        self.requests: list[Received] = []
        self.chats: list[Received] = []
        self.met: list[tuple[str, ...]] = []
        self.connections = 0
        self.open_now = 0
        self.release = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Where it listens: Ollama's address. OpenAI clients want `/v1` behind it."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connection, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._server.wait_closed()

    def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.get_running_loop().create_task(self._talk(reader, writer, self.connections))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: int) -> None:
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.open_now += 1
        try:
            # A client that goes away in mid-request is nothing to a server.
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                while received := await read_request(reader, lambda: len(self.chats), connection):
                    self.requests.append(received)
                    if not await send(self.exchange(received), reader, writer, self._hold, self.pace):
                        break
        finally:
            self.open_now -= 1
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _hold(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.release.wait(), self.patience)

    def exchange(self, received: Received) -> Exchange:
        """The reply to a request, with the faults it meets, as it will be sent."""
        exchange = Exchange(received, Reply(""), self.retry_after)
        exchange.closing = received.headers.get("connection") == "close"
        if not received.api:
            self._other(exchange)
            return exchange
        self.chats.append(received)
        names = tuple(self._faults(received))
        self.met.append(names)
        faults = [FAULTS[name] for name in names]

        def spoil(stage: Stage) -> None:
            for fault in faults:
                if fault.stage == stage:
                    fault.spoil(exchange)

        wire = openai if received.api == "openai" else ollama
        exchange.reply = self._said(received)
        spoil("says")
        exchange.reply = _shortened(exchange.reply, wire.limit(exchange))
        exchange.events = wire.events(exchange)
        spoil("shape")
        wire.encode(exchange)
        spoil("bytes")
        spoil("line")
        return exchange

    def _said(self, received: Received) -> Reply:
        script = self._script
        answer = script(received) if callable(script) else script[received.number % len(script)]
        if isinstance(answer, Reply):
            return answer
        prompt = sum(len(str(message.get("content")).split()) for message in received.body.get("messages", ()))
        return Reply(answer, usage=Usage(prompt, len(openai.PIECE.findall(answer))))

    def _other(self, exchange: Exchange) -> None:
        known = {
            "/v1/models": openai.models(self.model),
            "/api/tags": ollama.models(self.model),
            "/api/version": b'{"version": "0.0.0"}',
            "/api/show": ollama.shown(),
        }
        found = known.get(exchange.received.path)
        if found is None:
            exchange.instead("404 Not Found", '{"error": "no such address"}')
        else:
            exchange.instead("200 OK", found)


def _shortened(reply: Reply, most: int) -> Reply:
    """No more tokens than were asked for; a token is a word."""
    words = openai.PIECE.findall(reply.text)
    if len(words) <= most:
        return reply
    usage = Usage(reply.usage.input_tokens, most)
    return replace(reply, text="".join(words[:most]), usage=usage, finish="length")


@contextlib.contextmanager
def hosted(server: FakeServer) -> Iterator[FakeServer]:
    """The server in a thread of its own, for tests without `await` and for programs they start."""
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as portal, portal.wrap_async_context_manager(server):
        yield server
