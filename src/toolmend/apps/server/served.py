"""The models a server offers, by the names clients ask for: `builtin/small`, `freyr:ollama/llama3.2`.

A client picks a strategy by name, and one of the models the server was started with: never an address, a file or an
option, which would be the server's to reach. Knows no request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolmend import registry
from toolmend.apps.server.refusals import ApiError
from toolmend.errors import BadOption, ToolmendError
from toolmend.models import Model, load_model
from toolmend.strategies import Strategy, fits, load_strategy


@dataclass(frozen=True, slots=True)
class Served:
    """A model and the strategy it is asked by, under the name a client used."""

    name: str
    model: Model
    strategy: Strategy


class ServedModels:
    """The models of a server, loaded at once. Raises what loading raises, BadOption for two of one name."""

    def __init__(self, names: Sequence[str], strategy: str) -> None:
        self._default = load_strategy(strategy)
        self._strategies: dict[str, Strategy] = {}
        self._models: dict[str, Model] = {}
        self._own: dict[str, Served] = {}
        for name in names:
            way, model_name = split_strategy(name)
            shown = _public(model_name)
            model = load_model(model_name)
            if way:
                asked = f"{_public(way)}:{shown}"
                taken, self._own[asked] = asked in self._own, Served(asked, model, load_strategy(way))
                fits(self._own[asked].strategy, model)
            else:
                taken, self._models[shown] = shown in self._models, model
                fits(self._default, model)
            if taken:
                raise BadOption(f"two models are called {asked if way else shown}; clients could not tell them apart")

        self._given = tuple(self._own)  # `_own` grows by the names that are found

    def find(self, name: str) -> Served:
        """The model of a name, with its strategy. Raises ApiError: 404 for a name there is not, 400 for a strategy that
        the model cannot follow."""
        found = self._own.get(name)
        if found is None:
            found = self._own[name] = self._made(name)
        return found

    def _made(self, name: str) -> Served:
        way, shown = split_strategy(name)
        model = self._models.get(shown)
        if model is None or (way and way not in registry.strategies.names()):
            known = ", ".join([*self._models, *self._given])
            text = (
                f"The model {name!r:.120} does not exist here. This server has: {known}; with a strategy: freyr:NAME."
            )
            raise ApiError(404, text, param="model", code="model_not_found")
        try:
            return Served(name, model, self._strategy(way, model))
        except ToolmendError as error:
            raise ApiError(400, f"{error}.", param="model", code="strategy_not_supported") from error

    def names(self) -> Iterator[str]:
        """Every name a client may ask for."""
        yield from self._given
        for shown, model in self._models.items():
            yield shown
            for way in registry.strategies.names():
                try:
                    self._strategy(way, model)
                except ToolmendError:
                    continue
                if f"{way}:{shown}" not in self._given:
                    yield f"{way}:{shown}"

    def _strategy(self, way: str, model: Model) -> Strategy:
        if not way:
            return self._default
        if way not in self._strategies:
            self._strategies[way] = load_strategy(way)
        fits(self._strategies[way], model)
        return self._strategies[way]


def split_strategy(name: str) -> tuple[str, str]:
    """Strategy and model of a name. A colon belongs to the strategy only before the first slash: `ollama/llama3:8b`."""
    way, sign, model = name.partition(":")
    return (way, model) if sign and "/" not in way and not way.startswith(("~", ".")) else ("", name)


def _public(name: str) -> str:
    """A name without its options, which may say where a server is."""
    return name.partition("?")[0]
