"""Addresses of servers: what is one, and what of it may be shown. Knows no protocol above HTTP."""

from __future__ import annotations

from functools import lru_cache

import httpx2

from toolmend.base.errors import BadOption


def web_address(text: str, what: str) -> str:
    """The address in a text, without a slash at its end. Raises BadOption, which speaks of `what`, also for a password
    in it: addresses are stored and shown."""
    try:
        url = httpx2.URL(text.strip())
    except (httpx2.InvalidURL, ValueError) as error:
        raise BadOption(f"{what} is no web address ({error})") from None
    shown = str(url.copy_with(username=None, password=None, query=None, fragment=None)).rstrip("/")
    if url.scheme not in ("http", "https") or not url.host:
        raise BadOption(f"{what} {shown!r} is no web address: it starts with http:// or https:// and a host")
    if url.query or url.fragment:
        raise BadOption(f"{what} {shown!r} goes on after its path: leave out what follows ? or #")
    if url.username or url.password:
        raise BadOption(f"{what} has a user or a password in it: addresses are stored and shown; give a key")
    return shown


@lru_cache(maxsize=64)
def parsed(url: str) -> httpx2.URL:
    """A web address taken apart, once for all requests that go there."""
    return httpx2.URL(url)


def host_of(url: str) -> str:
    """The host in a web address."""
    return parsed(url).host
