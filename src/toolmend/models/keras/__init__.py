"""Models on Keras and JAX in this process: `keras/NAME?option=value` (docs/local-models.md). Imports neither by itself.

NAME is a model of the catalogue, a KerasHub preset, `kaggle://…`, `hf://…`, or a folder `./…`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolmend.models.keras.model import KerasModel


def load(name: str) -> KerasModel:
    """The model of a name, looked at and checked; its weights are loaded at the first reply.

    Raises MissingExtra, UnknownName, BadOption, BadFile naming what is wrong, and ModelError for what is not here.
    """
    from toolmend.errors import BadOption
    from toolmend.models.keras.folder import Folder, locate
    from toolmend.models.keras.model import KerasModel, KerasSettings
    from toolmend.models.keras.worker import worker
    from toolmend.options import read_options, split_name

    bare, given = split_name(name)
    settings = read_options(KerasSettings, given, f"keras/{bare}")

    def preset(wanted: str) -> str:
        from toolmend.models.keras.loading import preset_handle

        return worker().call(lambda: preset_handle(wanted))

    folder = Folder.read(locate(bare, preset, download=settings.download))
    if (folder.path / "toolmend.json").is_file():
        raise BadOption(
            f"{folder.path} is a preset of toolmend's own, which has an engine of its own: --model ./FOLDER"
        )
    return KerasModel(f"keras/{bare}", folder, settings)
