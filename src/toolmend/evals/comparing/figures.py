"""The figures in which two contestants are compared, and how a figure, a difference and a p-value are written.

Knows names and numbers only: outcomes.py finds the values, compare.py does the sums.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `better` is 1 where more is better, -1 where less is; `wins` and `loses` finish "A …".

    `unit` is "%" for shares, else what follows the number.
    """

    name: str
    label: str
    wins: str
    loses: str
    better: int = 1
    unit: str = "%"


FIGURES = (
    Figure("first_right", "first right", "is better at first replies", "is worse at first replies"),
    Figure("fix_at_1", "fix@1", "is better at mending when told", "is worse at mending when told"),
    Figure("net_fix", "net fix", "gains more from being told", "gains less from being told"),
    Figure("regress", "regress", "keeps right replies better", "gives right replies up more easily", -1),
    Figure("done", "done", "finishes more dialogues", "finishes fewer dialogues"),
    Figure("tokens", "tokens", "uses fewer tokens", "uses more tokens", -1, "tokens"),
    Figure("seconds", "seconds", "is faster", "is slower", -1, "s"),
    Figure("request_input_tokens", "tokens in/request", "reads fewer tokens", "reads more tokens", -1, "tokens"),
    Figure("request_seconds", "seconds/request", "answers sooner", "answers later", -1, "s"),
)
BY_STRATEGY = ("request_input_tokens", "request_seconds")  # with one strategy they say what tokens and seconds say
BY_NAME = {figure.name: figure for figure in FIGURES}
SHARES = tuple(figure.name for figure in FIGURES if figure.unit == "%")


def amount(value: float | None, figure: Figure) -> str:
    """`62 %`, `1,203`, `0.41`; a dash where there is none."""
    return "–" if value is None else _number(value, figure, "")


def change(value: float | None, low: float | None, high: float | None, figure: Figure) -> str:
    """`+12 % (+3…+21)`, or without the brackets where there is no interval."""
    if value is None:
        return "–"
    shown = _number(value, figure, "+")
    if low is None or high is None:
        return shown
    ends = [_number(end, figure, "+").removesuffix(" %") for end in (low, high)]
    return f"{shown} ({ends[0]}…{ends[1]})"


def chance(p: float | None) -> str:
    """`0.012`, `< 0.001`; a dash where nothing was tested."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.0995 else f"{p:.2f}"


def _number(value: float, figure: Figure, sign: str) -> str:
    if figure.unit == "%":
        text = f"{100 * value:{sign}.0f}"
        return f"{'0' if text in ('+0', '-0') else text} %".replace("-", "−")
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:{sign},.{digits}f}".replace("-", "−")
