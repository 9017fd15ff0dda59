"""Many addresses together, and that a kill in the middle leaves the library whole."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Barrier, Event

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from extras.knowledge.fetch.conftest import Fetch, Site
from toolmend.extras.knowledge import Library, Outcome
from toolmend.extras.knowledge.fetch import Fetched, Manners, Web
from toolmend.extras.knowledge.fetch.web import item


def meeting(site: Site, *paths: str) -> None:
    """Pages that are given only when all of them are asked for at once."""
    barrier = Barrier(len(paths))

    def page(handler: BaseHTTPRequestHandler) -> None:
        barrier.wait(20)
        handler.send_response(200)
        handler.send_header("Content-Type", "text/markdown")
        handler.end_headers()
        handler.wfile.write(f"This is {handler.path}.".encode())

    site.pages |= dict.fromkeys(paths, page)


def test_different_hosts_are_asked_side_by_side_and_told_in_order(site: Site, fetch: Fetch) -> None:
    meeting(site, "/a.md", "/b.md")
    urls = [site("/a.md"), site("/b.md").replace("127.0.0.1", "localhost")]
    found = [*fetch(allow=("127.0.0.1", "localhost")).fetch_all(urls)]
    assert [url for url, _ in found] == urls
    assert [isinstance(each, Fetched) and each.data for _, each in found] == [b"This is /a.md.", b"This is /b.md."]


def test_one_host_is_asked_for_one_thing_after_the_other(site: Site, fetch: Fetch) -> None:
    under_way, most = set[str](), list[int]()

    def page(handler: BaseHTTPRequestHandler) -> None:
        under_way.add(handler.path)
        most.append(len(under_way))
        time.sleep(0.01)
        handler.send_response(200)
        handler.send_header("Content-Type", "text/plain")
        under_way.remove(handler.path)
        handler.end_headers()
        handler.wfile.write(handler.path.encode())

    paths = [f"/{number}.md" for number in range(30)]
    site.pages |= dict.fromkeys(paths, page)
    found = [*fetch().fetch_all([site(path) for path in paths])]
    assert [isinstance(each, Fetched) and each.data.decode() for _, each in found] == paths
    assert (max(most), site.asked[0], sorted(site.asked)) == (1, "/robots.txt", sorted(["/robots.txt", *paths]))


def test_the_same_address_twice_is_asked_for_once(site: Site, fetch: Fetch) -> None:
    site.put("/a.md", "Text.")
    found = [*fetch().fetch_all([site("/a.md"), "ftp://soup.example/a", site("/a.md")])]
    assert [each.data if isinstance(each, Fetched) else each.name for _, each in found] == [
        b"Text.",
        "not_web",
        b"Text.",
    ]
    assert site.pages_asked == ["/a.md"]


def test_ended_early_nothing_stays_under_way(site: Site, fetch: Fetch) -> None:
    begun, web = Event(), fetch(seconds=3600.0)
    site.put("/a.md", "Text.")
    stalling(site, begun)
    found = web.fetch_all([site("/a.md"), site("/late.md")])
    assert next(found)[0] == site("/a.md") and begun.wait(20)
    found.close()
    again = web.fetch(site("/a.md?2"))  # it would wait for its turn for an hour
    assert isinstance(again, Outcome) and again.name == "not_found"


def start(place: Path, *urls: str, cache: Path) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "XDG_CACHE_HOME": str(cache),
    }
    command = [
        sys.executable,
        "-m",
        "toolmend.apps.cli",
        "know",
        "add",
        "--fetch",
        "--allow",
        "127.0.0.1",
        "--pause",
        "0",
    ]
    command += ["--store", str(place), *urls]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def stalling(site: Site, begun: Event) -> None:
    """A page whose second half does not come before the site is closed."""

    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/markdown")
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(b"Half of a text. ")
        begun.set()
        site.over.wait(60)

    site.pages["/late.md"] = page


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["kill", "ctrl-c"])
def test_stopped_in_the_middle_what_was_done_is_whole_and_not_asked_again(
    site: Site, tmp_path: Path, how: signal.Signals
) -> None:
    begun, place = Event(), tmp_path / "know.db"
    site.put("/one.md", "# One\n\nThe first text.")
    stalling(site, begun)
    urls = [site("/one.md"), site("/late.md")]
    with start(place, *urls, cache=tmp_path) as process:
        assert begun.wait(60)
        assert process.stdout and process.stdout.readline().startswith("added")
        process.send_signal(how)
        _, err = process.communicate(timeout=60)
    if how == signal.SIGINT:
        told = "toolmend: stopped: 1 of 2 places done; the same command goes on\n"
        counted = err.replace(" 0 of", " 1 of")  # the line of a place comes before it counts as done
        assert (process.returncode, counted) == (130, told)
    with Library(place) as library:
        assert [source.text for source in library.sources()] == ["One\n\nThe first text."]
    assert sqlite3.connect(place).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    site.put("/late.md", "A whole text.")
    site.asked.clear()
    cache = tmp_path / "toolmend" / "fetched"
    again = Web(Manners(allow=("127.0.0.1",), pause=0.0, cache=cache))
    with Library(place) as library:
        assert [outcome.name for url in urls for outcome in again.add(library, url)] == ["unchanged", "added"]
    assert site.asked == ["/robots.txt", "/late.md"]
    assert list(cache.glob(".*.part")) == []


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(
        st.text(max_size=60),
        st.text(st.characters(), max_size=40).map(lambda text: f"http://{text}"),
        st.text(st.characters(), max_size=40).map(lambda text: f"https://127.0.0.1/?q={text}"),
    )
)
@example("http://127.0.0.1/?q=\udcff")
@example("http://\udcff.example/")
@example("https://127.0.0.1/\udcff")
def test_any_text_is_an_address_or_a_named_outcome(tmp_path: Path, url: str) -> None:
    async def nowhere(host: str, port: int) -> list[str]:
        return ["10.0.0.1"]

    found = Web(Manners(cache=tmp_path), resolve=nowhere).fetch(url)
    assert isinstance(found, Outcome)
    assert found.name in ("private_address", "not_web", "not_fetched")
    assert isinstance(Web(Manners(cache=tmp_path)).fetch(f"ftp{url}"), Outcome)


@given(st.text(max_size=40), st.text(max_size=40), st.binary(max_size=20))
@example("http://[bad", "text/plain", b"words")
def test_whatever_a_fetcher_gives_is_read(url: str, header: str, data: bytes) -> None:
    made = item(Fetched(data, url, header, "2026-11-21T10:00:00Z"))
    assert (made.data, made.url, made.header) == (data, url, header)
