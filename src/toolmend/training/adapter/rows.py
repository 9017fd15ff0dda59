"""Talks as rows of tokens with a mark on those that are learned: the right replies, each with the token that ends it.

ChatML turns, as the base's own template writes them. What people say is never read as a control token.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

from toolmend.base.errors import BadOption
from toolmend.training.adapter.turn import Turn

MAX_ROW = 768
"""A talk is cut before the turn that would make its row longer than so many tokens."""


@dataclass(frozen=True, slots=True)
class Row:
    """The tokens of a talk and, for each, whether it is learned."""

    tokens: tuple[int, ...]
    learned: tuple[bool, ...]


class Tokens:
    """Texts as tokens of a base, roles between its marks. Raises BadOption for a base without those of ChatML."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._tokenizer.encode_special_tokens = True  # so that "<|im_end|>" in a text is no end of a turn
        start, end = tokenizer.token_to_id("<|im_start|>"), tokenizer.token_to_id("<|im_end|>")
        if start is None or end is None:
            raise BadOption("the base has no <|im_start|> and <|im_end|>: adapters need one that talks in ChatML")
        self.start, self.end = start, end
        self.newline = self.text("\n")

    def text(self, text: str) -> list[int]:
        """A text that holds no control token, whatever it says."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def turn(self, role: str, text: str) -> list[int]:
        """One whole turn."""
        return [self.start, *self.text(f"{role}\n{text}"), self.end, *self.newline]

    def opening(self, role: str) -> list[int]:
        """The beginning of a turn, up to its text."""
        return [self.start, *self.text(f"{role}\n")]

    def decode(self, tokens: Sequence[int]) -> str:
        """Tokens as text."""
        return str(self._tokenizer.decode(list(tokens)))


def row_of(system: str, turns: Sequence[Turn], tokens: Tokens) -> Row | None:
    """The row of a talk; None where nothing in it is learned."""
    ids = tokens.turn("system", system)
    marks = [False] * len(ids)
    for turn in turns:
        asked = [*tokens.turn("user", turn.said), *tokens.opening("assistant")]
        reply = [*tokens.text(turn.reply), tokens.end]
        if len(ids) + len(asked) + len(reply) > MAX_ROW:
            break
        ids += [*asked, *reply, *tokens.newline]
        marks += [False] * len(asked) + [turn.learned] * len(reply) + [False] * len(tokens.newline)
    return Row(tuple(ids), tuple(marks)) if any(marks) else None


def packed(rows: Sequence[Row], size: int, multiple: int = 1) -> list[tuple[Tensor, Tensor]]:
    """Rows of like length together, at most `size` tokens with padding each: (batch, length) of tokens and of marks.
    Lengths are rounded up to a `multiple`."""
    batches: list[list[Row]] = [[]]
    for row in sorted(rows, key=lambda row: len(row.tokens)):
        if batches[-1] and (len(batches[-1]) + 1) * _rounded(row, multiple) > size:
            batches.append([])
        batches[-1].append(row)
    return [_padded(batch, multiple) for batch in batches]


def _rounded(row: Row, multiple: int) -> int:
    return -(-len(row.tokens) // multiple) * multiple


def _padded(rows: Sequence[Row], multiple: int) -> tuple[Tensor, Tensor]:
    length = max(_rounded(row, multiple) for row in rows)
    tokens = torch.zeros(len(rows), length, dtype=torch.long)
    learned = torch.zeros(len(rows), length, dtype=torch.bool)
    for place, row in enumerate(rows):
        tokens[place, : len(row.tokens)] = torch.tensor(row.tokens)
        learned[place, : len(row.tokens)] = torch.tensor(row.learned)
    return tokens, learned
