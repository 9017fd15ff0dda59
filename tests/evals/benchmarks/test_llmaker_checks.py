"""The published checks, restated: what each predicate counts, on small states."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.base.errors import BadOption
from toolmend.evals.benchmarks.llmaker_checks import PublishedCheck


def enemy(name: str, hp: float = 5, description: str = "x") -> dict[str, Any]:
    return {"name": name, "hp": hp, "description": description}


def state(current: str = "A", a: Any = (), b: Any = (), cells: Any = ({}, {}), rooms: str = "AB") -> dict[str, Any]:
    """Rooms A and B with enemies, and the corridor A-B with cells."""
    held = {"A": list(a), "B": list(b)}
    return {
        "current": current,
        "rooms": [{"name": name, "encounter": {"enemy": held[name]} if held[name] else {}} for name in rooms],
        "corridors": [{"name": "A-B", "cells": list(cells)}] if len(rooms) > 1 else [],
    }


TRAP, CHEST = {"trap": [{"name": "Pit"}]}, {"treasure": [{"name": "Chest"}]}
RAT, BAT = enemy("Rat"), enemy("Bat", 20)


@pytest.mark.parametrize(
    ("predicate", "before", "after", "expected"),
    [
        ({"p": "rooms", "eq": 2}, state(rooms="A"), state(), True),
        ({"p": "rooms", "eq": 1}, state(rooms="A"), state(), False),
        ({"p": "corridors", "eq": 1}, state(rooms="A"), state(), True),
        ({"p": "current_changed"}, state(), state("B"), True),
        ({"p": "current_changed"}, state(), state(), False),
        ({"p": "current_is_room"}, state(), state("A-B"), False),
        ({"p": "current_is_corridor"}, state(), state("A-B"), True),
        ({"p": "unchanged"}, state(), state(), True),
        ({"p": "unchanged"}, state(), state(a=[RAT]), False),
        ({"p": "delta_current", "entity": "enemy", "gt": 0}, state(), state(a=[RAT]), True),
        # another room than before: the published check compares them all the same
        ({"p": "delta_current", "entity": "enemy", "eq": 0}, state("A", a=[RAT]), state("B", a=[RAT], b=[BAT]), True),
        ({"p": "count_current", "entity": "enemy", "eq": 1}, state(), state("B", a=[RAT]), False),
        ({"p": "delta_corridor", "entity": "trap", "gt": 1}, state(), state("A-B", cells=(TRAP, TRAP)), True),
        ({"p": "delta_corridor", "entity": "trap", "gt": 0}, state(), state("A-B"), False),
        (
            {"p": "delta_corridor_last_cell", "entity": "treasure", "eq": 1},
            state(),
            state("A-B", cells=({}, CHEST)),
            True,
        ),
        (
            {"p": "delta_corridor_last_cell", "entity": "treasure", "eq": 1},
            state(),
            state("A-B", cells=(CHEST, {})),
            False,
        ),
        ({"p": "each_room_delta", "entity": "enemy", "eq": 1}, state(), state(a=[RAT], b=[BAT]), True),
        ({"p": "each_room_delta", "entity": "enemy", "eq": 1}, state(), state(a=[RAT]), False),
        ({"p": "first_new_named_enemy_hp", "eq": 20.0}, state(a=[RAT]), state(a=[RAT, BAT]), True),
        ({"p": "first_new_named_enemy_hp", "eq": 20.0}, state(a=[RAT]), state(a=[RAT]), False),
        ({"p": "new_named_enemies_hp_sum", "eq": 25.0}, state(), state(a=[RAT, BAT]), True),
        ({"p": "first_enemy_hp", "eq": 5.0}, state(), state(a=[RAT, BAT]), True),
        ({"p": "first_enemy_with_new_hp", "eq": 1000.0}, state(a=[RAT]), state(a=[enemy("Rat", 1000)]), True),
        ({"p": "n_new_names", "eq": 1}, state(a=[RAT]), state(a=[BAT]), True),
        ({"p": "n_new_descriptions", "eq": 1}, state(a=[RAT]), state(a=[enemy("Rat", 5, "y")]), True),
        ({"p": "first_enemy_of_first_room_hp_halved"}, state(a=[RAT]), state("B", a=[enemy("Rat", 2.5)]), True),
        ({"p": "first_enemy_of_first_room_hp_halved"}, state(a=[RAT]), state(a=[enemy("Rat", 2)]), False),
        ({"p": "any", "of": [{"p": "false"}, {"p": "true"}]}, state(), state(), True),
        ({"p": "any", "of": [{"p": "false"}]}, state(), state(), False),
    ],
)
def test_predicates(predicate: Any, before: Any, after: Any, expected: bool) -> None:
    assert PublishedCheck((predicate,)).holds(before, after) is expected


def test_all_predicates_must_hold() -> None:
    assert not PublishedCheck(({"p": "true"}, {"p": "false"})).holds(state(), state())


@pytest.mark.parametrize("predicate", [{"p": "rooom"}, {}, "true", {"p": "any", "of": [{"p": "x"}]}])
def test_unknown_predicates_are_refused(predicate: Any) -> None:
    with pytest.raises(BadOption, match="is no known predicate"):
        PublishedCheck((predicate,))
