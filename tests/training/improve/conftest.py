"""A tiny embedded model of random weights, and a suite that it knows nothing of."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.preset import weight_shapes
from toolmend.models.builtin.spelling import Spelling
from toolmend.training.preset_files import write_files
from toolmend.training.vocabulary import train_vocabulary

os.environ.setdefault("KERAS_BACKEND", "jax")

NOUNS = ("lunch", "dentist", "choir", "yoga", "chess", "swim", "opera", "market")
CALL = 'action.add_calendar_entry("TITLE", date="2024-05-0DAY", time="12:00")'


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder: width 8, one layer, 300 ids, a window of 1024."""
    folder = tmp_path_factory.mktemp("model") / "tiny"
    tokens = train_vocabulary([CALL, "Put the lunch on May 3", "That is wrong."] * 20, 300, Spelling(()))
    sizes = Sizes(tokens.tokenizer.get_vocab_size(), width=8, inner=8, layers=1, heads=2, key_heads=2)
    random = np.random.default_rng(0)
    weights = {
        name: (random.normal(size=shape) * 0.25).astype(np.float16)
        for name, shape in weight_shapes(sizes, tied=True).items()
    }
    write_files(folder, weights, sizes, tokens, toolboxes=["calendar"], window=1024, about={"license": "none"}, card="")
    return folder


@pytest.fixture
def suite(tmp_path: Path) -> str:
    """Eight dialogues of one request each, corrected once."""
    return write_suite(tmp_path / "eight.yaml", "eight", NOUNS)


@pytest.fixture
def guard(tmp_path: Path) -> str:
    """Two other dialogues."""
    return write_suite(tmp_path / "two.yaml", "two", ("sauna", "ferry"))


def write_suite(path: Path, name: str, nouns: tuple[str, ...]) -> str:
    lines = [f"suite: {name}", "tools: calendar", "experiments:", "  once:", "    about: one request",
             f"    cases: [{', '.join(nouns)}]", "    corrections: 1", "    branches: []", "cases:"]  # fmt: skip
    for day, noun in enumerate(nouns, 1):
        call = CALL.replace("TITLE", noun.title()).replace("DAY", str(day))
        lines += [f"  {noun}:", "    - steps:", f"        - say: Put the {noun} on May {day} 2024 at noon.",
                  f"          expect: {call}"]  # fmt: skip
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)
