"""A small world, and talks in which a model's replies are given, role by role."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolmend.base.errors import ToolError
from toolmend.base.events import Guarded, Read, Replied
from toolmend.base.messages import Reply
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.tools import Toolbox, tool


class Cave(Toolbox):
    """Monsters in a cave, three at most."""

    quick = True

    def __init__(self) -> None:
        self.monsters: dict[str, int] = {}

    @tool
    def add_monster(self, name: str, hp: int = 5) -> str:
        """Add a monster. There may be three.

        Args:
            name: what it is called
            hp: its health points, 1 to 20
        """
        if name in self.monsters:
            raise ToolError(f"there is a {name} already; choose another name")
        if not 1 <= hp <= 20:
            raise ToolError(f"hp must be 1 to 20, got {hp}")
        if len(self.monsters) == 3:
            raise ToolError("the cave is full")
        self.monsters[name] = hp
        return f"{name} is there now."

    @tool
    def remove_monster(self, name: str) -> str:
        """Remove a monster."""
        if name not in self.monsters:
            raise ToolError(f"there is no {name}")
        del self.monsters[name]
        return f"{name} is gone."

    @tool
    def clear(self) -> str:
        """Remove all monsters."""
        if not self.monsters:
            raise ToolError("the cave is empty already")
        self.monsters.clear()
        return "All are gone."

    def snapshot(self) -> dict[str, int]:
        return dict(self.monsters)

    def restore(self, state: dict[str, int]) -> None:
        self.monsters = dict(state)

    def state(self) -> dict[str, int]:
        return dict(sorted(self.monsters.items()))

    def view(self) -> str:
        return ", ".join(f"{name} ({hp} hp)" for name, hp in self.monsters.items()) or "an empty cave"


class Played(Session):
    """A session with what was told of it."""

    heard: list[Any]

    @property
    def roles_asked(self) -> list[str]:
        return [event.role for event in self.heard if isinstance(event, Replied)]

    @property
    def flags(self) -> list[tuple[str, str]]:
        return [(event.guard, event.detail) for event in self.heard if isinstance(event, Guarded)]

    @property
    def reads(self) -> list[Read]:
        return [event for event in self.heard if isinstance(event, Read)]

    def asked(self, number: int) -> Any:
        """The messages of one request to the main model."""
        return self.model.requests[number].messages


@pytest.fixture
def play() -> Callable[..., Played]:
    """A session with a strategy whose model gives these replies, in order, whatever the role."""

    def make(strategy: Any, *replies: str | Reply, tools: Any = None, **options: Any) -> Played:
        heard: list[Any] = []
        session = Played(Scripted(replies), tools or Cave(), strategy, sink=heard.append, mend=False, **options)
        session.heard = heard
        return session

    return make
