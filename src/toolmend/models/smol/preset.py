"""A folder with an adapter for SmolLM2: PEFT's two files, `toolmend.json` and a card; the GGUF adapter made from it.

    adapter_model.safetensors  adapter_config.json  toolmend.json  README.md

Nothing in it is executed. For other programs it is written out as PEFT's folder in float16, or as llama.cpp's file with
a Modelfile for Ollama; what ships has its matrices in eight bits. What it says is the notation of docs/notation.md.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, BadOption, ModelError, UnknownName
from toolmend.language.resolve.said import NOTATION
from toolmend.models.gguf.header import Header, other_notation
from toolmend.models.gguf.peft import CONFIG, WEIGHTS, eighths, halves, peft_to_gguf
from toolmend.models.gguf.places import locate
from toolmend.models.smol import SHELF, names

_FORMAT, _ABOUT = 1, "toolmend.json"
_MAKING = 1  # of the files in the cache: another number makes them anew
FORMATS = ("hf", "gguf", "int8")
_FILES = (CONFIG, _ABOUT, "README.md")


@dataclass(frozen=True)
class SmolPreset:
    """What a folder says of itself: `toolbox` is the one it is for, "" for any; `base` a name after `gguf/`;
    `figures` what its exam came to; `describe` whether it is to be told what tools and parameters are for."""

    folder: Path
    title: str
    toolbox: str
    base: str
    figures: Mapping[str, Any]
    remark: str
    describe: bool = False

    @classmethod
    def read(cls, folder: Path) -> SmolPreset:
        """Read and check a folder that is to be used. Raises BadFile naming the file and what is wrong with it."""
        for name in (_ABOUT, CONFIG, WEIGHTS):
            if not (folder / name).is_file():
                raise BadFile(folder, f"{name} is missing; a folder with an adapter has {_ABOUT}, {CONFIG}, {WEIGHTS}")
        return cls.about(folder)

    @classmethod
    def about(cls, folder: Path) -> SmolPreset:
        """The same from its `toolmend.json` alone. Raises BadFile."""
        path = folder / _ABOUT
        try:
            about = json.loads(path.read_text(encoding="utf-8"))
            texts = [about.get(name, "") for name in ("title", "toolbox", "base", "remark")]
        except (OSError, ValueError, AttributeError) as error:
            raise BadFile(path, f"not a readable JSON object ({error})") from error
        if about.get("format") != _FORMAT:
            raise BadFile(path, f"format {about.get('format')!r} is not {_FORMAT}: made by another version")
        if about.get("notation") != NOTATION:
            raise BadFile(path, other_notation(about.get("notation")))
        figures = about.get("figures", {})
        if not all(isinstance(text, str) for text in texts) or not isinstance(figures, dict) or not about.get("base"):
            raise BadFile(path, "title, toolbox, base and remark should be texts, figures an object")
        title, toolbox, base, remark = texts
        return cls(folder, title, toolbox, base, figures, remark, about.get("describe") is True)

    @property
    def toolboxes(self) -> tuple[str, ...] | None:
        """The toolboxes it can be asked about; None for any."""
        return (self.toolbox,) if self.toolbox else None

    def write(self) -> None:
        """Write `toolmend.json` into the folder."""
        names = ("title", "toolbox", "base", "figures", "remark", "describe")
        told = {name: getattr(self, name) for name in names}
        text = json.dumps({"format": _FORMAT, "notation": NOTATION, **told}, indent=2, ensure_ascii=False)
        (self.folder / _ABOUT).write_text(text + "\n", encoding="utf-8")

    def derived(self, base: Path) -> Path:
        """The adapter as a GGUF file for that base, in the user's cache, made once for its content.

        Raises BadFile, and ModelError where it cannot be kept.
        """
        from platformdirs import user_cache_path

        header = Header.read(base)
        heads = header.number("attention.head_count")
        kv_heads = header.number("attention.head_count_kv") or heads
        digest = hashlib.sha256(f"{_MAKING} {heads} {kv_heads} ".encode())
        for name in (CONFIG, WEIGHTS):
            digest.update((self.folder / name).read_bytes())
        path = user_cache_path("toolmend") / "adapters" / f"{self.folder.name}-{digest.hexdigest()[:16]}.gguf"
        try:
            if not path.is_file():
                peft_to_gguf(self.folder, path, heads=heads, kv_heads=kv_heads)
        except OSError as error:
            raise ModelError(f"{path.name} cannot be kept in {path.parent} ({error.strerror or error})") from error
        return path


def export_adapter(model: str, to: str, out: Path) -> dict[str, int]:
    """Write the adapter `smol/NAME` or `./FOLDER` to `out`, a folder that is not there yet; bytes by file.

    Raises UnknownName, BadFile or BadOption before anything is written, ModelError where gguf's base is not here; a
    full disk leaves nothing.
    """
    if to not in FORMATS:
        raise UnknownName("format", to, FORMATS)
    preset = SmolPreset.read(_folder(model))
    if out.exists():
        raise BadOption(f"{out} is already there; name another place, or remove it first")
    with written(out) as part:
        part.mkdir()
        _write(preset, to, part)
    return {path.name: path.stat().st_size for path in sorted(out.iterdir())}


def _folder(model: str) -> Path:
    if model.startswith((".", "/", "~")):
        return Path(model).expanduser()
    family, _, name = model.partition("/")
    if family != "smol" or name not in names():
        raise UnknownName(
            "model to convert", model, (f"smol/{name}" for name in names()), "a folder is given as ./folder"
        )
    return SHELF / name


def _write(preset: SmolPreset, to: str, folder: Path) -> None:
    for name in ("README.md",) if to == "gguf" else _FILES:
        if (preset.folder / name).is_file():
            shutil.copyfile(preset.folder / name, folder / name)
    if to != "gguf":
        from safetensors.numpy import save_file

        tensors = halves(preset.folder)
        told = {"format": "pt", "toolmend.notation": str(NOTATION)}
        save_file(eighths(tensors) if to == "int8" else tensors, folder / WEIGHTS, metadata=told)
    if to == "gguf":
        base = locate(preset.base)
        shutil.copyfile(preset.derived(base), folder / "adapter.gguf")
        modelfile = f"FROM {base}\nADAPTER ./adapter.gguf\nPARAMETER temperature 0\n"
        (folder / "Modelfile").write_text(modelfile, encoding="utf-8")
