"""One GET to a checked address: the numbers that were checked are connected to, under the name that was asked for.

No proxy, no cookie, no redirect, no password from files: nothing here comes from the environment but certificates.
Knows httpx2, and nothing of robots, pauses or what the body is.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import httpx2

from toolmend.http import faults
from toolmend.knowledge.fetch.fetched import Refused
from toolmend.knowledge.fetch.guard import Hop
from toolmend.knowledge.fetch.manners import USER_AGENT
from toolmend.knowledge.fetch.unpack import ASKED, Unpacker

Check = Callable[[str], None]

_CONNECT = 10.0


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """What a server answered: the body is read for 2xx alone, and is b"" otherwise. Header names are small."""

    url: str
    status: int
    headers: Mapping[str, str]
    data: bytes = b""


class Wire:
    """Sends requests. `transport` replaces the network."""

    def __init__(self, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._transport = transport

    async def get(self, hop: Hop, headers: Mapping[str, str], most: int, check: Check) -> WebAnswer:
        """Ask. `check` is given the Content-Type before the body is read, and may raise Refused, as this does."""
        for at, number in enumerate(hop.numbers, start=1):
            try:
                return await self._ask(hop, number, headers, most, check)
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                if at == len(hop.numbers):
                    raise Refused("unreachable", faults.no_connection(error, hop.origin, _CONNECT)) from error
            except (httpx2.HTTPError, httpx2.StreamError) as error:
                says = f"the connection to {hop.origin} broke off, or this is no HTTP ({faults.line_of(error)})"
                raise Refused("unreachable", says) from error
        raise Refused("unreachable", f"{hop.host} has no number")

    async def _ask(self, hop: Hop, number: str, headers: Mapping[str, str], most: int, check: Check) -> WebAnswer:
        sent = {"Host": hop.url.netloc.decode("ascii"), "User-Agent": USER_AGENT, "Accept-Encoding": ASKED, **headers}
        pinned = {"sni_hostname": hop.host}  # what the certificate is held against: the name, not the number
        tls = self._tls if hop.url.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # which trusts nobody
        transport = self._transport or httpx2.AsyncHTTPTransport(verify=tls, trust_env=False)
        limits = httpx2.Timeout(None, connect=_CONNECT)
        async with httpx2.AsyncClient(
            transport=transport, trust_env=False, follow_redirects=False, timeout=limits
        ) as client:
            place = hop.url.copy_with(host=number)
            async with client.stream("GET", place, headers=sent, extensions=pinned) as response:
                told = {name.lower(): value for name, value in response.headers.items()}
                answer = WebAnswer(str(hop.url), response.status_code, told)
                if not 200 <= answer.status < 300:
                    return answer
                check(told.get("content-type", ""))
                return WebAnswer(answer.url, answer.status, told, await _body(response, told, most))

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Certificates as the system, SSL_CERT_FILE or SSL_CERT_DIR have them; made once."""
        return httpx2.create_ssl_context()


async def _body(response: httpx2.Response, headers: Mapping[str, str], most: int) -> bytes:
    unpacker = Unpacker(headers.get("content-encoding", ""), most)
    length = headers.get("content-length", "")
    if length.isdecimal() and len(length) < 20 and int(length) > most:
        raise Refused("too_large", f"{int(length):,} bytes, more than {most:,}")
    async for piece in response.aiter_raw():
        unpacker.feed(piece)
    return unpacker.close()
