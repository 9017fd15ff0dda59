"""One GET to a checked address: the numbers that were checked are connected to, under the name that was asked for.

No proxy, no cookie, no redirect, no password from files: nothing here comes from the environment but certificates.
A body is unpacked up to a limit. Knows httpx2, and nothing of robots and pauses.
"""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import httpx2

from toolmend import __version__
from toolmend.base.http import faults
from toolmend.extras.knowledge.fetch.guard import FetchRefused, Hop

AGENT = "toolmend"
_CONNECT = 10.0
_NO_TEXT = ("image", "audio", "video", "font")


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """What a server answered: the body is read for 2xx alone, and is b"" otherwise. Header names are small."""

    url: str
    status: int
    headers: Mapping[str, str]
    data: bytes = b""


class HttpSender:
    """Sends requests. `transport` replaces the network."""

    def __init__(self, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._transport = transport

    async def get(self, hop: Hop, most: int) -> WebAnswer:
        """Ask; `most` bounds the bytes as sent and the bytes unpacked. Raises FetchRefused, for no text too."""
        for at, number in enumerate(hop.numbers, start=1):
            try:
                return await self._ask(hop, number, most)
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                if at == len(hop.numbers):
                    raise FetchRefused("unreachable", faults.no_connection(error, hop.origin, _CONNECT)) from error
            except (httpx2.HTTPError, httpx2.StreamError) as error:
                says = f"the connection to {hop.origin} broke off, or this is no HTTP ({faults.line_of(error)})"
                raise FetchRefused("unreachable", says) from error
        raise FetchRefused("unreachable", f"{hop.host} has no number")

    async def _ask(self, hop: Hop, number: str, most: int) -> WebAnswer:
        sent = {
            "Host": hop.url.netloc.decode("ascii"),
            "User-Agent": f"{AGENT}/{__version__}",
            "Accept-Encoding": "gzip",
        }
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
                kind = told.get("content-type", "").strip().lower()
                if kind.startswith(_NO_TEXT):
                    raise FetchRefused("unknown_form", f"{kind[:60]} is no page, PDF, transcript, Markdown or text")
                return WebAnswer(answer.url, answer.status, told, await _body(response, told, most))

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Certificates as the system, SSL_CERT_FILE or SSL_CERT_DIR have them; made once."""
        return httpx2.create_ssl_context()


async def _body(response: httpx2.Response, headers: Mapping[str, str], most: int) -> bytes:
    """The whole body, unpacked piece by piece; `most` bounds both the bytes as sent and the bytes unpacked."""
    coding, length = headers.get("content-encoding", "").strip().lower(), headers.get("content-length", "")
    if coding not in ("", "identity", "gzip", "x-gzip"):
        raise FetchRefused("unreadable", f"packed as {coding[:40]!r}, which was not asked for")
    if length.isdecimal() and len(length) < 20 and int(length) > most:
        raise FetchRefused("too_large", f"{int(length):,} bytes, more than {most:,}")
    packed = zlib.decompressobj(16 + zlib.MAX_WBITS) if coding.endswith("gzip") else None
    body, came = bytearray(), 0
    async for piece in response.aiter_raw():
        came += len(piece)
        if came > most:
            raise FetchRefused("too_large", f"more than {_size(most)}")
        try:
            body += packed.decompress(piece, most + 1 - len(body)) if packed else piece
        except zlib.error as error:
            raise FetchRefused("unreadable", f"damaged on the way ({error})") from error
        if len(body) > most:
            raise FetchRefused("bomb", f"unpacks to more than {_size(most)}")
    if packed and came and not packed.eof:
        raise FetchRefused("unreadable", "the packed body ends too early")
    return bytes(body)


def _size(count: int) -> str:
    return f"{count // 1_000_000} MB" if count >= 1_000_000 else f"{count:,} bytes"
