"""The raters' queue: several raters for each thing, prompts and pairs, progress, and the file that comes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arenas import LUNCH, alive, make
from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.extras.arena import Arena
from toolmend.extras.arena.queue import PAIR, PROMPT, QueuePrompt, items_of_pairs, items_of_prompts, prompts_of
from toolmend.extras.arena.ratings import fit, read_votes
from toolmend.extras.arena.votes import as_csv, rater_of

PAIRS = [
    {
        "schema": 1,
        "pair": f"{number:016x}",
        "earlier": ["Hello"],
        "request": "Lunch at noon",
        "left": {"reply": "Done.", "calls": [{"tool": "action.add", "arguments": {"time": "12:00"}}]},
        "right": {"reply": "No.", "calls": []},
    }
    for number in range(2)
]


def files(folder: Path) -> tuple[str, str]:
    """Pairs and their key, as `toolmend pairs` writes them."""
    head = {"schema": 1, "id": "run1", "suite": "calendar"}
    names = [
        {"schema": 1, "pair": each["pair"], "left": "m/x-1b · oneline", "right": "m/y-2b · freyr", "case": "main/lunch"}
        | {"attempt": 0, "step": number}
        for number, each in enumerate(PAIRS)
    ]
    for name, lines in (("pairs.jsonl", PAIRS), ("key.jsonl", [head, *names])):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(folder / "pairs.jsonl"), str(folder / "key.jsonl")


async def rate(arena: Arena, person: str, queue: str, choice: str) -> None:
    """Take the next thing, and vote on it."""
    desk = await arena.battle(person, queue=queue)
    if desk.flow is not None:
        await desk.flow
    await arena.vote(person, desk.id, choice, reason="=1+1")


@alive
async def test_every_prompt_gets_its_raters_and_nobody_the_same_twice(arena: Arena) -> None:
    prompts = [QueuePrompt(LUNCH, category="food"), QueuePrompt("Lunch with Bob on 2024-05-04")]
    assert arena.records.add_items("held out", PROMPT, 2, items_of_prompts(prompts)) == 2
    assert arena.records.add_items("held out", PROMPT, 2, items_of_prompts(prompts)) == 0
    for person in ("ann", "bob"):
        await rate(arena, person, "held out", "left")
        await rate(arena, person, "held out", "tie")
        with pytest.raises(BadOption, match="nothing is left to rate"):
            await arena.battle(person, queue="held out")
    (progress,) = await arena.queues("ann")
    assert (progress.items, progress.wanted, progress.given, progress.mine, progress.done) == (2, 4, 4, 2, True)
    rows = arena.records.votes()
    assert {row.category for row in rows} == {"food", "calendar"}
    assert {(row.prompt, row.person) for row in rows} == {(p.id, who) for p in prompts for who in ("ann", "bob")}


@alive
async def test_raters_who_come_at_once_get_different_things(arena: Arena) -> None:
    arena.records.add_items(
        "q", PROMPT, 1, items_of_prompts([QueuePrompt(LUNCH), QueuePrompt("Lunch with Bob on 2024-05-04")])
    )
    first, second = await arena.battle("ann", queue="q"), await arena.battle("bob", queue="q")
    assert first.prompt != second.prompt
    with pytest.raises(UnknownName, match="unknown queue 'r'"):
        await arena.battle("ann", queue="r")


@alive
async def test_pairs_are_shown_blind_and_exported_for_rank_and_calibrate(place: Path, tmp_path: Path) -> None:
    arena = make(place)
    assert arena.records.add_items("koala", PAIR, 2, items_of_pairs(*files(tmp_path))) == 2
    desk = await arena.battle("ann", queue="koala")
    view = desk.view()
    assert (view.kind, view.open, view.prompt) == ("pair", True, "Lunch at noon")
    assert [turn.said for turn in view.left.turns] == ["Hello", "Lunch at noon"]
    shown = {side.turns[1].reply for side in (view.left, view.right)}
    assert any("Done." in text and "12:00" in text for text in shown) and any(text.endswith("No.") for text in shown)
    assert not {"m/x-1b", "m/y-2b", "freyr", "oneline"} & set(str(view).replace("'", " ").split())
    with pytest.raises(BadOption, match="given before"):
        desk.send("both", "Hello")
    winner = "left" if "Done." in view.left.turns[1].reply else "right"
    reveal = await arena.vote("ann", desk.id, winner)
    assert reveal.left == ("m/x-1b · oneline" if winner == "left" else "m/y-2b · freyr")
    for person in ("ann", "bob", "bob"):
        await rate(arena, person, "koala", "tie")
    file = tmp_path / "votes.csv"
    file.write_text(as_csv(arena.records.votes()), encoding="utf-8")
    votes = read_votes(file)
    assert len(votes) == 4 and votes.prompt is not None and votes.rater is not None
    assert (set(votes.prompt.names), set(votes.rater.names)) == ({"main/lunch"}, {rater_of("ann"), rater_of("bob")})
    assert fit(votes).rows[0].contestant == "m/x-1b · oneline"
    assert "'=1+1" in file.read_text()  # no formula for a spreadsheet
    arena.close()


def test_prompts_come_from_suites_and_files(tmp_path: Path) -> None:
    assert prompts_of("calendar_test")[0].toolbox == "calendar"
    file = tmp_path / "prompts.jsonl"
    file.write_text('A plain one\n\n{"prompt": "Dig a room", "toolbox": "dungeon", "category": "rooms"}\nA plain one\n')
    assert prompts_of(str(file)) == [QueuePrompt("A plain one"), QueuePrompt("Dig a room", "dungeon", "rooms")]
    file.write_text('ok\n{"prompt": 3}\n')
    with pytest.raises(BadFile, match="2: no prompt"):
        prompts_of(str(file))
