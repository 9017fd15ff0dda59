"""`toolmend know forget`: what a filter chooses is shown, asked about, and gone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]


@pytest.fixture
def ids(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two sources of soup.example and one of another host."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, host in (("one", "soup.example"), ("two", "www.soup.example"), ("three", "boats.example")):
        path = tmp_path / f"{name}.md"
        path.write_text(f"---\ntitle: {name}\nurl: https://{host}/{name}\n---\nText {name} stands here.")
    done = invoke("know", "add", *(tmp_path / f"{name}.md" for name in ("one", "two", "three")), "--format", "json")
    return [each["source"] for each in json.loads(done.stdout)["outcomes"]]


def kept(invoke: Invoke) -> list[str]:
    return sorted(each["id"] for each in json.loads(invoke("know", "list", "--format", "json").stdout)["sources"])


def test_what_would_go_is_shown_and_asked_about(invoke: Invoke, ids: list[str]) -> None:
    done = invoke("know", "forget", "--host", "soup.example", stdin="n\n")
    assert done.stdout == f"{ids[0]}  page          one\n{ids[1]}  page          two\nforgotten  nothing\n"
    assert done.stderr.startswith("forget 2 sources? [y/N]: ")
    assert kept(invoke) == sorted(ids)


def test_yes_forgets(invoke: Invoke, ids: list[str]) -> None:
    done = invoke("know", "forget", "--host", "soup.example", "--below-trust", 1, stdin="y\n")
    assert done.stdout.splitlines()[2:] == [f"forgotten  {ids[0]}", f"forgotten  {ids[1]}"]
    assert kept(invoke) == [ids[2]]


def test_with_yes_nobody_is_asked(invoke: Invoke, ids: list[str]) -> None:
    done = invoke("know", "forget", "--host", "boats.example", "--yes", "--format", "json")
    assert json.loads(done.stdout) == {"schema": 1, "forgotten": [ids[2]]}


def test_nothing_matches(invoke: Invoke, ids: list[str]) -> None:
    done = invoke("know", "forget", "--host", "other.example")
    assert (done.exit_code, done.stdout) == (0, "forgotten  nothing\n")


def test_several_ids(invoke: Invoke, ids: list[str]) -> None:
    assert invoke("know", "forget", ids[0], ids[2][:6]).exit_code == 0
    assert kept(invoke) == [ids[1]]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "give ids, or --host"),
        (["abc", "--below-trust", "0.3"], "not both"),
        (["--host", "soup.example", "--format", "json"], "add --yes"),
        (["nope"], "unknown source 'nope'"),
    ],
)
def test_what_cannot_be_forgotten(invoke: Invoke, ids: list[str], words: list[str], says: str) -> None:
    done = invoke("know", "forget", *words)
    assert (done.exit_code, says in done.stderr) == (2, True)
    assert kept(invoke) == sorted(ids)
