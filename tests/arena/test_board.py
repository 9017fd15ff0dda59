"""The leaderboard: ratings from votes."""

from __future__ import annotations

from pathlib import Path

from arenas import ALPHA, BETA, LUNCH, alive, clever, make
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
    first = board.rows[0]
    assert first.low < first.rating < first.high and first.rating > 1000 and first.votes == 5
    assert not [warning for warning in board.notes if "too few" in warning]
    arena.close()
