"""The models that ship with toolmend, and preset folders of the same kind. Knows names; files are preset.py's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from toolmend.errors import UnknownName

if TYPE_CHECKING:
    from toolmend.models.builtin.model import BuiltinModel

PRESETS = Path(__file__).parent / "presets"
_loaded: dict[Path, BuiltinModel] = {}


def names() -> list[str]:
    """The presets that ship, the default first."""
    found = sorted(path.parent.name for path in PRESETS.glob("*/toolmend.json"))
    return sorted(found, key=lambda name: name != "small")


def trained_for(toolbox: str) -> list[str]:
    """The presets that know this toolbox from training."""
    from toolmend.models.builtin.preset import Preset

    known = {name: Preset.read(PRESETS / name).toolboxes for name in names()}
    return [name for name, boxes in known.items() if toolbox in boxes]


def load(name: str) -> BuiltinModel:
    """The embedded model of a name (`small`) or of a preset folder (`./mine`); each is loaded once per process.

    Raises UnknownName listing the shipped ones, BadFile for a folder that is no preset.
    """
    from toolmend.models.builtin.model import BuiltinModel
    from toolmend.models.builtin.preset import Preset

    is_path = name.startswith((".", "/", "~"))
    folder = Path(name).expanduser().resolve() if is_path else PRESETS / name
    if not is_path and name not in names():
        raise UnknownName("embedded model", name, names(), "a folder is given as ./folder")
    if folder not in _loaded:
        _loaded[folder] = BuiltinModel(name if is_path else f"builtin/{name}", Preset.read(folder))
    return _loaded[folder]
