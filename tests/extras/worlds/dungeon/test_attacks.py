"""The attacks of enemies: adding, updating and removing them, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolmend.base.messages import Call
from toolmend.extras.worlds.dungeon import Dungeon
from toolmend.extras.worlds.dungeon.level import Attack

Refused = Callable[..., str]

RAT = {"room_name": "Hall", "cell_index": -1, "enemy_name": "Rat"}
LICK = {
    "name": "Lick",
    "description": "A warm tongue",
    "attack_type": "heal",
    "starting_positions": "OOXX",
    "target_positions": "XXXX",
    "base_dmg": -2,
    "accuracy": 1,
}


def attacks(dungeon: Dungeon) -> tuple[Attack, ...]:
    return dungeon.level.rooms[0].encounter.enemy[0].attacks


def test_an_attack_is_added_last(dungeon: Dungeon) -> None:
    assert dungeon.run_sync(Call("add_attack", {**RAT, **LICK})).value == "added the attack 'Lick' to 'Rat'"
    assert attacks(dungeon)[1] == Attack("Lick", "A warm tongue", "heal", "OOXX", "XXXX", -2.0, 1.0)
    assert dungeon.level.current == "Hall"


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"base_dmg": 2}, "base_dmg must be -5 to 0 for an attack of type heal, got 2"),
        (
            {"attack_type": "damage", "base_dmg": -1},
            "base_dmg must be 0 to 5 for an attack of type damage, got -1",
        ),
        ({"attack_type": "damage", "base_dmg": 6}, "base_dmg must be 0 to 5 for an attack of type damage, got 6"),
        ({"accuracy": 1.5}, "accuracy must be 0 to 1, got 1.5"),
        (
            {"starting_positions": "XXO"},
            "starting_positions must be 4 characters, each X or O, such as XXOO, got 'XXO'",
        ),
        ({"target_positions": "xxoo"}, "target_positions must be 4 characters, each X or O, such as XXOO, got 'xxoo'"),
        ({"name": "bite"}, "'Rat' has an attack 'bite' already; choose another name"),
        ({"enemy_name": "Bat"}, "there is no enemy 'Bat' in 'Hall'; there: 'Rat'"),
        ({"cell_index": 2}, "cell_index must be -1 in the room 'Hall', got 2"),
    ],
)
def test_what_add_attack_refuses(dungeon: Dungeon, refused: Refused, changed: dict[str, Any], text: str) -> None:
    assert refused(dungeon, "add_attack", **{**RAT, **LICK, **changed}) == text


@pytest.mark.parametrize("kind", ["pass", "move"])
def test_what_is_for_the_game_only_is_no_type(dungeon: Dungeon, kind: str) -> None:
    result = dungeon.run_sync(Call("add_attack", {**RAT, **LICK, "attack_type": kind}))
    assert result.error == f"argument 'attack_type': should be 'damage' or 'heal', got {kind!r}"


def test_four_attacks_are_the_most(dungeon: Dungeon, refused: Refused) -> None:
    for name in ("Lick", "Scratch", "Squeak"):
        assert dungeon.run_sync(Call("add_attack", {**RAT, **LICK, "name": name})).ok
    text = refused(dungeon, "add_attack", **{**RAT, **LICK, "name": "Jump"})
    assert text == "'Rat' cannot have more than 4 attacks; it has: 'Bite', 'Lick', 'Scratch', 'Squeak'"


def test_an_updated_attack(dungeon: Dungeon) -> None:
    result = dungeon.run_sync(Call("update_attack", {**RAT, **LICK, "reference_name": "BITE"}))
    assert result.value == "updated the attack 'Lick' of 'Rat'"
    assert attacks(dungeon) == (Attack("Lick", "A warm tongue", "heal", "OOXX", "XXXX", -2.0, 1.0),)


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"reference_name": "Kick"}, "'Rat' has no attack 'Kick'; it has: 'Bite'"),
        ({"accuracy": -0.1}, "accuracy must be 0 to 1, got -0.1"),
        ({"base_dmg": 1}, "base_dmg must be -5 to 0 for an attack of type heal, got 1"),
        (
            {"target_positions": "XXXXX"},
            "target_positions must be 4 characters, each X or O, such as XXOO, got 'XXXXX'",
        ),
    ],
)
def test_what_update_attack_refuses(dungeon: Dungeon, refused: Refused, changed: dict[str, Any], text: str) -> None:
    assert refused(dungeon, "update_attack", **{**RAT, **LICK, "reference_name": "Bite", **changed}) == text


def test_an_update_may_not_take_the_name_of_another_attack(dungeon: Dungeon, refused: Refused) -> None:
    dungeon.run_sync(Call("add_attack", {**RAT, **LICK}))
    text = refused(dungeon, "update_attack", **{**RAT, **LICK, "reference_name": "Bite"})
    assert text == "'Rat' has an attack 'Lick' already; choose another name"


def test_an_updated_attack_may_keep_its_name(dungeon: Dungeon) -> None:
    assert dungeon.run_sync(Call("update_attack", {**RAT, **LICK, "reference_name": "Bite", "name": "Bite"})).ok
    assert [(attack.name, attack.type) for attack in attacks(dungeon)] == [("Bite", "heal")]


def test_removing_an_attack(dungeon: Dungeon, refused: Refused) -> None:
    result = dungeon.run_sync(Call("remove_attack", {**RAT, "name": "Bite"}))
    assert result.value == "removed the attack 'Bite' of 'Rat'"
    assert attacks(dungeon) == ()
    assert refused(dungeon, "remove_attack", **RAT, name="Bite") == "'Rat' has no attack 'Bite'; it has: none"


def test_removing_an_attack_of_nobody(dungeon: Dungeon, refused: Refused) -> None:
    text = refused(dungeon, "remove_attack", room_name="Tower", cell_index=-1, enemy_name="Owl", name="Bite")
    assert text == "there is no enemy 'Owl' in 'Tower'; there is no enemy at all"
