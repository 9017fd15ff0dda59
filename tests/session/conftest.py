"""A talk with a model whose replies are given, and the events it tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolmend.base.messages import Reply
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.tools.toolboxes import Calendar


@pytest.fixture
def talk() -> Callable[..., tuple[Session, list[Any]]]:
    """A session on an empty calendar (or `tools`) whose model gives these replies, and its events as they come;
    every correction goes to the model unless it is to `mend`."""

    def make(*replies: str | Reply, tools: Any = None, mend: bool = False, **options: Any) -> tuple[Session, list[Any]]:
        events: list[Any] = []
        box = Calendar() if tools is None else tools
        return Session(Scripted(replies), box, sink=events.append, mend=mend, **options), events

    return make
