"""A constraint applied to a model's logits: what does not fit is never chosen. Knows no tokenizer and no model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from toolmend.models.masks import TokenMask


class LogitGuide:
    """Leads one reply along a mask; `stops` are the tokens that end a reply."""

    def __init__(self, mask: TokenMask, stops: Sequence[int]) -> None:
        self._mask, self._stops = mask, tuple(stops)

    def chooser(self, temperature: float, seed: int) -> Callable[[np.ndarray[Any, Any]], int]:
        """A function that picks a token from logits of shape (vocabulary,): greedily, or drawn with a seed."""
        generator = np.random.default_rng(seed) if temperature > 0 else None

        def choose(logits: np.ndarray[Any, Any]) -> int:
            if self._mask.must_end:
                return self._stops[0]
            token = self._drawn(logits, temperature, generator) if generator else self._likeliest(logits)
            if token not in self._stops:
                self._mask.take(token)
            return token

        return choose

    def _likeliest(self, logits: np.ndarray[Any, Any]) -> int:
        """The likeliest that fits: mostly the likeliest of all, and then no mask of all tokens is needed."""
        token = int(logits.argmax())
        if token not in self._stops and np.isfinite(logits[token]) and self._mask.fits(token):
            return token
        found = self._fitting(logits)
        return int(found[logits[found].argmax()]) if len(found) else self._stops[0]

    def _drawn(self, logits: np.ndarray[Any, Any], temperature: float, generator: np.random.Generator) -> int:
        """One of those that fit, drawn by their probabilities (the Gumbel trick)."""
        found = self._fitting(logits)
        drawn = logits[found] + temperature * generator.gumbel(size=len(found))
        return int(found[drawn.argmax()]) if len(found) else self._stops[0]

    def _fitting(self, logits: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Ids of the tokens that fit and may be chosen at all."""
        allowed = self._mask.allowed()[: len(logits)]
        return np.flatnonzero(allowed & np.isfinite(logits[: len(allowed)]))
