"""The checks that were published with LLMaker's requests, restated as predicates: what they pass, defects and all.

They look at counts at the place edited last and at little else (docs/worlds.md); toolmend's own strict checks are in
suites/llmaker/strict.yaml. Knows the dungeon's state as JSON, and no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.errors import BadOption

State = Mapping[str, Any]
Predicate = Mapping[str, Any]
Entities = list[Mapping[str, Any]]


@dataclass(frozen=True)
class PublishedCheck:
    """All of these predicates must hold: those of the domain, then those of the design."""

    predicates: tuple[Predicate, ...]

    def __post_init__(self) -> None:
        """Refuse a predicate that nobody knows. Raises BadOption."""
        for each in _every(self.predicates):
            if not isinstance(each, Mapping) or each.get("p") not in _KNOWN:
                raise BadOption(f"{each!r:.80} is no known predicate; known: {', '.join(sorted(_KNOWN))}")

    def holds(self, before: Any, after: Any) -> bool:
        """Whether the published check is passed."""
        return all(_holds(each, before, after) for each in self.predicates)


def _every(predicates: Sequence[Predicate]) -> Iterator[Predicate]:
    for each in predicates:
        yield each
        if isinstance(each, Mapping) and each.get("p") == "any":
            yield from _every(each.get("of", ()))


def _holds(each: Predicate, before: State, after: State) -> bool:
    return _KNOWN[each["p"]](each, before, after)


def _amount(each: Predicate, value: float) -> bool:
    """`eq` and `gt` of a predicate."""
    return ("eq" not in each or value == each["eq"]) and ("gt" not in each or value > each["gt"])


def _room(state: State) -> Mapping[str, Any] | None:
    return next((room for room in state["rooms"] if room["name"] == state["current"]), None)


def _corridor(state: State, name: str) -> Mapping[str, Any] | None:
    return next((each for each in state["corridors"] if each["name"] == name), None)


def _held(place: Mapping[str, Any] | None, kind: str) -> Entities:
    """The entities of a kind in a room, or in all cells of a corridor."""
    if place is None:
        return []
    encounters = [place["encounter"]] if "encounter" in place else place.get("cells", [])
    return [entity for encounter in encounters for entity in encounter.get(kind, [])]


def _here(state: State, kind: str) -> Entities:
    """The entities of a kind at the current place."""
    return _held(_room(state) or _corridor(state, state["current"]), kind)


def _delta_current(each: Predicate, before: State, after: State) -> bool:
    return _amount(each, len(_here(after, each["entity"])) - len(_here(before, each["entity"])))


def _delta_corridor(each: Predicate, before: State, after: State) -> bool:
    now, then = (_held(_corridor(state, after["current"]), each["entity"]) for state in (after, before))
    return _amount(each, len(now) - len(then))


def _delta_last_cell(each: Predicate, before: State, after: State) -> bool:
    def last(state: State) -> int:
        corridor = _corridor(state, after["current"])
        return len(corridor["cells"][-1].get(each["entity"], [])) if corridor else 0

    return _amount(each, last(after) - last(before))


def _each_room(each: Predicate, before: State, after: State) -> bool:
    then = {room["name"]: len(_held(room, each["entity"])) for room in before["rooms"]}
    now = {room["name"]: len(_held(room, each["entity"])) for room in after["rooms"]}
    return all(_amount(each, count - then.get(name, 0)) for name, count in now.items())


def _new(before: State, after: State, field: str) -> Entities:
    """The enemies here whose field says what none said here before."""
    known = {enemy[field] for enemy in _here(before, "enemy")}
    return [enemy for enemy in _here(after, "enemy") if enemy[field] not in known]


def _halved(each: Predicate, before: State, after: State) -> bool:
    then, now = (
        [enemy["hp"] for room in state["rooms"][:1] for enemy in _held(room, "enemy")][:1] for state in (before, after)
    )
    return bool(then and now) and now[0] == then[0] / 2


def _first(each: Predicate, enemies: Entities) -> bool:
    return bool(enemies) and _amount(each, enemies[0]["hp"])


Check = Callable[[Predicate, State, State], bool]

_KNOWN: dict[str, Check] = {
    "true": lambda each, before, after: True,
    "false": lambda each, before, after: False,
    "any": lambda each, before, after: any(_holds(one, before, after) for one in each["of"]),
    "unchanged": lambda each, before, after: before == after,
    "rooms": lambda each, before, after: _amount(each, len(after["rooms"])),
    "corridors": lambda each, before, after: _amount(each, len(after["corridors"])),
    "current_changed": lambda each, before, after: before["current"] != after["current"],
    "current_is_room": lambda each, before, after: _room(after) is not None,
    "current_is_corridor": lambda each, before, after: _corridor(after, after["current"]) is not None,
    "count_current": lambda each, before, after: _amount(each, len(_here(after, each["entity"]))),
    "delta_current": _delta_current,
    "delta_corridor": _delta_corridor,
    "delta_corridor_last_cell": _delta_last_cell,
    "each_room_delta": _each_room,
    "first_enemy_of_first_room_hp_halved": _halved,
    "first_enemy_hp": lambda each, before, after: _first(each, _here(after, "enemy")),
    "first_enemy_with_new_hp": lambda each, before, after: _first(each, _new(before, after, "hp")),
    "first_new_named_enemy_hp": lambda each, before, after: _first(each, _new(before, after, "name")),
    "new_named_enemies_hp_sum": lambda each, before, after: _amount(
        each, sum(enemy["hp"] for enemy in _new(before, after, "name"))
    ),
    "n_new_names": lambda each, before, after: _amount(each, len(_new(before, after, "name"))),
    "n_new_descriptions": lambda each, before, after: _amount(each, len(_new(before, after, "description"))),
}
