"""What turns texts into vectors, by name: `hashed`, `openai/MODEL`, `ollama/MODEL`, `onnx/FOLDER`.

One method. The name is kept with the vectors, so whatever changes them is part of it. Knows no index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toolmend.registry import embedders

Vectors = NDArray[np.float32]

DEFAULT = "hashed"


class Embedder(Protocol):
    """Texts to vectors of one length. `near` is the cosine above which two texts say the same, None if words decide."""

    @property
    def name(self) -> str:
        """What is kept with the vectors."""
        ...

    @property
    def near(self) -> float | None:
        """The cosine from which on a passage answers a question although they share no word."""
        ...

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """A row of length 1 for each text, (texts, dimension); a text that says nothing may be a row of zeros."""
        ...


def load_embedder(name: str | Embedder) -> Embedder:
    """The embedder of a name `family` or `family/rest`; an Embedder is returned as it is.

    Raises UnknownName or BadOption, and MissingExtra where something is not installed.
    """
    if not isinstance(name, str):
        return name
    family, _, rest = name.partition("/")
    found: Embedder = embedders.get(family)(rest)
    return found


def unit(rows: Vectors) -> Vectors:
    """The rows at length 1; zeros stay zeros."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
    return scaled
