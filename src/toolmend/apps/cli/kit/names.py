"""Names of models on the command line: one of a file of settings becomes the model that it stands for there."""

from __future__ import annotations

from typing import Any

import click

from toolmend.apps.cli.kit import settings


class ModelName(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.4
    """A model's name; one that stands under [models] in a file of settings becomes what it stands for."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The model meant. Raises UnknownName for a bare word where there are aliases and it is none."""
        return settings.of(ctx).model(str(value)) if ctx else value


class RoleModels(click.ParamType):  # type: ignore[type-arg]  # as above
    """`ROLE=MODEL,MODEL`; a name that stands under [models] in a file of settings becomes what it stands for."""

    name = "role"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The same with the models meant; what is wrong with it is for evals/running/ to say."""
        role, sign, models = str(value).partition("=")
        if ctx is None or not sign:
            return value
        return f"{role}={','.join(settings.of(ctx).model(model) if model else model for model in models.split(','))}"


MODEL = ModelName()
ROLE = RoleModels()
