"""The leaderboard: ratings from votes, rates of runs beside them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arenas import ALPHA, BETA, alive, clever, fought, make
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import load_suite
from toolmend.extras.arena.choices import usual_contestants
from toolmend.models.scripted import Scripted


@alive
async def test_an_empty_board_says_what_is_missing(place: Path) -> None:
    arena = make(place)
    board = await arena.board()
    assert (board.rows, board.votes) == ((), 0)
    assert board.notes == ("no vote so far: too few for ratings; vote in a battle",)
    arena.close()


@alive
async def test_an_arena_of_one_says_what_a_battle_needs(place: Path) -> None:
    arena = make(place, {ALPHA.model: Scripted(clever, ALPHA.model)})
    assert (await arena.board()).notes[0].startswith("this arena has one contestant and a battle needs two")
    arena.close()


@alive
async def test_votes_stand_beside_the_rates_of_runs_under_one_name(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = make(place)
    desk = await fought(arena, "ann")
    await arena.vote("ann", desk.id, "tie")
    assert (await arena.board()).rates == {}
    calendar = load_suite("calendar")
    suite = replace(calendar, experiments=calendar.experiments[:1])
    plan = Plan.make(suite, [Scripted(["Hm."], ALPHA.model)], ["oneline"], attempts=2)
    with Store(place) as store:
        await run(plan, store)
    board = await arena.board()
    assert board.rates == {"maker/alpha-7b · oneline": "0 % of 2 in calendar"}
    monkeypatch.setattr("toolmend.extras.arena.votes.build_report", None)  # a finished run is read once
    assert (await arena.board()).rates == board.rates
    arena.close()


def test_contestants_are_called_as_in_runs() -> None:
    models = ["builtin/small", "smol/calendar", "scripted/echo"]
    names = [contestant.name for contestant in usual_contestants(models)]
    assert names == ["builtin/small · oneline", "smol/calendar · spoken", "scripted/echo · auto"]


@alive
async def test_votes_make_ratings(place: Path) -> None:
    arena = make(place)
    for number in range(6):
        desk = await fought(arena, "ann")
        alpha = "left" if desk.left.talk.setup.contestant == ALPHA else "right"
        other = "right" if alpha == "left" else "left"
        await arena.vote("ann", desk.id, alpha if number < 4 else other if number == 4 else "both_bad")
    board = await arena.board()
    assert [row.contestant for row in board.rows] == [ALPHA.name, BETA.name]
    assert (board.votes, board.both_bad, board.ties) == (6, 1, 0)
    first = board.rows[0]
    assert first.low < first.rating < first.high and first.rating > 1000 and first.votes == 5
    assert not [warning for warning in board.notes if "too few" in warning]
    arena.close()
