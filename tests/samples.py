"""Samples, and a store for them, for tests of measuring."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from toolmend.base.events import Event
from toolmend.evals.store import Sample, Store


@pytest.fixture
def sample() -> Callable[..., Sample]:
    """A good sample of some events."""

    def make(events: Sequence[Event] = (), case: str = "main/lunch", **more: Any) -> Sample:
        return Sample(case, **{"model": "scripted/canned", "strategy": "oneline", "events": tuple(events), **more})

    return make


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with Store(tmp_path / "runs.db") as made:
        yield made
