"""The pages without their script: chat, battles and leaderboard in forms; what must not get in, and get out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from arenas import ALPHA, BETA, LUNCH, alive, clever, make
from toolmend.base.messages import Reply
from toolmend.extras.arena import Arena, Contestant
from toolmend.extras.arena.queue import PROMPT, QueuePrompt, items_of_prompts
from toolmend.models.scripted import Scripted

pytest.importorskip("itsdangerous")
pytest.importorskip("python_multipart")

from toolmend.apps.site.guard import BODY_BYTES
from toolmend.apps.site.serving import is_local
from toolmend.extras.arena.page.app import make_app
from toolmend.extras.arena.page.people import COOKIE, People

HOST = "http" + "://127.0.0.1:7860"
NAMES = ("alpha", "beta", "maker/", "oneline")


@asynccontextmanager
async def visiting(arena: Arena, *, local: bool = True, shared: bool = False) -> AsyncIterator[httpx2.AsyncClient]:
    """A browser at this arena's pages."""
    transport = httpx2.ASGITransport(app=make_app(arena, local=local, shared=shared))
    async with httpx2.AsyncClient(transport=transport, base_url=HOST, follow_redirects=True) as client:
        yield client


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    return make(tmp_path / "arena.db")


@alive
async def test_the_desk_works_in_forms(arena: Arena) -> None:
    async with visiting(arena) as browser:
        await browser.get("/")
        await browser.post("/do", data={"do": "send both", "text": LUNCH})
        page = (await browser.post("/do", data={"do": "correct left", "text": "It starts at one."})).text
        assert page.count("Lunch with Ada on 2024-05-03") >= 2 and "13:00" in page
        assert "<del>12:00</del> → <ins>13:00</ins>" in page
        page = (await browser.post("/do", data={"do": "copy left"})).text
        assert "copied from maker/alpha-7b · oneline, its reply 1 given" in page
        address = re.search(r'href="(/c/[\w-]+)">Link', page)
        assert address is not None
        assert "It starts at one." in (await browser.get(address[1])).text
        assert "No talks yet" not in (await browser.get("/history")).text
        await browser.post("/do", data={"do": "edit left", "n": "0", "text": "Lunch with Bob on 2024-05-04"})
        await browser.post("/do", data={"do": "retry left"})
        await browser.post("/do", data={"do": "stop both"})
        page = (await browser.post("/do", data={"do": "set left", "model": BETA.model, "system": "Hi."})).text
        assert page.count("<h2>maker/beta-9b · oneline</h2>") == 2
        page = (await browser.post("/do", data={"do": "undo right"})).text
        assert (await browser.post("/do", data={"do": "clear both"})).text.count('class="turn"') == 0


@alive
async def test_a_battle_is_blind_in_every_answer_until_the_vote(arena: Arena) -> None:
    arena.records.add_items("held out", PROMPT, 1, items_of_prompts([QueuePrompt(LUNCH)]))
    async with visiting(arena) as browser:
        answers = [
            await browser.post("/battle/do", data={"do": "begin", "text": LUNCH}),
            await browser.post("/battle/do", data={"do": "next", "queue": "held out"}),
            await browser.post("/battle/do", data={"do": "say", "text": "garbage"}),
            await browser.get("/battle"),
            await browser.get("/board"),
            await browser.get("/battle/live"),
            await browser.post("/battle/do", data={"do": "say", "text": LUNCH}, headers={"x-parts": "1"}),
            await browser.get("/battle/live"),
            await browser.get("/history"),
            await browser.get("/votes.csv"),
        ]
        desk = re.search(r'name="desk" value="([\w-]+)"', answers[3].text)
        assert desk is not None
        for answer in answers:
            assert [name for name in NAMES if name in (answer.text + str(answer.headers)).lower()] == []
        vote = {"desk": desk[1], "do": "vote left", "reason": "<b>nicer</b>"}
        page = (await browser.post("/battle/do", data=vote)).text
        assert ALPHA.name in page and BETA.name in page
        assert ALPHA.name in (await browser.get("/board")).text
        assert "<b>nicer</b>" in (await browser.get("/votes.csv")).text


@alive
async def test_votes_of_others_and_forged_ones_are_refused(arena: Arena) -> None:
    async with visiting(arena) as ann, visiting(arena) as bob:
        page = (await ann.post("/battle/do", data={"do": "begin", "text": LUNCH})).text
        desk = re.search(r'name="desk" value="([\w-]+)"', page)
        assert desk is not None
        for browser, vote, status in (
            (bob, {"desk": desk[1], "do": "vote left"}, 400),
            (ann, {"desk": "forged", "do": "vote left"}, 404),
            (ann, {"desk": desk[1], "do": "vote maker/alpha-7b"}, 400),
            (ann, {}, 400),
        ):
            assert (await browser.post("/battle/do", data=vote)).status_code == status
        assert (await ann.post("/battle/do", data={"desk": desk[1], "do": "vote left"})).status_code == 200
        assert (await ann.post("/battle/do", data={"desk": desk[1], "do": "vote left"})).status_code == 400
        assert len(arena.records.votes()) == 1


@alive
async def test_what_a_model_or_a_person_wrote_is_escaped(tmp_path: Path) -> None:
    evil = '<script>alert(1)</script><img src=x onerror="x">'
    arena = make(tmp_path / "a.db", {ALPHA.model: Scripted([Reply(evil)], ALPHA.model)})
    async with visiting(arena) as browser:
        answer = await browser.post("/do", data={"do": "send both", "text": evil})
        assert answer.text.count("<script") == 1 and "<img src=x" not in answer.text and "&lt;script&gt;" in answer.text
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert (await browser.get("/history")).text.count("<script") == 1
    arena.close()


@alive
async def test_a_cookie_that_was_not_signed_here_is_nobody(arena: Arena) -> None:
    async with visiting(arena) as browser:
        first = await browser.get("/")
        cookie = first.headers["set-cookie"]
        assert cookie.startswith(f"{COOKIE}=") and "HttpOnly" in cookie and "SameSite=Lax" in cookie
        await browser.post("/do", data={"do": "send left", "text": LUNCH})
        assert LUNCH in (await browser.get("/")).text
        value = browser.cookies[COOKIE]
    async with visiting(arena) as thief:
        for forged in (value[:-2] + ("a" if value[-2] != "a" else "b") + value[-1], value.split(".")[0], "", "é"):
            answer = await thief.get("/", headers={"cookie": f"{COOKIE}={forged}".encode()})
            assert LUNCH not in answer.text and "set-cookie" in answer.headers
    assert People("a").read(People("b").sign("ann")) is None


@alive
async def test_other_sites_large_bodies_and_other_hosts_are_refused(arena: Arena) -> None:
    async with visiting(arena) as browser:
        for headers in ({"origin": "http" + "://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
            answer = await browser.post("/battle/do", data={"do": "begin", "text": LUNCH}, headers=headers)
            assert answer.status_code == 403
        assert (await browser.post("/do", data={"do": "clear both"}, headers={"origin": HOST})).status_code == 200
        form = {"content-type": "application/x-www-form-urlencoded"}
        assert (await browser.post("/battle/do", content=b"x" * (BODY_BYTES + 1), headers=form)).status_code == 413

        async def endless() -> AsyncIterator[bytes]:
            for _ in range(40):
                yield b"x" * 65_536

        assert (await browser.post("/battle/do", content=endless(), headers=form)).status_code == 413
        assert (await browser.get("/board", headers={"host": "evil.example"})).status_code == 421
        assert (await browser.get("/board", headers={"host": "localhost:1"})).status_code == 200
    async with visiting(arena, local=False) as browser:
        assert (await browser.get("/board", headers={"host": "arena.example"})).status_code == 200
    assert [is_local(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "box")] == [True] * 3 + [False] * 2


@alive
async def test_what_is_not_there_is_one_line(arena: Arena) -> None:
    async with visiting(arena) as browser:
        for path in ("/c/none", "/c/%00", "/nothing"):
            answer = await browser.get(path)
            assert answer.status_code in (400, 404) and "Traceback" not in answer.text
        for data in (
            {"do": "dance left"},
            {"do": "send middle", "text": "x"},
            {"do": "edit left", "n": "²"},
            {},
        ):
            assert (await browser.post("/do", data=data)).status_code == 400


@alive
async def test_people_at_once_keep_their_own_desks(tmp_path: Path) -> None:
    arena = make(tmp_path / "a.db", {ALPHA.model: Scripted(clever, ALPHA.model)})

    async def visit(number: int) -> bool:
        async with visiting(arena) as browser:
            await browser.get("/")
            said = f"Lunch with P{number} on 2024-05-03"
            page = (await browser.post("/do", data={"do": "send both", "text": said})).text
            return page.count(f'class="words" dir="auto">{said}') == 2 and page.count('class="said"') == 2

    assert all(await asyncio.gather(*(visit(number) for number in range(20))))
    arena.close()


@alive
async def test_a_call_that_waits_is_answered_in_a_form(tmp_path: Path) -> None:
    arena = make(tmp_path / "ask.db", approve="ask")
    async with visiting(arena) as browser:
        page = (await browser.post("/do", data={"do": "send both", "text": LUNCH})).text
        assert page.count("May this call run?") == 2
        assert "+ 2024-05-03 12:00  30 min  Lunch with Ada" in page
        left, right = re.findall(r'name="id" value="(\w+)"', page)
        page = (await browser.post("/do", data={"do": "allow left", "id": left})).text
        assert page.count("May this call run?") == 1 and "a person allowed it" in page
        late = await browser.post("/do", data={"do": "allow left", "id": left})
        assert (late.status_code, "does not wait any more" in late.text) == (400, True)
        page = (await browser.post("/do", data={"do": "deny right", "id": right, "reason": "<i>no</i>"})).text
        assert "not run: a person said no: &lt;i&gt;no&lt;/i&gt;" in page
        kept = re.findall(r'href="(/c/[^"]+)"', page)[1]
    async with visiting(arena, shared=True) as browser:
        assert "a person said no" in (await browser.get(kept)).text
    arena.close()


@alive
async def test_a_visitor_cannot_name_a_file_or_a_command(arena: Arena) -> None:
    async with visiting(arena) as browser:
        for name, value in (
            ("toolbox", "mcp:touch /nowhere"),
            ("toolbox", "json:loads"),
            ("toolbox", "memory"),
            ("model", "/etc"),
            ("strategy", "auto?table=/dev/zero"),
            ("strategy", "freyr?retries=2"),
        ):
            told = await browser.post("/do", data={"do": "set left", name: value})
            assert (told.status_code, "unknown" in told.text) == (404, True), value


@alive
async def test_a_computed_value_shows_its_words_and_a_question_its_answers(tmp_path: Path) -> None:
    lines = [
        'add_calendar_entry(title="tea", date="June 8, 2025", time="seven in the evening")',
        'add_calendar_entry(title="soup", date="June 9, 2025", time="seven")',
        'change(time="19:00")',
    ]
    model = Scripted(lines, ALPHA.model)
    arena = Arena(tmp_path / "a.db", [Contestant(ALPHA.model, "spoken")], models={ALPHA.model: model})
    async with visiting(arena) as browser:
        page = (await browser.post("/do", data={"do": "send left", "text": "Tea on June 8, seven in the evening"})).text
        assert "time 19:00 ← &#34;seven in the evening&#34;" in page
        page = (await browser.post("/do", data={"do": "send left", "text": "Soup on June 9 at seven"})).text
        answers = re.findall(r'name="text" value="([^"]+)">', page)
        assert answers == ["at 07:00", "19:00"] and 'value="send left"' in page and "garbage" not in page
        page = (await browser.post("/do", data={"do": "send left", "text": answers[1]})).text
        assert "<span>19:00</span>\n<span>soup</span>" in page
    arena.close()
