"""An embedder from a folder of one's own: model.onnx and tokenizer.json, as sentence-transformers exports them.

The model takes `input_ids`, `attention_mask` and, where it has it, `token_type_ids`. What it gives for each token is
averaged; what it gives for each text is taken as it is. Run by onnxruntime (extra `onnx`); nothing is fetched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from toolmend.errors import BadFile, BadOption, MissingExtra
from toolmend.knowledge.search.embedder import Vectors, unit
from toolmend.options import read_options, split_name


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxSettings:
    """What can be said of a folder: `tokens` of a text are read, `batch` texts go at once; the rest as for servers."""

    tokens: int = 256
    batch: int = 16
    ask: str = ""
    passage: str = ""
    near: float | None = None


class OnnxEmbedder:
    """The model in a folder. Raises BadFile for what cannot be read, MissingExtra without onnxruntime."""

    def __init__(self, folder: Path, settings: OnnxSettings) -> None:
        model, self._settings, self.near = folder / "model.onnx", settings, settings.near
        try:
            digest = hashlib.sha256(model.read_bytes()).hexdigest()[:8]
            spelling = (folder / "tokenizer.json").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadFile(folder, f"no embedder: needs model.onnx and tokenizer.json ({error})") from error
        self._session, self._tokenizer = _session(model), _tokenizer(folder, spelling, settings.tokens)
        self._takes = {each.name for each in self._session.get_inputs()}
        prefixes = "&".join(f"{key}={getattr(settings, key)}" for key in ("ask", "passage") if getattr(settings, key))
        self.name = f"onnx/{folder.name}-{digest}" + (f"?{prefixes}" if prefixes else "")

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """A row for each text."""
        before, size = self._settings.ask if question else self._settings.passage, self._settings.batch
        parts = [self._some([before + text for text in texts[at : at + size]]) for at in range(0, len(texts), size)]
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


def _session(model: Path) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtra(f"the embedder in {model.parent}", "onnx") from error
    try:
        return onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common type below Exception
        raise BadFile(model, f"onnxruntime cannot read it ({str(error).splitlines()[0]})") from error


def _tokenizer(folder: Path, text: str, most: int) -> Any:
    from tokenizers import Tokenizer

    try:
        made = Tokenizer.from_str(text)
    except Exception as error:  # tokenizers raises bare Exception
        raise BadFile(folder / "tokenizer.json", f"tokenizers cannot read it ({error})") from error
    made.enable_truncation(most)
    made.enable_padding()
    return made


def load(rest: str) -> OnnxEmbedder:
    """The embedder of the name `onnx/FOLDER?near=0.5`."""
    if not rest:
        raise BadOption("embedder 'onnx' needs a folder: onnx/FOLDER, with model.onnx and tokenizer.json")
    folder, given = split_name(rest, "embedder")
    return OnnxEmbedder(Path(folder).expanduser(), read_options(OnnxSettings, given, f"onnx/{folder}"))
