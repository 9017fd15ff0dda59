"""Pages of a real server on loopback: each thing that may go wrong has its name, and nothing is kept of a part."""

from __future__ import annotations

import gzip
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from http.server import BaseHTTPRequestHandler

import httpx2
import pytest

from extras.knowledge import pages
from extras.knowledge.fetch.conftest import Fetch, Got, Site
from toolmend.extras.knowledge import Library, Outcome
from toolmend.extras.knowledge.fetch import Manners, Web

GONE = b"<html><head><title>404 Not Found</title></head><body><article><p>The page is gone.</p></article></body></html>"
HTML = "text/html; charset=utf-8"


def test_a_page_is_kept_under_its_address(site: Site, fetch: Fetch, library: Library) -> None:
    site.put("/soup.md", "# Soup\n\nSoup is hot.")
    (outcome,) = fetch().add(library, site("/soup.md?utm_source=x"))
    assert outcome.name == "not_found"
    (outcome,) = fetch().add(library, site("/soup.md"))
    source = library.source(outcome.source)
    assert (outcome.name, source.text, source.url) == (
        "added",
        "Soup\n\nSoup is hot.",
        f"https://127.0.0.1:{site.port}/soup.md",
    )


def test_it_says_who_asks(site: Site, got: Got) -> None:
    site.put("/a.md", "Text.")
    got(site("/a.md"))
    told = site.headers[-1]
    assert told["user-agent"].startswith("toolmend/")
    assert told["host"] == f"127.0.0.1:{site.port}"
    assert not {"cookie", "authorization", "referer"} & set(told)


def test_the_type_decides_who_reads(site: Site, fetch: Fetch, library: Library) -> None:
    pytest.importorskip("trafilatura")
    pytest.importorskip("pypdf")
    bodies = {
        "/locks": (HTML, pages.PAGE.encode()),
        "/paper": ("application/pdf", pages.pdf("We traced every lock here.")),
        "/talk": ("text/vtt", pages.SRT.replace(",", ".").encode()),
        "/talk.srt": ("text/plain", pages.SRT.replace("hello", "good day").encode()),
        "/note": ("text/plain; charset=utf-8", b"Plain words."),
        "/named.md": ("application/octet-stream", b"# Title\n\nOther words."),
    }
    forms = []
    for path, (kind, body) in bodies.items():
        site.put(path, body, Content_Type=kind)
        (outcome,) = fetch().add(library, site(path))
        forms.append(library.source(outcome.source).form)
    assert forms == ["page", "pdf", "transcript", "transcript", "text", "markdown"]


@pytest.mark.parametrize(
    ("status", "name"),
    [(404, "not_found"), (410, "not_found"), (401, "refused_by_server"), (403, "refused_by_server"),
     (429, "refused_by_server"), (500, "refused_by_server"), (418, "refused_by_server"), (304, "refused_by_server"),
     (300, "refused_by_server")],
)  # fmt: skip
def test_statuses(site: Site, got: Got, status: int, name: str) -> None:
    site.put("/a", b"" if status == 304 else b"words", status=status)
    found, says = got(site("/a"))
    assert (found, says.startswith(f"HTTP {status}")) == (name, True)


def test_an_error_page_with_200(site: Site, got: Got) -> None:
    pytest.importorskip("trafilatura")
    site.put("/a", GONE, Content_Type=HTML)
    assert got(site("/a"))[0] == "error_page"


def test_a_picture_is_not_even_read(site: Site, got: Got) -> None:
    site.put("/a.png", b"x" * 100, Content_Type="image/png")
    assert got(site("/a.png"), most=10)[0] == "unknown_form"


def test_an_empty_page(site: Site, got: Got) -> None:
    site.put("/a")
    assert got(site("/a"))[0] == "no_text"


def test_a_page_that_says_it_is_too_large(site: Site, got: Got) -> None:
    site.put("/a", b"x" * 2000)
    assert got(site("/a"), most=1000) == ("too_large", "2,000 bytes, more than 1,000")


def test_an_endless_page(site: Site, got: Got) -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not site.over.is_set():
            try:
                handler.wfile.write(b"words " * 1000)
            except OSError:
                return

    site.pages["/a"] = endless
    assert got(site("/a"), most=50_000) == ("too_large", "more than 50,000 bytes")


@pytest.mark.parametrize("begin", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n", b""], ids=str)
def test_a_page_that_drips_is_too_slow(site: Site, got: Got, begin: bytes) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(begin)
        while not site.over.wait(0.01):
            try:
                handler.wfile.write(b"x" if begin else b"")
            except OSError:
                return

    site.pages["/a"] = drip
    name, says = got(site("/a"), seconds=0.5)
    assert (name, says.endswith("not whole within 0.5 s")) == ("too_slow", True)


def test_the_deadline_is_for_all_redirects_together(site: Site, got: Got) -> None:
    def late(to: str) -> Callable[[BaseHTTPRequestHandler], None]:
        def page(handler: BaseHTTPRequestHandler) -> None:
            site.over.wait(0.15)
            handler.send_response(302)
            handler.send_header("Location", to)
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        return page

    for number in range(5):
        site.pages[f"/{number}"] = late(f"/{number + 1}")
    site.put("/5", "Text.")
    assert got(site("/0"), seconds=0.4)[0] == "too_slow"


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        ("gzip", gzip.compress),
        ("X-GZIP", gzip.compress),
        ("identity", bytes),
    ],
)
def test_packed_pages(site: Site, fetch: Fetch, library: Library, coding: str, pack: Callable[[bytes], bytes]) -> None:
    site.put("/a.md", pack(b"Soup is hot."), Content_Encoding=coding)
    (outcome,) = fetch().add(library, site("/a.md"))
    assert library.source(outcome.source).text == "Soup is hot."


def test_a_bomb_is_not_unpacked(site: Site, got: Got) -> None:
    site.put("/a.md", gzip.compress(b"0" * 5_000_000), Content_Encoding="gzip")
    assert got(site("/a.md"), most=100_000) == ("bomb", "unpacks to more than 100,000 bytes")


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", b"no gzip at all"),
        ("gzip", gzip.compress(b"Soup is hot." * 50, mtime=0)[:-20]),
        ("br", b"x"),
        ("deflate", b"x"),
        ("gzip, gzip", b"x"),
    ],
)
def test_what_cannot_be_unpacked(site: Site, got: Got, coding: str, body: bytes) -> None:
    site.put("/a.md", body, Content_Encoding=coding)
    assert got(site("/a.md"))[0] == "unreadable"


def test_invalid_utf8_is_kept(site: Site, fetch: Fetch, library: Library) -> None:
    site.put("/a.txt", b"good \xff\xfe bad words", Content_Type="text/plain; charset=utf-8")
    (outcome,) = fetch().add(library, site("/a.txt"))
    assert outcome.name == "added"


@pytest.mark.parametrize("charset", ["hex", "rot13", "undefined", "idna", "\xff\xfe", "utf-7", "unicode_escape"])
def test_any_charset_in_the_header_is_read(site: Site, got: Got, charset: str) -> None:
    pytest.importorskip("charset_normalizer")
    site.put("/a.txt", b"good \xff bad words", Content_Type=f"text/plain; charset={charset}")
    assert got(site("/a.txt"))[0] == "added"


def test_hostile_headers(site: Site, got: Got) -> None:
    site.put("/a.md", "Soup.", ETag='"\xff\x07"', Last_Modified="\xe4" * 400, Cache_Control="\x00"[:0] + "\xfc")
    assert got(site("/a.md"))[0] == "added"
    assert got(site("/a.md"), max_age=0.0)[0] == "unchanged"
    assert not {"if-none-match", "if-modified-since"} & set(site.headers[-1])


@pytest.mark.parametrize(
    "location",
    [
        "http://[bad",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://\x7f/",
        "https://u:p@x.example/",
        "http://\xff/",
    ],
)
def test_redirects_to_no_address(site: Site, got: Got, location: str) -> None:
    site.moved("/a", location)
    assert got(site("/a"))[0] in ("not_web", "private_address")
    assert site.pages_asked == ["/a"]


def test_a_redirect_is_followed_and_its_end_is_the_address(site: Site, fetch: Fetch, library: Library) -> None:
    site.moved("/old", "new.md", 301)
    site.put("/new.md", "Soup is hot.")
    (outcome,) = fetch().add(library, site("/old"))
    assert library.source(outcome.source).url.endswith("/new.md")


def test_a_circle_of_redirects(site: Site, got: Got) -> None:
    site.moved("/a", "/b")
    site.moved("/b", "/a#again")
    assert got(site("/a")) == ("redirect_loop", " → ".join(map(site, ("/a", "/b", "/a"))))


def test_too_many_redirects(site: Site, got: Got) -> None:
    for number in range(9):
        site.moved(f"/{number}", f"/{number + 1}")
    assert got(site("/0"))[0] == "redirect_loop"
    assert len(site.pages_asked) == 6


@pytest.mark.parametrize("inside", ["http://127.0.0.2:1/", "http://169.254.169.254/latest/", "http://localhost:1/"])
def test_a_redirect_to_a_private_address(site: Site, got: Got, inside: str) -> None:
    site.moved("/a", inside)
    assert got(site("/a"))[0] == "private_address"


def test_loopback_is_refused_unless_it_is_allowed(site: Site, got: Got) -> None:
    assert got(site("/a"), allow=())[0] == "private_address"
    assert site.asked == []


def test_nobody_listens(got: Got) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    name, says = got(f"http://127.0.0.1:{port}/a")
    assert (name, "nobody answers" in says) == ("unreachable", True)


def test_no_certificate(site: Site, got: Got) -> None:
    assert got(site("/a").replace("http://", "https://"))[0] == "unreachable"


@pytest.mark.parametrize(
    "said", [b"SSH-2.0-x\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", b""], ids=str
)
def test_what_breaks_off_is_not_kept(site: Site, got: Got, library: Library, said: bytes) -> None:
    site.pages["/a.md"] = lambda handler: handler.wfile.write(said) and None
    assert got(site("/a.md"))[0] == "unreachable"
    assert list(library.sources()) == []


def test_the_same_text_at_another_address(site: Site, fetch: Fetch, library: Library) -> None:
    site.put("/a.md", "Soup is hot.")
    site.put("/b.md", "Soup is hot.")
    assert [next(fetch().add(library, site(path))).name for path in ("/a.md", "/b.md")] == ["added", "duplicate"]


class Seen(httpx2.AsyncBaseTransport):
    """A network that answers everything, and remembers what was connected to under which name."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str]] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append((request.url.host, request.headers["host"], request.extensions["sni_hostname"]))
        if request.url.path == "/robots.txt":
            return httpx2.Response(404)
        return httpx2.Response(200, headers={"content-type": "text/plain"}, content=words())


async def words() -> AsyncIterator[bytes]:
    yield b"Some words."


def test_the_number_that_was_checked_is_connected_to(fetch: Fetch) -> None:
    answers = iter([["93.184.216.34"], ["93.184.216.34"], ["127.0.0.1"]])

    async def resolve(host: str, port: int) -> Sequence[str]:
        return next(answers)

    network = Seen()
    manners = Manners(pause=0.0, cache=fetch().manners.cache)
    web = Web(manners, resolve=resolve, transport=network)
    found = web.fetch("https://rebind.example/a")
    assert not isinstance(found, Outcome)
    assert network.asked == [("93.184.216.34", "rebind.example", "rebind.example")] * 2
    refused = web.fetch("https://rebind.example/b")
    assert isinstance(refused, Outcome)
    assert (refused.name, len(network.asked)) == ("private_address", 2)


def test_a_real_connection_goes_to_the_number_under_the_name(site: Site, fetch: Fetch) -> None:
    site.put("/a.md", "Soup.")
    looked = []

    async def resolve(host: str, port: int) -> Sequence[str]:
        looked.append(host)
        return ["127.0.0.1"]

    found = Web(fetch().manners, resolve=resolve).fetch(f"http://soup.example:{site.port}/a.md")
    assert not isinstance(found, Outcome)
    assert site.headers[-1]["host"] == f"soup.example:{site.port}"
    assert looked == ["soup.example"] * 2  # once for robots.txt, once for the page


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://youtu.be/abcdefghijk", "not_fetched"),
        ("ftp://example.org/x", "not_web"),
        ("http://[bad/", "not_web"),
        ("gopher://x", "not_web"),
    ],
)
def test_what_has_nothing_to_fetch(got: Got, url: str, name: str) -> None:
    assert got(url)[0] == name
