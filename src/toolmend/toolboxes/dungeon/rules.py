"""What a dungeon allows: the limits of a profile, and the making of entities within them. Knows no tools and no map.

`published` has the limits of the published domain; `cases` those that its test cases need, whose starting levels were
made with up to 1000 hit points and with rooms created while a corridor was current. Refusals say what is allowed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from toolmend.errors import ToolError
from toolmend.toolboxes.dungeon.level import Attack, AttackType, Enemy, EntityType, Trap, Treasure
from toolmend.tools.texts import shown

Span = tuple[float, float]

LONGEST_NAME = 80
LONGEST_TEXT = 2000
POSITIONS = 4
_UNPRINTABLE = ("Cc", "Cs")
_NO_CHARACTERS = "\ufffe\uffff"


@dataclass(frozen=True, slots=True)
class Limits:
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
    enemies: int = 4
    traps: int = 1
    treasures: int = 1
    attacks: int = 4
    rooms_from_corridors: bool = False

    def most(self, kind: EntityType) -> int:
        """How many entities of a kind one encounter may hold."""
        return {"enemy": self.enemies, "trap": self.traps, "treasure": self.treasures}[kind]

    def length(self, value: int) -> int:
        """The length of a corridor. Raises ToolError."""
        if type(value) is not int:
            raise ToolError(f"corridor_length must be a whole number, got {shown(value)}")
        _within("corridor_length", value, self.corridor_length)
        return value

    def enemy(
        self, name: str, description: str, species: str, stats: Mapping[str, Any], attacks: tuple[Attack, ...] = ()
    ) -> Enemy:
        """An enemy within the limits; `stats` are its hp, dodge, prot and spd. Raises ToolError."""
        return Enemy(
            label("name", name),
            text("description", description),
            text("species", species),
            _within("hp", stats["hp"], self.hp),
            _within("dodge", stats["dodge"], self.dodge),
            _within("prot", stats["prot"], self.prot),
            _within("spd", stats["spd"], self.spd),
            attacks,
        )

    def attack(
        self,
        name: str,
        description: str,
        attack_type: str,
        positions: tuple[str, str],
        base_dmg: float,
        accuracy: float,
    ) -> Attack:
        """An attack within the limits; `positions` are where it starts and what it reaches. Raises ToolError."""
        if attack_type not in get_args(AttackType):
            raise ToolError(f"attack_type must be {' or '.join(get_args(AttackType))}, got {shown(attack_type)}")
        span = self.damage if attack_type == "damage" else self.heal
        return Attack(
            label("name", name),
            text("description", description),
            cast(AttackType, attack_type),
            _positions("starting_positions", positions[0]),
            _positions("target_positions", positions[1]),
            _within("base_dmg", base_dmg, span, f" for an attack of type {attack_type}"),
            _within("accuracy", accuracy, self.accuracy),
        )

    def damage_text(self) -> str:
        """What each type of attack may do."""
        return f"{span_text(self.damage)} for damage, {span_text(self.heal)} for heal"

    def spans(self) -> dict[str, Span]:
        """The parameters of the tools that are limited numbers."""
        either = (self.heal[0], self.damage[1])
        stats = {"hp": self.hp, "dodge": self.dodge, "prot": self.prot, "spd": self.spd, "accuracy": self.accuracy}
        return {**stats, "base_dmg": either, "corridor_length": self.corridor_length}


PUBLISHED = Limits("published")
CASES = Limits("cases", hp=(1, 1000), rooms_from_corridors=True)
PROFILES = {profile.name: profile for profile in (PUBLISHED, CASES)}


def trap(name: str, description: str, effect: str) -> Trap:
    """A trap. Raises ToolError for texts that it cannot have."""
    return Trap(label("name", name), text("description", description), text("effect", effect))


def treasure(name: str, description: str, loot: str) -> Treasure:
    """A treasure. Raises ToolError for texts that it cannot have."""
    return Treasure(label("name", name), text("description", description), text("loot", loot))


def label(what: str, value: str) -> str:
    """A name: `text`, but short."""
    return text(what, value, LONGEST_NAME)


def text(what: str, value: str, longest: int = LONGEST_TEXT) -> str:
    """One line of text, white space collapsed. Raises ToolError where it is empty, too long or cannot be printed."""
    if not isinstance(value, str):
        raise ToolError(f"{what} must be text, got {shown(value)}")
    line = " ".join(value.split())
    if not line:
        raise ToolError(f"{what} must not be empty")
    if len(line) > longest:
        raise ToolError(f"{what} must have at most {longest} characters, got {len(line)}")
    if any(unicodedata.category(each) in _UNPRINTABLE or each in _NO_CHARACTERS for each in line):
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
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ToolError(f"{what} must be a number, {span_text(span)}{where}, got {shown(value)}")
    if not span[0] <= value <= span[1]:
        raise ToolError(f"{what} must be {span_text(span)}{where}, got {number(value)}")
    return float(value)


def _positions(what: str, value: str) -> str:
    if not isinstance(value, str) or len(value) != POSITIONS or set(value) - set("XO"):
        raise ToolError(f"{what} must be {POSITIONS} characters, each X or O, such as XXOO, got {shown(value)}")
    return value
