"""Another spelling in pieces for each training dialogue: tokens taken apart into what they were merged from.

A vocabulary learned from a simulator holds its every word whole, so a model could look words up and never learn to
copy. Here each dialogue takes some tokens apart, the same ones throughout, so that copying piece by piece always works and
is always needed. Only for training; the exam and the model's users see the ordinary pieces.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

Merges = dict[int, tuple[int, int]]


def merges(tokenizer: Any) -> Merges:
    """From each merged id to the two ids it was made of, for a tokenizers.Tokenizer with a BPE model."""
    model = json.loads(tokenizer.to_str())["model"]
    vocabulary = model["vocab"]
    made: Merges = {}
    for left, right in (pair if isinstance(pair, list) else pair.split(" ") for pair in model["merges"]):
        made.setdefault(vocabulary[left + right], (vocabulary[left], vocabulary[right]))
    return made


class Segments:
    """One dialogue's way of taking tokens apart; `share` is the chance that a token is."""

    def __init__(self, table: Merges, random: Random, share: float) -> None:
        self._table, self._random, self._share = table, random, share
        self._chosen: dict[int, list[int]] = {}

    def __call__(self, ids: Sequence[int]) -> list[int]:
        """The ids with this dialogue's tokens taken apart."""
        return [piece for token in ids for piece in self._pieces(token)]

    def _pieces(self, token: int) -> list[int]:
        if token not in self._chosen:
            pair = self._table.get(token)
            if pair is None or self._random.random() >= self._share:
                self._chosen[token] = [token]
            else:
                self._chosen[token] = [*self._pieces(pair[0]), *self._pieces(pair[1])]
        return self._chosen[token]
