"""The pages of `toolmend arena` and `toolmend view`: largest contentful paint, layout shift, and what axe finds.

    python benchmarks/pages.py [--axe axe.min.js] [--shots FOLDER] [--only "arena /board"]

Each page is opened with nothing in the cache, three times per width (390, 900, 1400 px), in headless Chromium by way of
playwright; told is the median of the paints and the worst of the shifts. axe-core (`pip download axe-playwright-python`
has it) holds each page against WCAG 2.2 A and AA, light and dark. The models repeat what they are told, so no model is
measured. Exit 1 where a bar is missed: a paint after 1 s, a shift above 0.1, a violation.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright
from starlette.types import ASGIApp

from toolmend.apps.view.app import make_viewer
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import load_suite
from toolmend.extras.arena import Arena, Contestant
from toolmend.extras.arena.page.app import make_app
from toolmend.models.scripted import Scripted

WIDTHS = (390, 900, 1400)
LOADS = 3
PATIENCE = 120_000  # milliseconds; a shared machine may be slow
MOST_SECONDS, MOST_SHIFT = 1.0, 0.1
LUNCH = 'action.add_calendar_entry("Lunch with {}", date="2024-05-03", time="12:00")'
RIGHT = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
PAINTS = """() => new Promise(told => {
  const seen = {paint: 0, shift: 0};
  new PerformanceObserver(list => { for (const e of list.getEntries()) seen.paint = e.startTime; })
    .observe({type: 'largest-contentful-paint', buffered: true});
  new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput) seen.shift += e.value; })
    .observe({type: 'layout-shift', buffered: true});
  setTimeout(() => told(seen), 500);
})"""
RULES = "{runOnly: {type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}}"


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """The address of an app on a free port."""
    options: dict[str, Any] = {"log_config": None, "ws": "none", "lifespan": "off", "timeout_graceful_shutdown": 1}
    server = uvicorn.Server(uvicorn.Config(app, "127.0.0.1", 0, **options))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started and thread.is_alive():
        threading.Event().wait(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def furnish(page: Page, address: str) -> None:
    """A talk with a correction on the desk, and two battles voted on."""
    page.goto(address + "/")
    _say(page, LUNCH.format("Ada"), ".turn, .reply")
    for name in ("Bo", "Cleo"):
        page.goto(address + "/battle")
        _say(page, LUNCH.format(name), ".reply")
        page.get_by_role("button", name="A is better").click()
        page.wait_for_url("**/battle**")
        page.wait_for_timeout(300)


def _say(page: Page, text: str, until: str) -> None:
    page.locator("#say").fill(text)
    page.locator("#say").press("Enter")
    page.locator(until).last.wait_for()
    page.wait_for_timeout(500)


def runs(place: Path) -> list[str]:
    """The ids of two runs in a new store."""
    with Store(place) as store:
        for said in (RIGHT, "I apologize."):
            player = Scripted([said], f"scripted/{len(said)}")
            anyio.run(run, Plan.make(load_suite("calendar"), [player], ["oneline"]), store)
        return [each.id for each in store.runs()]


@contextmanager
def visiting(browser: Browser, url: str, width: int, cookies: Any, **about: Any) -> Iterator[Page]:
    """The page, opened by somebody who was never there before but for their cookies."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **about)
    context.set_default_timeout(PATIENCE)
    context.add_cookies(cookies)
    page = context.new_page()
    page.goto(url)
    yield page
    context.close()


def measured(browser: Browser, url: str, width: int, cookies: Any) -> tuple[float, float]:
    """Of some cold loads: seconds until the largest paint, in the median, and how far things shifted at worst."""
    paints, shifts = [], []
    for _ in range(LOADS):
        with visiting(browser, url, width, cookies) as page:
            seen = page.evaluate(PAINTS)
        paints.append(seen["paint"] / 1000)
        shifts.append(seen["shift"])
    return statistics.median(paints), max(shifts)


def violations(browser: Browser, url: str, width: int, cookies: Any, axe: str) -> Iterator[str]:
    """What axe finds, light and dark."""
    for scheme in ("light", "dark"):
        with visiting(browser, url, width, cookies, color_scheme=scheme) as page:
            page.evaluate(axe)
            for found in page.evaluate(f"async () => (await axe.run(document, {RULES})).violations"):
                where = ", ".join(" ".join(map(str, node["target"])) for node in found["nodes"][:3])
                yield f"{scheme}: {found['id']} ({len(found['nodes'])}): {where}"


def main() -> int:
    """Print a line a page and width; 1 where a bar is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--axe", type=Path)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--only", default="", metavar="WORDS")
    asked = parser.parse_args()
    axe = asked.axe.read_text(encoding="utf-8") if asked.axe else ""
    folder = Path(tempfile.mkdtemp())
    arena = Arena(
        str(folder / "arena.db"),
        [Contestant("scripted/echo", way) for way in ("oneline", "spoken")],
    )
    first, second = runs(folder / "runs.db")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    missed = 0
    with (
        serving(make_app(arena, local=True)) as talks,
        serving(make_viewer(str(folder / "runs.db"))) as view,
        sync_playwright() as playwright,
    ):
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        furnish(context.new_page(), talks)
        cookies = context.cookies()
        places = [talks + path for path in ("/", "/battle", "/board", "/history")]
        places += [view + path for path in ("/", f"/run/{first}", f"/diff?run={first}&run={second}")]
        for url in places:
            name = url.replace(talks, "arena ").replace(view, "view ").partition("?")[0].replace(first, "ID")
            for width in WIDTHS if asked.only in name else ():
                seconds, shift = measured(browser, url, width, cookies)
                wrong = list(violations(browser, url, width, cookies, axe)) if axe else []
                missed += seconds > MOST_SECONDS or shift > MOST_SHIFT or bool(wrong)
                line = f"{name:<16} {width:>5} px  paint {seconds:.2f} s  shift {shift:.3f}"
                print(line, *wrong, sep="\n    ", flush=True)
                if asked.shots:
                    with visiting(browser, url, width, cookies) as page:
                        page.screenshot(path=asked.shots / f"{name.replace(' /', '-').replace('/', '-')}-{width}.png")
        browser.close()
    arena.close()
    shutil.rmtree(folder)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
