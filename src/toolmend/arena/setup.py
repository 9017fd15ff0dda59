"""How a side is set: who answers, in which world, with which system text and sampling, along which case.

A frozen value with a JSON form, both ways; it is kept with every talk, so that a restart finds it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from toolmend.arena.views import Contestant
from toolmend.errors import BadOption
from toolmend.messages import Options

LONGEST_SYSTEM = 20_000


@dataclass(frozen=True, slots=True)
class Setup:
    """A side's settings. `case` is `suite:case`, None where nothing says what is expected."""

    contestant: Contestant
    toolbox: str = "calendar"
    system: str | None = None
    temperature: float = 0.0
    max_tokens: int = 256
    seed: int | None = None
    case: str | None = None

    def __post_init__(self) -> None:
        """Refuse what no model can be asked for. Raises BadOption."""
        if not 0 <= self.temperature <= 2:
            raise BadOption(f"temperature must lie between 0 and 2, not {self.temperature}")
        if not 1 <= self.max_tokens <= 32_768:
            raise BadOption(f"max_tokens must lie between 1 and 32768, not {self.max_tokens}")
        if self.system is not None and len(self.system) > LONGEST_SYSTEM:
            raise BadOption(f"the system text has {len(self.system):,} characters; {LONGEST_SYSTEM:,} are the most")

    @property
    def options(self) -> Options:
        """How to sample."""
        return Options(self.temperature, self.seed, self.max_tokens)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Setup:
        """What `to_json` wrote."""
        return cls(**{**data, "contestant": Contestant(**data["contestant"])})

    def with_(self, changes: Mapping[str, Any]) -> Setup:
        """The settings with those that are not None changed; "" takes system text and case away, None a seed."""
        given = {name: value for name, value in changes.items() if value is not None or name == "seed"}
        for name in ("system", "case"):
            if given.get(name) == "":
                given[name] = None
        if "toolbox" in given and "case" not in given:
            given["case"] = None
        return replace(self, **given)


def usual_contestants(models: Sequence[str] = (), strategies: Sequence[str] = ()) -> list[Contestant]:
    """Every model with every strategy. Without names: what is here of smol/calendar and builtin/small, by `auto`; where
    SmolLM2 is not, builtin/small as it is and as one that may repeat what was just called wrong."""
    from toolmend.models.gguf.fetch import SHIPPED, place

    if not models and not place(SHIPPED["smollm2"]).is_file():
        models, strategies = ["builtin/small"], strategies or ("auto", "oneline?repeat=true")
    models = models or ("smol/calendar", "builtin/small")
    return [Contestant(model, strategy) for model in models for strategy in strategies or ("auto",)]
