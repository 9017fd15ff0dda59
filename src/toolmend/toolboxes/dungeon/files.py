"""A level as JSON, written and read strictly. Knows no tools; what may stand in a level is what rules.py lets be made.

The shape is that of `Dungeon.state()`: {"current", "rooms": [{name, description, coords, encounter: {enemy, trap,
treasure}}], "corridors": [{name, room_from, room_to, direction, length, coords, cells}]}; what is empty in an encounter
is left out. In reading, encounters may be missing, and of corridors what follows from the rest: name, coords, cells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from toolmend.errors import BadFile, ToolError
from toolmend.toolboxes.dungeon import rules
from toolmend.toolboxes.dungeon.level import (
    KINDS,
    Attack,
    Corridor,
    Encounter,
    Enemy,
    Entity,
    EntityType,
    Level,
    Room,
    Trap,
)
from toolmend.toolboxes.dungeon.places import DIRECTIONS, away, clash, squares
from toolmend.toolboxes.dungeon.rules import Limits
from toolmend.tools.texts import folded, shown

_NAME = "dungeon JSON"
_FARTHEST = 1_000_000
_STATS = ("hp", "dodge", "prot", "spd")
_FIELDS: dict[EntityType, tuple[str, ...]] = {
    "enemy": ("name", "description", "species", *_STATS),
    "trap": ("name", "description", "effect"),
    "treasure": ("name", "description", "loot"),
}
_ATTACK = ("name", "description", "type", "starting_positions", "target_positions", "base_dmg", "accuracy")


def write_level(level: Level) -> dict[str, Any]:
    """The level as JSON-able data."""
    rooms = [
        {
            "name": room.name,
            "description": room.description,
            "coords": list(room.coords),
            "encounter": _encounter(room.encounter),
        }
        for room in level.rooms
    ]
    corridors = [
        {
            "name": corridor.name,
            "room_from": corridor.room_from,
            "room_to": corridor.room_to,
            "direction": corridor.direction,
            "length": corridor.length,
            "coords": [list(square) for square in squares(level, corridor)],
            "cells": [_encounter(cell) for cell in corridor.cells],
        }
        for corridor in level.corridors
    ]
    return {"current": level.current, "rooms": rooms, "corridors": corridors}


def read_level(data: Any, limits: Limits) -> Level:
    """The level that such data says. Raises BadFile, which says where it is wrong."""
    head = _object(data, ("current", "rooms", "corridors"), (), "the level")
    rooms = [_room(each, f"room {number}", limits) for number, each in _items(head["rooms"], "rooms")]
    level = Level(tuple(rooms))
    _check_names(level)
    coords = {room.name: room.coords for room in rooms}
    corridors = [
        _corridor(each, f"corridor {number}", limits, coords) for number, each in _items(head["corridors"], "corridors")
    ]
    level = Level(tuple(rooms), tuple(corridors), head["current"])
    _check_names(level)
    if found := clash(level):
        square, one, other = found
        raise BadFile(_NAME, f"{shown(one.name)} and {shown(other.name)} both lie at {list(square)}")
    if level.current not in ([place.name for place in level.places] or [""]):
        raise BadFile(_NAME, f"current: {shown(level.current)} names no room and no corridor of the level")
    return level


def decoded(text: str) -> Any:
    """What JSON text says. Raises BadFile."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadFile(_NAME, f"no JSON: {error.msg}", error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise BadFile(_NAME, f"no JSON: {error}") from error


def _encounter(encounter: Encounter) -> dict[str, Any]:
    return {kind: [_entity(each) for each in encounter.of(kind)] for kind in KINDS if encounter.of(kind)}


def _entity(entity: Entity) -> dict[str, Any]:
    plain = {"name": entity.name, "description": entity.description}
    if isinstance(entity, Enemy):
        stats = {stat: getattr(entity, stat) for stat in _STATS}
        attacks = [{field: getattr(attack, field) for field in _ATTACK} for attack in entity.attacks]
        return {**plain, "species": entity.species, **stats, **({"attacks": attacks} if attacks else {})}
    return {**plain, "effect": entity.effect} if isinstance(entity, Trap) else {**plain, "loot": entity.loot}


def _room(data: Any, where: str, limits: Limits) -> Room:
    fields = _object(data, ("name", "description", "coords"), ("encounter",), where)
    name, description = _texts(fields, ("name", "description"), where)
    encounter = _read_encounter(fields.get("encounter", {}), f"{where} ({shown(name)})", limits)
    if encounter.traps:
        raise BadFile(_NAME, f"{where} ({shown(name)}): traps go into corridors only")
    return Room(name, description, _coords(fields["coords"], f"{where}: coords"), encounter)


def _corridor(data: Any, where: str, limits: Limits, rooms: Mapping[str, tuple[int, int]]) -> Corridor:
    required = ("room_from", "room_to", "direction", "length")
    fields = _object(data, required, ("name", "coords", "cells"), where)
    start, end, direction = (fields[name] for name in required[:3])
    for name in (start, end):
        if not isinstance(name, str) or name not in rooms:
            raise BadFile(_NAME, f"{where}: there is no room {shown(name)}")
    if start == end:
        raise BadFile(_NAME, f"{where}: it joins {shown(start)} to itself")
    side = next((each for each in DIRECTIONS if each == direction), None)
    if side is None:
        raise BadFile(_NAME, f"{where}: direction should be one of {', '.join(DIRECTIONS)}, is {shown(direction)}")
    try:
        length = limits.length(fields["length"])
    except ToolError as error:
        raise BadFile(_NAME, f"{where}: {error}") from error
    if away(rooms[start], side, length + 1) != rooms[end]:
        raise BadFile(_NAME, f"{where}: {shown(end)} does not lie {length + 1} squares {side} of {shown(start)}")
    cells = tuple(
        _read_encounter(cell, f"{where}: cell {number}", limits)
        for number, cell in _items(fields.get("cells", [{}] * length), f"{where}: cells")
    )
    corridor = Corridor(start, end, side, cells)
    path = [list(away(rooms[start], side, step)) for step in range(1, length + 1)]
    follows = {"name": corridor.name, "coords": path}
    for name, value in follows.items():
        if fields.get(name, value) != value:
            raise BadFile(_NAME, f"{where}: {name} should be {value}, is {shown(fields[name])}")
    if len(cells) != length:
        raise BadFile(_NAME, f"{where}: it has {len(cells)} cells, but its length is {length}")
    return corridor


def _read_encounter(data: Any, where: str, limits: Limits) -> Encounter:
    fields = _object(data, (), KINDS, f"{where}: the encounter")
    encounter = Encounter()
    for kind in KINDS:
        for number, each in _items(fields.get(kind, []), f"{where}: {kind}"):
            entity = _read_entity(kind, each, f"{where}: {kind} {number}", limits)
            if encounter.find(kind, entity.name):
                raise BadFile(_NAME, f"{where}: two of kind {kind} are called {shown(entity.name)}")
            encounter = encounter.adding(entity)
        if len(encounter.of(kind)) > limits.most(kind):
            raise BadFile(_NAME, f"{where}: more than {limits.most(kind)} of kind {kind}")
    return encounter


def _read_entity(kind: EntityType, data: Any, where: str, limits: Limits) -> Entity:
    fields = _object(data, _FIELDS[kind], ("attacks",) if kind == "enemy" else (), where)
    name, description, last = (fields[field] for field in _FIELDS[kind][:3])
    attacks = _attacks(fields.get("attacks", []), where, limits)
    try:
        if kind == "enemy":
            return limits.enemy(name, description, last, fields, attacks)
        return (rules.trap if kind == "trap" else rules.treasure)(name, description, last)
    except ToolError as error:
        raise BadFile(_NAME, f"{where}: {error}") from error


def _attacks(data: Any, where: str, limits: Limits) -> tuple[Attack, ...]:
    attacks: dict[str, Attack] = {}
    for number, each in _items(data, f"{where}: attacks"):
        spot = f"{where}: attack {number}"
        name, description, kind, start, target, damage, accuracy = _object(each, _ATTACK, (), spot).values()
        try:
            attack = limits.attack(name, description, kind, (start, target), damage, accuracy)
        except ToolError as error:
            raise BadFile(_NAME, f"{spot}: {error}") from error
        if attacks.setdefault(folded(attack.name), attack) is not attack:
            raise BadFile(_NAME, f"{where}: two attacks are called {shown(attack.name)}")
    if len(attacks) > limits.attacks:
        raise BadFile(_NAME, f"{where}: more than {limits.attacks} attacks")
    return tuple(attacks.values())


def _object(data: Any, required: tuple[str, ...], optional: tuple[str, ...], where: str) -> dict[str, Any]:
    """The fields in the order asked for."""
    if not isinstance(data, Mapping) or not set(required) <= set(data) <= {*required, *optional}:
        parts = [f"exactly {', '.join(required)}"] if required else []
        parts += [f"{'if wanted ' if required else 'nothing but '}{', '.join(optional)}"] if optional else []
        raise BadFile(_NAME, f"{where}: should be an object with {' and '.join(parts)}")
    return {name: data[name] for name in (*required, *optional) if name in data}


def _items(data: Any, where: str) -> Iterator[tuple[int, Any]]:
    if not isinstance(data, (list, tuple)):
        raise BadFile(_NAME, f"{where}: should be a list")
    return enumerate(data, 1)


def _coords(data: Any, where: str) -> tuple[int, int]:
    if not isinstance(data, (list, tuple)) or len(data) != 2 or not all(_is_coordinate(each) for each in data):
        raise BadFile(_NAME, f"{where}: should be two whole numbers, nearer to 0 than {_FARTHEST}")
    return data[0], data[1]


def _is_coordinate(value: Any) -> bool:
    return type(value) is int and abs(value) < _FARTHEST


def _texts(fields: Mapping[str, Any], names: tuple[str, str], where: str) -> tuple[str, str]:
    try:
        return rules.label(names[0], fields[names[0]]), rules.text(names[1], fields[names[1]])
    except ToolError as error:
        raise BadFile(_NAME, f"{where}: {error}") from error


def _check_names(level: Level) -> None:
    seen: set[str] = set()
    for place in level.places:
        if folded(place.name) in seen:
            raise BadFile(_NAME, f"two places are called {shown(place.name)}")
        seen.add(folded(place.name))
