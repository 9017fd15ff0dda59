"""`toolmend arena queue` and `arena votes`: things into the queue, votes out of the store, errors in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from arenas import ALPHA, LUNCH, alive, make

Invoke = Callable[..., Result]


def test_what_is_wrong_is_one_line(invoke: Invoke, tmp_path: Path) -> None:
    for words in (
        ("queue", "q"),
        ("queue", "q", "--prompts", tmp_path / "no.txt"),
        ("--model", "nobody/x"),
        ("--approve", "perhaps"),
        ("--toolbox", "calendar", "--toolbox", "nobody"),
    ):
        done = invoke("arena", *words, "--store", tmp_path / "a.db")
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1)


def test_votes_are_what_rank_reads(invoke: Invoke, tmp_path: Path) -> None:
    store, file = tmp_path / "a.db", tmp_path / "votes.csv"
    _vote(store)
    assert invoke("arena", "votes", "--store", store).stdout.startswith("a,b,winner,prompt,rater,category,length_a")
    assert invoke("arena", "votes", "--store", store, "--out", file).stderr == f"toolmend: 2 votes in {file}\n"
    ranked = invoke("rank", "--votes", file)
    assert ranked.exit_code == 0 and ALPHA.name in ranked.stdout
    assert invoke("judge", "calibrate", "--human", file, "--judge", file).exit_code == 0


@alive
async def _vote(store: Path) -> None:
    arena = make(store)
    for choice in ("left", "right"):
        desk = await arena.battle("ann", LUNCH)
        assert desk.flow is not None
        await desk.flow
        await arena.vote("ann", desk.id, choice)
    arena.close()


@pytest.mark.parametrize("command", [["arena", "--help"], ["arena", "queue", "--help"], ["arena", "votes", "--help"]])
def test_help(invoke: Invoke, command: list[str]) -> None:
    assert invoke(*command).exit_code == 0
