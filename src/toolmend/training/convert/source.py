"""What is converted: weights under Hugging Face names, sizes, the tokenizer, what is said of it. Knows no format.

Every reader gives one of these, every writer takes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.tokens import Tokens

Weights = Mapping[str, NDArray[np.float32]]
EMBEDDING, HEAD = "model.embed_tokens.weight", "lm_head.weight"


@dataclass(frozen=True)
class Trained:
    """An embedded model: float32 weights, spelled tokens, the window in tokens, what toolmend.json and the card say."""

    name: str
    weights: Weights
    sizes: Sizes
    tokens: Tokens
    window: int
    toolboxes: tuple[str, ...]
    about: Mapping[str, Any]
    card: str

    @property
    def tied(self) -> bool:
        """Whether the head is the embedding."""
        return HEAD not in self.weights

    @property
    def license(self) -> str:
        """As its own file says, or nothing."""
        return str(self.about.get("license", ""))


def head_width(sizes: Sizes) -> int:
    """Numbers per attention head."""
    return sizes.width // sizes.heads
