"""The leaderboard: ratings from votes, and rates from stored runs."""

from __future__ import annotations

from pathlib import Path

import anyio

from arenas import ALPHA, BETA, LUNCH, add, alive, clever, make
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.suites.suite import load_suite
from toolmend.models.scripted import Scripted
from toolmend.store import Store

SUITE = """\
suite: lunch
tools: calendar
experiments:
  main:
    cases: [lunch]
    branches: [level 0]
cases:
  lunch:
    - steps:
        - say: Lunch with Ada on 2024-05-03 at noon
          expect: action.add_calendar_entry("Lunch with Ada", "2024-05-03", "13:00")
"""


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
async def test_votes_make_ratings(place: Path) -> None:
    arena = make(place)
    for number in range(6):
        desk = await arena.battle("ann", LUNCH)
        assert desk.flow is not None
        await desk.flow
        alpha = "left" if desk.left.talk.setup.contestant == ALPHA else "right"
        other = "right" if alpha == "left" else "left"
        await arena.vote("ann", desk.id, alpha if number < 4 else other if number == 4 else "both_bad")
    board = await arena.board()
    assert [row.contestant for row in board.rows] == [ALPHA.name, BETA.name]
    assert (board.votes, board.both_bad, board.ties) == (6, 1, 0)
    first = board.rows[0].rating
    assert first is not None and first.low < first.rating < first.high and first.rating > 1000 and first.votes == 5
    assert not [warning for warning in board.notes if "too few" in warning]
    arena.close()


def test_runs_in_the_same_store_have_rates(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "lunch.yaml"
    file.write_text(SUITE)
    answers = iter([add("Lunch with Ada"), add("Lunch with Ada"), add("Lunch with Ada", time="13:00")])
    model = Scripted(lambda _: next(answers, ""), ALPHA.model)
    with Store(place) as store:
        anyio.run(run, Plan.make(load_suite(str(file)), [model], ["oneline"]), store)
    arena = make(place, {ALPHA.model: Scripted(clever, ALPHA.model)})

    async def look() -> None:
        board = await arena.board()
        (row,) = board.rows
        assert (row.contestant, row.rating) == (ALPHA.name, None)
        measured = row.measured
        assert measured is not None
        rates = [measured[rate]["value"] for rate in ("first_right", "fix_at_1", "control", "net_fix")]
        assert (rates, measured["turns_to_done"]) == ([0.0, 1.0, 0.0, 1.0], 2.0)

    anyio.run(look)
    arena.close()
