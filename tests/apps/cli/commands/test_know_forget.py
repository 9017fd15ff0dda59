"""`toolmend know forget`: several at once, and what was fetched."""

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


def test_several_ids(invoke: Invoke, ids: list[str]) -> None:
    assert invoke("know", "forget", ids[0], ids[2][:6]).exit_code == 0
    assert kept(invoke) == [ids[1]]


def test_what_was_fetched_goes_too(invoke: Invoke, ids: list[str], tmp_path: Path) -> None:
    copy = tmp_path / "cache" / "toolmend" / "fetched" / "a.fetched"
    copy.parent.mkdir(parents=True)
    copy.write_text("Text one stands here.")
    done = invoke("know", "forget", ids[0], "--format", "json")
    assert json.loads(done.stdout) == {"schema": 1, "forgotten": [ids[0]]}
    assert not copy.exists()


@pytest.mark.parametrize(("words", "says"), [([], "Missing argument"), (["nope"], "unknown source 'nope'")])
def test_what_cannot_be_forgotten(invoke: Invoke, ids: list[str], words: list[str], says: str) -> None:
    done = invoke("know", "forget", *words)
    assert (done.exit_code, says in done.stderr) == (2, True)
    assert kept(invoke) == sorted(ids)
