"""What people speak of in the worlds that ship: every thing that a tool names is there, with the values it needs."""

from __future__ import annotations

import pytest

from toolmend.extras.worlds.dungeon import Dungeon
from toolmend.extras.worlds.shop import Shop
from toolmend.language.resolve.standing import stands_for
from toolmend.tools import Toolbox


def furnished() -> Dungeon:
    """Two rooms with something in them."""
    dungeon = Dungeon()
    dungeon.create_room("Hall", "big")
    dungeon.create_room("Attic", "dusty", "Hall", "north")
    dungeon.add_treasure("Attic", "Chest", "old", "gold", -1)
    dungeon.add_trap("Hall-Attic", "Pit", "deep", "you fall", 2)
    return dungeon


@pytest.mark.parametrize("box", [Shop(), furnished()], ids=lambda box: type(box).__name__)
def test_what_is_named_is_there(box: Toolbox) -> None:
    specs, things = {spec.name: spec for spec in box.specs}, {kind: list(each) for kind, each in box.things().items()}
    for tool, named in box.named.items():
        for parameter, kind in named.items():
            asked = set(stands_for(specs[tool], parameter, named))
            if parameter not in specs[tool].properties:
                assert all(asked <= set(thing) for thing in things[kind]), (tool, parameter)
            assert asked <= set(specs[tool].properties)


def test_an_entity_has_its_place() -> None:
    assert furnished().things()["entity"] == [
        {"entity_name": "Chest", "room_name": "Attic", "entity_type": "treasure", "cell_index": -1},
        {"entity_name": "Pit", "room_name": "Hall-Attic", "entity_type": "trap", "cell_index": 2},
    ]


def test_an_order_is_told_by_what_people_know_of_it() -> None:
    assert list(Shop().things()["order"])[-1] == {
        "order": 104,
        "customer": "Luis Ortega",
        "status": "open",
        "products": "Watering can, Seed box",
        "placed": "2025-09-13",
    }
