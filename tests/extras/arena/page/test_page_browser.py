"""The page in headless Chromium: the blog's session, keyboard only, phone width, hostile replies, blind battles.

Pictures go to the folder that TOOLMEND_SHOTS names, else to the test's own. Chromium is Debian's package `chromium`.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arenas import ALPHA, BETA, LUNCH, clever, make
from toolmend.base.messages import Reply, Request
from toolmend.extras.arena import Arena, Contestant
from toolmend.extras.arena.queue import PROMPT, QueuePrompt, items_of_prompts
from toolmend.models.scripted import Scripted

pytest.importorskip("itsdangerous")
pytest.importorskip("playwright", reason="the page is looked at with playwright")

import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

from toolmend.extras.arena.page.app import make_app

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(
        CHROMIUM is None, reason="no chromium here: apt-get install -y --no-install-recommends chromium"
    ),
]
HOSTILE = '<img src=x onerror="document.title=\'broken in\'"><script>document.title="broken in"</script>${1+1}{{1+1}}'
BATTLES = 5
PATIENCE = 60_000  # milliseconds; a shared machine may be slow
NAMELESS = """() => [...document.querySelectorAll('button, input, textarea, select')].filter(
  e => e.offsetParent && e.type !== 'hidden' && !e.labels?.length && !e.getAttribute('aria-label')
    && !e.textContent.trim() && !e.title).map(e => e.outerHTML.slice(0, 120))"""
SHIFTED = """() => new Promise(told => { let sum = 0; new PerformanceObserver(list => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value;
}).observe({type: 'layout-shift', buffered: true}); setTimeout(() => told(sum), 200); })"""
LATE = """const real = window.fetch; window.fetch = async (...asked) => { const answer = await real(...asked);
  if (asked[1]?.method === 'POST') await new Promise(told => setTimeout(told, 700)); return answer; }"""
Shot = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        expect.set_options(timeout=PATIENCE)
        yield made
        made.close()


@pytest.fixture
def shot(tmp_path: Path) -> Shot:
    """Takes a picture of what can be seen."""
    folder = Path(os.environ.get("TOOLMEND_SHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return lambda page, name: page.screenshot(path=folder / f"{name}.png") and None


class Heard:
    """An ASGI app around another that keeps everything it answers: headers and bodies, streams too."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.said: list[tuple[str, bytes]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def sending(message: Any) -> None:
            path = scope.get("path", "")
            self.said += [(path, b"%s: %s" % pair) for pair in message.get("headers", ())]
            self.said.append((path, message.get("body", b"")))
            await send(message)

        await self._app(scope, receive, sending)


@contextmanager
def serving(arena: Arena) -> Iterator[tuple[str, Heard]]:
    """The address of the arena's page, and what it answers."""
    heard = Heard(make_app(arena, local=True))
    server = uvicorn.Server(
        uvicorn.Config(heard, "127.0.0.1", 0, log_config=None, ws="none", lifespan="off", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started and thread.is_alive():
        threading.Event().wait(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http{'://'}127.0.0.1:{port}", heard
    finally:
        server.should_exit = True
        thread.join()
        arena.close()


@contextmanager
def visit(browser: Browser, address: str, **about: Any) -> Iterator[Page]:
    """A visitor with a cookie jar of their own; fails on errors in the page and on what is fetched from elsewhere."""
    context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **about})
    context.set_default_timeout(PATIENCE)
    page, wrong = context.new_page(), list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if elsewhere(request.url, address) else None)
    page.goto(address)
    yield page
    context.close()
    assert wrong == []


def elsewhere(url: str, address: str) -> bool:
    """Whether this is fetched from another machine."""
    return not url.startswith((address.rpartition("/")[0] + "/", "data:", "blob:"))


def say(page: Page, text: str) -> None:
    """Say it to both, with the keyboard."""
    page.locator("#say").fill(text)
    page.locator("#say").press("Enter")


def test_a_call_waits_for_a_yes_by_keyboard(browser: Browser, tmp_path: Path, shot: Shot) -> None:
    with serving(make(tmp_path / "a.db", approve="ask")) as (address, _), visit(browser, address + "/") as page:
        say(page, LUNCH)
        left, right = page.locator("#left-foot .question"), page.locator("#right-foot .question")
        expect(left.locator(".preview .new")).to_contain_text("Lunch with Ada")
        expect(right).to_be_visible()
        expect(page.locator("#left-live")).to_have_count(0)
        page.keyboard.press("Alt+2")
        page.keyboard.press("Tab")
        page.keyboard.type("No, on Saturday")
        shot(page, "question")
        page.keyboard.press("Enter")
        expect(page.locator("#right-talk .reply .bad")).to_have_text("not run: a person said no: No, on Saturday")
        page.reload()
        expect(left).to_be_visible()
        page.locator("#left-why").fill("kept")
        page.set_viewport_size({"width": 390, "height": 844})
        page.evaluate("[...document.querySelectorAll('#left-foot .question button')].at(-1).scrollIntoView()")
        shot(page, "question-phone")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.keyboard.press("Alt+1")
        expect(page.locator("#left-why")).to_have_value("kept")
        page.keyboard.press("Enter")
        expect(page.locator("#left-0 .reply")).to_contain_text("a person allowed it")
        expect(page.locator("#left-world")).to_contain_text("Lunch with Ada")
        page.set_viewport_size({"width": 1440, "height": 900})
        shot(page, "question-answered")


def test_an_answer_that_comes_late_takes_nothing_back(browser: Browser, tmp_path: Path) -> None:
    with serving(make(tmp_path / "a.db", approve="ask")) as (address, _), visit(browser, address + "/") as page:
        page.add_init_script(LATE)
        page.reload()
        say(page, LUNCH)
        expect(page.locator("#left-foot .question")).to_be_visible()
        page.locator("#right-foot .question").get_by_role("button", name="Deny").click()
        expect(page.locator("#right-talk .reply .bad")).to_have_text("not run: a person said no")
        page.wait_for_timeout(1500)
        expect(page.locator("#right-talk .reply .bad")).to_have_text("not run: a person said no", timeout=1000)
        expect(page.locator("#left-foot .question")).to_be_visible()


def test_the_session_of_the_blog(browser: Browser, tmp_path: Path, shot: Shot) -> None:
    contestants = [Contestant("builtin/small", "oneline"), Contestant("builtin/small", "oneline?repeat=true")]
    with serving(Arena(tmp_path / "a.db", contestants)) as (address, _), visit(browser, address + "/") as page:
        say(page, "Add a lunch with Ada on May 3 at noon")
        left, right = page.locator("#left-talk"), page.locator("#right-talk")
        expect(left.locator(".call")).to_have_count(1)
        page.locator("#right-fix").fill("It starts at one.")
        page.locator("#right-foot").get_by_role("button", name="Correct", exact=True).click()
        expect(right.locator(".said")).to_contain_text(["Add a lunch", "corrects message 1"])
        expect(left.locator(".turn")).to_have_count(1)
        page.locator("#right-foot").get_by_role("button", name="Give this mistake to the other model").click()
        expect(left).to_contain_text("copied from builtin/small · oneline?repeat=true")
        shot(page, "session")
        page.reload()
        expect(right.locator(".said").last).to_contain_text("corrects message 1")
        page.get_by_role("link", name="Battle").click()
        say(page, "Add a lunch with Bob on May 4 at noon")
        expect(page.locator(".vote")).to_be_visible()
        shot(page, "ballot")
        page.get_by_role("button", name="A is better").click()
        expect(page.locator(".reveal")).to_contain_text("builtin/")
        page.get_by_role("link", name="New battle").click()
        expect(page.locator(".example").first).to_be_visible()
        page.get_by_role("link", name="Leaderboard").click()
        expect(page.locator("tbody tr").first).to_be_attached()
        expect(page.locator("tbody tr")).to_have_count(2)
        shot(page, "leaderboard")


def test_everything_by_keyboard(browser: Browser, tmp_path: Path) -> None:
    with serving(make(tmp_path / "a.db")) as (address, _), visit(browser, address + "/") as page:
        keys = page.keyboard
        keys.press("/")
        keys.type(LUNCH)
        keys.press("Enter")
        expect(page.locator("#right-fix")).to_be_visible()
        expect(page.locator("#left-fix")).to_be_visible()
        keys.press("Alt+1")
        keys.type("It starts at one.")
        keys.press("Enter")
        expect(page.locator("#left-world ins")).to_have_text("13:00")
        expect(page.locator("#right-talk .turn")).to_have_count(1)
        page.goto(address + "/battle")
        keys.press("/")
        keys.type(LUNCH)
        keys.press("Enter")
        expect(page.locator(".vote")).to_be_visible()
        keys.press("Escape")
        keys.press("x")
        expect(page.locator(".reveal")).to_contain_text("alpha")


@pytest.mark.parametrize("width", [390, 900, 1400])
def test_everything_has_a_name_fits_and_stays_where_it_is(
    browser: Browser, tmp_path: Path, shot: Shot, width: int
) -> None:
    with (
        serving(make(tmp_path / "a.db")) as (address, _),
        visit(browser, address + "/", viewport={"width": width, "height": 844}) as page,
    ):
        say(page, LUNCH)
        expect(page.locator("#right-fix")).to_be_visible()
        shot(page, f"chat-{width}")
        assert page.evaluate(SHIFTED) <= 0.1
        for path in ("/", "/battle", "/board", "/history"):
            page.goto(address + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(NAMELESS) == []


def test_a_reply_grows_where_it_stays_and_the_message_is_there_at_once(browser: Browser, tmp_path: Path) -> None:
    slow = {name: Waiting(name) for name in (ALPHA.model, BETA.model)}
    with serving(make(tmp_path / "a.db", slow)) as (address, _), visit(browser, address + "/") as page:
        say(page, LUNCH)
        expect(page.locator("#left-talk .said .words")).to_have_text(LUNCH)
        expect(page.locator("#left-live")).to_have_text("…")
        expect(page.locator("#say")).to_have_value("")
        above = page.locator("#left-live").bounding_box()
        slow[ALPHA.model].go.set()
        expect(page.locator("#left-talk .call:not(.live)")).to_be_visible()
        below = page.locator("#left-talk .call:not(.live)").bounding_box()
        assert above and below and abs(above["y"] - below["y"]) <= 60  # where it was, below what can be pressed now
        slow[BETA.model].go.set()


def test_a_reply_is_never_markup(browser: Browser, tmp_path: Path) -> None:
    def hostile(_request: Request) -> Reply:
        return Reply(HOSTILE)

    models = {name: Scripted(hostile, name) for name in ("maker/bad", "maker/worse")}
    with serving(make(tmp_path / "a.db", models)) as (address, _), visit(browser, address + "/") as page:
        say(page, f"{LUNCH} {HOSTILE}")
        expect(page.locator("#left-talk .reply .words")).to_have_text(HOSTILE)
        expect(page.locator("#left-talk .said .words")).to_have_text(f"{LUNCH} {HOSTILE}")
        expect(page.locator("#right-foot .fixing")).to_be_visible()
        assert page.title() == "Chat – toolmend arena"
        assert page.locator(".talk img, .talk script, .world img").count() == 0


def test_no_name_travels_before_the_vote(browser: Browser, tmp_path: Path) -> None:
    with serving(make(tmp_path / "a.db")) as (address, heard), visit(browser, address + "/battle") as page:
        for number in range(BATTLES):
            say(page, f"{LUNCH[:-1]}{number}")
            expect(page.locator(".vote")).to_be_visible()
            before = b"\n".join(body for _, body in heard.said).lower()
            assert b"lunch with" in before
            found = [name for name in (b"alpha", b"beta", b"maker", b"oneline") if name in before]
            assert found == [], number
            page.get_by_role("button", name="Equally good").click()
            expect(page.locator(".reveal")).to_contain_text("alpha")
            page.reload()
            expect(page.locator(".example").first).to_be_visible()
            heard.said.clear()


class Waiting:
    """A model that begins to answer and goes on when `go` is set: by then a rater may have pressed Stop."""

    def __init__(self, name: str) -> None:
        self.name, self.abilities, self.go = name, Scripted.abilities, threading.Event()

    async def reply(self, request: Request, *, on_delta: Any = None) -> Reply:
        while not self.go.is_set():
            await asyncio.sleep(0.01)
        return clever(request)


def test_a_rater_takes_the_next_of_the_queue_and_stops_what_does_not_end(
    browser: Browser, tmp_path: Path, shot: Shot
) -> None:
    slow = {name: Waiting(name) for name in (ALPHA.model, BETA.model)}
    arena = make(tmp_path / "a.db", slow)
    prompts = [QueuePrompt("Lunch with Ada on 2024-05-03"), QueuePrompt("Lunch with Bob on 2024-05-04")]
    arena.records.add_items("held-out", PROMPT, 1, items_of_prompts(prompts))
    with serving(arena) as (address, _), visit(browser, address + "/battle") as page:
        queue = page.locator("#top")
        expect(queue).to_contain_text("0 of 2 ratings, 0 of them yours")
        page.get_by_role("button", name="Next of held-out").click()
        expect(page.locator("#left-live")).to_be_visible()
        expect(page.locator(".vote")).to_have_count(0)
        page.get_by_role("button", name="Stop").click()
        expect(page.locator("#left-talk .bad")).to_have_text("this side gave no answer")
        expect(page.locator("#left-live")).to_have_count(0)
        expect(page.locator(".vote")).to_have_count(0)
        shot(page, "queue-stopped")
        for model in slow.values():
            model.go.set()
        say(page, LUNCH)
        expect(page.locator(".vote")).to_be_visible()
        page.get_by_role("button", name="Equally good").click()
        expect(page.locator(".reveal")).to_contain_text("alpha")
        expect(queue).to_contain_text("1 of 2 ratings, 1 of them yours")
        page.keyboard.press("Escape")
        page.keyboard.press("n")
        expect(page.locator(".vote")).to_be_visible()
        expect(page.locator("#left-talk .call")).to_have_count(1)
        page.keyboard.press("x")
        expect(queue).to_contain_text("2 of 2 ratings, 2 of them yours")
        expect(page.get_by_role("button", name="Next of held-out")).to_have_count(0)
        shot(page, "queue-done")
