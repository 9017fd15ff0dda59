"""Models on Keras and JAX in this process: `keras/NAME?option=value` (docs/local-models.md). Imports neither by itself.

NAME is a model of the catalogue, `hf://…`, or a folder `./…`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolmend.extras.keras.model import KerasModel


def load(name: str) -> KerasModel:
    """The model of a name, looked at and checked; its weights are loaded at the first reply.

    Raises MissingExtra, UnknownName, BadOption, BadFile naming what is wrong, and ModelError for what is not here.
    """
    from toolmend.base.options import read_options, split_name
    from toolmend.extras.keras.folder import Folder, locate
    from toolmend.extras.keras.model import KerasModel, KerasSettings

    bare, given = split_name(name)
    settings = read_options(KerasSettings, given, f"keras/{bare}")
    return KerasModel(f"keras/{bare}", Folder.read(locate(bare)), settings)
