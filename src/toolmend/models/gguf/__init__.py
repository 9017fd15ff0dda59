"""GGUF files run in this process by llama.cpp (package xllamacpp): `gguf/NAME?option=value`. Imports it late.

NAME is a path, `smollm2`, or a file that Ollama, LM Studio or Hugging Face's cache holds (places.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolmend.models.gguf.model import GgufModel


def load(name: str) -> GgufModel:
    """The model of a name, its file looked at and checked; weights are loaded at the first reply.

    Raises BadFile, BadOption, UnknownName, and ModelError for what is not on this machine.
    """
    from pathlib import Path

    from toolmend.models.gguf.header import Header
    from toolmend.models.gguf.model import GgufModel, Settings
    from toolmend.models.gguf.places import locate
    from toolmend.options import read_options, split_name

    bare, given = split_name(name)
    settings = read_options(Settings, given, f"gguf/{bare}")
    header = Header.read(locate(bare))
    header.check_model()
    if settings.adapter:
        Header.read(Path(settings.adapter).expanduser()).check_adapter(header)
    return GgufModel(f"gguf/{name}", header, settings)
