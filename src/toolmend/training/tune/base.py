"""What is fine-tuned: an embedded preset, or a KerasHub preset. Opened and checked before any weight is loaded.

`open_base` knows the names; each kind knows how it writes conversations, and how its weights come in and go out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from toolmend.errors import BadFile, BadOption, UnknownName
from toolmend.models import Model, builtin
from toolmend.models.builtin.preset import PICKLED, Preset
from toolmend.training.tune.embedded import EmbeddedBase
from toolmend.training.tune.rows import Form


class Base(Protocol):
    """A base that has been checked. `identity` is a hash that changes with its weights; `window` counts tokens.

    `toolboxes` are the only ones it knows, empty for any.
    """

    name: str
    identity: str
    window: int
    pad: int
    license: str
    toolboxes: tuple[str, ...]

    def form(self) -> Form:
        """How it writes conversations."""
        ...

    def load(self) -> Any:
        """A Keras model from {token_ids, padding_mask} to logits (rows, time, vocabulary), float32."""
        ...

    def player(self, lm: Any) -> Model:
        """The Keras model as one that replies. Raises BadOption where that cannot be."""
        ...

    def write(self, lm: Any, folder: Path, about: Mapping[str, Any], card: str) -> None:
        """Write the model as a preset that works at once."""
        ...


def open_base(name: str) -> Base:
    """The base of a name: `builtin/small`, a preset folder (`./mine`), or a preset that KerasHub knows (`keras/NAME`).

    Raises UnknownName, BadFile or BadOption, by name and before loading.
    """
    if Path(name).suffix.lower() in PICKLED:
        raise BadFile(name, "pickled weights are never loaded; convert them to safetensors")
    family, _, rest = name.partition("/")
    if family == "builtin":
        if rest not in builtin.names():
            raise UnknownName("embedded model", rest, builtin.names(), "a folder is given as ./folder")
        return EmbeddedBase(name, Preset.read(builtin.PRESETS / rest))
    if family == "keras" and rest:
        return _keras(name, rest)
    if not name.startswith((".", "/", "~")):
        raise BadOption(f"base {name!r} is neither builtin/NAME, nor a folder ./FOLDER, nor keras/NAME of KerasHub")
    folder = Path(name).expanduser()
    if (folder / "config.json").exists() and not (folder / "toolmend.json").exists():
        return _keras(name, name)
    return EmbeddedBase(name, Preset.read(folder))


def _keras(name: str, rest: str) -> Base:
    from toolmend.training.tune.hub import HubBase

    return HubBase(name, rest)
