"""How an MCP server is reached, how it is lost, and what is known of one that is gone. Knows no transport."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass

from toolmend.errors import BadOption

MESSAGE = 8 * 1024 * 1024
"""Bytes of a message of a server that are taken."""


class Lost(Exception):
    """The server is gone; its text says whether the call may have been made."""


class TooMuch(Lost):
    """The server sent more than is taken: it is left, and not asked for the same again."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How a server is reached: `seconds` for an answer, the variable that holds a bearer token, the variables that a
    command gets beside PATH, HOME and the like, the bytes of a message that are taken."""

    seconds: float = 30.0
    key_env: str = ""
    env: tuple[str, ...] = ()
    message: int = MESSAGE

    @property
    def too_much(self) -> TooMuch:
        """What is said of a longer one."""
        return TooMuch(f"the server sent a message of more than {self.message:,} bytes, and was left")


class Gone:
    """Whether the other side is gone, and why, where that is known."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.why: Lost | None = None

    def __call__(self, why: Lost | None = None) -> None:
        """It is gone; the first reason counts."""
        self.why = self.why or why
        self.over.set()


def variable(name: str) -> str:
    """A variable of the environment that a server is to get. Raises BadOption for one there is not."""
    value = os.environ.get(name)
    if value is None:
        raise BadOption(f"the environment has no variable {name}, which an MCP server is to get")
    return value
