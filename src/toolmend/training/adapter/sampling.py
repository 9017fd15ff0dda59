"""Replies drawn from a net, for every turn of many talks at once: what it might say, mistakes among them.

A talk is read once; what is drawn for its turns goes on from there. The base and its adapter are one matrix here. What
is drawn is drawn by the processor, so that a seed means the same on every device.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from toolmend.training.adapter.net import AdaptedLlama, attended, turned
from toolmend.training.adapter.rows import Row

LONGEST = 56
"""A reply that is longer is given up."""
_AT_ONCE = 160
_LIKELIEST = 20  # tokens that are drawn from
_LAST = 0.05  # so small a share of replies that still go on is given up
_THINNED = 0.6  # fewer than this share of replies still going on: the others are dropped

Drawn = tuple[int, int, tuple[int, ...]]
"""The place of a row, which of its learned replies, and the tokens in its stead, without the one that ends them."""


class Sampler:
    """Draws from a net as it stands now; `end` is the token that ends a reply. The same seed draws the same."""

    def __init__(self, net: AdaptedLlama, end: int, *, temperature: float, seed: int) -> None:
        self.net, self.shape, self.end, self.temperature = net, net.shape, end, temperature
        self.random, self.device = torch.Generator().manual_seed(seed), net.embedding.device
        with torch.no_grad():
            self.layers = [[group.whole() for group in layer.groups] for layer in net.layers]

    @torch.no_grad()
    def replies(self, rows: Sequence[Row]) -> Iterator[Drawn]:
        """A reply in the stead of each that is learned, as far as it ended; rows of like length together."""
        waiting: list[int] = []
        count = 0
        for place in sorted(range(len(rows)), key=lambda place: len(rows[place].tokens)):
            begins = len(reply_begins(rows[place]))
            if waiting and count + begins > _AT_ONCE:
                yield from self._drawn(rows, waiting)
                waiting, count = [], 0
            waiting.append(place)
            count += begins
        if count:
            yield from self._drawn(rows, waiting)

    def _drawn(self, rows: Sequence[Row], places: Sequence[int]) -> Iterator[Drawn]:
        spots = [(place, *spot) for place in places for spot in enumerate(reply_begins(rows[place]))]
        at = torch.tensor([begin for _, _, begin in spots], device=self.device)
        hidden, keys, values = self._opened(rows, places, int(at.max()) + LONGEST)
        said: list[list[int]] = [[] for _ in spots]
        left = torch.arange(len(spots), device=self.device)
        going = torch.ones(len(spots), dtype=torch.bool, device=self.device)
        for _ in range(LONGEST):
            chosen = self._chosen(hidden)
            for spot, token, open_ in zip(left.tolist(), chosen.tolist(), going.tolist(), strict=True):
                if open_ and token == self.end:
                    place, number, _ = spots[spot]
                    yield place, number, tuple(said[spot])
                said[spot].append(token)
            going &= chosen != self.end
            if going.sum() < max(1, _LAST * len(spots)):
                return
            if going.sum() < _THINNED * len(going):
                left, chosen, at, keys, values = left[going], chosen[going], at[going], keys[:, going], values[:, going]
                going = going[going]
            hidden = self._next(chosen, at, keys, values)
            at = at + 1

    def _opened(self, rows: Sequence[Row], places: Sequence[int], length: int) -> tuple[Tensor, Tensor, Tensor]:
        """Where each reply begins: the hidden states (count, width); keys and values (layers, count, heads, length,
        head width), with room for what is to be drawn."""
        begun = [(place, reply_begins(rows[place])) for place in places]
        size = (len(self.layers), sum(len(begins) for _, begins in begun), self.shape.kv_heads, length)
        told = {"dtype": self.net.embedding.dtype, "device": self.device}
        keys, values = (torch.zeros(*size, self.shape.head_width, **told) for _ in range(2))
        hidden: list[Tensor] = []
        for place, begins in begun:
            if not begins:
                continue
            states, k, v = self._read(torch.tensor(rows[place].tokens[: begins[-1]], device=self.device))
            for begin in begins:
                keys[:, len(hidden), :, :begin], values[:, len(hidden), :, :begin] = k[:, :, :begin], v[:, :, :begin]
                hidden.append(states[begin - 1])
        return torch.stack(hidden), keys, values

    def _chosen(self, hidden: Tensor) -> Tensor:
        logits, tokens = (hidden @ self.net.embedding.t()).float().topk(min(_LIKELIEST, self.shape.vocabulary))
        shares = torch.softmax(logits / self.temperature, dim=-1).cpu()
        return tokens.gather(1, torch.multinomial(shares, 1, generator=self.random).to(self.device)).squeeze(1)

    def _read(self, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """A talk: the last hidden states (length, width); keys and values (layers, heads, length, head width)."""
        positions = self.net.turns(torch.arange(len(tokens), device=self.device))
        x, keys, values = functional.embedding(tokens, self.net.embedding), [], []
        for index in range(len(self.layers)):
            q, k, v = self._heads(index, x, positions)
            x = self._fed(index, x, attended(q[None], k[None], v[None]))
            keys.append(k.transpose(0, 1))
            values.append(v.transpose(0, 1))
        return self._normed(x), torch.stack(keys), torch.stack(values)

    def _next(self, tokens: Tensor, at: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """The hidden states (count, width) of one token each at its position; keys and values take it up."""
        shape, length = self.shape, int(at.max()) + 1
        rows = torch.arange(len(tokens), device=self.device)
        positions = self.net.turns(at)
        x = functional.embedding(tokens, self.net.embedding)
        later = (torch.arange(length, device=self.device)[None] > at[:, None])[:, None, None]
        for index in range(len(self.layers)):
            q, k, v = self._heads(index, x, positions)
            keys[index, rows, :, at], values[index, rows, :, at] = k, v
            q = q.view(len(x), shape.kv_heads, -1, shape.head_width) * shape.head_width**-0.5
            weights = (q @ keys[index, :, :, :length].transpose(2, 3)).masked_fill(later, -math.inf)
            mixed = torch.softmax(weights, dim=-1) @ values[index, :, :, :length]
            x = self._fed(index, x, mixed.reshape(len(x), -1))
        return self._normed(x)

    def _heads(self, index: int, x: Tensor, positions: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values (count, heads, head width) of a layer."""
        shape = self.shape
        kv = shape.kv_heads * shape.head_width
        normed = functional.rms_norm(x, (shape.width,), self.net.layers[index].attn_norm, shape.epsilon)
        q, k, v = (normed @ self.layers[index][0].t()).split((shape.width, kv, kv), dim=-1)
        q, k, v = (part.view(len(x), -1, shape.head_width) for part in (q, k, v))
        return turned(q, *positions), turned(k, *positions), v

    def _fed(self, index: int, x: Tensor, mixed: Tensor) -> Tensor:
        """What follows attention in a layer."""
        shape = self.shape
        _, output, gate_up, down = self.layers[index]
        x = x + mixed @ output.t()
        normed = functional.rms_norm(x, (shape.width,), self.net.layers[index].ffn_norm, shape.epsilon)
        gate, up = (normed @ gate_up.t()).split(shape.inner, dim=-1)
        return x + (functional.silu(gate) * up) @ down.t()

    def _normed(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, (self.shape.width,), self.net.norm, self.shape.epsilon)


def reply_begins(row: Row) -> list[int]:
    """Where the learned replies of a row begin."""
    marks = row.learned
    return [place for place, learned in enumerate(marks) if learned and not marks[place - 1]]
