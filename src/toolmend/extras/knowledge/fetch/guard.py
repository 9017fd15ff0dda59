"""Which addresses may be reached: public ones, at the ports of the web. What is checked is what is connected to.

A name is looked up once; every number it stands for is checked, and the request goes to those very numbers, so that an
answer of DNS that changes in between leads nowhere. Each redirect is checked anew. Sends nothing.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import anyio
import httpx2

from toolmend.extras.knowledge.address import is_private
from toolmend.extras.knowledge.outcome import Name

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

_PORTS = {"http": 80, "https": 443}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_UNICAST = ipaddress.ip_network("2000::/3")
# Public by their number and not by their use: a cloud's own services, relays of 6to4, documentation (RFC 9637); and
# what Python before 3.13 takes for public, protocols' own addresses (RFC 6890).
_NEVER = tuple(map(ipaddress.ip_network, ("168.63.129.16/32", "192.88.99.0/24", "192.0.0.0/24", "3fff::/20")))


class FetchRefused(Exception):
    """It was not fetched: the name of the outcome and why. Raised inside this room only."""

    def __init__(self, name: Name, says: str) -> None:
        self.name: Name = name
        super().__init__(says)


@dataclass(frozen=True, slots=True)
class Hop:
    """An address that may be asked: its URL, its host as DNS and TLS know it, and the numbers that were checked."""

    url: httpx2.URL
    host: str
    port: int
    numbers: tuple[str, ...]

    @property
    def origin(self) -> str:
        """Scheme, host and port: whose robots.txt counts."""
        return f"{self.url.scheme}://{self.url.netloc.decode('ascii')}"

    @property
    def target(self) -> str:
        """Path and query, as sent."""
        return self.url.raw_path.decode("ascii")


async def look_up(host: str, port: int) -> list[str]:
    """The numbers a host stands for, by the system's resolver. Raises OSError or UnicodeError."""
    found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(number: str) -> bool:
    """Whether an IP number is one of the public internet, wrapped in IPv6 or not.

    Refused: loopback, private, link-local, shared (CGNAT), multicast, reserved, documentation, Teredo, metadata
    services of clouds, scopes; and whatever of these stands inside an IPv4-mapped, 6to4 or NAT64 address.
    """
    try:
        found = ipaddress.ip_address(number)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found.scope_id is not None:
            return False
        inside = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            inside = ipaddress.IPv4Address(int(found) & 0xFFFF_FFFF)
        if inside is None and found not in _UNICAST:
            return False
        found = inside or found
    special = found.is_multicast or found.is_reserved or found.is_unspecified
    return found.is_global and not special and not any(found in network for network in _NEVER)


def web_url(text: str) -> httpx2.URL:
    """An address without its fragment. Raises FetchRefused for what is none of the web."""
    try:
        urlsplit(text.strip())  # which knows a host that is none where httpx2 would escape it
        url = httpx2.URL(text.strip()).copy_with(fragment=None)
    except (httpx2.InvalidURL, ValueError, TypeError) as error:
        raise FetchRefused("not_web", f"no address that can be read ({error})") from error
    if url.scheme not in _PORTS or not url.host:
        raise FetchRefused("not_web", "only http:// and https:// are addresses of the web")
    if url.userinfo:
        raise FetchRefused("not_web", "an address with a user or a password in it is not asked")
    return url


class AddressGuard:
    """Lets public addresses through, and those of `allow` (hosts or numbers, at any port). `resolve` looks names up."""

    def __init__(self, allow: Iterable[str] = (), resolve: Resolve = look_up) -> None:
        self._allow = frozenset(host.strip("[]").lower() for host in allow)
        self._resolve = resolve

    async def hop(self, url: httpx2.URL) -> Hop:
        """The address with its checked numbers. Raises FetchRefused: private_address, not_web (a port), unreachable."""
        host, port = url.raw_host.decode("ascii").lower(), url.port or _PORTS[url.scheme]
        named = host in self._allow
        if not named and is_private(host):
            raise _private(host)
        numbers = await self._numbers(host, port)
        free = named or all(number in self._allow for number in numbers)
        if not free:
            if inside := next((number for number in numbers if not is_public(number)), ""):
                raise _private(host, inside)
            if port not in _PORTS.values():
                raise FetchRefused("not_web", f"port {port} is not asked: 80 and 443 are those of the web")
        return Hop(url, host, port, numbers)

    async def _numbers(self, host: str, port: int) -> tuple[str, ...]:
        try:
            found = await self._resolve(host, port)
        except (OSError, UnicodeError, ValueError) as error:
            says = f"the host {host} is not known (DNS): is the address right, is there a network?"
            raise FetchRefused("unreachable", says) from error
        if not found:
            raise FetchRefused("unreachable", f"the host {host} has no number (DNS)")
        return tuple(found)


def _private(host: str, number: str = "") -> FetchRefused:
    stands = f" (it stands for {number})" if number and number != host else ""
    return FetchRefused("private_address", f"{host} is inside a network{stands}; save the page and add the file")
