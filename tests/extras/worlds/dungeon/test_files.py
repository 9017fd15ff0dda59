"""Levels as JSON: read back exactly, and what is wrong in a file is said with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dungeons import dungeon_of
from toolmend.base.errors import BadFile, ToolError
from toolmend.base.messages import Call
from toolmend.extras.worlds.dungeon import Dungeon

ENEMY = {"name": "Rat", "description": "A rat", "species": "rodent", "hp": 5, "dodge": 0.5, "prot": 0.5, "spd": 0.5}
ATTACK = {
    "name": "Bite",
    "description": "Teeth",
    "type": "damage",
    "starting_positions": "XXOO",
    "target_positions": "XXOO",
    "base_dmg": 1,
    "accuracy": 1,
}
TRAP = {"name": "Pit", "description": "A pit", "effect": "You fall"}
HALL = {"name": "Hall", "description": "A hall", "coords": [0, 0]}
CELLAR = {"name": "Cellar", "description": "Damp", "coords": [3, 0]}
CORRIDOR = {"room_from": "Hall", "room_to": "Cellar", "direction": "east", "length": 2}


def level(*rooms: Any, corridors: Any = (), current: Any = "Hall") -> dict[str, Any]:
    return {"current": current, "rooms": list(rooms), "corridors": list(corridors)}


def holding(**encounter: Any) -> dict[str, Any]:
    return level({**HALL, "encounter": encounter})


def test_the_state_reads_back_too(dungeon: Dungeon) -> None:
    other = Dungeon()
    other.set_state(dungeon.state())
    assert other.level == dungeon.level
    assert json.loads(json.dumps(other.state())) == dungeon.state()


def test_what_follows_from_the_rest_may_be_left_out() -> None:
    read = dungeon_of(level(HALL, CELLAR, corridors=[CORRIDOR])).state()["corridors"][0]
    assert read == {**CORRIDOR, "name": "Hall-Cellar", "coords": [[1, 0], [2, 0]], "cells": [{}, {}]}


def test_a_level_that_cannot_be_changes_nothing(dungeon: Dungeon) -> None:
    before = dungeon.level
    with pytest.raises(BadFile):
        dungeon.set_state(level(HALL, HALL))
    assert dungeon.level is before


def test_calls_before_the_level_was_set_cannot_be_taken_back() -> None:
    dungeon = Dungeon()
    dungeon.run_sync(Call("create_room", {"name": "Hall", "description": "A hall"}, "c1"))
    dungeon.set_state(level(CELLAR, current="Cellar"))
    with pytest.raises(ToolError, match="the world was changed in another way since"):
        dungeon.undo_sync("c1")
    assert dungeon.level.current == "Cellar"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], r": the arguments: should be .*, got \[\]$"),
        ({"rooms": []}, r": argument 'current' is missing; argument 'corridors' is missing$"),
        ({**level(), "name": "x"}, r": there is no argument 'name' \(it takes .*\)$"),
        ({"current": "", "rooms": {}, "corridors": []}, r": argument 'rooms': .* array, got \{\}$"),
        (level(HALL, current=""), r": current: '' names no room and no corridor of the level$"),
        (level(HALL, current=["Hall"]), r": argument 'current': should be a valid string, got \['Hall'\]$"),
        (level(), r": current: 'Hall' names no room and no corridor of the level$"),
        (
            level({"name": "Hall"}),
            r": argument 'rooms\[0\].description' is missing; argument 'rooms\[0\].coords' is missing$",
        ),
        (level({**HALL, "name": ""}), r": the room '': name must not be empty$"),
        (level({**HALL, "description": 3}), r": argument 'rooms\[0\].description': should be a valid string, got 3$"),
        (
            level({**HALL, "coords": [0, 0.5]}),
            r": argument 'rooms\[0\].coords\[1\]': should be a valid integer, got 0.5$",
        ),
        (level({**HALL, "coords": [0, 10**6]}), r": the room 'Hall': coords: should be nearer to 0 than 1000000$"),
        (level(HALL, {**CELLAR, "name": "hall"}), r": two places are called 'hall'$"),
        (level(HALL, {**CELLAR, "coords": [0, 0]}), r": 'Hall' and 'Cellar' both lie at \[0, 0\]$"),
        (
            holding(hero=[]),
            r": argument 'rooms\[0\].encounter.hero' is not known$",
        ),
        (holding(trap=[TRAP]), r": the room 'Hall': traps go into corridors only$"),
        (holding(enemy=[{**ENEMY, "hp": 50}]), r": the room 'Hall': enemy 'Rat': hp must be 1 to 20, got 50$"),
        (
            holding(enemy=[{**ENEMY, "hp": "5"}]),
            r": argument 'rooms\[0\].encounter.enemy\[0\].hp': should be a valid number, got '5'$",
        ),
        (
            holding(enemy=[{**ENEMY, "hp": True}]),
            r": argument 'rooms\[0\].encounter.enemy\[0\].hp': should be a valid number, got True$",
        ),
        (holding(enemy=[{**ENEMY, "hp": float("nan")}]), r": enemy 'Rat': hp must be 1 to 20, got nan$"),
        (
            holding(enemy=[{**ENEMY, "mood": "bad"}]),
            r": argument 'rooms\[0\].encounter.enemy\[0\].mood' is not known$",
        ),
        (holding(enemy=[ENEMY, ENEMY]), r": the room 'Hall': enemy 'Rat': there are two of that name$"),
        (holding(enemy=[{**ENEMY, "name": str(n)} for n in range(5)]), r": more than 4 of kind enemy$"),
        (holding(enemy=[{**ENEMY, "attacks": [ATTACK, ATTACK]}]), r": enemy 'Rat': two attacks are called 'Bite'$"),
        (
            holding(enemy=[{**ENEMY, "attacks": [{**ATTACK, "type": "pass"}]}]),
            r"enemy\[0\].attacks\[0\].type': should be 'damage' or 'heal', got 'pass'$",
        ),
        (
            holding(enemy=[{**ENEMY, "attacks": [{**ATTACK, "name": str(n)} for n in range(5)]}]),
            r": enemy 'Rat': more than 4 attacks$",
        ),
        (level(HALL, corridors=[CORRIDOR]), r": the corridor 'Hall-Cellar': there is no room 'Cellar'$"),
        (
            level(HALL, CELLAR, corridors=[{**CORRIDOR, "room_to": "Hall"}]),
            r": the corridor 'Hall-Hall': it joins 'Hall' to itself$",
        ),
        (
            level(HALL, CELLAR, corridors=[{**CORRIDOR, "direction": "up"}]),
            r"direction': should be 'north', 'south', 'east' or 'west', got 'up'$",
        ),
        (level(HALL, CELLAR, corridors=[{**CORRIDOR, "length": 5}]), r": corridor_length must be 2 to 4, got 5$"),
        (
            level(HALL, CELLAR, corridors=[{**CORRIDOR, "length": 2.0}]),
            r": argument 'corridors\[0\].length': should be a valid integer, got 2.0$",
        ),
        (
            level(HALL, CELLAR, corridors=[{**CORRIDOR, "length": 3}]),
            r": the corridor 'Hall-Cellar': 'Cellar' does not lie 4 squares east of 'Hall'$",
        ),
        (
            level(HALL, CELLAR, corridors=[{**CORRIDOR, "name": "Hall_Cellar"}]),
            r": the corridor 'Hall-Cellar': name should be Hall-Cellar, is 'Hall_Cellar'$",
        ),
        (
            level(HALL, CELLAR, corridors=[{**CORRIDOR, "coords": [[1, 0], [1, 1]]}]),
            r": coords should be \(\(1, 0\), \(2, 0\)\), is \(\(1, 0\), \(1, 1\)\)$",
        ),
        (
            level(HALL, CELLAR, corridors=[{**CORRIDOR, "cells": [{}]}]),
            r": the corridor 'Hall-Cellar': it has 1 cells, but its length is 2$",
        ),
        (
            level(HALL, CELLAR, corridors=[{**CORRIDOR, "cells": [{}, {"trap": [{"name": "Pit"}]}]}]),
            r": argument 'corridors\[0\].cells\[1\].trap\[0\].description' is missing; argument",
        ),
        (
            level(HALL, CELLAR, corridors=[CORRIDOR, CORRIDOR]),
            r": two places are called 'Hall-Cellar'$",
        ),
    ],
)
def test_what_cannot_be_read_says_where(data: Any, message: str) -> None:
    with pytest.raises(BadFile, match=f"^dungeon JSON.*{message}"):
        dungeon_of(data)


@pytest.mark.needs_shared
def test_every_starting_level_of_the_published_cases_reads_back_exactly(shared: Path) -> None:
    levels = json.loads((shared / "facts" / "llmaker_cases.json").read_text(encoding="utf-8"))["levels"]
    assert len(levels) == 46
    for data in levels.values():
        dungeon = dungeon_of(data, "cases")
        assert dungeon.state() == data
        assert dungeon_of(dungeon.state(), "cases").level == dungeon.level


@pytest.mark.needs_shared
def test_the_text_of_the_largest_published_level_is_short(shared: Path) -> None:
    levels = json.loads((shared / "facts" / "llmaker_cases.json").read_text(encoding="utf-8"))["levels"]
    dungeon = dungeon_of(levels["5/13"], "cases")
    assert len(dungeon.view()) <= 2600
