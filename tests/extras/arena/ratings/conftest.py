"""Votes that several tests use."""

from __future__ import annotations

import numpy as np
import pytest

from toolmend.extras.arena.ratings import Votes

NAMES = tuple("amber birch cedar delta ember fir".split())

# Pair: won by the first, lost, tied. The expected values of test_references.py are of these.
CELLS = {
    (0, 1): (23, 11, 6),
    (0, 2): (31, 9, 4),
    (0, 3): (18, 12, 9),
    (0, 4): (40, 6, 2),
    (0, 5): (12, 1, 3),
    (1, 2): (17, 14, 8),
    (1, 3): (9, 13, 5),
    (1, 4): (22, 8, 7),
    (2, 3): (8, 15, 6),
    (2, 5): (14, 4, 5),
    (3, 4): (26, 7, 1),
    (3, 5): (19, 5, 4),
    (4, 5): (10, 9, 8),
}


@pytest.fixture
def wood() -> Votes:
    """Six contestants, 428 votes of 13 pairs, one pair after the other; prompts and weights by vote number."""
    rows = [
        (*pair, outcome) for pair, cells in CELLS.items() for outcome, number in enumerate(cells) for _ in range(number)
    ]
    a, b, winner = (np.array(column, dtype=np.int32) for column in zip(*rows, strict=True))
    number = np.arange(1, len(rows) + 1)
    made = Votes.of(
        [NAMES[place] for place in a],
        [NAMES[place] for place in b],
        [("a", "b", "tie")[each] for each in winner],
        weight=1 + (number % 5) / 2,
        prompt=[str(each % 17) for each in number],
    )
    assert made.names == NAMES
    return made
