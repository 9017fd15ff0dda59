"""An adapter for other programs: PEFT's folder for transformers, or llama.cpp's file with a Modelfile for Ollama.

It stands beside its base there; what it says is the notation of docs/notation.md. Knows no engine.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from toolmend.errors import BadFile, BadOption, UnknownName
from toolmend.models.gguf.peft import CONFIG, WEIGHTS
from toolmend.models.gguf.places import locate
from toolmend.models.smol import SHELF, names
from toolmend.models.smol.preset import SmolPreset

FORMATS = ("hf", "gguf")
_FILES = (WEIGHTS, CONFIG, "toolmend.json", "README.md")


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
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as scratch:
            part = Path(scratch) / "part"
            part.mkdir()
            _write(preset, to, part)
            os.replace(part, out)
    except OSError as error:
        raise BadFile(out, f"could not be written ({error.strerror or error}); nothing is left of it") from error
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
    for name in _FILES if to == "hf" else ("README.md",):
        if (preset.folder / name).is_file():
            shutil.copyfile(preset.folder / name, folder / name)
    if to == "gguf":
        base = locate(preset.base)
        shutil.copyfile(preset.derived(base), folder / "adapter.gguf")
        modelfile = f"FROM {base}\nADAPTER ./adapter.gguf\nPARAMETER temperature 0\n"
        (folder / "Modelfile").write_text(modelfile, encoding="utf-8")
