"""Addresses of servers: what is one, and what of it may be shown. Knows no protocol above HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import httpx2

from toolmend.errors import BadOption


@dataclass(frozen=True, slots=True)
class Address:
    """A server's base URL, without a slash at its end and fit to be shown; `user` and `password` are kept apart."""

    url: str
    user: str = ""
    password: str = ""


def web_address(text: str, what: str) -> Address:
    """The address in a text. Raises BadOption, which speaks of `what`."""
    try:
        url = httpx2.URL(text.strip())
    except (httpx2.InvalidURL, ValueError) as error:
        raise BadOption(f"{what} is no web address ({error})") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise BadOption(f"{what} {_shown(url)!r} is no web address: it starts with http:// or https:// and a host")
    if url.query or url.fragment:
        raise BadOption(f"{what} {_shown(url)!r} goes on after its path: leave out what follows ? or #")
    return Address(_shown(url), url.username, url.password)


@lru_cache(maxsize=64)
def parsed(url: str) -> httpx2.URL:
    """A web address taken apart, once for all requests that go there."""
    return httpx2.URL(url)


def host_of(url: str) -> str:
    """The host in a web address."""
    return parsed(url).host


def _shown(url: httpx2.URL) -> str:
    return str(url.copy_with(username=None, password=None, query=None, fragment=None)).rstrip("/")
