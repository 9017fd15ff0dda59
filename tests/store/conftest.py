"""A store per test, and the dialogue most tests keep in it: a wrong time, corrected and fixed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from toolmend.events import Asked, Called, Corrected, Event, Finished, Marked, Read, Replied
from toolmend.messages import Call, CallResult, Usage
from toolmend.mistakes import Correction, Kind, Mark, Mistake
from toolmend.store import Contestant, RunConfig, Sample, Store

WRONG_TIME = Mistake(Kind.WRONG_VALUE, "time", "action.add", "17:00", "05:00")
WRONG = Call("action.add", {"title": "Rock concert", "time": "05:00"}, id="c1")
RIGHT = Call("action.add", {"title": "Rock concert", "time": "17:00"}, id="c2", amends="c1")
DIALOGUE: tuple[Event, ...] = (
    Asked(0, "Add a rock concert at 5PM"),
    Replied(0, "action.add('Rock concert', '05:00')", model="m", usage=Usage(100, 10, 0.5)),
    Read(0, (WRONG,)),
    Called(0, WRONG, CallResult("c1", {"added": ["Rock concert", None, 1.5, True]})),
    Marked(0, (Mark.MISTAKE,), (WRONG_TIME,)),
    Asked(1, "The time is wrong.", amends=0),
    Corrected(1, Correction("The time is wrong.", 2, WRONG_TIME), amends=0),
    Replied(1, "action.add('Rock concert', '17:00')", model="m", usage=Usage(120, 11, 0.25)),
    Read(1, (RIGHT,), leniencies=("fence",)),
    Called(1, RIGHT, CallResult("c2", "added", coerced=("time: '17:00' -> 17:00",))),
    Marked(1, (Mark.FIXED,)),
    Finished(),
)


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Where a new store may be made."""
    return str(tmp_path / "store.db")


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """An empty store."""
    with Store(place) as made:
        yield made


@pytest.fixture
def config() -> RunConfig:
    """A configuration with every field set."""
    return RunConfig(
        suite="calendar",
        suite_hash="5u1",
        contestants=(Contestant("m", "oneline", "9r0", {"max_tokens": 64}), Contestant("n", "oneline")),
        attempts=2,
        arms=("corrected", "control"),
        history="gold",
        temperature=0.7,
        seeds=(1, 2),
        versions={"toolmend": "0.1"},
        settings={"lenience": "default", "corrections": 3},
    )


@pytest.fixture
def sample() -> Sample:
    """A good sample with every field set."""
    return Sample(
        case="concert",
        model="m",
        strategy="oneline",
        attempt=1,
        arm="corrected",
        seed=7,
        events=DIALOGUE,
        started="2024-11-11T17:00:00Z",
        seconds=0.75,
    )
