"""One model from one format into another: which reader, which writer, and the product whole or not at all.

builtin/NAME, preset folder, Hugging Face folder or GGUF file of ours  ->  preset · hf · gguf · keras
KerasHub Llama 3 preset                                               ->  hf · gguf
"""

from __future__ import annotations

from pathlib import Path

from toolmend.errors import BadFile, BadOption
from toolmend.models.builtin.preset import PICKLED
from toolmend.training.convert.keras_folder import Hub, is_keras
from toolmend.training.convert.products import product
from toolmend.training.convert.source import Trained

FORMATS = ("hf", "gguf", "keras", "preset")


def convert(model: str, to: str, out: Path, kind: str = "f16") -> list[tuple[str, int]]:
    """Write the model to `out`, a folder that is not there yet; its files with their bytes. `kind` is a GGUF type.

    Raises UnknownName, BadFile or BadOption before anything is written; a full disk leaves nothing.
    """
    if to not in FORMATS:
        raise BadOption(f"unknown format {to!r}; known: {', '.join(FORMATS)}")
    if out.exists():
        raise BadOption(f"{out} is already there; name another place, or remove it first")
    found = opened(model)
    with product(out) as made:
        if isinstance(found, Hub):
            _write_hub(found, to, made, kind)
        else:
            _write(found, to, made, kind)
    return sorted((path.relative_to(out).as_posix(), path.stat().st_size) for path in out.rglob("*") if path.is_file())


def opened(model: str) -> Trained | Hub:
    """The model of a name, read by the reader of its format. Raises UnknownName, BadFile, BadOption."""
    path = Path(model).expanduser()
    if path.suffix.lower() in PICKLED:
        raise BadFile(path, "pickled weights are never loaded; convert them to safetensors")
    if path.suffix.lower() == ".gguf":
        if not path.is_file():
            raise BadFile(path, "no such file")
        from toolmend.training.convert import spelled_gguf

        return spelled_gguf.read(path)
    if not model.startswith(("builtin/", ".", "/", "~")):
        raise BadOption(f"model {model!r} is neither builtin/NAME nor a folder ./FOLDER nor a file ./FILE.gguf")
    if model.startswith("builtin/") or (path / "toolmend.json").exists():
        from toolmend.training.convert import embedded

        return embedded.read(model)
    if is_keras(path):
        from toolmend.training.convert import keras_folder

        return keras_folder.read(path)
    from toolmend.training.convert import hf_folder

    return hf_folder.read(path)


def _write(trained: Trained, to: str, folder: Path, kind: str) -> None:
    if to == "hf":
        from toolmend.training.convert import hf_folder

        hf_folder.write(trained, folder)
    elif to == "preset":
        from toolmend.training.convert import embedded

        embedded.write(trained, folder)
    elif to == "keras":
        from toolmend.training.convert import keras_folder

        keras_folder.write(trained, folder)
    else:
        from toolmend.training.convert import spelled_gguf
        from toolmend.training.convert.modelfile import modelfile

        spelled_gguf.write(trained, folder / "model.gguf", kind)
        (folder / "Modelfile").write_text(modelfile(trained), encoding="utf-8")
        (folder / "README.md").write_text(trained.card, encoding="utf-8")


def _write_hub(hub: Hub, to: str, folder: Path, kind: str) -> None:
    from toolmend.training.convert import hub_export

    if to == "hf":
        hub_export.write_hf(hub, folder)
    elif to == "gguf":
        hub_export.write(hub, folder / "model.gguf", kind)
    else:
        raise BadOption(f"a KerasHub preset becomes hf or gguf; {to} is for embedded models")
