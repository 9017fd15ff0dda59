"""Simulated dialogues shared by the tests."""

from __future__ import annotations

import pytest

from toolmend.training.meaning import Exchange
from toolmend.training.simulate import simulate


@pytest.fixture(scope="session")
def dialogues() -> list[list[Exchange]]:
    """As in training."""
    return [simulate(seed) for seed in range(1200)]


@pytest.fixture(scope="session")
def held_out() -> list[list[Exchange]]:
    """As in the exam."""
    return [simulate(seed, held_out=True) for seed in range(600)]
