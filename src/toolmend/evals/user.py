"""The simulated user: names one mistake at a time, in a sentence of a chosen level, the same one for the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.corrections import correction_for, headline_level, name_first
from toolmend.messages import ToolSpec
from toolmend.mistakes import Correction, Mistake


@dataclass(frozen=True)
class User:
    """Somebody who sees what is wrong and says so. `seed` chooses among wordings."""

    specs: tuple[ToolSpec, ...]
    seed: int

    def headline(self, mistakes: Sequence[Mistake], *, recoverable: bool) -> int:
        """The level of the headline rate for the mistake this user would name."""
        first = name_first(mistakes)
        return headline_level(first, recoverable) if first else 1

    def correct(self, mistakes: Sequence[Mistake], level: int, turn: int) -> Correction:
        """A sentence about the first mistake. `turn` varies the wording within a conversation."""
        first = name_first(mistakes)
        assert first is not None, "only wrong replies are corrected"
        spec = next((spec for spec in self.specs if spec.full_name == first.tool), None)
        return correction_for(first, level, self.seed * 1000 + turn, spec=spec)
