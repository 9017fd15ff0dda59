"""Copying drills: sequences in which nothing but copying can be right, for a model that has no room to memorise.

In a dialogue a few tokens of a reply are copied, and most of those could be guessed; here every learned token stands
somewhere before, after the same piece as now (induction: Olsson et al. 2022, section 2). Only for training.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from toolmend.models.builtin.tokens import ASSISTANT, BEGIN, END, USER

SAID = (6, 40)
COPIED = (3, 14)
ROOM = (90, 250)


def drill(random: Random, pieces: Sequence[int]) -> tuple[list[int], list[bool]]:
    """Ids and learned flags of one: things said in random pieces, and replies that repeat parts of what was said.

    The first piece of a copy says where to begin, and is not learned.
    """
    room = random.randint(*ROOM)
    ids, learned, heard = [BEGIN], [False], []
    while len(ids) < room:
        said = random.sample(pieces, random.randint(*SAID))
        heard.append(said)
        ids += [USER, *said, ASSISTANT]
        learned += [False] * (len(said) + 2)
        for _ in range(random.randint(1, 4)):
            copied = _part(random, heard)
            ids += copied
            learned += [False] + [True] * (len(copied) - 1)
        ids.append(END)
        learned.append(False)
    return ids, learned


def _part(random: Random, heard: Sequence[Sequence[int]]) -> Sequence[int]:
    said = heard[-1] if random.random() < 0.6 else random.choice(heard)
    length = min(len(said), random.randint(*COPIED))
    start = random.randint(0, len(said) - length)
    return said[start : start + length]
