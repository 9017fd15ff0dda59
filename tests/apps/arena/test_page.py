"""The page's events and doors without a browser: whose desk it is, what forged events get, what leaks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from arenas import ALPHA, BETA, LUNCH, alive, clever, make
from toolmend.arena import Arena
from toolmend.errors import BadOption
from toolmend.messages import Reply, Request
from toolmend.models.scripted import Scripted

pytest.importorskip("gradio")
pytest.importorskip("itsdangerous")

import gradio as gr

from toolmend.apps.arena.battle import battle_blocks
from toolmend.apps.arena.battling import Battling, together
from toolmend.apps.arena.duel import duel_blocks
from toolmend.apps.arena.hands import Half, Hand, Hands
from toolmend.apps.arena.people import PERSON
from toolmend.apps.arena.side import Choices, Doings, Settings, Talking
from toolmend.apps.arena.site import make_app

HOST = "http" + "://127.0.0.1:7860"
SIDES = ("left", "right")


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    made = make(tmp_path / "arena.db")
    yield made
    made.close()


def request(person: str = "ada") -> Any:
    """A request of this person's, as Gradio hands it to an event."""
    return SimpleNamespace(request=SimpleNamespace(scope={PERSON: person}))


def pressed(**told: Any) -> Any:
    """What the browser says was pressed."""
    return gr.EventData(None, told)


def hands_of(arena: Arena) -> Hands:
    """The events of a side-by-side page."""
    choices = Choices(arena.models, arena.strategies, arena.toolboxes, [case.id for case in arena.cases])
    with gr.Blocks():
        halves = {side: Half(Talking.made(side), Settings.made(side, choices), Doings.made(side)) for side in SIDES}
        return Hands(arena, halves, gr.HTML(), gr.Textbox())


def battling_of(arena: Arena) -> Battling:
    """The events of a battle page."""
    with gr.Blocks():
        halves = {side: Talking.made(side) for side in SIDES}
        return Battling(arena, halves, gr.HTML(), gr.HTML(), gr.HTML(), gr.Textbox())


async def seen(shown: AsyncIterator[dict[Any, Any]]) -> dict[Any, Any]:
    """The last value of every part that an event changed."""
    last: dict[Any, Any] = {}
    async for each in shown:
        last |= {
            part: value["value"] if isinstance(value, dict) and "value" in value else value
            for part, value in each.items()
        }
    return last


@alive
async def test_both_sides_answer_and_one_is_corrected_while_the_other_waits(arena: Arena) -> None:
    hands = hands_of(arena)
    left, right = (hands.halves[side].talking for side in SIDES)
    first = await seen(hands.send(LUNCH, "Both", request()))
    assert "12:00" in first[left.talk] and "12:00" in first[right.talk]
    assert first[hands.text] == ""
    second = await seen(Hand(hands, "left").acted(pressed(do="correct", n="0", text="It starts at one."), request()))
    assert "corrected in message 2" in second[left.talk] and "13:00" in second[left.talk]
    assert "message 2" not in second[right.talk]
    assert "13:00" in second[left.world]


@alive
async def test_a_mistake_is_given_to_the_other_model(arena: Arena) -> None:
    hands = hands_of(arena)
    await seen(hands.send(LUNCH, "Right", request()))
    await seen(Hand(hands, "right").acted(pressed(do="correct", text="It starts at one."), request()))
    shown = await seen(Hand(hands, "right").acted(pressed(do="copy", k="2"), request()))
    assert "2 attempts" in shown[hands.halves["left"].talking.talk]


@alive
async def test_edit_retry_undo_clear(arena: Arena) -> None:
    hands = hands_of(arena)
    hand, talk = Hand(hands, "left"), hands.halves["left"].talking.talk
    await seen(hands.send(LUNCH, "Left", request()))
    assert (
        "Bob"
        in (await seen(hand.acted(pressed(do="edit", n="0", text="Lunch with Bob on 2024-05-04"), request())))[talk]
    )
    assert "Bob" in (await seen(hand.retry(request())))[talk]
    assert "Nothing said yet" in (await seen(hand.undo(request())))[talk]
    await seen(hands.send(LUNCH, "Left", request()))
    assert "Nothing said yet" in (await seen(hand.clear(request())))[talk]


@alive
async def test_a_setting_is_taken_over_at_once_until_something_was_said(arena: Arena) -> None:
    hands = hands_of(arena)
    hand, settings = Hand(hands, "left"), hands.halves["left"].settings
    given = dict(
        zip(settings.fields, (BETA.model, "oneline", "calendar", "none: free talk", "", 0, 256, None), strict=True)
    )
    shown = await seen(hand.picked(given, request()))
    assert BETA.model in shown[hands.halves["left"].talking.title]
    await seen(hands.send(LUNCH, "Left", request()))
    given[settings.fields[0]] = ALPHA.model
    assert "New talk begins" in (await seen(hand.picked(given, request())))[hands.note]
    assert ALPHA.model in (await seen(hand.start(given, request())))[hands.halves["left"].talking.title]


@alive
async def test_a_reload_brings_the_talk_back_to_its_owner_alone(arena: Arena) -> None:
    hands = hands_of(arena)
    talk = hands.halves["left"].talking.talk
    await seen(hands.send(LUNCH, "Both", request("ada")))
    assert "Ada" in (await seen(hands.load(request("ada"))))[talk]
    assert "Nothing said yet" in (await seen(hands.load(request("eve"))))[talk]


@alive
async def test_what_is_wrong_is_one_line(arena: Arena) -> None:
    hands = hands_of(arena)
    assert "write something first" in (await seen(hands.send("  ", "Both", request())))[hands.note]
    assert "nothing to undo" in (await seen(Hand(hands, "left").undo(request())))[hands.note]


@alive
async def test_a_page_that_loads_late_does_not_hide_what_was_said_meanwhile(arena: Arena) -> None:
    duel, battle = hands_of(arena), battling_of(arena)
    talk = duel.halves["left"].talking.talk
    visits = duel.load(request()), battle.load(request())
    empty = [await anext(visit) for visit in visits]
    assert "Nothing said yet" in empty[0][talk]["value"] and empty[1][battle._ballot] == ""
    await seen(duel.send(LUNCH, "Both", request()))
    await seen(battle.send(LUNCH, request()))
    assert "12:00" in (await seen(visits[0]))[talk]
    assert 'data-choice="left"' in (await seen(visits[1]))[battle._ballot]


FORGED = (
    None,
    {},
    {"do": "drop"},
    {"do": "correct"},
    {"do": ["correct"]},
    {"do": "edit", "n": "-1", "text": "x"},
    {"do": "edit", "n": "9" * 50, "text": "x"},
    {"do": "copy", "k": "99"},
)


@pytest.mark.parametrize("told", FORGED, ids=repr)
def test_a_forged_event_is_refused_in_one_line(arena: Arena, told: Any) -> None:
    async def run() -> None:
        hands = hands_of(arena)
        await seen(hands.send(LUNCH, "Both", request()))
        shown = await seen(Hand(hands, "left").acted(gr.EventData(None, told), request()))
        assert list(shown) == [hands.note]
        assert 'role="alert"' in shown[hands.note]

    asyncio.run(run())


@alive
async def test_a_call_that_waits_is_shown_and_answered(tmp_path: Path) -> None:
    arena = make(tmp_path / "ask.db", approve="ask")
    hands = hands_of(arena)
    hand, half = Hand(hands, "left"), hands.halves["left"]
    sent = hands.send(LUNCH, "Left", request())
    heard: dict[Any, Any] = {}
    async for each in sent:
        heard |= each
        if "Alt+1" in str(each.get(hands.note)):
            break
    talk = heard[half.talking.talk]["value"]
    assert "May this call run?" in talk and "It changes something</b>:" in talk and "30 min  Lunch with Ada" in talk
    assert heard[half.talking.live]["value"] == ""
    assert [heard[part]["interactive"] for part in half.doings.parts] == [True, False, False, True]
    number = talk.partition('data-id="')[2].partition('"')[0]
    for who, told in (
        ("eve", {"do": "allow", "id": number}),
        ("ada", {"do": "allow"}),
        ("ada", {"do": "deny", "id": 1}),
    ):
        refused = await seen(hand.acted(pressed(**told), request(who)))
        assert "does not wait any more" in refused[hands.note], told
    shown = await seen(hand.acted(pressed(do="deny", id=number, reason="<b>late</b>"), request()))
    assert (
        "a person said no: &lt;b&gt;late" in shown[half.talking.talk]
        and "nothing in it yet" in shown[half.talking.world]
    )
    assert "May this call run?" not in (await seen(hands.load(request())))[half.talking.talk]
    again = await seen(hand.acted(pressed(do="allow", id=number), request()))
    assert "does not wait any more" in again[hands.note]
    arena.close()


@alive
async def test_cleared_while_a_call_waits_the_side_is_empty(tmp_path: Path) -> None:
    arena = make(tmp_path / "ask.db", approve="ask")
    hands = hands_of(arena)
    talk = hands.halves["left"].talking.talk
    async for each in hands.send(LUNCH, "Left", request()):
        if "Alt+1" in str(each.get(hands.note)):
            break
    assert "May this call run?" in (await anext(hands.load(request())))[talk]["value"]
    assert "Nothing said yet" in (await seen(Hand(hands, "left").clear(request())))[talk]
    arena.close()


@alive
async def test_a_battle_shows_no_name_before_its_vote_and_both_after(arena: Arena) -> None:
    page = battling_of(arena)
    heard = [json.dumps(list(each.values()), default=str) async for each in page.load(request())]
    heard += [json.dumps(list(each.values()), default=str) async for each in page.send(LUNCH, request())]
    heard += [json.dumps(list(each.values()), default=str) async for each in page.load(request())]
    assert not [name for name in ("alpha", "beta", "maker", "oneline") if name in "".join(heard).lower()]
    desk = await arena.battle_of("ada")
    assert desk is not None
    shown = await seen(
        page.vote(pressed(do="vote", desk=desk.id, choice="left", reason="why", **{"tag chatter": "yes"}), request())
    )
    assert "alpha" in shown[page.note] and "beta" in shown[page.note]


@alive
async def test_forged_votes_are_refused(arena: Arena) -> None:
    page = battling_of(arena)
    await seen(page.send(LUNCH, request()))
    desk = await arena.battle_of("ada")
    assert desk is not None
    for who, told in (
        ("eve", {"desk": desk.id, "choice": "left"}),
        ("ada", {"desk": "nothing", "choice": "left"}),
        ("ada", {"desk": desk.id, "choice": "9"}),
        ("ada", {"desk": desk.id, "choice": "left", "turn": "7"}),
        ("ada", {"desk": desk.id}),
    ):
        shown = await seen(page.vote(pressed(do="vote", **told), request(who)))
        assert list(shown) == [page.note] and 'role="alert"' in shown[page.note], told
    await seen(page.vote(pressed(do="vote", desk=desk.id, choice="tie"), request()))
    again = await seen(page.vote(pressed(do="vote", desk=desk.id, choice="left"), request()))
    assert 'role="alert"' in again[page.note]


@alive
async def test_a_ballot_is_there_where_one_side_gave_no_answer(tmp_path: Path) -> None:
    def failing(_request: Request) -> Reply:
        raise BadOption("maker/beta-9b does not answer")

    models = {ALPHA.model: Scripted(clever, ALPHA.model), BETA.model: Scripted(failing, BETA.model)}
    arena = make(tmp_path / "silent.db", models)
    page = battling_of(arena)
    shown = await seen(page.send(LUNCH, request()))
    ballot, talks = shown[page._ballot], [shown[page._halves[side].talk] for side in SIDES]
    assert 'data-choice="left"' in ballot and 'name="turn"' not in ballot
    assert sum("this side gave no answer" in talk for talk in talks) == 1
    arena.close()


@alive
async def test_who_is_faster_is_not_to_be_seen(arena: Arena) -> None:
    desk = await arena.battle("ada", LUNCH)
    await desk.flow
    view = desk.view()
    half = together(replace(view, right=replace(view.right, busy=True, turns=(), waiting=LUNCH)))
    assert half.left.turns == half.right.turns == ()
    assert half.left.busy and half.left.world.rows == ()


@alive
async def test_many_people_are_served_at_once_and_programs_are_not(arena: Arena) -> None:
    for page in (duel_blocks(arena), battle_blocks(arena)):
        assert page._queue.default_concurrency_limit == 256
        assert {event.api_visibility for event in page.fns.values()} == {"private"}
        assert {event.concurrency_limit for event in page.fns.values()} == {"default"}


@alive
async def test_the_battle_page_lists_no_contestant(arena: Arena) -> None:
    config = json.dumps(battle_blocks(arena).get_config_file(), default=str).lower()
    assert not [name for name in ("alpha", "beta", "maker", "oneline") if name in config]


@alive
async def test_doors_that_the_page_does_not_use_are_shut(arena: Arena) -> None:
    transport = httpx2.ASGITransport(app=make_app(arena))
    async with httpx2.AsyncClient(transport=transport, base_url=HOST) as browser:
        for path in ("/gradio_api/file=pyproject.toml", "/gradio_api/info", "/battle/gradio_api/info", "/monitoring",
                     "/gradio_api/proxy=x", "/svelte/x", "/gradio_api/openapi.json"):  # fmt: skip
            assert (await browser.get(path)).status_code == 404, path
        for path in ("/gradio_api/upload", "/gradio_api/run/send", "/gradio_api/call/send", "/gradio_api/vibe-edit"):
            assert (await browser.post(path, json={})).status_code == 404, path
        assert (await browser.get("/")).status_code == 200
        assert (await browser.get("/battle/")).status_code == 200
        assert (await browser.get("/board")).status_code == 200
        assert (await browser.post("/gradio_api/queue/join", content=b"x" * 2_000_000)).status_code == 413


@alive
async def test_the_page_names_no_other_machine(arena: Arena) -> None:
    transport = httpx2.ASGITransport(app=make_app(arena))
    async with httpx2.AsyncClient(transport=transport, base_url=HOST) as browser:
        text = (await browser.get("/")).text
    loaded = [part.split('"')[0] for part in text.split('src="')[1:]]
    assert loaded and not [address for address in loaded if "//" in address and "127.0.0.1" not in address]
