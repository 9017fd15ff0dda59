"""Politeness: pauses between requests to a host, Crawl-delay and Retry-After up to a limit; no real waiting here."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
import pytest

from extras.knowledge.fetch.conftest import Fetch, Got, Site
from toolmend.extras.knowledge import Outcome
from toolmend.extras.knowledge.fetch import Web
from toolmend.extras.knowledge.fetch.guard import FetchRefused
from toolmend.extras.knowledge.fetch.pages import HostPace


class Time:
    """A clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def visits(hosts: list[str], delay: float = 0.0, put_off: float = 0.0) -> list[float]:
    time = Time()
    pace = HostPace(1.0, 30.0, clock=time.clock, sleep=time.sleep)

    async def all_of_them() -> None:
        for host in hosts:
            async with pace.turn(host, delay):
                time.now += 0.25
        if put_off:
            pace.put_off(hosts[0], put_off)
            async with pace.turn(hosts[0]):
                pass

    anyio.run(all_of_them)
    return time.slept


def test_a_pause_between_two_requests_to_a_host() -> None:
    assert visits(["a", "a", "b", "a"]) == [1.0, 0.75]


def test_crawl_delay_is_honoured_up_to_a_limit() -> None:
    assert visits(["a", "a"], delay=5.0) == [5.0]
    assert visits(["a", "a"], delay=500.0) == [30.0]


def test_retry_after_is_honoured_up_to_a_limit() -> None:
    assert visits(["a"], put_off=20.0) == [20.0]
    with pytest.raises(FetchRefused, match="a asked to be left alone for 31 s more"):
        visits(["a"], put_off=31.0)


def test_one_request_to_a_host_at_a_time() -> None:
    pace, inside, most = HostPace(0.0, 30.0), 0, 0

    async def visit() -> None:
        nonlocal inside, most
        async with pace.turn("a"):
            inside += 1
            most = max(most, inside)
            await anyio.sleep(0)
            inside -= 1

    async def many() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(visit)

    anyio.run(many)
    assert most == 1


def test_a_server_that_asks_for_long_is_left_alone(site: Site, got: Got) -> None:
    site.put("/a.md", "later", status=429, Retry_After="3600")
    assert got(site("/a.md")) == ("refused_by_server", "HTTP 429: 127.0.0.1 asks to come back in 3600 s")
    assert site.pages_asked == ["/a.md"]


def test_a_host_of_other_letters_is_left_alone_as_well(site: Site, fetch: Fetch) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    site.put("/a.md", "later", status=429, Retry_After="3600")
    site.put("/b.md", "Soup.")
    web = Web(fetch().manners, resolve=resolve)
    for path in ("/a.md", "/b.md"):
        refused = web.fetch(f"http://Küche.example:{site.port}{path}")
        assert isinstance(refused, Outcome)
        assert refused.name == "refused_by_server"
    assert site.pages_asked == ["/a.md"]
