"""Embedded presets read for conversion, and written by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from toolmend.errors import UnknownName
from toolmend.models import builtin
from toolmend.models.builtin.preset import Preset
from toolmend.training.convert.source import Trained
from toolmend.training.preset_files import write_files

_OWN = ("format", "toolboxes", "shorthands", "window", "tokenizer")


def read(name: str) -> Trained:
    """The model of `builtin/NAME` or of a preset folder, checked before it is loaded. Raises UnknownName, BadFile."""
    family, _, rest = name.partition("/")
    if family == "builtin" and rest not in builtin.names():
        raise UnknownName("embedded model", rest, builtin.names(), "a folder is given as ./folder")
    folder = builtin.PRESETS / rest if family == "builtin" else Path(name).expanduser()
    preset = Preset.read(folder)
    preset.check()
    card = folder / "README.md"
    return Trained(
        name=str(preset.about.get("name") or folder.resolve().name),
        weights=preset.weights(),
        sizes=preset.sizes,
        tokens=preset.tokens(),
        window=preset.window,
        toolboxes=preset.toolboxes,
        about={key: value for key, value in preset.about.items() if key not in _OWN},
        card=card.read_text(encoding="utf-8") if card.is_file() else "",
    )


def write(trained: Trained, folder: Path) -> None:
    """Write a preset folder (float16)."""
    halves = {name: np.ascontiguousarray(weight.astype(np.float16)) for name, weight in trained.weights.items()}
    write_files(
        folder,
        halves,
        trained.sizes,
        trained.tokens,
        toolboxes=trained.toolboxes,
        window=trained.window,
        about=trained.about,
        card=trained.card,
    )
