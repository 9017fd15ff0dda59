"""Copying drills: what is learned can be copied, and only copied."""

from itertools import pairwise
from random import Random

import pytest

from toolmend.models.builtin.tokens import BEGIN, END
from toolmend.training.drills import ROOM, SAID, drill

PIECES = range(100, 400)


@pytest.mark.parametrize("seed", range(30))
def test_every_learned_piece_stood_before_after_the_same_piece(seed):
    ids, learned = drill(Random(seed), PIECES)
    for place in range(1, len(ids)):
        if learned[place]:
            assert (ids[place - 1], ids[place]) in pairwise(ids[:place]), place


@pytest.mark.parametrize("seed", range(30))
def test_nothing_but_pieces_is_learned(seed):
    ids, learned = drill(Random(seed), PIECES)
    assert {each for each, flag in zip(ids, learned, strict=True) if flag} <= set(PIECES)
    assert any(learned)


def test_it_begins_and_ends_as_a_dialogue_does():
    ids, _ = drill(Random(1), PIECES)
    assert (ids[0], ids[-1]) == (BEGIN, END)


def test_its_length_is_what_a_dialogue_has():
    lengths = [len(drill(Random(seed), PIECES)[0]) for seed in range(300)]
    assert min(lengths) >= ROOM[0]
    assert max(lengths) < ROOM[1] + SAID[1] + 4 * 14 + 3
