"""What a dungeon allows: the limits of a profile, and whether something is within them. Knows no tools and no map.

`published` has the limits of the published domain; `cases` those that its test cases need, whose starting levels were
made with up to 1000 hit points and with rooms created while a corridor was current. Refusals say what is allowed.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from toolmend.base.errors import ToolError
from toolmend.extras.worlds.dungeon.level import Attack, Enemy, EntityType, Room, Trap, Treasure
from toolmend.tools.texts import shown

Span = tuple[float, float]
Fitted = TypeVar("Fitted", bound=Attack | Enemy | Trap | Treasure | Room)

LONGEST_NAME = 80
LONGEST_TEXT = 2000
POSITIONS = 4
_UNPRINTABLE = ("Cc", "Cs")
_NO_CHARACTERS = "\ufffe\uffff"


@dataclass(frozen=True, slots=True)
class ProfileLimits:
    """The numbers of a profile; spans include both ends. `new_corridor` is the length that a new room comes with."""

    name: str
    hp: Span = (1, 20)
    dodge: Span = (0.1, 1)
    prot: Span = (0, 1)
    spd: Span = (0.1, 1)
    accuracy: Span = (0, 1)
    damage: Span = (0, 5)
    heal: Span = (-5, 0)
    corridor_length: tuple[int, int] = (2, 4)
    new_corridor: int = 2
    enemy: int = 4
    trap: int = 1
    treasure: int = 1
    attacks: int = 4
    rooms_from_corridors: bool = False

    def most(self, kind: EntityType) -> int:
        """How many entities of a kind one encounter may hold."""
        count: int = getattr(self, kind)
        return count

    def length(self, value: int) -> int:
        """The length of a corridor. Raises ToolError."""
        _within("corridor_length", value, self.corridor_length)
        return value

    def fitted(self, thing: Fitted) -> Fitted:
        """The same within the limits, white space in its texts collapsed. Raises ToolError for what is not."""
        spans, changed = self.spans(), dict[str, Any]()
        for name in (field.name for field in fields(thing)):
            value = getattr(thing, name)
            if name == "base_dmg" and isinstance(thing, Attack):
                span = self.damage if thing.type == "damage" else self.heal
                changed[name] = _within(name, value, span, f" for an attack of type {thing.type}")
            elif name in spans:
                changed[name] = _within(name, value, spans[name])
            elif name.endswith("_positions"):
                if len(value) != POSITIONS or set(value) - set("XO"):
                    wanted = f"{POSITIONS} characters, each X or O, such as XXOO"
                    raise ToolError(f"{name} must be {wanted}, got {shown(value)}")
            elif name == "name":
                changed[name] = line_of(name, value, LONGEST_NAME)
            elif isinstance(value, str):
                changed[name] = line_of(name, value)
        return replace(thing, **changed)

    def damage_text(self) -> str:
        """What each type of attack may do."""
        return f"{span_text(self.damage)} for damage, {span_text(self.heal)} for heal"

    def spans(self) -> dict[str, Span]:
        """The parameters of the tools that are limited numbers."""
        either = (self.heal[0], self.damage[1])
        stats = {name: getattr(self, name) for name in ("hp", "dodge", "prot", "spd", "accuracy", "corridor_length")}
        return {**stats, "base_dmg": either}


PUBLISHED = ProfileLimits("published")
CASES = ProfileLimits("cases", hp=(1, 1000), rooms_from_corridors=True)
PROFILES = {profile.name: profile for profile in (PUBLISHED, CASES)}


def line_of(what: str, value: str, longest: int = LONGEST_TEXT) -> str:
    """One line of text, white space collapsed. Raises ToolError where it is empty, too long or cannot be printed."""
    line = " ".join(value.split())
    if not line:
        raise ToolError(f"{what} must not be empty")
    if len(line) > longest:
        raise ToolError(f"{what} must have at most {longest} characters, got {len(line)}")
    if any(unicodedata.category(char) in _UNPRINTABLE or char in _NO_CHARACTERS for char in line):
        raise ToolError(f"{what} must not hold control characters")
    return line


def number(value: float) -> str:
    """A number as people write it: 5, not 5.0."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return shown(value)


def span_text(span: Span) -> str:
    """`1 to 20`."""
    return f"{number(span[0])} to {number(span[1])}"


def _within(what: str, value: float, span: Span, where: str = "") -> float:
    if not span[0] <= value <= span[1]:
        raise ToolError(f"{what} must be {span_text(span)}{where}, got {number(value)}")
    return float(value)
