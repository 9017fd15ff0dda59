"""Tests that need an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any


def alive(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that needs an event loop, and ends where it waits for ever."""

    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 280))

    return run
