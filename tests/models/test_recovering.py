"""After a fault: what is tried again and when, what is not, and what a server sees of a client that goes away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio
import pytest

from fakes import FakeServer, always, at
from toolmend.base.errors import ModelError
from toolmend.base.http import Retry
from toolmend.base.messages import Message, Reply, Request
from toolmend.models.ollama import Ollama
from toolmend.models.openai_compat import OpenAICompatible

TEXT = "Hello from the fake server."
ASKED = Request((Message("user", "hi"),))
AGAIN = [
    *("429", "429-date", "429-bare", "429-junk", "500", "500-empty", "502", "503"),
    *("drop-before-head", "drop-in-head", "drop-after-head", "reset-before-head", "no-http", "huge-head", "length-odd"),
]
NEVER_AGAIN = [
    "401",
    "404",
    "400-other",
    "html-200",
    "error-200",
    "malformed",
    "drop-in-body",
    "stalls",
    "endless-line",
]

Adapter = OpenAICompatible | Ollama
Use = Callable[[Adapter, FakeServer], Awaitable[Any]]


class Naps:
    """Pauses that take no time, and how long they would have been."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


FAMILIES = pytest.mark.parametrize("family", ["openai", "ollama"])


def with_server(family: str, server: FakeServer, use: Use, naps: Naps | None = None, **options: Any) -> Any:
    """What `use` makes of an adapter and the running server."""

    async def main() -> Any:
        async with server:
            kind, path = (OpenAICompatible, "/v1") if family == "openai" else (Ollama, "")
            retry = Retry(sleep=naps or Naps())
            model = kind("fake", base_url=server.url + path, retry=retry, **{"silence": 0.2, "retries": 2, **options})
            with anyio.fail_after(20):
                return await use(model, server)

    return anyio.run(main)


async def ask(model: Adapter, server: FakeServer) -> Reply | ModelError:
    """The reply, or the error."""
    try:
        return await model.reply(ASKED)
    except ModelError as error:
        return error


@FAMILIES
@pytest.mark.parametrize("fault", AGAIN)
def test_what_may_pass_is_tried_again(fault: str, family: str) -> None:
    server = FakeServer([TEXT], at({0: [fault], 1: [fault]}))
    reply = with_server(family, server, ask)
    assert isinstance(reply, Reply), reply
    assert (reply.text, len(server.chats)) == (TEXT, 3)
    assert server.chats[0].raw == server.chats[2].raw


@FAMILIES
@pytest.mark.parametrize("fault", AGAIN[4:10])
def test_the_third_failure_is_the_last(fault: str, family: str) -> None:
    server = FakeServer([TEXT], always(fault))
    error = with_server(family, server, ask)
    assert (isinstance(error, ModelError) and error.retryable, len(server.chats)) == (True, 3)


@FAMILIES
@pytest.mark.parametrize("fault", NEVER_AGAIN)
def test_what_was_answered_is_not_asked_again(fault: str, family: str) -> None:
    server = FakeServer([TEXT], at({0: [fault]}))
    assert isinstance(with_server(family, server, ask), ModelError)
    assert len(server.chats) == 1


@FAMILIES
def test_retry_after_is_honoured(family: str) -> None:
    naps = Naps()
    server = FakeServer([TEXT], at({0: ["429"], 1: ["503"]}), retry_after=7)
    assert with_server(family, server, ask, naps).text == TEXT
    assert naps.seconds == [7, 7]


@FAMILIES
def test_retry_after_may_be_a_date(family: str) -> None:
    naps = Naps()
    with_server(family, FakeServer([TEXT], at({0: ["429-date"]}), retry_after=30), ask, naps)
    (seconds,) = naps.seconds
    assert 25 < seconds <= 30


@FAMILIES
@pytest.mark.parametrize("fault", ["429-bare", "429-junk", "500", "drop-before-head"])
def test_pauses_grow_where_nothing_is_said_of_them(fault: str, family: str) -> None:
    naps = Naps()
    with_server(family, FakeServer([TEXT], always(fault)), ask, naps, retries=4)
    assert [0.5 * low <= nap <= low for nap, low in zip(naps.seconds, (0.5, 1, 2, 4), strict=True)] == [True] * 4


@FAMILIES
def test_a_pause_of_a_day_is_not_slept(family: str) -> None:
    naps = Naps()
    error = with_server(family, FakeServer([TEXT], always("429-day")), ask, naps)
    assert "86400" in str(error)
    assert naps.seconds == []


@FAMILIES
def test_pieces_are_heard_once(family: str) -> None:
    heard: list[str] = []
    with_server(family, FakeServer([TEXT], at({0: ["drop-after-head"]})), partial(listen, heard))
    assert heard == ["Hello", " from", " the", " fake", " server."]


@FAMILIES
def test_a_stream_that_breaks_off_is_not_begun_again(family: str) -> None:
    heard: list[str] = []
    server = FakeServer([TEXT], at({0: ["drop-in-body"]}))
    error = with_server(family, server, partial(listen, heard))
    came = {"openai": ["Hello", " from"], "ollama": ["Hello", " from", " the"]}[family]
    assert (isinstance(error, ModelError), len(server.chats), heard) == (True, 1, came)


async def listen(heard: list[str], model: Adapter, server: FakeServer) -> Reply | ModelError:
    """The reply, or the error; the pieces go to `heard`."""
    try:
        return await model.reply(ASKED, on_delta=heard.append)
    except ModelError as error:
        return error


@FAMILIES
def test_a_slow_first_byte_is_waited_for(family: str) -> None:
    async def use(model: Adapter, server: FakeServer) -> Reply:
        async with anyio.create_task_group() as group:
            group.start_soon(release, server)
            return await model.reply(ASKED)
        raise AssertionError

    async def release(server: FakeServer) -> None:
        while not server.chats:
            await anyio.sleep(0)
        server.release.set()

    assert with_server(family, FakeServer([TEXT], always("slow"), patience=10), use, silence=5).text == TEXT


@FAMILIES
@pytest.mark.parametrize("fault", ["endless", "stalls"])
def test_a_cancelled_request_closes_its_connection(fault: str, family: str) -> None:
    async def use(model: Adapter, server: FakeServer) -> bool:
        with anyio.CancelScope() as scope:
            await model.reply(ASKED, on_delta=lambda piece: scope.cancel())
        while server.open_now:
            await anyio.sleep(0.001)
        return scope.cancelled_caught

    assert with_server(family, FakeServer([TEXT], always(fault)), use, silence=5)


@FAMILIES
def test_a_connection_is_used_again(family: str) -> None:
    async def use(model: Adapter, server: FakeServer) -> int:
        for _ in range(5):
            await model.reply(ASKED)
        return server.connections

    assert with_server(family, FakeServer([TEXT]), use) == 1


@FAMILIES
@pytest.mark.parametrize(
    "fault", ["closes-idle", "length-too-long", "drop-at-end", "no-end", "malformed", "after-done"]
)
def test_the_next_request_is_none_the_worse(fault: str, family: str) -> None:
    async def use(model: Adapter, server: FakeServer) -> str:
        await ask(model, server)
        return (await model.reply(ASKED)).text

    assert with_server(family, FakeServer([TEXT], at({0: [fault]})), use) == TEXT


@FAMILIES
def test_nobody_is_there(family: str) -> None:
    async def use(model: Adapter, server: FakeServer) -> Reply | ModelError:
        await server.__aexit__(None, None, None)
        return await ask(model, server)

    error = with_server(family, FakeServer([TEXT]), use)
    assert "nobody answers at http://127.0.0.1:" in str(error)


@FAMILIES
def test_the_other_api_lives_here(family: str) -> None:
    async def use(model: Adapter, server: FakeServer) -> str:
        other = Ollama if family == "openai" else OpenAICompatible
        return str(await ask(other("fake", base_url=server.url + "/somewhere"), server))

    assert "HTTP 404 Not Found: no such address" in with_server(family, FakeServer([TEXT]), use)
