"""Where a model's files are, and whether they can be a model: found and looked at before any weight is loaded.

Names: a model of the catalogue, `hf://…`, or a folder. Nothing is fetched: what is missing is said at
once, with the command that gets it. Knows neither Keras nor JAX.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile, ModelError, UnknownName
from toolmend.extras.keras import catalogue

FAMILIES = ("llama", "gemma", "gemma2", "mistral", "qwen2", "qwen3")
"""Kinds of Hugging Face folders (model_type) that are known to load."""

_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
_KERAS_WEIGHTS = ("model.weights.h5", "model.weights.json")
_TOKENIZERS = ("tokenizer.json", "tokenizer.model")
_PICKLED = (".pkl", ".pickle", ".pt", ".pth", ".bin", ".ckpt")
_NEEDED = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")


@dataclass(frozen=True)
class Folder:
    """A model's folder that was looked at. `kind` is its model_type, or the class of a KerasHub preset's backbone."""

    path: Path
    config: Mapping[str, Any]
    is_keras: bool

    @classmethod
    def read(cls, path: Path) -> Folder:
        """Look at a folder. Raises BadFile naming the file that is missing or wrong, and what is."""
        if not path.is_dir():
            raise BadFile(path, "no such folder")
        config = read_json(path / "config.json")
        folder = cls(path, config, "registered_name" in config)
        folder._check()
        return folder

    @property
    def kind(self) -> str:
        """`llama`, `gemma2` … or `Llama3Backbone`, `GemmaBackbone` …"""
        return str(self.config.get("class_name" if self.is_keras else "model_type", ""))

    def _check(self) -> None:
        if self.is_keras:
            self._need(_KERAS_WEIGHTS)
            return
        if self.kind not in FAMILIES:
            raise BadFile(self.path / "config.json", f"model_type {self.kind!r}; known: {', '.join(FAMILIES)}")
        if not any((self.path / name).is_file() for name in _WEIGHTS):
            for path in sorted(self.path.iterdir()):
                if path.suffix.lower() in _PICKLED:
                    raise BadFile(path, "pickled weights are never loaded; convert them to safetensors")
        self._need(_WEIGHTS)
        self._need(_TOKENIZERS)
        if missing := [key for key in _NEEDED if not isinstance(self.config.get(key), int)]:
            raise BadFile(self.path / "config.json", f"{missing[0]} is missing or no whole number")

    def _need(self, names: tuple[str, ...]) -> None:
        if not any((self.path / name).is_file() for name in names):
            raise BadFile(self.path, f"{' or '.join(names)} is missing")

    def bytes(self, width: int) -> int:
        """Bytes of the weights at `width` bytes each, by the sizes of their files."""
        inner = self.config.get("config", {}) if self.is_keras else self.config
        stored = str(inner.get("dtype") or inner.get("torch_dtype") or "")
        size = sum(
            file.stat().st_size for file in self.path.glob("model*" + (".h5" if self.is_keras else ".safetensors"))
        )
        return size * width // (2 if "16" in stored else 4)


def locate(name: str) -> Path:
    """The folder of a name. Raises UnknownName, and ModelError saying what is not on this machine and how to get it."""
    if name.startswith((".", "/", "~")):
        return Path(name).expanduser().resolve()
    entry = catalogue.find(name)
    repository = entry.linked if entry else name.removeprefix("hf://")
    if not entry and repository == name:
        hint = "a folder is ./FOLDER, a handle hf://ORG/MODEL"
        raise UnknownName("local model", name, [entry.name for entry in catalogue.ENTRIES], hint)
    if folder := _in_hf(repository):
        return folder
    raise ModelError(f"keras/{name} is not on this machine; get it once with `hf download {repository}`")


def _in_hf(repository: str) -> Path | None:
    """The newest snapshot in the cache of huggingface_hub that has a config."""
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    hub = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    snapshots = hub / f"models--{repository.replace('/', '--')}" / "snapshots"
    found = [path.parent for path in snapshots.glob("*/config.json")]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def read_json(path: Path) -> dict[str, Any]:
    """A file with one JSON object. Raises BadFile."""
    if not path.is_file():
        raise BadFile(path.parent, f"{path.name} is missing")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise BadFile(path, f"not readable JSON ({error})") from error
    if not isinstance(data, dict):
        raise BadFile(path, "not a JSON object")
    return data
