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
    """Three sources."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("one", "two", "three"):
        text = f"---\ntitle: {name}\nurl: https://soup.example/{name}\n---\nText {name} stands here."
        (tmp_path / f"{name}.md").write_text(text)
    done = invoke("know", "add", *(tmp_path / f"{name}.md" for name in ("one", "two", "three")), "--format", "json")
    return [each["source"] for each in json.loads(done.stdout)["outcomes"]]


def kept(invoke: Invoke) -> list[str]:
    return sorted(each["id"] for each in json.loads(invoke("know", "list", "--format", "json").stdout)["sources"])


def test_several_ids(invoke: Invoke, ids: list[str]) -> None:
    done = invoke("know", "forget", ids[0], ids[2][:6])
    assert (done.exit_code, done.stdout) == (0, f"forgotten  {ids[0]}\nforgotten  {ids[2]}\n")
    assert kept(invoke) == [ids[1]]


def test_what_was_fetched_goes_too(invoke: Invoke, ids: list[str], tmp_path: Path) -> None:
    copy = tmp_path / "cache" / "toolmend" / "fetched" / "a.fetched"
    copy.parent.mkdir(parents=True)
    copy.write_text("Text one stands here.")
    assert invoke("know", "forget", ids[0]).stdout == f"forgotten  {ids[0]}\n"
    assert not copy.exists()


@pytest.mark.parametrize(("words", "says"), [([], "Missing argument"), (["nope"], "unknown source 'nope'")])
def test_what_cannot_be_forgotten(invoke: Invoke, ids: list[str], words: list[str], says: str) -> None:
    done = invoke("know", "forget", *words)
    assert (done.exit_code, says in done.stderr) == (2, True)
    assert kept(invoke) == sorted(ids)
