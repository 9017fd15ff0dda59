"""SmolLM2 taught to say which words belong to which argument: `smol/NAME`, an adapter that ships, over `gguf/smollm2`.

A folder that `toolmend train adapter` wrote is `smol/./FOLDER`. Knows names; files are preset.py's.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from toolmend.base.errors import BadOption, UnknownName

if TYPE_CHECKING:
    from toolmend.models.gguf.model import GgufModel

SHELF = Path(__file__).parent


def names() -> list[str]:
    """The adapters that ship."""
    return sorted(path.parent.name for path in SHELF.glob("*/toolmend.json"))


def load(name: str) -> GgufModel:
    """The model of a name, with the options of gguf/… but `adapter` and `template`.

    Raises UnknownName, BadOption, BadFile, and ModelError where the base is not on this machine.
    """
    from dataclasses import replace

    from toolmend.base.options import read_options, split_name
    from toolmend.models.gguf import opened
    from toolmend.models.gguf.model import GgufSettings
    from toolmend.models.gguf.places import locate
    from toolmend.models.smol.preset import SmolPreset

    bare, given = split_name(name)
    settings = read_options(GgufSettings, given, f"smol/{bare}")
    if settings.adapter or settings.template:
        raise BadOption(f"smol/{bare} has its own adapter and template; for others take gguf/smollm2?adapter=FILE")
    is_path = bare.startswith((".", "/", "~"))
    if not is_path and bare not in names():
        raise UnknownName("smol model", bare, names(), "a folder is given as ./folder")
    preset = SmolPreset.read(Path(bare).expanduser() if is_path else SHELF / bare)
    base = locate(preset.base)
    model = opened(f"smol/{name}", base, replace(settings, adapter=str(preset.derived(base))))
    strategy = "spoken?describe=true&structured=true&tools=5" if preset.describe else "spoken"
    model.abilities = replace(model.abilities, toolboxes=preset.toolboxes, strategy=strategy)
    return model
