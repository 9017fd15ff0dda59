"""Visitors of an arena: what is whose, how much one may ask, and what is not there for them at all."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from arenas import LUNCH, alive, make
from toolmend.apps.site.bucket import Buckets
from toolmend.extras.arena import Arena
from toolmend.extras.arena.page.app import make_app

HOST = "http" + "://127.0.0.1:7860"


def visitor(arena: Arena, shared: bool = False) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(make_app(arena, local=True, shared=shared))
    return httpx2.AsyncClient(transport=transport, base_url=HOST, follow_redirects=True)


@alive
@pytest.mark.parametrize("shared", [False, True])
async def test_talks_are_their_visitors_own_unless_the_operator_shares_them(tmp_path: Path, shared: bool) -> None:
    arena = make(tmp_path / "a.db")
    async with visitor(arena, shared) as ann, visitor(arena, shared) as bob:
        await ann.get("/")
        await ann.post("/do", data={"do": "send left", "text": LUNCH})
        (talk,) = await arena.history()
        await bob.get("/")
        assert (await ann.get(f"/c/{talk.id}")).status_code == 200
        assert LUNCH in (await ann.get("/history")).text
        assert (await bob.get(f"/c/{talk.id}")).status_code == (200 if shared else 404)
        assert (LUNCH in (await bob.get("/history")).text) is shared
        assert (await bob.get("/history", params={"person": "x", "model": ""})).status_code == 200
    arena.close()


@alive
async def test_a_visitor_asks_no_more_than_one_person_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolmend.extras.arena.page.people.ASKED", 2)
    arena = make(tmp_path / "a.db")
    async with visitor(arena) as ann, visitor(arena) as bob:
        await ann.get("/")
        answers = [await ann.post("/do", data={"do": "clear left"}) for _ in range(3)]
        await bob.get("/")
        assert [each.status_code for each in answers] == [200, 200, 429]
        assert (answers[2].headers["retry-after"], (await ann.get("/")).status_code) == ("30", 200)
        assert (await bob.post("/do", data={"do": "clear left"})).status_code == 200
    arena.close()


@alive
async def test_whoever_drops_the_cookie_is_no_new_person_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolmend.extras.arena.page.people.NEW", 2)
    arena = make(tmp_path / "a.db")
    async with visitor(arena) as ann:
        statuses = []
        for _ in range(3):
            ann.cookies.clear()
            statuses.append((await ann.get("/")).status_code)
    assert statuses == [200, 200, 429]
    arena.close()


def test_a_bucket_fills_up_again() -> None:
    now = [0.0]
    buckets = Buckets(2, lambda: now[0])
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 30]
    now[0] = 30.0
    assert [buckets.take("a"), buckets.take("a")] == [0, 30]


def test_names_that_are_made_up_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolmend.apps.site.bucket._MOST", 3)
    buckets = Buckets(1)
    for name in "abcdefg":
        buckets.take(name)
    assert list(buckets._buckets) == ["e", "f", "g"]


@alive
@pytest.mark.parametrize(
    "asked",
    [
        {"toolbox": "memory"},
        {"toolbox": "library"},
        {"toolbox": "mcp:cat /etc/passwd"},
        {"strategy": "auto?table=/dev/zero"},
        {"strategy": "freyr?retries=999999"},
        {"model": "gguf//etc/passwd"},
    ],
    ids=lambda asked: next(iter(asked.values())),
)
async def test_what_is_not_offered_is_not_there(tmp_path: Path, asked: dict[str, str]) -> None:
    arena = make(tmp_path / "a.db")
    async with visitor(arena) as ann:
        await ann.get("/")
        answer = await ann.post("/do", data={"do": "set left", "toolbox": "calendar", **asked})
    assert answer.status_code in (400, 404)
    assert "root:" not in answer.text
    arena.close()
