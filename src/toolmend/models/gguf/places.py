"""Where GGUF files are: what `toolmend models get` put here, and what Ollama, LM Studio and Hugging Face's cache hold.

smollm2      ollama:llama3.2:1b      lmstudio:MAKER/MODEL/FILE.gguf      hf:MAKER/MODEL/FILE.gguf      a path
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toolmend.errors import BadFile, ModelError, UnknownName
from toolmend.models.gguf.fetch import SHIPPED, place

_MODEL = "application/vnd.ollama.image.model"


@dataclass(frozen=True)
class Held:
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
    holder, sign, rest = name.partition(":")
    if sign and holder in _HOLDERS:
        held = list(_HOLDERS[holder]())
        matches = [file for file in held if file.name in (name, f"{name}:latest")]
        matches = matches or [file for file in held if file.name.endswith(f"/{rest}")]
        if len(matches) == 1:
            return matches[0].path
        raise UnknownName("GGUF file", name, [file.name for file in matches or held], "see `toolmend models local`")
    path = Path(name).expanduser()
    if path.is_dir():
        raise BadFile(path, "is a folder; name the .gguf file in it")
    if not path.exists() and "/" not in name and not name.endswith(".gguf"):
        raise UnknownName("GGUF model", name, {*SHIPPED, *(held.name for held in local())}, "or gguf/PATH")
    return path


def local() -> list[Held]:
    """Every GGUF model that can be named on this machine."""
    shipped = [Held(name, place(file)) for name, file in SHIPPED.items() if place(file).is_file()]
    return [*shipped, *(held for holder in _HOLDERS.values() for held in holder())]


def _ollama() -> Iterator[Held]:
    """The models of Ollama: a manifest for each tag, whose layers are named by their digests."""
    for root in _folders("OLLAMA_MODELS", "~/.ollama/models", "/usr/share/ollama/.ollama/models"):
        for manifest in sorted(root.glob("manifests/*/*/*/*")):
            try:
                layers = json.loads(manifest.read_text(encoding="utf-8"))["layers"]
                digests = [layer["digest"] for layer in layers if layer["mediaType"] == _MODEL]
            except (OSError, ValueError, LookupError, TypeError):
                continue  # not a manifest, or one of a form that this does not know
            blob = root / "blobs" / str(digests[0] if digests else "").replace(":", "-")
            if blob.is_file():
                maker, model, tag = manifest.parts[-3:]
                yield Held(f"ollama:{'' if maker == 'library' else f'{maker}/'}{model}:{tag}", blob)


def _lmstudio() -> Iterator[Held]:
    for root in _folders("", "~/.lmstudio/models", "~/.cache/lm-studio/models"):
        yield from _files("lmstudio", root, "*/*/*.gguf")


def _hugging_face() -> Iterator[Held]:
    home = os.environ.get("HF_HOME") or os.path.join(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "huggingface")
    for root in _folders("HF_HUB_CACHE", os.path.join(home, "hub")):
        for path in sorted(root.glob("models--*/snapshots/*/**/*.gguf")):
            maker, model = path.relative_to(root).parts[0].removeprefix("models--").split("--", 1)
            yield Held(f"hf:{maker}/{model}/{path.name}", path)


def _files(holder: str, root: Path, pattern: str) -> Iterator[Held]:
    for path in sorted(root.glob(pattern)):
        if not path.name.startswith("mmproj"):  # the eyes of a model, which say nothing by themselves
            yield Held(f"{holder}:{path.relative_to(root).as_posix()}", path)


def _folders(variable: str, *usual: str) -> list[Path]:
    """The folder that a variable says, else the usual ones; only those that are there, each once."""
    said = os.environ.get(variable, "") if variable else ""
    folders = [Path(each).expanduser() for each in ([said] if said else usual)]
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


_HOLDERS = {"ollama": _ollama, "lmstudio": _lmstudio, "hf": _hugging_face}
