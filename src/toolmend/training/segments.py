"""Another spelling in pieces for each training dialogue: tokens taken apart into what they were merged from.

A vocabulary learned from a simulator holds its every word whole, so a model could look words up and never learn to
copy. Here each dialogue takes some tokens apart, the same ones throughout, so that copying piece by piece always works
and is always needed. Only for training; the exam and the model's users see the ordinary pieces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

Merges = dict[int, tuple[int, int]]


def merges(tokenizer: Any) -> Merges:
    """From each merged id to the two ids it was made of, numbers left out. For a tokenizers.Tokenizer of BPE."""
    model = json.loads(tokenizer.to_str())["model"]
    vocabulary = model["vocab"]
    made: Merges = {}
    for left, right in (pair if isinstance(pair, list) else pair.split(" ") for pair in model["merges"]):
        if not any(character.isdigit() for character in left + right):
            made.setdefault(vocabulary[left + right], (vocabulary[left], vocabulary[right]))
    return made


class Segments:
    """One dialogue's way of taking tokens apart; `share` is the chance that a token is.

    With `swaps` (ids of content words' pieces), each of them stands for another random one throughout the dialogue:
    nothing but copying can then be right.
    """

    def __init__(self, table: Merges, random: Random, share: float, swaps: Sequence[int] = ()) -> None:
        self._table, self._random, self._share = table, random, share
        self._swaps, self._swappable = swaps, frozenset(swaps)
        self._chosen: dict[int, list[int]] = {}

    def __call__(self, ids: Sequence[int]) -> list[int]:
        """The ids with this dialogue's tokens taken apart."""
        return [piece for token in ids for piece in self._pieces(token)]

    def _pieces(self, token: int) -> list[int]:
        if token not in self._chosen:
            pair = self._table.get(token)
            if token in self._swappable:
                self._chosen[token] = [self._random.choice(self._swaps)]
            elif pair is None or self._random.random() >= self._share:
                self._chosen[token] = [token]
            else:
                self._chosen[token] = [*self._pieces(pair[0]), *self._pieces(pair[1])]
        return self._chosen[token]


def content_ids(tokens: Any, texts: Iterable[str]) -> list[int]:
    """Ids of pieces that none of these texts needs, nor numbers and dates in words: names, made-up words (Tokens)."""
    needed: set[int] = set()
    for text in (*texts, *_SAID.split()):
        needed.update(tokens.encode(" ".join(re.findall("[A-Za-z]+", text)).lower()))
    pieces = {i: tokens.tokenizer.id_to_token(i) for i in range(tokens.tokenizer.get_vocab_size())}
    return [
        i
        for i, text in pieces.items()
        if i not in needed and len(text) > 2 and text.strip("Ġ").isalpha() and text.isascii() is (text[0] != "Ġ")
    ]


_SAID = (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep oct nov dec one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty first second third fourth fifth sixth seventh eighth ninth "
    "tenth "
    "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth "
    "am pm noon midday midnight half quarter past to morning afternoon evening night hour hours minutes min mins hrs "
    "with and about for of at the in on a an tomorrow today after that"
)
