"""Where a model's files are, and whether they can be a model: found, read and checked before any weight is loaded.

Names: a KerasHub preset, `kaggle://…`, `hf://…`, a folder, or a model of the catalogue. Nothing is fetched unless
asked for, so that what is missing is said at once. Knows neither Keras nor JAX.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.errors import BadFile, BadOption, ModelError
from toolmend.models.builtin.preset import refuse_pickles
from toolmend.models.keras import catalogue

FAMILIES = ("llama", "gemma", "gemma2", "mistral", "qwen2", "qwen3")
"""Kinds of Hugging Face folders (model_type) that are known to load."""

_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
_KERAS_WEIGHTS = ("model.weights.h5", "model.weights.json")
_TOKENIZERS = ("tokenizer.json", "tokenizer.model")
_FETCHED = ["*.json", "*.safetensors", "*.model", "*.h5", "*.jinja", "assets/*"]
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
        folder.check()
        return folder

    @property
    def kind(self) -> str:
        """`llama`, `gemma2` … or `Llama3Backbone`, `GemmaBackbone` …"""
        return str(self.config.get("class_name" if self.is_keras else "model_type", ""))

    def check(self) -> None:
        """Whether all files are there and fit together. Raises BadFile."""
        if self.is_keras:
            self._need(_KERAS_WEIGHTS)
            return
        if self.kind not in FAMILIES:
            raise BadFile(self.path / "config.json", f"model_type {self.kind!r}; known: {', '.join(FAMILIES)}")
        if not any((self.path / name).is_file() for name in _WEIGHTS):
            refuse_pickles(self.path)
        self._need(_WEIGHTS)
        self._need(_TOKENIZERS)
        if missing := [key for key in _NEEDED if not isinstance(self.config.get(key), int)]:
            raise BadFile(self.path / "config.json", f"{missing[0]} is missing or no whole number")
        self._check_shapes()

    def _need(self, names: tuple[str, ...]) -> None:
        if not any((self.path / name).is_file() for name in names):
            raise BadFile(self.path, f"{' or '.join(names)} is missing")

    def _check_shapes(self) -> None:
        """Names and shapes of a few weights that config.json decides: those of the embedding and of every layer."""
        wanted = {"model.embed_tokens.weight": (self.config["vocab_size"], self.config["hidden_size"])}
        inner = (self.config["intermediate_size"], self.config["hidden_size"])
        for number in range(self.config["num_hidden_layers"]):
            wanted[f"model.layers.{number}.mlp.gate_proj.weight"] = inner
        found = {name: shape for file in self.weight_files() for name, (shape, _) in heads(file).items()}
        for name, shape in wanted.items():
            if name not in found:
                raise BadFile(self.path, f"weight {name} is missing, which config.json asks for")
            if found[name] != shape:
                raise BadFile(self.path, f"weight {name} has shape {found[name]}, config.json says {shape}")

    def weight_files(self) -> list[Path]:
        """The safetensors files. Raises BadFile where the index names one that is missing."""
        if (self.path / _WEIGHTS[0]).is_file():
            return [self.path / _WEIGHTS[0]]
        index = read_json(self.path / _WEIGHTS[1]).get("weight_map", {})
        files = sorted({self.path / str(name) for name in index.values()})
        for file in files:
            if not file.is_file():
                raise BadFile(file, f"this part of the weights is missing, which {_WEIGHTS[1]} names")
        return files

    def bytes(self, width: int) -> int:
        """Bytes of the weights at `width` bytes each."""
        if self.is_keras:
            size = sum(file.stat().st_size for file in self.path.glob("model*.weights.h5"))
            stored = str(self.config.get("config", {}).get("dtype", ""))
            return size * width // (2 if "16" in stored else 4)
        shapes = [shape for file in self.weight_files() for shape, _ in heads(file).values()]
        return width * sum(_product(shape) for shape in shapes)


def locate(name: str, preset: Callable[[str], str], *, download: bool) -> Path:
    """The folder of a name. `preset` gives the handle of one of KerasHub's own names.

    Raises ModelError saying what is not on this machine and how to get it.
    """
    if name.startswith((".", "/", "~")):
        return Path(name).expanduser().resolve()
    places = [_hub(*handle.partition("://")[::2]) for handle in _handles(name, preset)]
    if found := next((found for found, _, _ in places if found is not None), None):
        return found
    _, fetch, command = places[0]
    if not download:
        raise ModelError(
            f"keras/{name} is not on this machine; get it once with `{command}`, or with keras/{name}?download=true"
        )
    try:
        return Path(fetch())
    except ImportError as error:
        raise ModelError(f"keras/{name}: the package {error.name} is needed to fetch it; or: {command}") from error
    except Exception as error:  # whatever a hub's client raises, of the network too
        why = str(error).strip().partition("\n")[0][:160]
        raise ModelError(f"keras/{name} could not be fetched ({type(error).__name__}: {why})") from error


def _handles(name: str, preset: Callable[[str], str]) -> tuple[str, ...]:
    if name.startswith(("kaggle://", "hf://")):
        return (name,)
    if "://" in name:
        raise BadOption(f"keras/{name}: a handle begins with kaggle:// or hf://, a folder with ./")
    entry = catalogue.find(name)
    return entry.handles if entry else (preset(name),)


def _hub(scheme: str, rest: str) -> tuple[Path | None, Callable[[], str], str]:
    """The folder if it is here, the function that fetches it, and the command that does."""
    if scheme == "hf":

        def fetch() -> str:
            from huggingface_hub import snapshot_download

            return str(snapshot_download(rest, allow_patterns=_FETCHED))

        return _in_hf(rest), fetch, f"hf download {rest}"

    def fetch_kaggle() -> str:
        import kagglehub

        return str(kagglehub.model_download(rest))

    command = f"python -c \"import kagglehub; kagglehub.model_download('{rest}')\""
    return _in_kaggle(rest), fetch_kaggle, command


def _in_hf(repository: str) -> Path | None:
    """The newest snapshot in the cache of huggingface_hub that has a config."""
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    hub = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    snapshots = hub / f"models--{repository.replace('/', '--')}" / "snapshots"
    found = [path.parent for path in snapshots.glob("*/config.json")]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def _in_kaggle(handle: str) -> Path | None:
    """The newest version in the cache of kagglehub; a handle may end with one."""
    home = Path(os.environ.get("KAGGLEHUB_CACHE") or Path.home() / ".cache" / "kagglehub")
    folder = home / "models" / handle
    if (folder / "config.json").is_file():
        return folder
    found = [path.parent for path in folder.glob("*/config.json") if path.parent.name.isdigit()]
    return max(found, key=lambda path: int(path.name), default=None)


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


def heads(path: Path) -> dict[str, tuple[tuple[int, ...], str]]:
    """Shape and kind of every weight of a safetensors file, from its first bytes. Raises BadFile."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > path.stat().st_size:
                raise ValueError("its head is longer than the file")
            data = json.loads(file.read(length))
        ends = [about["data_offsets"][1] for name, about in data.items() if name != "__metadata__"]
        if 8 + length + max(ends, default=0) > path.stat().st_size:
            raise ValueError("it ends before its last weight: not wholly fetched?")
        return {name: (tuple(about["shape"]), about["dtype"]) for name, about in data.items() if name != "__metadata__"}
    except (ValueError, OSError, KeyError, TypeError, AttributeError) as error:
        raise BadFile(path, f"not a readable safetensors file ({error})") from error


def _product(shape: tuple[int, ...]) -> int:
    size = 1
    for each in shape:
        size *= each
    return size
