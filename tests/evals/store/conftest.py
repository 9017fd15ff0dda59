"""Where a store may be made, on SQLite and on PostgreSQL; a store per test; the dialogue most tests keep in it.

Whoever asks for `place`, `new_place` or `store` runs on both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from postgres import MISSING, Server, binaries, running
from toolmend.base.events import Asked, Called, Corrected, Event, Finished, Marked, Read, Replied
from toolmend.base.messages import Call, CallResult, Usage
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.evals.store import RunConfig, Sample, Store, StoredContestant

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


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """This session's server, with an empty store in the database `kept`."""
    for made in running(binaries, MISSING):
        made.run("CREATE ROLE guarded LOGIN PASSWORD 'sesame'")
        made.run("CREATE DATABASE kept")
        Store(made.url("kept")).close()
        yield made


KINDS = ("sqlite", "postgresql")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Which database."""
    return str(request.param)


@pytest.fixture
def new_place(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Where nothing was made yet."""
    if kind == "sqlite":
        yield str(tmp_path / "store.db")
        return
    with request.getfixturevalue("server").database() as url:
        yield url


@pytest.fixture
def place(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Where a new store may be opened; on PostgreSQL its tables are there already, for speed."""
    if kind == "sqlite":
        yield str(tmp_path / "store.db")
        return
    with request.getfixturevalue("server").database("kept") as url:
        yield url


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """An empty store."""
    with Store(place) as made:
        yield made


@pytest.fixture
def ask(store: Store) -> Callable[[str], list[Any]]:
    """Rows of a statement, from the tables themselves."""
    from toolmend.base import db

    def rows(statement: str) -> list[Any]:
        with db.reading(store.engine) as connection:
            return [tuple(row) for row in connection.exec_driver_sql(statement)]

    return rows


@pytest.fixture
def config() -> RunConfig:
    """A configuration with every field set."""
    return RunConfig(
        suite="calendar",
        suite_hash="5u1",
        contestants=(StoredContestant("m", "oneline", "9r0", {"max_tokens": 64}), StoredContestant("n", "oneline")),
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
