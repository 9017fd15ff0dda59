"""What the arena's tests share: an arena of two models, and the places it can be kept in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arenas import make
from toolmend.extras.arena import Arena


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where an arena keeps things."""
    return tmp_path / "arena.db"


@pytest.fixture
def arena(place: Path) -> Iterator[Arena]:
    """An arena of two models, new."""
    made = make(place)
    yield made
    made.close()
