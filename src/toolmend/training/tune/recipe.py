"""What a fine-tuning depends on besides its base and its data. Two runs of equal recipes give equal weights."""

from __future__ import annotations

from dataclasses import dataclass

from toolmend.errors import BadOption

METHODS = ("sft", "hindsight", "preference")


@dataclass(frozen=True)
class Recipe:
    """`batch` counts padded positions in a step; `epochs` or, where given, `tokens` (padded positions) say its length.

    `rate` is the highest learning rate, reached after `warm_up` of all steps (a share), then falling as a cosine.
    Every `every` steps a checkpoint is written and the model examined; `patience` examinations without a better one end
    it. `length` is the longest conversation in tokens, None for the base's window. `beta` is DPO's. `rank` 0 trains
    every weight, else adapters of that rank, scaled by `alpha` / `rank`.
    """

    method: str = "sft"
    epochs: float = 3.0
    tokens: int | None = None
    batch: int = 4096
    rate: float = 3e-4
    warm_up: float = 0.05
    decay: float = 0.01
    clip: float = 1.0
    seed: int = 1
    every: int = 50
    patience: int = 5
    length: int | None = None
    beta: float = 0.1
    rank: int = 0
    alpha: float = 16.0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise BadOption(f"unknown method {self.method!r}; known: {', '.join(METHODS)}")
        least = {"epochs": self.epochs, "batch": self.batch, "rate": self.rate, "every": self.every, "beta": self.beta}
        least |= {"patience": self.patience, "alpha": self.alpha, "clip": self.clip}
        for name, value in least.items():
            if not value > 0:
                raise BadOption(f"{name} must be above 0, not {value:g}")
        if self.rank < 0 or (self.tokens is not None and self.tokens < 1):
            raise BadOption("rank and tokens cannot be negative")
