"""What every model around a model has: the inner one's name, abilities and options."""

from __future__ import annotations

from toolmend.models.model import Model


class Wrapped:
    """The base of wrappers. `model` is the inner one, which a subclass asks in its `reply`."""

    def __init__(self, model: Model) -> None:
        self.name, self.abilities, self.model = model.name, model.abilities, model
        self.options = dict(getattr(model, "options", {}))
