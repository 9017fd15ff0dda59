"""The simulated user: names one mistake at a time, in a sentence of a chosen level, the same one for the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolmend.corrections import correction_for, false_correction, headline_level, name_first
from toolmend.messages import Call, ToolSpec
from toolmend.mistakes import Correction, Mistake


@dataclass(frozen=True)
class User:
    """Somebody who sees what is wrong and says so. `seed` chooses among wordings.

    `reminder` ends everything that is said, requests and corrections alike: some models need to be told each time.
    """

    specs: tuple[ToolSpec, ...]
    seed: int
    reminder: str = ""

    def say(self, text: str) -> str:
        """The words as they are sent."""
        return f"{text} {self.reminder}" if self.reminder else text

    def headline(self, mistakes: Sequence[Mistake], *, recoverable: bool) -> int:
        """The level of the headline rate for the mistake this user would name."""
        first = name_first(mistakes)
        return headline_level(first, recoverable) if first else 1

    def correct(self, mistakes: Sequence[Mistake], level: int, turn: int) -> Correction:
        """A sentence about the first mistake. `turn` varies the wording within a conversation."""
        first = name_first(mistakes)
        assert first is not None, "only wrong replies are corrected"
        spec = next((spec for spec in self.specs if spec.full_name == first.tool), None)
        return self._reminding(correction_for(first, level, self.seed * 1000 + turn, spec=spec))

    def doubt(self, call: Call, turn: int) -> Correction:
        """A correction of a call that was right."""
        return self._reminding(false_correction(self.seed * 1000 + turn, call))

    def _reminding(self, correction: Correction) -> Correction:
        return replace(correction, text=self.say(correction.text))
