"""Simulated dialogues shared by the tests, and a small vocabulary."""

from __future__ import annotations

import pytest

from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import Tokens
from toolmend.training.meaning import Exchange
from toolmend.training.simulate import simulate
from toolmend.training.vocabulary import train_vocabulary

SHORTHANDS = ('action.add_calendar_entry("', 'action.remove_calendar_entry("', '", date="', '", time="', '", duration=')


@pytest.fixture(scope="session")
def dialogues() -> list[list[Exchange]]:
    """As in training."""
    return [simulate(seed) for seed in range(1200)]


@pytest.fixture(scope="session")
def held_out() -> list[list[Exchange]]:
    """As in the exam."""
    return [simulate(seed, held_out=True) for seed in range(600)]


@pytest.fixture(scope="session")
def tokens(dialogues: list[list[Exchange]]) -> Tokens:
    """512 ids."""
    texts = [text for talk in dialogues[:150] for exchange in talk for text in (exchange.user, exchange.reply)]
    return train_vocabulary(texts, 512, Spelling(SHORTHANDS))
