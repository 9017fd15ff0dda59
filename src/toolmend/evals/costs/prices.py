"""What models cost: a file of prices in YAML or JSON, and the cost of some usage. docs/prices.md shows one.

    currency: EUR
    models: {"openai/some-model": {input: 0.50, output: 1.50}, "builtin/*": {input: 0, output: 0}}

Prices are for a million tokens. They change no result, so a run does not record them. Knows no models and no runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolmend.base.errors import BadOption
from toolmend.base.messages import Usage
from toolmend.evals.suites.suite import fitting
from toolmend.evals.suites.yaml12 import Located, YamlReader, load

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Of a million tokens of each kind."""

    input: float
    output: float


@dataclass(frozen=True)
class Prices:
    """Prices by model name or pattern, in the order of the file."""

    currency: str
    models: Mapping[str, Price]
    path: str = ""

    def cost(self, usage: Usage, model: str) -> float:
        """What so many tokens of a model cost. Raises BadOption for a model without a price."""
        self.check([model])
        price = fitting(self.models, model)
        assert price is not None
        return (usage.input_tokens * price.input + usage.output_tokens * price.output) / MILLION

    def check(self, models: Iterable[str]) -> None:
        """Raise BadOption naming every one of these models that has no price."""
        missing = sorted({model for model in models if fitting(self.models, model) is None})
        if missing:
            one = missing[0].partition("?")[0]
            raise BadOption(
                f"{self.path} has no price for {', '.join(missing)}; "
                f'add it under models ("{one}": {{input: …, output: …}}; 0 where it costs nothing)'
            )


def load_prices(path: str | Path) -> Prices:
    """The prices of a file. Raises BadFile with line and key for anything that is not plainly a price."""
    reader = YamlReader(Path(path))
    top = reader.mapping(load(reader.path), None, "", "the file ")
    reader.only(top, ("currency", "models"))
    models = reader.filled(top, "models")
    return Prices(reader.text(top, "currency"), {name: _price(reader, models, name) for name in models}, str(path))


def _price(reader: YamlReader, models: Located, name: str) -> Price:
    where = reader.filled(models, name)
    reader.only(where, ("input", "output"))
    return Price(_amount(reader, where, "input"), _amount(reader, where, "output"))


def _amount(reader: YamlReader, where: Located, key: str) -> float:
    value = where.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        what = "is missing" if key not in where else f"must be a number of at least 0, not {value!r:.40}"
        raise reader.bad(f"{what} (the price of a million tokens)", where, key)
    return float(value)
