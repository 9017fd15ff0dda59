"""What was fetched: fresh it is not asked again; a damaged entry is as if absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from extras.knowledge.fetch.conftest import Fetch, Got, Site
from toolmend.extras.knowledge import Library
from toolmend.extras.knowledge.fetch import Cache, Fetched

URL = "https://a.example/x"
KEPT = Fetched(b"bytes\nof two lines", URL, "text/plain", "2026-11-21T10:00:00.000000Z")


def test_an_entry_comes_back_as_it_was(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "deep" / "cache")
    cache.put(URL, KEPT)
    assert cache.get(URL) == KEPT
    assert cache.get("https://a.example/y") is None


@pytest.mark.parametrize(
    "spoil",
    [lambda whole: whole[:-3], lambda whole: whole + b"x", lambda whole: b"", lambda whole: b"{}\nx",
     lambda whole: whole.replace(b"a.example", b"b.example"), lambda whole: b"[1]\n", lambda whole: b"[" * 100_000],
)  # fmt: skip
def test_a_damaged_entry_is_none(tmp_path: Path, spoil) -> None:
    cache = Cache(tmp_path)
    cache.put(URL, KEPT)
    (path,) = tmp_path.iterdir()
    path.write_bytes(spoil(path.read_bytes()))
    assert cache.get(URL) is None


def test_nobody_else_reads_it(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(URL, KEPT)
    (path,) = tmp_path.iterdir()
    assert path.stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_written_is_a_line_of_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    Cache(tmp_path / "file").put(URL, KEPT)
    assert "cannot be written" in caplog.text


def test_old_entries_and_halves_are_swept(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(URL, KEPT)
    (tmp_path / ".half.part").mkdir()
    (path,) = tmp_path.glob("*.fetched")
    now = path.stat().st_mtime
    cache.sweep(now + 2 * 86_400)
    assert list(tmp_path.iterdir()) == [path]
    os.utime(path, (now - 31 * 86_400, now - 31 * 86_400))
    cache.sweep(now)
    assert list(tmp_path.iterdir()) == []


def test_what_is_fresh_is_not_asked_again(site: Site, got: Got) -> None:
    site.put("/a.md", "Soup is hot.")
    assert got(site("/a.md")) == ("added", "")
    asked = len(site.asked)
    name, says = got(site("/a.md"))
    assert (name, says.startswith("as fetched 20"), len(site.asked)) == ("unchanged", True, asked)


def test_a_changed_page_is_a_new_state(site: Site, got: Got) -> None:
    site.put("/a.md", "Soup is hot.")
    got(site("/a.md"))
    site.put("/a.md", "Soup is cold.")
    assert got(site("/a.md"), max_age=0.0) == ("revised", "state 2")


def test_no_store_is_honoured(site: Site, fetch: Fetch, library: Library) -> None:
    site.put("/a.md", "Soup is hot.", Cache_Control="private, no-store")
    fetchers = fetch()
    for _ in range(2):
        list(fetchers.add(library, site("/a.md")))
    assert site.pages_asked == ["/a.md"] * 2


def test_files_of_others_in_the_folder_stay(tmp_path: Path) -> None:
    cache, other = Cache(tmp_path), tmp_path / "thesis.md"
    other.write_text("All my work.")
    cache.put(URL, KEPT)
    cache.sweep(other.stat().st_mtime + 99 * 86_400)
    cache.clear()
    assert list(tmp_path.iterdir()) == [other]
