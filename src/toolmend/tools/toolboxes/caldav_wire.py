"""Talking to a CalDAV server (RFC 4791): requests, where they may go with a password, and its XML.

    wire = DavWire("https://host/dav/", "ada", "sesame")
    with wire.open(): wire.send("PUT", url, …); wire.listed("PROPFIND", url, …)

Knows no calendar. Answers are bounded in size and time; a document type in XML is refused, entities are never expanded.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

import httpx2

from toolmend.base.errors import ToolError

DAV, CAL = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}"
_MOST = 64 * 2**20
_SECONDS = 30.0
_LONGEST = 120.0
_HOPS = 5
_MOVED = (301, 302, 307, 308)


class DavAnswer(NamedTuple):
    """What came back, from where it came at last."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return 200 <= self.status < 300

    @property
    def etag(self) -> str:
        """The version that it speaks of; "" for none."""
        return self.headers.get("etag", "").strip()


class DavResource(NamedTuple):
    """One row of a multistatus: an address and its properties by their full names."""

    url: str
    props: Mapping[str, ElementTree.Element]

    def text(self, name: str) -> str:
        """The text of a property; "" where it is not there."""
        element = self.props.get(name)
        return "" if element is None else element.text or ""

    def href(self, name: str) -> str:
        """The address in a property, whole; "" where it is not there."""
        element = self.props.get(name)
        inner = None if element is None else element.find(f"{DAV}href")
        return "" if inner is None or not inner.text else urljoin(self.url, inner.text.strip())


class DavWire:
    """One server and who asks it. Every failure is a ToolError in one line."""

    def __init__(self, url: str, user: str, password: str) -> None:
        self._home = url
        self._pair = (user, password)
        self._auth: Any = httpx2.BasicAuth(user, password) if user else None
        self._client: httpx2.Client

    @contextmanager
    def open(self) -> Iterator[None]:
        """Connections are kept for what is asked inside."""
        with httpx2.Client(timeout=_SECONDS, follow_redirects=False) as self._client:
            yield

    def send(self, method: str, url: str, body: bytes = b"", /, **headers: str) -> DavAnswer:
        """Ask once; a redirection is followed where it stays with this server, with everything that was sent."""
        named = {name.replace("_", "-"): value for name, value in headers.items() if value}
        for _ in range(_HOPS):
            self._guard(url)
            answer = self._once(method, url, body, named)
            digest = "digest" in answer.headers.get("www-authenticate", "").lower()
            if answer.status == 401 and digest and isinstance(self._auth, httpx2.BasicAuth):
                self._auth = httpx2.DigestAuth(*self._pair)
                answer = self._once(method, url, body, named)
            if answer.status not in _MOVED or "location" not in answer.headers:
                return answer
            url = urljoin(url, answer.headers["location"])
        raise ToolError("the server sends in circles")

    def listed(self, method: str, url: str, body: str, depth: str) -> list[DavResource]:
        """The rows of a multistatus."""
        answer = self.send(method, url, body.encode(), Depth=depth, Content_Type="application/xml; charset=utf-8")
        if answer.status != 207:
            raise ToolError(said(answer))
        return list(_resources(answer))

    def _once(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> DavAnswer:
        end = time.monotonic() + _LONGEST
        try:
            with self._client.stream(method, url, content=body, headers=headers, auth=self._auth) as response:
                parts, size = [], 0
                for chunk in response.iter_bytes():
                    parts.append(chunk)
                    size += len(chunk)
                    if size > _MOST:
                        raise DavBroken(f"the server says more than {_MOST // 2**20} MB at once")
                    if time.monotonic() > end:
                        raise DavBroken(f"the server took longer than {_LONGEST:.0f} seconds")
                return DavAnswer(response.status_code, dict(response.headers), b"".join(parts), url)
        except httpx2.HTTPError as error:
            raise DavBroken(_first_line(error)) from error
        except (httpx2.InvalidURL, UnicodeError, ValueError) as error:
            raise ToolError(f"no address to go to ({_first_line(error)})") from error

    def _guard(self, url: str) -> None:
        """Refuse to take a password to another house: another host that is no sibling, another port, no more TLS."""
        home, there = urlsplit(self._home), urlsplit(url)
        try:
            same = (home.scheme, home.hostname, home.port) == (there.scheme, there.hostname, there.port)
            lifted = (home.scheme, there.scheme) == ("http", "https") and home.hostname == there.hostname
            sibling = there.scheme == "https" and _above(home.hostname) == _above(there.hostname) != ""
        except ValueError as error:
            raise ToolError("the server sends to an address that is none") from error
        if not (same or lifted or sibling):
            raise ToolError(
                f"the server sends on to {there.scheme}://{there.hostname}, which is another: no password goes there; "
                "give that address yourself if you trust it"
            )


class DavBroken(ToolError):
    """The connection failed: whether the server did what it was asked is not known."""


def said(answer: DavAnswer) -> str:
    """A refusal in words."""
    known = {
        401: "it wants another user or password: TOOLMEND_CALDAV_PASSWORD",
        403: "this user may not do that",
        404: "there is nothing at that address",
        412: "it was changed there meanwhile",
        423: "it is locked",
        507: "the server has no room left",
    }
    return f"{known.get(answer.status, 'the server refuses')} (HTTP {answer.status})"


def _resources(answer: DavAnswer) -> Iterator[DavResource]:
    parser = ElementTree.XMLParser(target=_NoDoctype())
    try:
        parser.feed(answer.body)
        root = parser.close()
    except ElementTree.ParseError as error:
        raise ToolError(f"the server says what is no XML ({error})") from error
    for row in root.iter(f"{DAV}response"):
        href = row.findtext(f"{DAV}href", "").strip()
        props = {}
        for stat in row.iter(f"{DAV}propstat"):
            status = stat.findtext(f"{DAV}status", "HTTP/1.1 200")
            if " 2" in status:
                props.update({prop.tag: prop for found in stat.iter(f"{DAV}prop") for prop in found})
        if href:
            yield DavResource(urljoin(answer.url, href), props)


class _NoDoctype(ElementTree.TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ToolError("the server's XML has a document type, which no CalDAV answer needs")


def _above(host: str | None) -> str:
    """The domain that a host is in: example.org for dav.example.org; "" for one that is in none."""
    _, _, rest = (host or "").partition(".")
    return rest if "." in rest and not rest.replace(".", "").isdigit() else ""


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).partition("\n")[0]
