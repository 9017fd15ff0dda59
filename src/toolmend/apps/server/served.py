"""The models a server offers, by the names clients ask for: `builtin/small`, `freyr:ollama/llama3.2`.

A client picks a strategy by name, and one of the models the server was started with: never an address, a file or an
option, which would be the server's to reach. Knows no request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolmend import registry
from toolmend.apps.server.refusals import ApiError
from toolmend.base.errors import BadOption, ToolmendError
from toolmend.models import Model, load_model
from toolmend.strategies import Strategy, fits, load_strategy


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model and the strategy it is asked by, under the name a client used."""

    name: str
    model: Model
    strategy: Strategy


class ServedModels:
    """The models of a server, loaded at once. Raises what loading raises, BadOption for two of one name.

    `strategy` is for models that are named without one. What a client asks for is a key of a table and nothing else.
    """

    def __init__(self, names: Sequence[str], strategy: str) -> None:
        usual, ways = load_strategy(strategy), {way: load_strategy(way) for way in registry.strategies.shipped()}
        self._served: dict[str, ServedModel | ToolmendError] = {}
        given: dict[str, ServedModel] = {}
        bare: dict[str, Model] = {}
        for name in names:
            way, model_name = split_strategy(name)
            shown, model = _public(model_name), load_model(model_name)
            asked = f"{_public(way)}:{shown}" if way else shown
            if asked in given:
                raise BadOption(f"two models are called {asked}; clients could not tell them apart")
            given[asked] = ServedModel(asked, model, load_strategy(way) if way else usual)
            fits(given[asked].strategy, model)
            if not way:
                bare[shown] = model
        for shown, model in bare.items():
            self._served[shown] = given[shown]
            for way, made in ways.items():
                self._served[f"{way}:{shown}"] = _fitting(f"{way}:{shown}", model, made)
        self._served |= given
        self._known = ", ".join([*bare, *(name for name in given if name not in bare)])

    def find(self, name: str) -> ServedModel:
        """The model of a name, with its strategy. Raises ApiError: 404 for a name there is not, 400 for a strategy that
        the model cannot follow."""
        found = self._served.get(name)
        if found is None:
            here = f"This server has: {self._known}; with a strategy: freyr:NAME."
            raise ApiError(
                404, f"The model {name!r:.120} does not exist here. {here}", param="model", code="model_not_found"
            )
        if isinstance(found, ToolmendError):
            raise ApiError(400, f"{found}.", param="model", code="strategy_not_supported") from found
        return found

    def names(self) -> Iterator[str]:
        """Every name a client may ask for."""
        return (name for name, found in self._served.items() if isinstance(found, ServedModel))


def _fitting(name: str, model: Model, strategy: Strategy) -> ServedModel | ToolmendError:
    """The model with that strategy, or why it cannot follow it."""
    try:
        fits(strategy, model)
    except ToolmendError as error:
        return error
    return ServedModel(name, model, strategy)


def split_strategy(name: str) -> tuple[str, str]:
    """Strategy and model of a name. A colon belongs to the strategy only before the first slash: `ollama/llama3:8b`."""
    way, sign, model = name.partition(":")
    return (way, model) if sign and "/" not in way and not way.startswith(("~", ".")) else ("", name)


def _public(name: str) -> str:
    """A name without its options, which may say where a server is."""
    return name.partition("?")[0]
