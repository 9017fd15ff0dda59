"""Simulated dialogues shared by the tests."""

from __future__ import annotations

import pytest

from simulated import Exchanges, simulated


@pytest.fixture(scope="session")
def dialogues() -> list[Exchanges]:
    """As in training."""
    return [simulated(seed) for seed in range(800)]


@pytest.fixture(scope="session")
def held_out() -> list[Exchanges]:
    """As in the exam."""
    return [simulated(seed, held_out=True) for seed in range(400)]
