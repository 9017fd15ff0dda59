"""A level as JSON, written and read strictly. Knows no tools; what may stand in a level is what rules.py allows.

The shape is that of `Dungeon.state()`: {"current", "rooms": [{name, description, coords, encounter: {enemy, trap,
treasure}}], "corridors": [{name, room_from, room_to, direction, length, coords, cells}]}; what is empty in an encounter
is left out. In reading, encounters may be missing, and of corridors what follows from the rest: name, coords, cells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

import pydantic

from toolmend.base.errors import BadFile, ToolError
from toolmend.extras.worlds.dungeon.level import KINDS, Coords, Corridor, Direction, Encounter, Enemy, Level, Room
from toolmend.extras.worlds.dungeon.places import away, clash, squares
from toolmend.extras.worlds.dungeon.rules import ProfileLimits
from toolmend.tools.texts import folded, refusals, shown

_NAME = "dungeon JSON"
_FARTHEST = 1_000_000


@dataclass(frozen=True)
class _CorridorRow:
    room_from: str
    room_to: str
    direction: Direction
    length: int
    cells: tuple[Encounter, ...] | None = None
    name: str | None = None
    coords: tuple[Coords, ...] | None = None


@dataclass(frozen=True)
class _LevelRow:
    current: str
    rooms: tuple[Room, ...]
    corridors: tuple[_CorridorRow, ...]


_SHAPE = pydantic.TypeAdapter(_LevelRow)


def write_level(level: Level) -> dict[str, Any]:
    """The level as JSON-able data."""
    rooms = [
        {**asdict(room), "coords": list(room.coords), "encounter": _encounter(room.encounter)} for room in level.rooms
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


def read_level(data: Mapping[str, Any], limits: ProfileLimits) -> Level:
    """The level that such data says. Raises BadFile, which says where it is wrong."""
    try:
        row = _SHAPE.validate_json(json.dumps(data), strict=True, extra="forbid")
    except pydantic.ValidationError as error:
        raise BadFile(
            _NAME, refusals(error.errors(include_url=False), data, ("current", "rooms", "corridors"))
        ) from error
    except (TypeError, ValueError, RecursionError) as error:
        raise BadFile(_NAME, f"no JSON: {error}") from error
    level = Level()
    try:
        for room in row.rooms:
            level = replace(level, rooms=(*level.rooms, _room(room, limits)))
        _check_names("places", level.places)
        coords = {room.name: room.coords for room in level.rooms}
        for corridor in row.corridors:
            level = replace(level, corridors=(*level.corridors, _corridor(corridor, coords, limits)))
        _check_names("places", level.places)
        if found := clash(level):
            square, one, other = found
            raise ToolError(f"{shown(one.name)} and {shown(other.name)} both lie at {list(square)}")
        if row.current not in ([place.name for place in level.places] or [""]):
            raise ToolError(f"current: {shown(row.current)} names no room and no corridor of the level")
    except ToolError as error:
        raise BadFile(_NAME, str(error)) from error
    return replace(level, current=row.current)


def _encounter(encounter: Encounter) -> dict[str, Any]:
    """As JSON-able data, without what is empty."""
    kinds: dict[str, Any] = {
        kind: [asdict(entity) for entity in encounter.of(kind)] for kind in KINDS if encounter.of(kind)
    }
    for enemy in kinds.get("enemy", ()):
        if attacks := list(enemy.pop("attacks")):
            enemy["attacks"] = attacks
    return kinds


def _room(room: Room, limits: ProfileLimits) -> Room:
    """The room within the limits. Raises ToolError."""
    where = f"the room {shown(room.name)}"
    if any(abs(value) >= _FARTHEST for value in room.coords):
        raise ToolError(f"{where}: coords: should be nearer to 0 than {_FARTHEST}")
    if room.encounter.trap:
        raise ToolError(f"{where}: traps go into corridors only")
    with _told(where):
        return limits.fitted(replace(room, encounter=_checked(room.encounter, limits)))


def _corridor(row: _CorridorRow, rooms: Mapping[str, Coords], limits: ProfileLimits) -> Corridor:
    """The corridor within the limits, between rooms that are there. Raises ToolError."""
    where = f"the corridor {shown(f'{row.room_from}-{row.room_to}')}"
    for name in (row.room_from, row.room_to):
        if name not in rooms:
            raise ToolError(f"{where}: there is no room {shown(name)}")
    if row.room_from == row.room_to:
        raise ToolError(f"{where}: it joins {shown(row.room_from)} to itself")
    with _told(where):
        length = limits.length(row.length)
    start = rooms[row.room_from]
    if away(start, row.direction, length + 1) != rooms[row.room_to]:
        right = f"{length + 1} squares {row.direction} of {shown(row.room_from)}"
        raise ToolError(f"{where}: {shown(row.room_to)} does not lie {right}")
    cells = []
    for number, cell in enumerate((Encounter(),) * length if row.cells is None else row.cells, 1):
        with _told(f"{where}: cell {number}"):
            cells.append(_checked(cell, limits))
    corridor = Corridor(row.room_from, row.room_to, row.direction, tuple(cells))
    path = tuple(away(start, row.direction, step) for step in range(1, length + 1))
    follows: Any = (("name", row.name, corridor.name), ("coords", row.coords, path))
    for what, said, right in follows:
        if said not in (None, right):
            raise ToolError(f"{where}: {what} should be {right}, is {shown(said)}")
    if len(cells) != length:
        raise ToolError(f"{where}: it has {len(cells)} cells, but its length is {length}")
    return corridor


def _checked(encounter: Encounter, limits: ProfileLimits) -> Encounter:
    """The encounter within the limits. Raises ToolError."""
    made = Encounter()
    for kind in KINDS:
        for entity in encounter.of(kind):
            with _told(f"{kind} {shown(entity.name)}"):
                fitted = limits.fitted(entity)
                if isinstance(fitted, Enemy):
                    fitted = replace(fitted, attacks=tuple(limits.fitted(attack) for attack in fitted.attacks))
                    _check_names("attacks", fitted.attacks)
                    if len(fitted.attacks) > limits.attacks:
                        raise ToolError(f"more than {limits.attacks} attacks")
                if made.find(kind, fitted.name):
                    raise ToolError("there are two of that name")
            made = made.putting(fitted)
        if len(made.of(kind)) > limits.most(kind):
            raise ToolError(f"more than {limits.most(kind)} of kind {kind}")
    return made


@contextmanager
def _told(where: str) -> Iterator[None]:
    """Tell of a refusal where it is."""
    try:
        yield
    except ToolError as error:
        raise ToolError(f"{where}: {error}") from error


def _check_names(kind: str, things: Any) -> None:
    seen: set[str] = set()
    for thing in things:
        if folded(thing.name) in seen:
            raise ToolError(f"two {kind} are called {shown(thing.name)}")
        seen.add(folded(thing.name))
