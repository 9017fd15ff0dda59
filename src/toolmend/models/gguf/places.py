"""Where GGUF files are: what `toolmend models get` put here, and what Ollama holds.

smollm2      ollama:llama3.2:1b      a path
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toolmend.base.errors import BadFile, ModelError, UnknownName
from toolmend.models.gguf.fetch import SHIPPED, place

_MODEL = "application/vnd.ollama.image.model"


@dataclass(frozen=True)
class LocalFile:
    """A file that is here, and its name after `gguf/`."""

    name: str
    path: Path

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.path.stat().st_size


def locate(name: str) -> Path:
    """The file of a name. Raises ModelError saying how to get one that is not here, UnknownName with what is."""
    if name in SHIPPED:
        path = place(SHIPPED[name])
        if not path.is_file():
            raise ModelError(f"gguf/{name} is not on this machine; get it once with `toolmend models get {name}`")
        return path
    if name.startswith("ollama:"):
        held = {file.name: file.path for file in _ollama()}
        if found := held.get(name) or held.get(f"{name}:latest"):
            return found
        raise UnknownName("GGUF file", name, held, "see `toolmend models local`")
    path = Path(name).expanduser()
    if path.is_dir():
        raise BadFile(path, "is a folder; name the .gguf file in it")
    if not path.exists() and "/" not in name and not name.endswith(".gguf"):
        raise UnknownName("GGUF model", name, {*SHIPPED, *(held.name for held in local())}, "or gguf/PATH")
    return path


def local() -> list[LocalFile]:
    """Every GGUF model that can be named on this machine."""
    shipped = [LocalFile(name, place(file)) for name, file in SHIPPED.items() if place(file).is_file()]
    return [*shipped, *_ollama()]


def _ollama() -> Iterator[LocalFile]:
    """The models of Ollama: a manifest for each tag, whose layers are named by their digests."""
    said = os.environ.get("OLLAMA_MODELS")
    usual = [Path.home() / ".ollama/models", Path("/usr/share/ollama/.ollama/models")]
    for root in [Path(said)] if said else usual:
        for manifest in sorted(root.glob("manifests/*/*/*/*")):
            try:
                layers = json.loads(manifest.read_text(encoding="utf-8"))["layers"]
                digests = [layer["digest"] for layer in layers if layer["mediaType"] == _MODEL]
            except (OSError, ValueError, LookupError, TypeError):
                continue  # not a manifest, or one of a form that this does not know
            blob = root / "blobs" / str(digests[0] if digests else "").replace(":", "-")
            if blob.is_file():
                maker, model, tag = manifest.parts[-3:]
                yield LocalFile(f"ollama:{'' if maker == 'library' else f'{maker}/'}{model}:{tag}", blob)
