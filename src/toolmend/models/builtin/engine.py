"""The Llama architecture on numpy: one conversation at a time, with a cache of keys and values.

Written for small models, where starting at once matters more than throughput. Weights come as float32 arrays under
their Hugging Face names. Knows nothing of tokens' meaning. Held equal to KerasHub by tests (logits within 1e-4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Sizes:
    """A Llama's sizes, as in its config.json."""

    vocabulary: int
    width: int
    inner: int
    layers: int
    heads: int
    theta: float = 10_000.0
    epsilon: float = 1e-6


@dataclass(frozen=True)
class _Layer:
    norm1: Array
    qkv: Array
    out: Array
    norm2: Array
    gate_up: Array
    down: Array


class KeyValueCache:
    """Keys and values of one conversation, with the ids they belong to."""

    def __init__(self, sizes: Sizes, room: int) -> None:
        shape = (sizes.layers, sizes.heads, room, sizes.width // sizes.heads)
        self.keys, self.values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.ids: list[int] = []

    def rewind(self, ids: Sequence[int]) -> int:
        """Forget everything after what is shared with `ids`; how many positions stay. One at least is left to do."""
        same = shared(self.ids, ids[:-1])
        del self.ids[same:]
        return same


class NumpyEngine:
    """Computes next-token logits. Not safe for concurrent use of one Cache; the weights are shared freely."""

    def __init__(self, sizes: Sizes, weights: Mapping[str, Array]) -> None:
        self.sizes = sizes
        self.embedding = weights["model.embed_tokens.weight"]
        self.head = np.ascontiguousarray(weights.get("lm_head.weight", self.embedding).T)
        self.norm = weights["model.norm.weight"]
        self.layers = [self._layer(weights, f"model.layers.{n}") for n in range(sizes.layers)]
        half = sizes.width // sizes.heads // 2
        self._frequencies = sizes.theta ** (-np.arange(half) / half)

    @staticmethod
    def _layer(weights: Mapping[str, Array], at: str) -> _Layer:
        def joined(*names: str) -> Array:
            return np.ascontiguousarray(np.concatenate([weights[f"{at}.{name}.weight"] for name in names]).T)

        return _Layer(
            weights[f"{at}.input_layernorm.weight"],
            joined("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
            joined("self_attn.o_proj"),
            weights[f"{at}.post_attention_layernorm.weight"],
            joined("mlp.gate_proj", "mlp.up_proj"),
            joined("mlp.down_proj"),
        )

    def logits(self, ids: Sequence[int], cache: KeyValueCache) -> Array:
        """Logits after the last of `ids`, shape (vocabulary,); only what the cache does not hold yet is computed."""
        start = cache.rewind(ids)
        fresh = np.asarray(ids[start:])
        x = self.embedding[fresh]
        angles = np.arange(start, len(ids))[:, None] * self._frequencies
        cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
        steps = np.arange(start, len(ids))
        hidden = np.arange(len(ids))[None, :] > steps[:, None]
        for number, layer in enumerate(self.layers):
            x = x + self._attend(layer, number, self._rms(x, layer.norm1), cos, sin, hidden, start, cache)
            x = x + self._feed(layer, self._rms(x, layer.norm2))
        cache.ids.extend(int(i) for i in fresh)
        out: Array = (self._rms(x[-1:], self.norm) @ self.head)[0]
        return out

    def _attend(
        self,
        layer: _Layer,
        number: int,
        x: Array,
        cos: Array,
        sin: Array,
        hidden: NDArray[np.bool_],
        start: int,
        cache: KeyValueCache,
    ) -> Array:
        s, steps = self.sizes, len(x)
        size = s.width // s.heads
        q, k, v = np.split((x @ layer.qkv).reshape(steps, 3 * s.heads, size).transpose(1, 0, 2), 3)
        end = start + steps
        cache.keys[number, :, start:end] = _rotate(k, cos, sin)
        cache.values[number, :, start:end] = v
        keys, values = cache.keys[number, :, :end], cache.values[number, :, :end]
        scores = _rotate(q, cos, sin) @ keys.transpose(0, 2, 1) * np.float32(size**-0.5)
        if steps > 1:
            scores[:, hidden] = -np.inf
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ values
        out: Array = mixed.transpose(1, 0, 2).reshape(steps, s.width) @ layer.out
        return out

    @staticmethod
    def _feed(layer: _Layer, x: Array) -> Array:
        gate, up = np.split(x @ layer.gate_up, 2, axis=-1)
        with np.errstate(over="ignore"):  # exp of a very negative gate is inf, and the gate 0, as it should be
            out: Array = (gate / (1 + np.exp(-gate)) * up) @ layer.down
        return out

    def _rms(self, x: Array, scale: Array) -> Array:
        out: Array = x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(self.sizes.epsilon)) * scale
        return out


def shared(old: Sequence[int], new: Sequence[int]) -> int:
    """How many ids two sequences begin with in common."""
    return next((count for count, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))


def _rotate(x: Array, cos: Array, sin: Array) -> Array:
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)
