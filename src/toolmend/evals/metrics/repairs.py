"""By whom mistakes were mended, for contestants that play with the ladder (mend/): apart what words alone did, what was
asked of a model, what a person was asked. docs/measures.md. Knows trials; draws and prints nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolmend.evals.metrics.rates import Trial

ANEW, QUESTION, CHOICE = "asked anew", "question", "choice"
BY = ("without_model", "asked_anew", "by_model", "questions")


@dataclass(frozen=True, slots=True)
class Repair:
    """What the ladder did after one sentence: `how` is its last rung, "" where the strategy answered by itself.

    `asked` tells whether a model was asked, `choice` the place of the right answer among those offered with a question
    (0: none). `tokens` were read for it, `again` for the request itself, which is the least that asking again costs.
    """

    how: str = ""
    asked: bool = True
    choice: int = 0
    tokens: int = 0
    again: int = 0

    @property
    def by(self) -> str:
        """One of BY. A question is nobody's repair."""
        if self.how == QUESTION:
            return "questions"
        if self.asked:
            return "asked_anew" if self.how else "by_model"
        return "without_model"


@dataclass(frozen=True, slots=True)
class Repairs:
    """What became of the trials of one kind, as (case, hit) pairs that share one denominator.

    `fixed` are hits by BY (under `questions` those that only asked, fixed or not), `one_choice` those that are fixed or
    would be by one choice, `unasked` those for which no model was asked. `tokens` is the input of a repair on average,
    `share` that of the input of asking again; None where nothing was counted.
    """

    fixed: dict[str, list[tuple[str, bool]]]
    one_choice: list[tuple[str, bool]]
    unasked: list[tuple[str, bool]]
    tokens: float | None
    share: float | None


def repairs(trials: Sequence[Trial]) -> Repairs:
    """The trials counted apart."""
    again = [trial.repair for trial in trials if trial.repair.again]
    read = sum(repair.again for repair in again)
    return Repairs(
        {
            by: [(trial.case, trial.repair.by == by and (trial.clean or by == "questions")) for trial in trials]
            for by in BY
        },
        [(trial.case, trial.clean or bool(trial.repair.choice)) for trial in trials],
        [(trial.case, not trial.repair.asked) for trial in trials],
        sum(trial.repair.tokens for trial in trials) / len(trials) if trials else None,
        sum(repair.tokens for repair in again) / read if read else None,
    )
