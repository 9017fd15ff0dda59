"""What the tests of memory share: an empty stream whose clock stands, and events of a corrected call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from toolmend.base.events import Asked, Called, Corrected, Event, Undone
from toolmend.base.messages import Call, CallResult
from toolmend.base.mistakes import Correction
from toolmend.extras.memory import Stream

NOW = "2026-04-01T12:00:00.000000Z"


@pytest.fixture
def stream(tmp_path: Path) -> Iterator[Stream]:
    with Stream(tmp_path / "memory.db", "anna", clock=lambda: NOW) as made:
        yield made


@pytest.fixture
def corrected() -> Callable[..., list[Event]]:
    """`corrected(45)`: a call of a meeting of 30 minutes, and that it was made one of 45."""

    def make(now: Any, said: str = "make it longer", **beside: Any) -> list[Event]:
        arguments = {"title": "Team meeting", "duration": 30, **beside}
        first, second = Call("add", arguments, "c1"), Call("add", {**arguments, "duration": now}, "c2", "c1")
        return [
            Asked(0, "add it"),
            Called(0, first, CallResult("c1", "done")),
            Asked(1, said, 0),
            Corrected(1, Correction(said), 0),
            Undone(1, ("c1",)),
            Called(1, second, CallResult("c2", "done")),
        ]

    return make
