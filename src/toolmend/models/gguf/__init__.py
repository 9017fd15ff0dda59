"""GGUF files run in this process by llama.cpp (package xllamacpp): `gguf/NAME?option=value`. Imports it late.

NAME is a path, `smollm2`, or a file that Ollama holds (places.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolmend.models.gguf.model import GgufModel, GgufSettings


def load(name: str) -> GgufModel:
    """The model of a name, its file looked at and checked; weights are loaded at the first reply.

    Raises BadFile, BadOption, UnknownName, and ModelError for what is not on this machine.
    """
    from toolmend.base.options import read_options, split_name
    from toolmend.models.gguf.model import GgufSettings
    from toolmend.models.gguf.places import locate

    bare, given = split_name(name)
    settings = read_options(GgufSettings, given, f"gguf/{bare}")
    return opened(f"gguf/{name}", locate(bare), settings)


def opened(name: str, path: Path, settings: GgufSettings) -> GgufModel:
    """The model in a file, under that name; one whose adapter speaks words is asked for words. Raises BadFile."""
    from dataclasses import replace

    from toolmend.models.gguf.header import SPEAKS, Header
    from toolmend.models.gguf.model import GgufModel

    header = Header.read(path)
    header.check_model()
    spoken = False
    if settings.adapter:
        adapter = Header.read(Path(settings.adapter).expanduser())
        adapter.check_adapter(header)
        spoken = SPEAKS in adapter.meta
    model = GgufModel(name, header, settings)
    if spoken:
        model.abilities = replace(model.abilities, strategy="spoken")
    return model
