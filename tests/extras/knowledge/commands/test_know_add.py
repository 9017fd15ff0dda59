"""`toolmend know add`: lists of places, addresses that are fetched only if somebody says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import Result

Invoke = Callable[..., Result]


class Texts(BaseHTTPRequestHandler):
    """A text for each path that ends in .md, nothing else."""

    def do_GET(self) -> None:
        there = self.path.endswith(".md")
        body = f"Text of {self.path}.".encode() if there else b""
        self.send_response(200 if there else 404)
        self.send_header("Content-Type", "text/markdown")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server on loopback; the cache is in the test's folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Texts)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def fetching(*words: object) -> list[object]:
    return ["know", "add", "--fetch", "--pause", 0, "--allow", "127.0.0.1", *words]


def test_nothing_is_fetched_unless_it_is_asked_for(invoke: Invoke) -> None:
    done = invoke("know", "add", "https://soup.example/a")
    assert (done.exit_code, done.stdout.split()[0]) == (2, "not_fetched")
    assert (
        "only with --fetch; or save the page and `toolmend know add FILE --url https://soup.example/a`" in done.stdout
    )


def test_an_address_is_fetched(invoke: Invoke, site: str) -> None:
    done = invoke(*fetching(f"{site}/a.md", "--format", "json"))
    (outcome,) = json.loads(done.stdout)["outcomes"]
    assert (done.exit_code, outcome["name"], outcome["place"]) == (0, "added", f"{site}/a.md")
    assert invoke("know", "show", outcome["source"], "--text").stdout == "Text of /a.md.\n"


def test_loopback_is_not_reached_unless_it_is_allowed(invoke: Invoke, site: str) -> None:
    done = invoke("know", "add", "--fetch", f"{site}/a.md")
    assert (done.exit_code, done.stdout.split()[0]) == (2, "private_address")


def test_a_list_of_places(invoke: Invoke, site: str, tmp_path: Path) -> None:
    (tmp_path / "own.md").write_text("Own text.")
    path = tmp_path / "urls.txt"
    path.write_text(
        f"\ufeff# soup\n{site}/a.md\n\n  {site}/b.md\n{site}/a.md\n{site}/gone\n{tmp_path}/own.md\n", "utf-8"
    )
    done = invoke(*fetching("--list", path))
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["added", "added", "not_found", "added"]
    assert done.stderr.startswith("toolmend: 4 places in ")
    assert done.stderr.endswith(": 3 added, 1 not_found\n")
    again = invoke(*fetching("--list", path))
    assert again.stderr.endswith(": 3 unchanged, 1 not_found\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "say what to add: files, folders, addresses, or --list FILE"),
        (["--list", "no such file"], "no such file: cannot be read as text"),
        (["--list", ".", "--url", "https://x.example"], "cannot be read as text"),
    ],
)
def test_what_cannot_be_added(invoke: Invoke, words: list[str], says: str) -> None:
    done = invoke("know", "add", *words)
    assert (done.exit_code, says in done.stderr) == (2, True)


def test_a_folder_is_counted_by_its_files(invoke: Invoke, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "in").mkdir(parents=True)
    (folder / "a.md").write_text("# One\n\nText of one.")
    (folder / "in" / "b.md").write_text("# Two\n\nText of two.")
    (folder / ".hidden.md").write_text("Nobody sees this.")
    done = invoke("know", "add", folder)
    assert [line.split()[2:] for line in done.stdout.splitlines()] == [
        [str(folder / "a.md"), "One"],
        [str(folder / "in" / "b.md"), "Two"],
    ]
    assert done.stderr.startswith("toolmend: 2 places in ")


def test_an_empty_folder_is_named(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    done = invoke("know", "add", tmp_path / "notes")
    assert (done.exit_code, done.stdout.split()[0]) == (2, "no_text")
    assert done.stdout.endswith("a folder without files\n")


def test_a_line_break_in_a_name_makes_no_second_line(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "a\nadded  000000000000  b.md"
    path.write_text("Text of a.")
    (line,) = invoke("know", "add", path).stdout.splitlines()
    assert "a\\nadded  000000000000  b.md" in line


@pytest.mark.parametrize("host", ["http://nas", "nas:8080", "10.0.0.0/8"])
def test_what_is_allowed_is_a_host(invoke: Invoke, host: str) -> None:
    done = invoke("know", "add", "--fetch", "--allow", host, "https://soup.example/a")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "give a host or an IP alone" in done.stderr
