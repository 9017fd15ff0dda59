"""robots.txt by RFC 9309: groups, longest match, wildcards; what is asked when there is none or it cannot be had."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extras.knowledge.fetch.conftest import Fetch, Got, Site
from toolmend.extras.knowledge import Library
from toolmend.extras.knowledge.fetch.robots import parse


@pytest.mark.parametrize(
    ("text", "path", "pattern"),
    [
        ("User-agent: *\nDisallow: /private", "/private/a", "/private"),
        ("User-agent: *\nDisallow: /private", "/public", ""),
        ("User-agent: *\nDisallow:", "/a", ""),
        ("User-agent: *\nDisallow: /\nAllow: /open", "/open/a", ""),
        ("User-agent: *\nAllow: /a\nDisallow: /a", "/a", ""),
        ("User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", "/*.pdf$"),
        ("User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf?x=1", ""),
        ("User-agent: *\nDisallow: /*?", "/a?b", "/*?"),
        ("User-agent: *\nDisallow: /a*b*c", "/a1b2c3", "/a*b*c"),
        ("User-agent: *\nDisallow: /a*b*c", "/a1c2b3", ""),
        ("User-agent: toolmend\nDisallow: /\n\nUser-agent: *\nAllow: /", "/a", "/"),
        ("User-agent: other\nDisallow: /\n", "/a", ""),
        ("User-agent: other\nUser-agent: ToolMend/2\nDisallow: /a\n", "/a", "/a"),
        ("User-agent: toolmend\nDisallow: /a\n\nUser-agent: toolmend\nDisallow: /b", "/b", "/b"),
        ("user-agent : *\r\nDISALLOW : /a # why", "/a", "/a"),
        ("User-agent: *\nDisallow: /%7Ejoe/\nDisallow: /ü", "/~joe/x", "/~joe/"),
        ("User-agent: *\nDisallow: /ü", "/%C3%BC", "/%C3%BC"),
        ("User-agent: *\nDisallow: /a%2fb", "/a/b", ""),
        ("User-agent: *\nDisallow: private", "/private", "/private"),
        ("User-agent: *\nDisallow: /", "/robots.txt", ""),
        ("Disallow: /", "/a", ""),
        ("\ufeffUser-agent: *\nDisallow: /a", "/a", "/a"),
        ("<html>no such page</html>", "/a", ""),
    ],
)
def test_rules(text: str, path: str, pattern: str) -> None:
    assert parse(text).forbids(path) == pattern


@pytest.mark.parametrize(("said", "seconds"), [("2.5", 2.5), ("-1", 0.0), ("nan", 0.0), ("inf", 0.0), ("soon", 0.0)])
def test_crawl_delay(said: str, seconds: float) -> None:
    assert parse(f"User-agent: *\nCrawl-delay: {said}").delay == seconds


@given(st.text(), st.text(max_size=50))
def test_any_text_is_rules(text: str, path: str) -> None:
    assert isinstance(parse(f"User-agent: *\nDisallow: {text}\n{text}").forbids(f"/{path}"), str)


def test_what_robots_forbid_is_not_asked_for(site: Site, got: Got) -> None:
    site.put("/robots.txt", "User-agent: *\nDisallow: /private\n")
    site.put("/private/a.md", "Secret text.")
    name, says = got(site("/private/a.md"))
    assert (name, "(Disallow: /private)" in says) == ("robots_refused", True)
    assert site.pages_asked == []


def test_robots_that_cannot_be_had_forbid_everything(site: Site, got: Got) -> None:
    site.put("/robots.txt", status=500)
    site.put("/a.md", "Text.")
    name, says = got(site("/a.md"))
    assert (name, "cannot be had (HTTP 500)" in says, site.pages_asked) == ("robots_refused", True, [])


@pytest.mark.parametrize("status", [404, 403, 410])
def test_no_robots_allow_everything(site: Site, got: Got, status: int) -> None:
    site.put("/robots.txt", status=status)
    site.put("/a.md", "Some text.")
    assert got(site("/a.md"))[0] == "added"


def test_robots_that_go_round_in_circles_are_none(site: Site, got: Got) -> None:
    site.moved("/robots.txt", "/robots.txt")
    site.put("/a.md", "Some text.")
    assert got(site("/a.md"))[0] == "added"


def test_endless_robots_forbid_everything(site: Site, got: Got) -> None:
    site.put("/robots.txt", b"#" * 3000)
    site.put("/a.md", "Some text.")
    assert got(site("/a.md"), most=2000)[0] == "robots_refused"


def test_robots_are_asked_once_for_a_site(site: Site, fetch: Fetch, library: Library) -> None:
    site.put("/a.md", "One text.")
    site.put("/b.md", "Two texts.")
    fetchers = fetch()
    for path in ("/a.md", "/b.md"):
        list(fetchers.add(library, site(path)))
    assert site.asked == ["/robots.txt", "/a.md", "/b.md"]


def test_each_redirect_asks_the_robots_of_where_it_leads(site: Site, got: Got) -> None:
    site.put("/robots.txt", "User-agent: toolmend\nDisallow: /private\n")
    site.moved("/open", "/private/a.md")
    assert got(site("/open"))[0] == "robots_refused"
    assert site.pages_asked == ["/open"]


def test_a_line_of_blanks_is_read_at_once() -> None:
    assert parse(f"User-agent: *\nDisallow: /a{' ' * 1_000_000}b").patterns[0][1].startswith("/a%20%20")
