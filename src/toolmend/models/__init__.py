"""Language models behind one method. `load_model("builtin/small")` finds any of them by name."""

from __future__ import annotations

from collections.abc import Callable

from toolmend.errors import BadOption
from toolmend.models.model import Abilities, Model, OnDelta, declared
from toolmend.registry import models

__all__ = ["Abilities", "Model", "OnDelta", "declared", "load_model"]


def load_model(name: str | Model) -> Model:
    """The model of a name `family/rest`, of a short one (`small`) or of a preset folder; a Model is returned as it is.

    Raises UnknownName or BadOption with what is known, MissingExtra where something is not installed.
    """
    if not isinstance(name, str):
        return name
    if name and "/" not in name and not name.startswith((".", "~")):
        from toolmend.models.chosen import full_name

        name = full_name(name)
    if name.startswith((".", "/", "~")):
        return _loader("builtin")(name)
    family, slash, rest = name.partition("/")
    if not slash or not rest:
        raise BadOption(
            f"model {name!r} is not of the form family/name; "
            f"families: {', '.join(models.names())}; see `toolmend models`"
        )
    return _loader(family)(rest)


def _loader(family: str) -> Callable[[str], Model]:
    return models.get(family)
