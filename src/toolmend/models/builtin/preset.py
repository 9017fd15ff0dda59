"""The folder of an embedded model: a Hugging Face Llama folder plus `toolmend.json`. Nothing in it is executed.

config.json  model.safetensors (float16)  tokenizer.json  tokenizer_config.json  toolmend.json  README.md
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.models.builtin.engine import NumpyEngine, Sizes
from toolmend.models.builtin.tokens import BuiltinTokens, Spelling

_SIZES = (
    "vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "rope_theta",
    "rms_norm_eps",
)  # fmt: skip


@dataclass(frozen=True)
class Preset:
    """What a folder says of itself; `load` brings in the weights."""

    folder: Path
    sizes: Sizes
    toolboxes: tuple[str, ...]
    shorthands: tuple[str, ...]
    window: int
    about: Mapping[str, Any]

    @classmethod
    def read(cls, folder: Path) -> Preset:
        """Read the small files of a folder."""
        about = json.loads((folder / "toolmend.json").read_text(encoding="utf-8"))
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        sizes = Sizes(*(config[key] for key in _SIZES))
        return cls(folder, sizes, tuple(about["toolboxes"]), tuple(about["shorthands"]), about["window"], about)

    @property
    def parameters(self) -> int:
        """Number of weights, computed from the sizes."""
        s = self.sizes
        layer = 4 * s.width**2 + 3 * s.width * s.inner + 2 * s.width
        return s.vocabulary * s.width + s.layers * layer + s.width

    def load(self) -> tuple[NumpyEngine, BuiltinTokens]:
        """The engine with float32 weights, and the tokens."""
        import numpy as np
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        weights = load_file(self.folder / "model.safetensors")
        engine = NumpyEngine(self.sizes, {name: np.asarray(weight, np.float32) for name, weight in weights.items()})
        return engine, BuiltinTokens(
            Tokenizer.from_file(str(self.folder / "tokenizer.json")), Spelling(self.shorthands)
        )
