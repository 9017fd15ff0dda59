"""Whatever is called, and in whatever order: the level stays one that can be, and every call can be taken back.

What must hold is written here once more, from the published facts and on plain data, so that it does not share the
code's mistakes.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dungeons import dungeon_of
from toolmend.base.errors import BadFile, ToolError
from toolmend.base.messages import Call
from toolmend.extras.worlds.dungeon import Dungeon

STEPS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}
MOST = {"enemy": 4, "trap": 1, "treasure": 1}
SPANS = {"dodge": (0.1, 1), "prot": (0, 1), "spd": (0.1, 1)}

ROOMS = ["A", "B", "C", "D", "E"]
_ROOM = st.sampled_from(ROOMS)
_PLACE = st.one_of(_ROOM, st.builds("{}-{}".format, _ROOM, _ROOM))
_NAME = st.sampled_from(["Rat", "rat", "Chest"])
_SIDE = st.sampled_from(sorted(STEPS))
_CELL = st.sampled_from([-1, -1, 1, 2, 3])
_SHARE = st.sampled_from([0.5, 0.5, 1, 0.1, 0, 2])
_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "room_from": _ROOM,
    "direction": _SIDE,
    "room_reference_name": _ROOM,
    "room_from_name": _ROOM,
    "room_to_name": _ROOM,
    "corridor_length": st.sampled_from([2, 2, 3, 4, 5]),
    "room_name": _PLACE,
    "corridor_name": _PLACE,
    "description": st.sampled_from(["x", "y"]),
    "species": st.just("rodent"),
    "loot": st.just("gold"),
    "effect": st.just("pain"),
    "hp": st.sampled_from([1, 5, 20, 50, 1000]),
    "cell_index": _CELL,
    "reference_name": _NAME,
    "entity_name": _NAME,
    "enemy_name": _NAME,
    "entity_type": st.sampled_from(sorted(MOST)),
    "attack_type": st.sampled_from(["damage", "heal"]),
    "starting_positions": st.sampled_from(["XXOO", "XXOO", "XX"]),
    "target_positions": st.just("XXXX"),
    "base_dmg": st.sampled_from([0, 3, -3, 9]),
}
_SPECS = Dungeon().specs
_ROOM_TOOLS = ("create_room", "remove_room", "update_room")
_BUILDERS = ("create_room", "create_room", "create_room", "add_enemy", "add_trap", "update_corridor", "add_corridor")
_TOOLS = st.one_of(st.sampled_from([spec.name for spec in _SPECS]), st.sampled_from(_BUILDERS))


def _calls(name: str) -> st.SearchStrategy[Call]:
    spec = next(spec for spec in _SPECS if spec.name == name)
    known = {**_FIELDS, "name": _ROOM if name in _ROOM_TOOLS else _NAME}
    fields = {field: known.get(field, _SHARE) for field in spec.properties}
    return st.fixed_dictionaries(fields).map(lambda arguments: Call(name, arguments))


_FIRST = st.just(Call("create_room", {"name": "A", "description": "x"}))
_TALK = st.builds(lambda first, rest: [first, *rest], _FIRST, st.lists(_TOOLS.flatmap(_calls), max_size=24))


def assert_possible(state: dict[str, Any], most_hp: int) -> None:
    """What must hold for every level."""
    rooms = {room["name"]: room for room in state["rooms"]}
    places = [place["name"].casefold() for place in [*state["rooms"], *state["corridors"]]]
    assert len(set(places)) == len(places)
    assert state["current"].casefold() in (places or [""])
    squares = [tuple(room["coords"]) for room in state["rooms"]]
    for corridor in state["corridors"]:
        x, y = rooms[corridor["room_from"]]["coords"]
        across, down = STEPS[corridor["direction"]]
        path = [[x + across * step, y + down * step] for step in range(1, corridor["length"] + 2)]
        assert 2 <= corridor["length"] <= 4
        assert corridor["coords"] == path[:-1]
        assert rooms[corridor["room_to"]]["coords"] == path[-1]
        assert len(corridor["cells"]) == corridor["length"]
        squares += map(tuple, corridor["coords"])
    assert len(set(squares)) == len(squares)
    encounters = [room["encounter"] for room in state["rooms"]]
    assert not any("trap" in encounter for encounter in encounters)
    for encounter in [*encounters, *(cell for corridor in state["corridors"] for cell in corridor["cells"])]:
        assert_fits(encounter, most_hp)


def assert_fits(encounter: dict[str, Any], most_hp: int) -> None:
    """What must hold for what one place holds."""
    for kind, entities in encounter.items():
        names = [entity["name"].casefold() for entity in entities]
        assert 1 <= len(entities) <= MOST[kind]
        assert len(set(names)) == len(names)
    for enemy in encounter.get("enemy", ()):
        assert 1 <= enemy["hp"] <= most_hp
        assert all(low <= enemy[stat] <= high for stat, (low, high) in SPANS.items())
        attacks = enemy.get("attacks", [])
        assert len(attacks) == len({attack["name"].casefold() for attack in attacks}) <= 4
        for attack in attacks:
            low, high = (0, 5) if attack["type"] == "damage" else (-5, 0)
            assert low <= attack["base_dmg"] <= high
            assert 0 <= attack["accuracy"] <= 1
            assert len(attack["starting_positions"]) == 4


@settings(deadline=None, max_examples=250)
@given(_TALK, st.sampled_from(["published", "cases"]))
def test_every_level_can_be_and_a_refused_call_changes_nothing(calls: list[Call], limits: str) -> None:
    dungeon = Dungeon(limits=limits)
    for call in calls:
        before = dungeon.level
        result = dungeon.run_sync(call)
        assert result.fault in ("", "refused", "arguments"), result.error
        assert result.ok or dungeon.level is before
        assert_possible(dungeon.state(), 20 if limits == "published" else 1000)


@settings(deadline=None, max_examples=100)
@given(_TALK)
def test_a_level_reads_back_exactly_and_can_be_shown(calls: list[Call]) -> None:
    dungeon = Dungeon(limits="cases")
    for call in calls:
        dungeon.run_sync(call)
    again = dungeon_of(dungeon.state(), "cases")
    assert (again.level, again.state()) == (dungeon.level, dungeon.state())
    assert dungeon.view() == again.view()
    rows = dungeon.drawing().splitlines()[:-1]
    assert sum(row.count("┌") + row.count("╔") for row in rows) == len(dungeon.level.rooms)


@settings(deadline=None, max_examples=150)
@given(_TALK, st.randoms(use_true_random=False))
def test_a_call_taken_back_leaves_what_the_others_make_or_nothing_changes(calls: list[Call], random: Any) -> None:
    dungeon = Dungeon(limits="cases")
    numbered = [Call(call.tool, call.arguments, f"c{number}") for number, call in enumerate(calls)]
    done = [call for call in numbered if dungeon.run_sync(call).ok]
    gone = random.choice(done)
    other = Dungeon(limits="cases")
    rest = [other.run_sync(call).ok for call in done if call is not gone]
    before = dungeon.level
    try:
        dungeon.undo_sync(gone.id)
    except ToolError as error:
        assert "undo that first" in str(error)
        assert not all(rest)
        assert dungeon.level == before
        return
    assert all(rest)
    assert dungeon.level == other.level
    dungeon.redo_sync(gone.id)
    assert dungeon.level == before


@settings(deadline=None, max_examples=75)
@given(_TALK)
def test_all_taken_back_one_by_one_is_an_empty_level(calls: list[Call]) -> None:
    dungeon = Dungeon()
    befores = []
    for number, call in enumerate(calls):
        before = dungeon.level
        if dungeon.run_sync(Call(call.tool, call.arguments, f"c{number}")).ok:
            befores.append((f"c{number}", before))
    for call_id, before in reversed(befores):
        dungeon.undo_sync(call_id)
        assert dungeon.level == before


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["Hall", "Rat", "X"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)


@settings(deadline=None, max_examples=250)
@given(st.sampled_from(_SPECS).flatmap(lambda spec: st.tuples(st.just(spec.name), _anything(spec.properties))))
def test_no_arguments_raise(call: tuple[str, dict[str, Any]]) -> None:
    dungeon = Dungeon()
    dungeon.create_room("Hall", "A hall")
    result = dungeon.run_sync(Call(*call))
    assert result.fault in ("", "refused", "arguments"), result.error
    assert_possible(dungeon.state(), 20)


def _anything(properties: Any) -> st.SearchStrategy[dict[str, Any]]:
    likely = {name: _JSON | _FIELDS.get(name, st.just("Hall")) for name in properties}
    return st.fixed_dictionaries({}, optional={**likely, "else": _JSON})


@settings(deadline=None, max_examples=200)
@given(_TALK, st.data())
def test_a_level_with_something_else_in_it_is_refused_or_can_be(calls: list[Call], data: st.DataObject) -> None:
    dungeon = Dungeon()
    for call in calls[:8]:
        dungeon.run_sync(call)
    state: Any = json.loads(json.dumps(dungeon.state()))
    spot: Any = state
    while isinstance(spot, dict | list) and spot:
        key = data.draw(st.sampled_from(sorted(spot) if isinstance(spot, dict) else range(len(spot))))
        inside = spot[key]
        if not (isinstance(inside, dict | list) and inside) or data.draw(st.integers(0, 2)) == 0:
            spot[key] = data.draw(_JSON)
            break
        spot = inside
    try:
        again = dungeon_of(state)
    except BadFile:
        return
    assert_possible(again.state(), 20)
