"""Language models behind one method. `load_model("builtin/small")` finds any of them by name."""

from __future__ import annotations

from toolmend.base.errors import BadOption
from toolmend.models.model import Abilities, Model, OnDelta, declared, fits_toolbox
from toolmend.registry import models

__all__ = ["Abilities", "Model", "OnDelta", "declared", "fits_toolbox", "load_model"]


def load_model(name: str | Model) -> Model:
    """The model of a name `family/rest` or of a short one (`small`); a Model is returned as it is.

    Raises UnknownName or BadOption with what is known, MissingExtra where something is not installed.
    """
    if not isinstance(name, str):
        return name
    if name and "/" not in name:
        from toolmend.models.chosen import full_name

        name = full_name(name)
    family, slash, rest = name.partition("/")
    if not slash or not rest or family in (".", "..", "~", ""):
        raise BadOption(
            f"model {name!r} is not of the form family/name (an adapter's folder is smol/./FOLDER); "
            f"families: {', '.join(models.names())}; see `toolmend models`"
        )
    made: Model = models.get(family)(rest)
    return made
