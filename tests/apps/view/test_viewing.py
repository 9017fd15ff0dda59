"""The log browser: the list, a report that grows with its run, differences, and what is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import pytest

from loops import alive
from toolmend.base.errors import BadFile
from toolmend.evals.comparing.baseline import find_played, save_run
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import RunConfig, Sample, Store, StoredContestant
from toolmend.evals.suites.suite import load_suite
from toolmend.models.scripted import Scripted

pytest.importorskip("starlette")

from toolmend.apps.view.app import make_viewer

RIGHT = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
HOST = "http" + "://127.0.0.1:7870"


@asynccontextmanager
async def visiting(place: Path) -> AsyncIterator[httpx2.AsyncClient]:
    """A browser at the pages of this store."""
    transport = httpx2.ASGITransport(app=make_viewer(str(place)))
    async with httpx2.AsyncClient(transport=transport, base_url=HOST) as client:
        yield client


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two finished runs of the calendar."""
    made = tmp_path_factory.mktemp("store") / "runs.db"
    with Store(made) as store:
        for said in (RIGHT, "I apologize."):
            plan = Plan.make(load_suite("calendar"), [Scripted([said], f"scripted/{len(said)}")], ["oneline"])
            anyio.run(run, plan, store)
    return made


@alive
async def test_runs_lead_to_their_reports_with_every_talk(place: Path) -> None:
    with Store(place) as store:
        ids = [each.id for each in store.runs()]
    async with visiting(place) as browser:
        listed = (await browser.get("/")).text
        assert [f'href="/run/{each}"' in listed for each in ids] == [True, True]
        page = await browser.get(f"/run/{ids[0]}")
        assert "‹ all runs" in page.text and "connect-src &#39;self&#39;" in page.text and 'id="index"' in page.text
        assert 'data-state="finished' in page.text
        assert "scripted/12" in listed


@alive
async def test_two_runs_are_compared_the_older_first_with_the_way_to_each_case(place: Path) -> None:
    with Store(place) as store:
        newer, older = (each.id for each in store.runs())
    async with visiting(place) as browser:
        page = (await browser.get("/diff", params={"run": [newer, older]})).text
        assert page.index(f"Report of {older}") < page.index(f"Report of {newer}")
        assert f'href="/run/{older}#show=all&amp;case=' in page
        assert (await browser.get("/diff", params={"run": [newer, older, newer]})).status_code == 400
        assert (await browser.get("/diff")).status_code == 400


@alive
async def test_no_file_is_opened_by_its_name(place: Path, tmp_path: Path) -> None:
    with Store(place) as store:
        ids = [each.id for each in store.runs()]
        save_run(store.find_run(ids[0]), store.samples(ids[0]), tmp_path / "x.jsonl")
    assert find_played(str(tmp_path / "x.jsonl")).run.id == ids[0]
    async with visiting(place) as browser:
        answer = await browser.get("/diff", params={"run": [ids[1], str(tmp_path / "x.jsonl")]})
    assert answer.status_code == 404


@alive
async def test_a_page_runs_nothing_but_its_own(place: Path) -> None:
    async with visiting(place) as browser:
        policy = (await browser.get("/")).headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy


@alive
async def test_while_a_run_goes_on_its_pages_say_when_there_is_more(tmp_path: Path) -> None:
    place = tmp_path / "runs.db"
    config = RunConfig("mine", contestants=(StoredContestant("a/b", "oneline"),))
    with Store(place) as store:
        going = store.open_run(config)
    async with visiting(place) as browser:
        assert "so far" in (await browser.get("/")).text
        before = (await browser.get(f"/run/{going}/state")).text
        assert f'data-state="{before}"' in (await browser.get(f"/run/{going}")).text
        with Store(place) as store:
            store.commit(going, Sample("x/y", "a/b", "oneline"))
        after = (await browser.get(f"/run/{going}/state")).text
        assert before != after and after in (await browser.get(f"/run/{going}")).text


@alive
async def test_what_is_not_there_is_one_line_and_other_hosts_are_refused(place: Path) -> None:
    async with visiting(place) as browser:
        answer = await browser.get("/run/none")
        assert (answer.status_code, "Traceback" in answer.text) == (404, False)
        assert (await browser.get("/", headers={"host": "evil.example"})).status_code == 421
        assert (await browser.post("/")).status_code == 405


def test_a_place_without_a_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile):
        make_viewer(str(tmp_path / "none.db"))
