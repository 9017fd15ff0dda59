"""A small household in words, in the form of ALFWorld (Shridhar et al. 2021): rooms of places, things in and on them.

Somebody walks from place to place, opens, takes, cleans, heats, cools and puts. What cannot be done gives "Nothing
happens.", as there. The same seed lays the same house. Knows no model and no task.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from toolmend.agents.world import ValueBox
from toolmend.tools import tool

NOTHING = "Nothing happens."
OPENABLE = ("cabinet", "drawer", "fridge", "microwave")
PLACES = (
    *(f"cabinet {n}" for n in range(1, 5)),
    *(f"drawer {n}" for n in range(1, 4)),
    *("fridge 1", "microwave 1", "sinkbasin 1", "countertop 1", "countertop 2", "diningtable 1"),
    *("shelf 1", "desk 1", "garbagecan 1"),
)
THINGS = (
    *("mug 1", "mug 2", "plate 1", "plate 2", "bowl 1", "bowl 2", "apple 1", "apple 2", "tomato 1", "tomato 2"),
    *("potato 1", "potato 2", "spoon 1", "spoon 2", "knife 1", "book 1", "book 2", "pen 1", "pen 2", "cellphone 1"),
)
APPLIANCES = {"clean": "sinkbasin 1", "heat": "microwave 1", "cool": "fridge 1"}
LAMP, LAMP_PLACE = "desklamp 1", "desk 1"


def kind(name: str) -> str:
    """What a thing or place is: `mug` of `mug 2`."""
    return name.rpartition(" ")[0]


class Household(ValueBox):
    """The house of a seed. `where` is the place of every thing ("hand" for the one that is held), `done` what was done
    to it last (clean, heat, cool), `lit` what was held under the lamp."""

    kept = ("at", "open", "where", "done", "lit")

    def __init__(self, seed: str = "1") -> None:
        drawn = random.Random(f"household {seed}")
        rooms = [place for place in PLACES if kind(place) not in ("microwave", "garbagecan")]
        self.where: Mapping[str, str] = {thing: drawn.choice(rooms) for thing in THINGS}
        self.at, self.open = "", frozenset[str]()
        self.done: Mapping[str, str] = {}
        self.lit = ""

    def state(self) -> Mapping[str, Any]:
        """The world as JSON-able data."""
        return {**dict(zip(self.kept, self.snapshot(), strict=True)), "open": sorted(self.open)}

    @property
    def held(self) -> str:
        """The thing in the hand, "" for none."""
        return next((thing for thing, place in self.where.items() if place == "hand"), "")

    @tool
    def go_to(self, place: str) -> str:
        """Walk to a place, such as cabinet 1; tells what is there."""
        if place not in PLACES or place == self.at:
            return NOTHING
        self.at = place
        return self._seen()

    @tool
    def open_place(self, place: str) -> str:
        """Open the closed place where you are."""
        if place != self.at or kind(place) not in OPENABLE or place in self.open:
            return NOTHING
        self.open |= {place}
        return f"You open the {place}. {self._seen()}"

    @tool
    def close_place(self, place: str) -> str:
        """Close the open place where you are."""
        if place != self.at or place not in self.open:
            return NOTHING
        self.open -= {place}
        return f"You close the {place}."

    @tool
    def take(self, thing: str, place: str) -> str:
        """Take a thing, such as mug 1, from the place where you are; you can hold one."""
        if self.held or self.where.get(thing) != place or place != self.at or not self._reached():
            return NOTHING
        self.where = {**self.where, thing: "hand"}
        return f"You pick up the {thing} from the {place}."

    @tool
    def put(self, thing: str, place: str) -> str:
        """Put the thing that you hold in or on the place where you are."""
        if not thing or thing != self.held or place != self.at or not self._reached():
            return NOTHING
        self.where = {**self.where, thing: place}
        return f"You put the {thing} in/on the {place}."

    @tool
    def clean(self, thing: str) -> str:
        """Clean the thing that you hold, at the sinkbasin."""
        return self._changed("clean", thing)

    @tool
    def heat(self, thing: str) -> str:
        """Heat the thing that you hold, at the microwave."""
        return self._changed("heat", thing)

    @tool
    def cool(self, thing: str) -> str:
        """Cool the thing that you hold, at the fridge."""
        return self._changed("cool", thing)

    @tool
    def use_lamp(self) -> str:
        """Turn on the desklamp, at the desk; what you hold is seen in its light."""
        if self.at != LAMP_PLACE:
            return NOTHING
        self.lit = self.held
        return f"You turn on the {LAMP}."

    @tool(effect="read")
    def look(self) -> str:
        """What is here, and what you hold."""
        holding = f" You hold the {self.held}." if self.held else ""
        return (self._seen() if self.at else "You are in the middle of the room.") + holding

    def _changed(self, how: str, thing: str) -> str:
        if not thing or thing != self.held or self.at != APPLIANCES[how]:
            return NOTHING
        self.done = {**self.done, thing: how}
        return f"You {how} the {thing} with the {self.at}."

    def _reached(self) -> bool:
        return kind(self.at) not in OPENABLE or self.at in self.open

    def _seen(self) -> str:
        if not self._reached():
            return f"The {self.at} is closed."
        there = [thing for thing in THINGS if self.where[thing] == self.at]
        there += [LAMP] if self.at == LAMP_PLACE else []
        return f"At the {self.at} you see {', '.join(there) or 'nothing'}."
