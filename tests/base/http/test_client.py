"""A server as a model uses it: attempts, refusals, times, keys, and connections that are closed."""

import errno
import socket
import ssl
import warnings
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import anyio
import httpx2
import pytest

from fakes import FakeServer, always
from toolmend.base.errors import ModelError
from toolmend.base.http import DONE, Retry, Server, web_address
from toolmend.base.http.client import Exchange, Times
from toolmend.base.http.pace import Pace

KEY = "a-key-nobody-may-see"
OK = {"json": {"text": "hello"}}
BUSY = {"status_code": 503, "json": {"error": "busy"}}


class Script:
    """Answers in order: a dict is a response, an exception is raised. The last one is repeated."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.requests, self.slept = answers, list[httpx2.Request](), list[float]()

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return httpx2.Response(**{"status_code": 200, **answer})

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def server(self, **options: Any) -> Server:
        retry = Retry(most=2, first=1.0, sleep=self.sleep)
        options = {"key": KEY, "key_env": "SOME_KEY", "retry": retry, "address": "http://example.org/v1"} | options
        address = web_address(options.pop("address"), "base_url")
        return Server(address, "some/model", transport=httpx2.MockTransport(self), **options)


def post(server: Server, body: Any = None, take: Callable[[Any], bool] = lambda value: False, **more: Any) -> Exchange:
    return anyio.run(partial(server.post, "chat", body or {"say": "hi"}, take, **more))


def failure(*answers: Any, **options: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        post(Script(*answers).server(**options))
    assert KEY not in str(caught.value) and "\n" not in str(caught.value)
    return caught.value


def body(*pieces: bytes, end: Exception | None = None) -> dict[str, Any]:
    async def stream() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece
        if end:
            raise end

    return {"content": stream()}


def test_json_goes_out_and_comes_back():
    script, taken = Script(OK), []
    exchange = post(script.server(), {"say": "hö"}, lambda value: bool(taken.append(value)))
    assert taken == [{"text": "hello"}]
    assert (exchange.request, exchange.reply) == ('{"say": "hö"}', '{"text":"hello"}')
    [request] = script.requests
    assert str(request.url) == "http://example.org/v1/chat"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.content == '{"say": "hö"}'.encode()


def test_without_a_key_nothing_is_said_of_one():
    script = Script(OK)
    post(script.server(key=""))
    assert "authorization" not in script.requests[0].headers


def test_half_a_character_is_sent_as_an_escape():
    script = Script(OK)
    post(script.server(), {"say": "\ud800"})
    assert script.requests[0].content == b'{"say": "\\ud800"}'


def test_a_key_is_in_nothing_that_is_kept():
    exchange = post(Script({"json": {"your": KEY}}).server(), {"say": KEY})
    assert (exchange.request, exchange.reply) == ('{"say": "***"}', '{"your":"***"}')


# Attempts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(status):
    script = Script({"status_code": status}, OK)
    server = script.server()
    post(server)
    assert (len(script.requests), server.retried) == (2, 1)
    assert 0.5 <= script.slept[0] <= 1.0


@pytest.mark.parametrize("status", [400, 404, 405, 413, 422, 501])
def test_what_will_not_pass_is_not_tried_again(status):
    script = Script({"status_code": status, "json": {"error": "no"}}, OK)
    with pytest.raises(ModelError, match=f"some/model: HTTP {status} .*: no") as error:
        post(script.server())
    assert len(script.requests) == 1 and not error.value.retryable


def test_a_connection_that_fails_before_a_byte_is_tried_again():
    script = Script(httpx2.ConnectError("x"), httpx2.ReadError("x"), OK)
    post(script.server())
    assert len(script.requests) == 3


def test_a_body_that_fails_before_its_first_byte_is_tried_again():
    script = Script(body(end=httpx2.RemoteProtocolError("gone")), OK)
    post(script.server())
    assert len(script.requests) == 2


def test_once_a_byte_has_come_nothing_is_tried_again():
    script = Script(body(b"data: {}\n\n", end=httpx2.RemoteProtocolError("gone")), OK)
    with pytest.raises(ModelError, match=r"broke off after 10 bytes and 1 records \(gone\)") as error:
        post(script.server())
    assert len(script.requests) == 1 and error.value.retryable


def test_the_last_problem_is_told_with_the_number_of_attempts():
    error = failure(BUSY)
    assert str(error) == "some/model: HTTP 503 Service Unavailable: busy (tried 3 times)"
    assert error.retryable


def test_what_the_server_asks_for_is_waited_for():
    script = Script({**BUSY, "headers": {"Retry-After": "7"}}, OK)
    post(script.server())
    assert script.slept == [7.0]


def test_a_server_that_asks_for_too_long_a_wait_is_given_up():
    error = failure({"status_code": 429, "headers": {"Retry-After": "3600"}})
    assert str(error) == "some/model: HTTP 429 Too Many Requests (asks to come back in 3600 s)"
    assert error.retryable


def test_every_attempt_takes_its_turn_in_the_minute():
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    pace = Pace(rpm=60, clock=lambda: 0.0, sleep=sleep)
    post(Script(BUSY, BUSY, OK).server(pace=pace))
    assert slept == [1.0, 2.0]


# Refusals and broken replies -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("status", "more"), [(401, ""), (403, ": no such ***")])
def test_a_wrong_key_is_one_line_that_says_where_it_goes(status, more):
    error = failure({"status_code": status, "json": {"error": f"no such {KEY}"}})
    assert str(error) == (f"some/model: wrong or missing key (HTTP {status}); set SOME_KEY in the environment{more}")


def test_a_moved_server_says_where_it_is():
    error = failure({"status_code": 301, "headers": {"Location": "https://example.org/v1/chat?key=x"}})
    assert str(error) == (
        "some/model: HTTP 301: http://example.org/v1 is moved to https://example.org/v1/chat; give that address"
    )


def test_a_page_instead_of_json_is_named():
    error = failure({"html": "<html></html>"})
    assert str(error) == "some/model: answers text/html instead of JSON: is http://example.org/v1 the right address?"


def test_advice_is_added_to_a_refusal():
    error = failure({"status_code": 404}, hint=lambda status, text: f"; try {status + 1}")
    assert str(error) == "some/model: HTTP 404 Not Found; try 405"


def test_nothing_at_all_is_an_error():
    assert "an empty answer" in str(failure({"content": b""}))


def test_a_key_in_a_broken_reply_is_hidden():
    assert "***" in str(failure({"content": f'{{"key": {KEY}'}))


def test_a_refusal_whose_body_breaks_off_is_still_a_refusal():
    answer = {"status_code": 400, **body(b"part of", end=httpx2.ReadError("x"))}
    assert str(failure(answer)) == "some/model: HTTP 400 Bad Request: part of"


def test_a_refusal_without_an_end_is_cut():
    assert len(str(failure({"status_code": 400, **body(*[b"x" * 1000] * 1000)}))) < 300


def test_a_reply_without_an_end_is_an_error():
    with pytest.raises(ModelError, match="does not end: more than 5,000 bytes"):
        post(Script(body(*[b"data: {}\n\n" * 100] * 100)).server(), most=5_000)


@pytest.mark.parametrize(
    "rest",
    [body(b"data: [DONE]\n\n", end=httpx2.ReadError("gone")), body(b"data: [DONE]\n\n", *[b": ping\n" * 1000] * 100)],
    ids=["an error", "no end"],
)
def test_what_comes_after_the_end_changes_nothing(rest):
    assert post(Script(rest).server(), take=lambda value: value is DONE).reply == "data: [DONE]\n\n"


@pytest.mark.parametrize(("more", "whole"), [(65_536, True), (65_537, False)])
def test_what_comes_after_the_end_is_read_for_64_kib(more, whole):
    read = []

    async def stream() -> AsyncIterator[bytes]:
        yield b"data: [DONE]\n\n"
        yield b"x" * more
        read.append(more)

    post(Script({"content": stream()}).server(), take=lambda value: value is DONE)
    assert bool(read) is whole


def test_an_error_of_the_listener_is_its_own():
    def broken_pipe(value: Any) -> bool:
        raise BrokenPipeError(32, "nobody reads")

    with pytest.raises(BrokenPipeError):
        post(Script(OK).server(), take=broken_pipe)


@pytest.mark.parametrize(
    ("problem", "cause", "expected"),
    [
        (httpx2.ConnectError("x"), socket.gaierror(-2, "unknown"), "the host of http://example.org/v1 is not known"),
        (httpx2.ConnectError("x"), ssl.SSLError(1, "bad"), "no safe connection to http://example.org/v1"),
        (httpx2.ConnectError("x"), None, "nobody answers at http://example.org/v1: is the server running"),
        (httpx2.ConnectError("x"), OSError(24, "Too many open files"), "(Too many open files)"),
        (httpx2.ConnectTimeout("x"), None, "no connection to http://example.org/v1 within 10 s"),
        (httpx2.ProxyError("407"), None, "the proxy before http://example.org/v1 refused (407)"),
        (httpx2.ReadError(""), None, "no answer from http://example.org/v1"),
        (httpx2.ReadTimeout(""), None, "http://example.org/v1 said nothing for 600 s"),
        (httpx2.DecodingError("bad gzip"), None, "the answer cannot be read (bad gzip)"),
    ],
)
def test_what_went_wrong_on_the_way_is_told(problem, cause, expected):
    problem.__cause__ = cause
    assert expected in str(failure(problem))


def test_only_a_server_that_was_there_is_waited_for():
    refused = httpx2.ConnectError("x")
    refused.__cause__ = ConnectionRefusedError(errno.ECONNREFUSED, "refused")
    script = Script(refused, OK, refused, OK)
    server = script.server()
    with pytest.raises(ModelError, match="nobody answers at http"):
        post(server)
    assert len(script.requests) == 1
    post(server)
    post(server)
    assert len(script.requests) == 4


def test_a_proxy_that_makes_no_sense_is_named(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "nonsense://example.org")
    server = Server(web_address("http://example.org", "base_url"), "some/model")
    with pytest.raises(ModelError, match="proxy settings of the environment") as error:
        post(server)
    assert not error.value.retryable


# A real connection ---------------------------------------------------------------------------------------------

SAY = {"model": "fake", "messages": [{"role": "user", "content": "hi"}], "stream": True}


async def real_post(fake: FakeServer, **options: Any) -> Exchange:
    server = Server(web_address(f"{fake.url}/v1", "base_url"), "some/model", **options)
    return await server.post("chat/completions", SAY, lambda value: value is DONE)


def test_cancelling_closes_the_connection():
    async def main() -> None:
        async with FakeServer(faults=always("stalls"), patience=60) as fake:
            async with anyio.create_task_group() as group:
                group.start_soon(real_post, fake)
                while not fake.chats:
                    await anyio.sleep(0.001)
                group.cancel_scope.cancel()
            with anyio.fail_after(5):
                while fake.open_now:
                    await anyio.sleep(0.001)

    anyio.run(main)


def test_a_reply_that_takes_too_long_is_given_up():
    async def stream() -> AsyncIterator[bytes]:
        yield b"data: {}\n\n"
        await anyio.sleep_forever()

    error = failure({"content": stream()}, times=Times(whole=0.05))
    assert str(error) == "some/model: no whole answer within 0.05 s, 10 bytes came"
    assert error.retryable


def test_a_server_that_stalls_is_left():
    async def main() -> None:
        async with FakeServer(faults=always("stalls"), patience=60) as fake:
            with pytest.raises(ModelError, match=r"said nothing for 0\.1 s") as error:
                await real_post(fake, times=Times(silence=0.1))
            assert error.value.retryable

    anyio.run(main)


def test_connections_are_shared_and_closed_with_their_loop():
    async def main() -> int:
        async with FakeServer() as fake:
            for _ in range(3):
                await real_post(fake)
            return fake.connections

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [anyio.run(main) for _ in range(2)] == [1, 1]
