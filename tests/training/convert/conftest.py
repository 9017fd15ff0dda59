"""A tiny embedded model of random weights, as a preset folder and as what converters take."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.preset import weight_shapes
from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import Tokens
from toolmend.training.convert import embedded
from toolmend.training.convert.source import Trained
from toolmend.training.vocabulary import train_vocabulary

SHORTHANDS = ('action.add_calendar_entry("', '", date="', '", "')
TEXTS = [
    "Add a meeting with Anna on May 3 at 5pm",
    'action.add_calendar_entry("Meeting with Anna", date="2023-05-03", time="17:00", duration=30)',
    "Cancel the lunch with Tom",
]


@pytest.fixture(scope="session")
def tokens() -> Tokens:
    return train_vocabulary(TEXTS * 20, 300, Spelling(SHORTHANDS))


@pytest.fixture(scope="session")
def trained(tokens: Tokens) -> Trained:
    """Tied, two layers, four heads of which keys share two; weights that float16 holds exactly."""
    sizes = Sizes(tokens.tokenizer.get_vocab_size(), width=32, inner=64, layers=2, heads=4, key_heads=2)
    chance = np.random.default_rng(3)
    weights = {
        name: (chance.normal(0, 0.3, shape) if len(shape) > 1 else chance.uniform(0.5, 1.5, shape))
        .astype(np.float16)
        .astype(np.float32)
        for name, shape in weight_shapes(sizes, tied=True).items()
    }
    about = {"name": "tiny", "license": "Apache-2.0", "trained": {"seed": 3}}
    return Trained("tiny", weights, sizes, tokens, 96, ("calendar",), about, "# tiny\n")


@pytest.fixture
def preset(tmp_path: Path, trained: Trained) -> Path:
    """The same as a preset folder."""
    embedded.write(trained, tmp_path / "preset")
    return tmp_path / "preset"


def same(found: Trained, wanted: Trained) -> bool:
    """Whether two are equal in everything that a preset holds."""
    return (
        sorted(found.weights) == sorted(wanted.weights)
        and all(np.array_equal(found.weights[name], wanted.weights[name]) for name in wanted.weights)
        and found.tokens.tokenizer.to_str() == wanted.tokens.tokenizer.to_str()
        and found.tokens.spelling.shorthands == wanted.tokens.spelling.shorthands
        and (found.sizes, found.window, found.toolboxes) == (wanted.sizes, wanted.window, wanted.toolboxes)
        and (dict(found.about), found.card) == (dict(wanted.about), wanted.card)
    )


@pytest.fixture
def equal():
    """`same`, for tests."""
    return same
