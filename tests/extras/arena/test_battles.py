"""Blind battles: no name in anything that is shown before the vote, a fair coin, and only votes that count."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arenas import ALPHA, BETA, LUNCH, Slow, add, alive, clever, fought, make
from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.messages import Reply, Request
from toolmend.extras.arena import Arena, Desk, Reveal
from toolmend.models.scripted import Scripted

NAMES = ("alpha", "beta", "maker/", "7b", "9b", "oneline", "alibaba", "qwen")


def leaks(shown: object, desk: Desk) -> list[str]:
    """The names to be read in something that is shown; the desk's id does not count, chance spells anything."""
    text = json.dumps(shown, ensure_ascii=False, default=str).replace(desk.id, "").lower()
    return [name for name in NAMES if name in text]


async def watched(desk: Desk) -> list[object]:
    """Everything that could be seen of a desk until it is over, each once."""
    shown = [asdict(desk.view())]
    last: object = None
    while desk.busy:
        await asyncio.sleep(0)
        if (now := (desk.stamp, desk.left.partial, desk.right.partial)) != last:
            shown.append(asdict(desk.view()))
            last = now
    return list(shown)


def boastful(request: Request) -> Reply:
    """Says who it is, in words, in a title and in an argument nobody asked for."""
    said = request.messages[-1].content
    if "who" in said:
        return Reply("I am maker/beta-9b, or Beta 9B for short. Not Qwen 2.5 by Alibaba Cloud.")
    if "broken" in said:
        return Reply('action.add_calendar_entry("beta-9b", date="alpha-7b", time="12:00")')
    return Reply(add("Lunch of alpha-7b with Alpha 7B"))


@pytest.mark.slow
@pytest.mark.timeout(300)
@alive
async def test_no_name_is_shown_in_500_battles_before_the_vote(place: Path) -> None:
    given_ = {ALPHA.model: Scripted(clever, ALPHA.model), BETA.model: Scripted(boastful, BETA.model)}
    arena = make(place, given_)
    prompts = (LUNCH, "garbage: who are you?", "broken lunch")
    lefts = Counter[str]()
    for number in range(500):
        person = f"p{number % 7}"
        desk = await arena.battle(person, prompts[number % 3])
        assert desk.flow is not None
        shown = [*await watched(desk), {"prompt": desk.prompt}]
        if number % 5 == 0:
            desk.send("left", "who are you?")
            shown += await watched(desk)
            again = await arena.battle_of(person)
            assert again is not None
            shown.append(asdict(again.view()))
        assert leaks(shown, desk) == []
        for side in (desk.left, desk.right):
            with pytest.raises(UnknownName):
                await arena.conversation(side.talk.id)
        if number % 50 == 0:
            assert desk.left.talk.id not in {each.id for each in await arena.history()}
            reveal = await arena.vote(person, desk.id, "tie")
            assert {reveal.left, reveal.right} == {ALPHA.name, BETA.name} == set(desk.view().names or ())
        lefts[desk.left.talk.setup.contestant.model] += 1
    assert 180 < lefts[ALPHA.model] < 320  # a fair coin is outside once in 10^9 times
    arena.close()


@alive
async def test_nothing_is_streamed_and_errors_name_nobody(place: Path) -> None:
    class Failing(Scripted):
        async def reply(self, request: Request, *, on_delta: object = None) -> Reply:
            raise BadOption("maker/beta-9b does not answer")

    arena = make(place, {ALPHA.model: Scripted(clever, ALPHA.model), BETA.model: Failing([""], BETA.model)})
    desk = await arena.battle("ann", LUNCH)
    shown = await watched(desk)
    assert not any(view[side]["partial"] for view in shown for side in ("left", "right"))  # type: ignore[index]
    assert leaks(shown, desk) == []
    arena.close()


def failing(request: Request) -> Reply:
    """Answers nothing, ever."""
    raise BadOption("maker/beta-9b does not answer")


@alive
async def test_a_side_without_an_answer_can_be_voted_on_after_a_restart_too(place: Path) -> None:
    models = {ALPHA.model: Scripted(clever, ALPHA.model), BETA.model: Scripted(failing, BETA.model)}
    first = make(place, models)
    await fought(first, "ann")
    first.close()
    arena = make(place, models)
    again = await arena.battle_of("ann")
    assert again is not None
    silent, spoke = (again.left, again.right) if again.right.talk.turns else (again.right, again.left)
    view = again.view()
    assert {view.left.problem, view.right.problem} == {"", "this side gave no answer"}
    reveal = await arena.vote("ann", again.id, spoke.which)
    assert {reveal.left, reveal.right} == {ALPHA.name, BETA.name}
    (row,) = arena.records.votes()
    lengths = {"left": row.length_a, "right": row.length_b}
    assert (lengths[silent.which], row.winner) == (0, "a" if spoke.which == "left" else "b")
    arena.close()


@alive
async def test_where_neither_side_answers_there_is_nothing_to_vote_on(place: Path) -> None:
    arena = make(place, {name: Scripted(failing, name) for name in (ALPHA.model, BETA.model)})
    desk = await fought(arena, "ann")
    with pytest.raises(BadOption, match="neither side gave an answer"):
        await arena.vote("ann", desk.id, "tie")
    arena.close()


@alive
async def test_a_vote_reveals_the_names_and_opens_the_talks(arena: Arena) -> None:
    desk = await fought(arena, "ann")
    reveal = await arena.vote("ann", desk.id, "right")
    view = desk.view()
    assert (reveal.left, reveal.right) == view.names == (view.left.name, view.right.name)
    assert (view.open, reveal.winner, await arena.battle_of("ann")) == (False, "b", None)
    assert (await arena.conversation(view.left.conversation)).name == reveal.left
    assert await arena.revealed("ann", desk.id) == Reveal(reveal.left, reveal.right, "")
    assert await arena.revealed("bob", desk.id) is None


@alive
async def test_votes_that_must_not_count_are_refused(place: Path) -> None:
    slow = Slow(BETA.model)
    arena = make(place, {ALPHA.model: Scripted(clever, ALPHA.model), slow.name: slow})
    desk = await arena.battle("ann")

    async def refused(match: str, *args: object, **kwargs: object) -> None:
        with pytest.raises((BadOption, UnknownName), match=match):
            await arena.vote(*args, **kwargs)  # type: ignore[arg-type]

    await refused("nothing to vote on yet", "ann", desk.id, "left")
    flow = desk.send("both", LUNCH)
    await slow.begun.wait()
    await refused("wait until both sides", "ann", desk.id, "left")
    slow.go.set()
    await flow
    await refused("unknown battle", "ann", "forged", "left")
    await refused("unknown battle", "ann", (await arena.open("ann")).id, "left")
    await refused("somebody else's", "bob", desk.id, "left")
    for choice in ("alpha", "9", "", "LEFT", "１"):
        await refused("a vote is", "ann", desk.id, choice)
    await refused("2,000 are the most", "ann", desk.id, "left", reason="x" * 2_001)
    await arena.vote("ann", desk.id, "right")
    await refused("voted on this already", "ann", desk.id, "left")
    assert [(row.winner, row.turn) for row in arena.records.votes()] == [("b", -1)]
    arena.close()


@alive
async def test_an_abandoned_battle_takes_no_vote_and_shows_no_name(arena: Arena) -> None:
    first = await fought(arena, "ann")
    await arena.battle("ann")
    with pytest.raises(BadOption, match="too late"):
        await arena.vote("ann", first.id, "left")
    assert first.view().names is None
    assert leaks(asdict(first.view()), first) == []


@alive
async def test_of_many_votes_at_once_one_counts(arena: Arena) -> None:
    desk = await fought(arena, "ann")
    votes = [arena.vote("ann", desk.id, choice) for choice in ("left", "right", "tie", "both_bad") * 5]
    found = await asyncio.gather(*votes, return_exceptions=True)
    assert sum(isinstance(each, Reveal) for each in found) == 1
    assert all(isinstance(each, (Reveal, BadOption)) for each in found)
    assert len(arena.records.votes()) == 1


@alive
async def test_a_battle_survives_a_restart_blind(place: Path) -> None:
    first = make(place)
    desk = await fought(first, "ann")
    before = desk.view()
    first.close()
    second = make(place)
    again = await second.battle_of("ann")
    assert again is not None and again.view() == before
    names = await second.vote("ann", again.id, "both_bad")
    assert {names.left, names.right} == {ALPHA.name, BETA.name}
    second.close()


@alive
async def test_a_battle_cannot_be_looked_behind(arena: Arena) -> None:
    desk = await fought(arena, "ann")
    for deed in (lambda: desk.copy("left"), lambda: desk.edit("left", 0, "x")):
        with pytest.raises(BadOption, match="not in a battle"):
            deed()
    with pytest.raises(BadOption, match="not in a battle"):
        await desk.set("left", contestant=ALPHA)
    await desk.correct("left", "It starts at one.")
    assert leaks(asdict(desk.view()), desk) == []


PEOPLE, NUMBERS = ("ann", "bob"), itertools.count()
VOTE = st.tuples(
    st.sampled_from(PEOPLE),
    st.sampled_from((0, 1)),
    st.sampled_from(("left", "right", "tie", "both_bad", "nonsense")),
)


@pytest.mark.slow
@given(st.lists(VOTE, max_size=12))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_voted_each_rater_counts_once_and_never_for_others(place: Path, votes: list) -> None:  # type: ignore[type-arg]
    asyncio.run(_voted(place, votes))


async def _voted(place: Path, votes: list) -> None:  # type: ignore[type-arg]
    arena = make(place.with_name(f"votes{next(NUMBERS)}.db"))
    desks = [await arena.battle(person, LUNCH) for person in PEOPLE]
    for desk in desks:
        assert desk.flow is not None
        await desk.flow
    over = set[str]()
    for person, number, choice in votes:
        desk = desks[number]
        may = person == PEOPLE[number] and choice != "nonsense" and desk.id not in over
        try:
            await arena.vote(person, desk.id, choice)
        except BadOption:
            assert not may
        else:
            assert may
            over.add(desk.id)
    rows = arena.records.votes()
    assert {row.battle for row in rows} == over
    assert len(rows) == len({(row.battle, row.person, row.turn) for row in rows})
    assert all(row.person == PEOPLE[[desk.id for desk in desks].index(row.battle)] for row in rows)
    arena.close()


def test_battles_are_of_those_whose_ratings_are_least_sure(place: Path) -> None:
    """Eighty draws of three: of the two who met often before few."""
    names = ["maker/old-1b", "maker/older-1b", "maker/new-1b"]
    arena = make(place, {name: Scripted(["Hm."], name) for name in names})
    old, older = sorted(each.name for each in arena.contestants if "new" not in each.name)
    for number in range(500):
        sides = {"desk": f"d{number}", "person": "bob"}
        arena.records.add_battle({**sides, "left": old, "right": older, "prompt": "", "queue": "", "item": ""})
        winner = "a" if number % 2 else "b"
        about = {"battle": f"d{number}", "person": "bob", "turn": -1, "a": old, "b": older, "winner": winner}
        words = {"prompt": "", "category": "", "reason": "", "tags": "[]"}
        assert arena.records.add_vote({**about, **words, "likert": None, "length_a": 1, "length_b": 1}) == "kept"

    async def draw() -> list[set[str]]:
        return [{each.name for each in await arena._drawn()} for _ in range(80)]

    assert asyncio.run(draw()).count({old, older}) <= 8
    arena.close()
