"""Arenas for tests: people without models. A model here knows lunches, and what "It starts at one." asks for."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any

from toolmend.base.messages import Reply, Request, Usage
from toolmend.extras.arena import Arena, Contestant, Desk
from toolmend.models import Model, OnDelta
from toolmend.models.scripted import Scripted

LUNCH = "Lunch with Ada on 2024-05-03"
ALPHA, BETA = Contestant("maker/alpha-7b", "oneline"), Contestant("maker/beta-9b", "oneline")


def add(title: str, date: str = "2024-05-03", time: str = "12:00") -> str:
    """A call as models write it."""
    return f'action.add_calendar_entry("{title}", date="{date}", time="{time}")'


def clever(request: Request) -> Reply:
    """Adds the lunch that was asked for last; at one if the last message says so, garbage if it says garbage."""
    said = [message.content for message in request.messages if message.role == "user"]
    found = next((m for text in reversed(said) if (m := re.match(r"Lunch with (\w+) on (\S+)", text))), None)
    if found is None or "garbage" in said[-1]:
        return Reply("I am maker/alpha-7b, a model made by Alibaba Cloud.", usage=Usage(10, 5, 0.1))
    time = "13:00" if "one" in said[-1] else "12:00"
    return Reply(add(f"Lunch with {found[1]}", found[2], time), usage=Usage(10, 20, 0.1))


def stubborn(request: Request) -> Reply:
    """Never mends anything."""
    said = [message.content for message in request.messages if message.role == "user"]
    found = re.match(r"Lunch with (\w+) on (\S+)", said[0])
    return Reply(add(f"Lunch with {found[1]}", found[2]) if found else "Hm.", usage=Usage(10, 20, 0.2))


class Slow:
    """A model that says the first half of its reply, and the rest when `go` is set."""

    def __init__(self, name: str = "maker/slow-1b") -> None:
        self.name, self.abilities = name, Scripted.abilities
        self.go, self.begun = asyncio.Event(), asyncio.Event()

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        text = clever(request).text
        if on_delta:
            on_delta(text[:10])
        self.begun.set()
        await self.go.wait()
        return Reply(text)


def models() -> dict[str, Model]:
    """One that listens and one that does not."""
    return {ALPHA.model: Scripted(clever, ALPHA.model), BETA.model: Scripted(stubborn, BETA.model)}


def make(place: Any, given: Mapping[str, Model] | None = None, **options: Any) -> Arena:
    """An arena of these models, all of them with one line of Python, and asked for every correction."""
    given = given or models()
    who = [Contestant(name, "oneline") for name in given]
    return Arena(place, who, models=given, **{"mend": False, **options})


async def fought(arena: Arena, person: str) -> Desk:
    """A battle over lunch that both sides have answered."""
    desk = await arena.battle(person, LUNCH)
    assert desk.flow is not None
    await desk.flow
    return desk


def alive(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that needs an event loop, and ends where it waits for ever."""

    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 280))

    return run
