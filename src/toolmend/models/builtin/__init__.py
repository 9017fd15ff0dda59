"""The model that ships with toolmend and needs no download: `builtin/small`, which knows the calendar alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from toolmend.base.errors import UnknownName

if TYPE_CHECKING:
    from toolmend.models.builtin.model import BuiltinModel

PRESETS = Path(__file__).parent / "presets"


def names() -> list[str]:
    """The models that ship."""
    return ["small"]


def trained_for(toolbox: str) -> list[str]:
    """Those that know this toolbox from training."""
    return names() if toolbox == "calendar" else []


@cache
def load(name: str) -> BuiltinModel:
    """The embedded model of a name, loaded once per process. Raises UnknownName listing the shipped ones."""
    from toolmend.models.builtin.model import BuiltinModel
    from toolmend.models.builtin.preset import Preset

    if name not in names():
        raise UnknownName("embedded model", name, names())
    return BuiltinModel(f"builtin/{name}", Preset.read(PRESETS / name))
