"""An embedder from a folder of one's own: model.onnx and tokenizer.json, as sentence-transformers exports them.

The model takes `input_ids`, `attention_mask` and, where it has it, `token_type_ids`. What it gives for each token is
averaged; what it gives for each text is taken as it is. bert.py writes such a folder from the weights of a BERT.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from toolmend.extras.knowledge.search.embedder import Vectors, unit


class OnnxEmbedder:
    """The model in a folder; 256 tokens of a text are read."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        model = folder / "model.onnx"
        self.name = f"onnx/{folder.name}-{hashlib.sha256(model.read_bytes()).hexdigest()[:8]}"
        self._session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(256)
        self._tokenizer.enable_padding()
        self._takes = {each.name for each in self._session.get_inputs()}

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """A row for each text."""
        parts = [self._some(list(texts[at : at + 16])) for at in range(0, len(texts), 16)]
        return unit(np.concatenate(parts)) if parts else np.zeros((0, 0), dtype=np.float32)

    def _some(self, texts: list[str]) -> Vectors:
        coded = self._tokenizer.encode_batch(texts)
        mask = np.array([each.attention_mask for each in coded], dtype=np.int64)
        fed = {
            "input_ids": np.array([each.ids for each in coded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([each.type_ids for each in coded], dtype=np.int64),
        }
        outputs = self._session.run(None, {name: value for name, value in fed.items() if name in self._takes})
        whole = next((each for each in outputs if each.ndim == 2), None)
        if whole is not None:
            return np.asarray(whole, dtype=np.float32)
        weights = mask[:, :, None].astype(np.float32)
        mean: Vectors = (outputs[0] * weights).sum(1) / np.maximum(weights.sum(1), 1)
        return mean.astype(np.float32)
