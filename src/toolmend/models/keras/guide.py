"""A constraint applied to a model's tokens: the likeliest whose bytes fit is taken. Knows no tokenizer and no model.

Trying the likeliest first gives the same token as masking the whole vocabulary, mostly at the first try.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from toolmend.models.masks import Mask


class Guide:
    """Leads one reply along a mask. `bytes_of` are the bytes of every token, `stops` the tokens that end a reply.

    The space that SentencePiece puts before a first word is no part of the text, and the mask does not see it.
    """

    def __init__(self, mask: Mask, bytes_of: Sequence[bytes], stops: Sequence[int]) -> None:
        self._mask, self._bytes, self._stops = mask, bytes_of, tuple(stops)
        self._begun = False

    def chooser(self, temperature: float, seed: int) -> Callable[[np.ndarray[Any, Any]], int]:
        """A function that picks a token from logits of shape (vocabulary,): greedily, or drawn with a seed."""
        generator = np.random.default_rng(seed) if temperature > 0 else None

        def choose(logits: np.ndarray[Any, Any]) -> int:
            noise = temperature * generator.gumbel(size=len(logits)) if generator else 0.0
            return self._pick(logits + noise)

        return choose

    def _pick(self, logits: np.ndarray[Any, Any]) -> int:
        if self._mask.must_end:
            return self._stops[0]
        for token in np.argsort(-logits, kind="stable").tolist():
            if not np.isfinite(logits[token]):
                break
            if token in self._stops:
                if self._mask.may_end:
                    return int(token)
                continue
            more = self._bytes[token] if token < len(self._bytes) else b""
            if more and self._mask.fits(more):
                self._mask.take(more)
                return int(token)
        return self._stops[0]
