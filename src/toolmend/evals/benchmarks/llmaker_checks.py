"""The checks that were published with LLMaker's requests, restated as predicates: what they pass, defects and all.

They look at counts at the place edited last and at little else (docs/worlds.md); toolmend's own strict checks are in
suites/llmaker/strict.yaml. Knows the dungeon's state as JSON, and no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.base.errors import BadOption

State = Mapping[str, Any]
Predicate = Mapping[str, Any]
Entities = list[Mapping[str, Any]]


@dataclass(frozen=True)
class PublishedCheck:
    """All of these predicates must hold: those of the domain, then those of the design."""

    predicates: tuple[Predicate, ...]

    def __post_init__(self) -> None:
        """Refuse a predicate that nobody knows. Raises BadOption."""
        for predicate in _every(self.predicates):
            if not isinstance(predicate, Mapping) or predicate.get("p") not in _KNOWN:
                raise BadOption(f"{predicate!r:.80} is no known predicate; known: {', '.join(sorted(_KNOWN))}")

    def holds(self, before: Any, after: Any) -> bool:
        """Whether the published check is passed."""
        return all(_holds(predicate, before, after) for predicate in self.predicates)


def _every(predicates: Sequence[Predicate]) -> Iterator[Predicate]:
    for predicate in predicates:
        yield predicate
        if isinstance(predicate, Mapping) and predicate.get("p") == "any":
            yield from _every(predicate.get("of", ()))


def _holds(predicate: Predicate, before: State, after: State) -> bool:
    return _KNOWN[predicate["p"]](predicate, before, after)


def _amount(predicate: Predicate, value: float) -> bool:
    """`eq` and `gt` of a predicate."""
    return ("eq" not in predicate or value == predicate["eq"]) and ("gt" not in predicate or value > predicate["gt"])


def _room(state: State) -> Mapping[str, Any] | None:
    return next((room for room in state["rooms"] if room["name"] == state["current"]), None)


def _corridor(state: State, name: str) -> Mapping[str, Any] | None:
    return next((corridor for corridor in state["corridors"] if corridor["name"] == name), None)


def _held(place: Mapping[str, Any] | None, kind: str) -> Entities:
    """The entities of a kind in a room, or in all cells of a corridor."""
    if place is None:
        return []
    encounters = [place["encounter"]] if "encounter" in place else place.get("cells", [])
    return [entity for encounter in encounters for entity in encounter.get(kind, [])]


def _here(state: State, kind: str) -> Entities:
    """The entities of a kind at the current place."""
    return _held(_room(state) or _corridor(state, state["current"]), kind)


def _delta_current(predicate: Predicate, before: State, after: State) -> bool:
    return _amount(predicate, len(_here(after, predicate["entity"])) - len(_here(before, predicate["entity"])))


def _delta_corridor(predicate: Predicate, before: State, after: State) -> bool:
    now, then = (_held(_corridor(state, after["current"]), predicate["entity"]) for state in (after, before))
    return _amount(predicate, len(now) - len(then))


def _delta_last_cell(predicate: Predicate, before: State, after: State) -> bool:
    def last(state: State) -> int:
        corridor = _corridor(state, after["current"])
        return len(corridor["cells"][-1].get(predicate["entity"], [])) if corridor else 0

    return _amount(predicate, last(after) - last(before))


def _each_room(predicate: Predicate, before: State, after: State) -> bool:
    then = {room["name"]: len(_held(room, predicate["entity"])) for room in before["rooms"]}
    now = {room["name"]: len(_held(room, predicate["entity"])) for room in after["rooms"]}
    return all(_amount(predicate, count - then.get(name, 0)) for name, count in now.items())


def _new(before: State, after: State, field: str) -> Entities:
    """The enemies here whose field says what none said here before."""
    known = {enemy[field] for enemy in _here(before, "enemy")}
    return [enemy for enemy in _here(after, "enemy") if enemy[field] not in known]


def _halved(predicate: Predicate, before: State, after: State) -> bool:
    then, now = (
        [enemy["hp"] for room in state["rooms"][:1] for enemy in _held(room, "enemy")][:1] for state in (before, after)
    )
    return bool(then and now) and now[0] == then[0] / 2


def _first(predicate: Predicate, enemies: Entities) -> bool:
    return bool(enemies) and _amount(predicate, enemies[0]["hp"])


Check = Callable[[Predicate, State, State], bool]

_KNOWN: dict[str, Check] = {
    "true": lambda predicate, before, after: True,
    "false": lambda predicate, before, after: False,
    "any": lambda predicate, before, after: any(_holds(one, before, after) for one in predicate["of"]),
    "unchanged": lambda predicate, before, after: before == after,
    "rooms": lambda predicate, before, after: _amount(predicate, len(after["rooms"])),
    "corridors": lambda predicate, before, after: _amount(predicate, len(after["corridors"])),
    "current_changed": lambda predicate, before, after: before["current"] != after["current"],
    "current_is_room": lambda predicate, before, after: _room(after) is not None,
    "current_is_corridor": lambda predicate, before, after: _corridor(after, after["current"]) is not None,
    "count_current": lambda predicate, before, after: _amount(predicate, len(_here(after, predicate["entity"]))),
    "delta_current": _delta_current,
    "delta_corridor": _delta_corridor,
    "delta_corridor_last_cell": _delta_last_cell,
    "each_room_delta": _each_room,
    "first_enemy_of_first_room_hp_halved": _halved,
    "first_enemy_hp": lambda predicate, before, after: _first(predicate, _here(after, "enemy")),
    "first_enemy_with_new_hp": lambda predicate, before, after: _first(predicate, _new(before, after, "hp")),
    "first_new_named_enemy_hp": lambda predicate, before, after: _first(predicate, _new(before, after, "name")),
    "new_named_enemies_hp_sum": lambda predicate, before, after: _amount(
        predicate, sum(enemy["hp"] for enemy in _new(before, after, "name"))
    ),
    "n_new_names": lambda predicate, before, after: _amount(predicate, len(_new(before, after, "name"))),
    "n_new_descriptions": lambda predicate, before, after: _amount(predicate, len(_new(before, after, "description"))),
}
