"""The simulated user: names one mistake at a time, in a sentence of a chosen level, the same one for the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolmend.base.messages import Call, ToolSpec
from toolmend.base.mistakes import Correction, Mistake
from toolmend.language.corrections import (
    Pool,
    answer_for,
    correction_for,
    false_correction,
    headline_level,
    name_first,
    open_pool,
)


@dataclass(frozen=True)
class User:
    """Somebody who sees what is wrong and says so. `seed` chooses among wordings.

    `reminder` ends everything that is said, requests and corrections alike: some models need to be told each time.
    `pool` has the wordings; without one they are those of the published experiments' time (sentences.txt).
    """

    specs: tuple[ToolSpec, ...]
    seed: int
    reminder: str = ""
    pool: Pool | None = None

    def say(self, text: str) -> str:
        """The words as they are sent."""
        return f"{text} {self.reminder}" if self.reminder else text

    def headline(self, mistakes: Sequence[Mistake], *, recoverable: bool, asked: Mistake | None = None) -> int:
        """The level of the headline rate for the mistake this user would name, or for what was `asked` needlessly."""
        first = asked or name_first(mistakes)
        return headline_level(first, recoverable) if first else 1

    def correct(self, mistakes: Sequence[Mistake], level: int, turn: int, asked: Mistake | None = None) -> Correction:
        """A sentence about the first mistake, or to the question that was asked instead of a call. `turn` varies the
        wording within a conversation."""
        first, seed = name_first(mistakes), self.seed * 1000 + turn
        assert first is not None, "only wrong replies are corrected"
        spec = next((spec for spec in self.specs if spec.full_name == (asked or first).tool), None)
        if asked is None:
            return self._reminding(correction_for(first, level, seed, spec=spec, pool=self.pool))
        answer = answer_for(asked, level, seed, self.pool or open_pool(), spec=spec)
        return self._reminding(replace(answer, mistake=first if answer.level else None))

    def doubt(self, call: Call, turn: int) -> Correction:
        """A correction of a call that was right."""
        return self._reminding(false_correction(self.seed * 1000 + turn, call, pool=self.pool))

    def _reminding(self, correction: Correction) -> Correction:
        return replace(correction, text=self.say(correction.text))
