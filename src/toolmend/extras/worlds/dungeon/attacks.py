"""The tools that give an enemy attacks, change them and take them away.

The published domain cannot update an attack and lets two have one name; here names are unique within an enemy.
"""

from __future__ import annotations

from dataclasses import replace

from toolmend.base.errors import ToolError
from toolmend.extras.worlds.dungeon.level import Attack, AttackType, Enemy, Place
from toolmend.extras.worlds.dungeon.world import World
from toolmend.tools import tool
from toolmend.tools.texts import folded, shown


class AttackTools(World):
    """Adding, updating and removing attacks."""

    @tool
    def add_attack(
        self,
        room_name: str,
        cell_index: int,
        enemy_name: str,
        name: str,
        description: str,
        attack_type: AttackType,
        starting_positions: str,
        target_positions: str,
        base_dmg: float,
        accuracy: float,
    ) -> str:
        """Give an enemy an attack.

        Args:
            room_name: the room or corridor that the enemy is in
            cell_index: -1 in a room, else the number of the corridor's cell, from 1
            enemy_name: the name of the enemy
            name: the name of the attack, which no other attack of this enemy has
            description: what the attack looks like
            attack_type: damage hurts the others, heal heals the enemy's own side
            starting_positions: where the enemy may stand to attack: four characters, X for yes and O for no
            target_positions: what the attack reaches: four characters, X for yes and O for no
            base_dmg: how much it hurts or heals
            accuracy: how likely it is to hit
        """
        place = self._place(room_name)
        enemy = self._enemy(place, cell_index, enemy_name)
        positions = starting_positions, target_positions
        attack = self.limits.fitted(Attack(name, description, attack_type, *positions, base_dmg, accuracy))
        _refuse_twice(enemy, attack.name)
        if len(enemy.attacks) >= self.limits.attacks:
            raise ToolError(f"{shown(enemy.name)} cannot have more than {self.limits.attacks} attacks; {_has(enemy)}")
        self._arm(place, cell_index, enemy, (*enemy.attacks, attack))
        return f"added the attack {shown(attack.name)} to {shown(enemy.name)}"

    @tool
    def update_attack(
        self,
        room_name: str,
        cell_index: int,
        enemy_name: str,
        reference_name: str,
        name: str,
        description: str,
        attack_type: AttackType,
        starting_positions: str,
        target_positions: str,
        base_dmg: float,
        accuracy: float,
    ) -> str:
        """Change an attack of an enemy; give what stays as it is again.

        Args:
            room_name: the room or corridor that the enemy is in
            cell_index: -1 in a room, else the number of the corridor's cell, from 1
            enemy_name: the name of the enemy
            reference_name: the name of the attack so far
            name: its name from now on
            description: what it looks like from now on
            attack_type: damage hurts the others, heal heals the enemy's own side
            starting_positions: where the enemy may stand to attack: four characters, X for yes and O for no
            target_positions: what the attack reaches: four characters, X for yes and O for no
            base_dmg: how much it hurts or heals
            accuracy: how likely it is to hit
        """
        place = self._place(room_name)
        enemy = self._enemy(place, cell_index, enemy_name)
        old = _attack(enemy, reference_name)
        positions = starting_positions, target_positions
        new = self.limits.fitted(Attack(name, description, attack_type, *positions, base_dmg, accuracy))
        if folded(new.name) != folded(old.name):
            _refuse_twice(enemy, new.name)
        self._arm(place, cell_index, enemy, tuple(new if attack is old else attack for attack in enemy.attacks))
        return f"updated the attack {shown(new.name)} of {shown(enemy.name)}"

    @tool
    def remove_attack(self, room_name: str, cell_index: int, enemy_name: str, name: str) -> str:
        """Take an attack away from an enemy.

        Args:
            room_name: the room or corridor that the enemy is in
            cell_index: -1 in a room, else the number of the corridor's cell, from 1
            enemy_name: the name of the enemy
            name: the name of the attack
        """
        place = self._place(room_name)
        enemy = self._enemy(place, cell_index, enemy_name)
        gone = _attack(enemy, name)
        self._arm(place, cell_index, enemy, tuple(attack for attack in enemy.attacks if attack is not gone))
        return f"removed the attack {shown(gone.name)} of {shown(enemy.name)}"

    def _arm(self, place: Place, cell_index: int, enemy: Enemy, attacks: tuple[Attack, ...]) -> None:
        self._put(place, cell_index, replace(enemy, attacks=attacks), enemy)


def _attack(enemy: Enemy, name: str) -> Attack:
    for attack in enemy.attacks:
        if folded(attack.name) == folded(name):
            return attack
    raise ToolError(f"{shown(enemy.name)} has no attack {shown(name)}; {_has(enemy)}")


def _refuse_twice(enemy: Enemy, name: str) -> None:
    if any(folded(attack.name) == folded(name) for attack in enemy.attacks):
        raise ToolError(f"{shown(enemy.name)} has an attack {shown(name)} already; choose another name")


def _has(enemy: Enemy) -> str:
    return f"it has: {', '.join(shown(attack.name) for attack in enemy.attacks) or 'none'}"
