"""One server, as one model uses it: JSON out, a reply read as it comes, attempts, limits and times.

Connections are shared by all servers of one event loop and closed when that loop ends. Knows no provider.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2
from anyio.lowlevel import RunVar

from toolmend import __version__
from toolmend.base.errors import ModelError
from toolmend.base.http import faults
from toolmend.base.http.address import parsed
from toolmend.base.http.pace import Pace
from toolmend.base.http.records import MOST, Broken, Records, Take
from toolmend.base.http.retries import AGAIN, Passing, Retry, retry_after
from toolmend.base.http.secrets import Secrets
from toolmend.base.http.wires import use_wires

Transport = httpx2.AsyncBaseTransport
Hint = Callable[[int, str], str]

_log = logging.getLogger("toolmend.http")
for _library in ("httpcore2", "httpx2"):  # they tell headers and status lines, in which a server may quote the key
    logging.getLogger(_library).setLevel(logging.WARNING)
_REFUSAL = 64 << 10
_AFTER_DONE = 0.1


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came of a request: JSON as sent and the reply as it came, without keys; seconds of the last attempt."""

    request: str
    reply: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds: until there is a connection, without a byte (before the first and between two), for a whole reply."""

    connect: float = 10.0
    silence: float = 600.0
    whole: float = 600.0


class Server:
    """A server at an address. `who` begins every error; `key_env` is where a person would put the key.

    `hint(status, text)` adds advice to a refusal. Attempts that are followed by another are logged and counted
    (`retried`).
    """

    def __init__(
        self,
        url: str,
        who: str,
        *,
        key: str = "",
        key_env: str = "",
        times: Times | None = None,
        pace: Pace | None = None,
        retry: Retry | None = None,
        hint: Hint = lambda status, text: "",
        transport: Transport | None = None,
    ) -> None:
        self.url, self.retried, self._reached = url, 0, False
        self.secrets = Secrets(key)
        self._who, self._key_env, self._hint = who, key_env, hint
        self._times, self._pace, self._retry = times or Times(), pace or Pace(), retry or Retry()
        self._transport = transport
        self._headers = {
            "User-Agent": f"toolmend/{__version__}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream, application/x-ndjson",
            "Accept-Encoding": "gzip, deflate",
            "Connection": "keep-alive",
        }
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    async def post(self, path: str, body: Mapping[str, Any], take: Take, most: int = MOST) -> Exchange:
        """Send JSON and feed the reply's values to `take` until it has enough, or `most` bytes came.

        Raises ModelError. Nothing is sent again once a byte of a reply was accepted.
        """
        text = _dumps(body)
        content, number, hide = text.encode(), 1, self.secrets.hide
        async with self._pace.place():
            while True:
                try:
                    reply, seconds = await self._attempt(path, content, take, most)
                    return Exchange(hide(text), hide(reply), seconds)
                except Passing as error:
                    if number > self._retry.most:
                        tries = f" (tried {number} times)" if number > 1 else ""
                        raise self._error(f"{error}{tries}", retryable=True) from error
                    wait = self._retry.wait(number, error.asked)
                    self.retried += 1
                    problem = self.secrets.hide_all(str(error))
                    _log.info("%s: attempt %d: %s; again in %.1f s", self._who, number, problem, wait)
                await self._retry.sleep(wait)
                number += 1

    async def _attempt(self, path: str, content: bytes, take: Take, most: int) -> tuple[str, float]:
        await self._pace.turn()
        records, began = Records(take, most), time.perf_counter()
        with anyio.move_on_after(self._times.whole):
            await self._send(path, content, records)
            return records.raw, time.perf_counter() - began
        came = f", {records.size:,} bytes came" if records.size else ""
        raise self._error(f"no whole answer within {self._times.whole:g} s{came}", retryable=True)

    async def _send(self, path: str, content: bytes, records: Records) -> None:
        times = self._times
        limits = {"connect": times.connect, "read": times.silence, "write": times.silence, "pool": None}
        try:
            client = await _client(self._transport)
            # Made here, nothing of the client's merged into it, which takes a third as long as all that sends it.
            request = httpx2.Request("POST", parsed(f"{self.url}/{path}"), headers=self._headers, content=content)
            request.extensions["timeout"] = limits
            response = await client.send(request, stream=True)
            async with aclosing(response):
                self._reached = True
                await self._check(response)
                await _read(response, records)
        except httpx2.TimeoutException as error:
            raise self._timed_out(error, records) from error
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            raise self._dropped(error, records) from error
        except _NoClient as error:
            raise self._error(str(error)) from error
        except Broken as error:
            raise self._error(str(error), retryable=True) from error
        if not records.count:
            raise self._error(f"an empty answer (HTTP {response.status_code}, no content)", retryable=True)

    async def _check(self, response: httpx2.Response) -> None:
        """Raise unless this is a reply worth reading."""
        status, kind = response.status_code, response.headers.get("content-type", "")
        if 200 <= status < 300:
            if faults.unreadable_type(kind):
                raise self._error(f"answers {kind.partition(';')[0]} instead of JSON: is {self.url} the right address?")
            return
        text = faults.body_text(await _start(response), kind)
        if status in (401, 403):
            more = f": {text}" if status == 403 and text else ""
            raise self._error(f"wrong or missing key (HTTP {status}){self._set_key()}{more}")
        if 300 <= status < 400:
            where = response.headers.get("location", "somewhere else").partition("?")[0]
            raise self._error(f"HTTP {status}: {self.url} is moved to {where}; give that address")
        said = f"HTTP {status} {response.reason_phrase}".rstrip() + (f": {text}" if text else "")
        line = said + self._hint(status, text)
        if status not in AGAIN:
            raise self._error(line)
        asked = retry_after(response.headers.get("retry-after"))
        if asked and asked > self._retry.longest:
            raise self._error(f"{line} (asks to come back in {asked:.0f} s)", retryable=True)
        raise Passing(line, asked)

    def _set_key(self) -> str:
        return f"; set {self._key_env} in the environment" if self._key_env else ""

    def _timed_out(self, error: httpx2.TimeoutException, records: Records) -> ModelError:
        if isinstance(error, httpx2.ConnectTimeout):
            return Passing(faults.no_connection(error, self.url, self._times.connect))
        when = f" after {records.size:,} bytes" if records.size else ""
        return self._error(f"{self.url} said nothing for {self._times.silence:g} s{when}", retryable=True)

    def _dropped(self, error: Exception, records: Records) -> ModelError:
        if records.size:
            come = f"{records.size:,} bytes and {records.count} records"
            return self._error(f"the connection broke off after {come} ({faults.line_of(error)})", retryable=True)
        if isinstance(error, httpx2.TransportError) and not isinstance(error, httpx2.UnsupportedProtocol):
            told = faults.no_connection(error, self.url, self._times.connect)
            absent = faults.refused(error) and not self._reached  # one that was never there does not come in seconds
            return self._error(told, retryable=True) if absent else Passing(told)
        return self._error(f"the answer cannot be read ({faults.line_of(error)})", retryable=True)

    def _error(self, text: str, *, retryable: bool = False) -> ModelError:
        return ModelError(f"{self._who}: {' '.join(self.secrets.hide_all(text).split())}", retryable=retryable)


async def _read(response: httpx2.Response, records: Records) -> None:
    async with aclosing(response.aiter_bytes()) as pieces:
        async for piece in pieces:
            if records.feed(piece):
                await _finish(pieces)
                return
    records.close()


async def _finish(pieces: AsyncGenerator[bytes]) -> None:
    """Read on to the end of a body that is complete, so that the connection can be used again; but not for long."""
    left = _REFUSAL
    try:
        with anyio.move_on_after(_AFTER_DONE):
            async for piece in pieces:
                left -= len(piece)
                if left < 0:
                    break
    except httpx2.HTTPError as error:  # the reply is whole: what becomes of its connection changes nothing
        _log.debug("after the end of a reply: %s", error)


async def _start(response: httpx2.Response) -> bytes:
    """The first bytes of a refusal's body; what came of it if it breaks off."""
    body = b""
    try:
        async with aclosing(response.aiter_bytes()) as pieces:
            async for piece in pieces:
                body += piece
                if len(body) >= _REFUSAL:
                    break
    except httpx2.HTTPError as error:  # the status says enough
        _log.debug("in the body of a refusal: %s", error)
    return body[:_REFUSAL]


def _dumps(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, ensure_ascii=False)
    # Half a character (a lone surrogate) can only be sent as an escape.
    return text if text.encode("utf-8", "ignore").decode() == text else json.dumps(body)


# Connections ---------------------------------------------------------------------------------------------------


class _NoClient(Exception):
    """No client can be made here."""


Kept = dict[Transport | None, tuple[httpx2.AsyncClient, AsyncGenerator[None]]]
_clients: RunVar[Kept] = RunVar("toolmend.base.http.clients")


async def _client(transport: Transport | None) -> httpx2.AsyncClient:
    """The running loop's client: connections made in one loop cannot be used in another."""
    try:
        kept = _clients.get()
    except LookupError:
        kept = {}
        _clients.set(kept)
    if transport not in kept:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=32)
        try:
            client = httpx2.AsyncClient(transport=transport, limits=limits)
        except (ImportError, ValueError, httpx2.InvalidURL) as error:
            what = "the proxy settings of the environment (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY) cannot be used"
            raise _NoClient(f"{what}: {faults.excerpt(str(error))}") from error
        if transport is None:
            use_wires(client)
        keeper = _close_at_the_end(client)
        kept[transport] = client, keeper
        await anext(keeper)
    return kept[transport][0]


async def _close_at_the_end(client: httpx2.AsyncClient) -> AsyncGenerator[None]:
    """Started and never finished: an event loop that ends closes such generators, and this one closes the client."""
    try:
        yield
    finally:
        await client.aclose()
