"""Two runs of one suite on the same requests: every rate before and after with its interval, the difference, the test.

The tests are those of evals/comparing, Holm's adjustment over the rates. Costs (tokens, seconds) are left to
`toolmend compare`: seconds depend on who else uses the machine. Knows outcomes; decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from toolmend import stats
from toolmend.evals.comparing.compare import ALPHA, compared, trials
from toolmend.evals.comparing.figures import BY_NAME, SHARES, Figure, amount, chance, change
from toolmend.evals.comparing.pairing import Pairs

Way = Literal["better", "worse", "same"]
Ends = tuple[float, float]


@dataclass(frozen=True)
class Moved:
    """One rate of A (before) and B (after) on what both have, each with its 95 % interval, and B − A with its own.

    Intervals are clustered by case. `p_holm` is adjusted over the rates; None where nothing was tested.
    """

    figure: str
    pairs: int = 0
    cases: int = 0
    a: float | None = None
    a_ends: Ends | None = None
    b: float | None = None
    b_ends: Ends | None = None
    difference: float | None = None
    ends: Ends | None = None
    test: str | None = None
    p: float | None = None
    p_holm: float | None = None

    @property
    def way(self) -> Way:
        """Which way it went, if beyond chance; also worse by an interval wholly there, of too few cases to test."""
        better = BY_NAME[self.figure].better
        if self.p_holm is None or not self.difference:
            return "same"
        if self.p_holm < ALPHA:
            return "better" if self.difference * better > 0 else "worse"
        untestable = stats.mcnemar(0, self.cases) >= ALPHA
        lost = self.ends is not None and max(end * better for end in self.ends) < 0
        return "worse" if untestable and lost else "same"


def differences(pairs: Pairs) -> tuple[Moved, ...]:
    """Every rate that both sides of the pairs have, p-values adjusted over them."""
    made = [_moved(BY_NAME[name], pairs) for name in SHARES]
    adjusted = iter(stats.holm([each.p for each in made if each.p is not None]))
    return tuple(replace(each, p_holm=next(adjusted)) if each.p is not None else each for each in made)


def _moved(figure: Figure, pairs: Pairs) -> Moved:
    found, both = compared(figure, pairs), trials(figure, pairs.both)
    ends = None if found.low is None or found.high is None else (found.low, found.high)
    return Moved(
        figure.name,
        found.pairs,
        found.cases,
        found.a,
        _ends(figure, both.a, both.cases),
        found.b,
        _ends(figure, both.b, both.cases),
        found.difference,
        ends,
        found.test,
        found.p,
    )


def _ends(figure: Figure, values: Sequence[float], cases: Sequence[str]) -> Ends | None:
    """The interval of one side; none for a difference of shares in fewer than two cases."""
    if not values:
        return None
    if figure.name == "net_fix":
        return stats.bootstrap_mean(values, cases)
    return stats.share_interval([bool(value) for value in values], cases)


def cells(moved: Moved) -> tuple[str, str, str, str, str]:
    """A rate as five texts: its name, before, after, the difference, p."""
    figure = BY_NAME[moved.figure]
    low, high = moved.ends or (None, None)

    def side(value: float | None, ends: Ends | None) -> str:
        return amount(value, figure) + (f" ({100 * ends[0]:.0f}…{100 * ends[1]:.0f})".replace("-", "−") if ends else "")

    shown = change(moved.difference, low, high, figure)
    return figure.label, side(moved.a, moved.a_ends), side(moved.b, moved.b_ends), shown, chance(moved.p_holm)
