"""A report in ten lines: who is right at first, who mends what when told, what being told adds, and what that means.

Computes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.evals.comparing.figures import BY_NAME, change
from toolmend.evals.reports.tables import FEW

_LITTLE = 0.1  # what being told adds, where it is next to nothing
_RATES = ("first_right", "fix_at_1", "control")
_COLUMNS = ("", "right at first", "mended when told", "after “Try again.”", "being told adds")


def headline(report: Mapping[str, Any]) -> list[str]:
    """The table and the sentence, line by line."""
    rows = [_row(contestant) for contestant in report["contestants"]]
    widths = [max(map(len, column)) for column in zip(_COLUMNS, *rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (_COLUMNS, *rows)]
    return [*(line.rstrip() for line in lines), _meaning(report["contestants"])]


def _row(contestant: Mapping[str, Any]) -> tuple[str, ...]:
    net = contestant["net_fix"]
    return (
        contestant["model"],
        *(f"{_share(rate)}{_of(rate)}" for rate in (contestant[name] for name in _RATES)),
        change(net["value"], net["low"], net["high"], BY_NAME["net_fix"]),
    )


def _share(rate: Mapping[str, Any]) -> str:
    """`91 % (83–100)`: the share, and where it may be with 95 %."""
    if rate["value"] is None:
        return "–"
    return f"{100 * rate['value']:.0f} % ({100 * rate['low']:.0f}–{100 * rate['high']:.0f})"


def _of(rate: Mapping[str, Any]) -> str:
    """` of 37`; of few cases ` of 11 in 2 cases`: there an interval is to be read with care."""
    few = f" in {rate['cases']} case{'s' * (rate['cases'] != 1)}" if rate["cases"] < FEW else ""
    return f" of {rate['trials']:,}{few}" if rate["trials"] else ""


def _meaning(contestants: Sequence[Mapping[str, Any]]) -> str:
    """Who mends most, and whether that is for being told or for looking again."""
    told = [contestant for contestant in contestants if contestant["fix_at_1"]["value"] is not None]
    if not told:
        return "No mistake was made, so none was mended."
    best = max(told, key=lambda contestant: contestant["fix_at_1"]["value"])
    net = best["net_fix"]
    again = "more than for a plain “Try again.”: it listens"
    if net["value"] is None or net["value"] < _LITTLE:
        again = "and hardly less often after a plain “Try again.”: it is the second look that helps, not what was said"
    elif net["low"] <= 0:
        again = f"{_share(best['control'])} after a plain “Try again.”: too few to say that it listens"
    share = f"{100 * best['fix_at_1']['value']:.0f} %"
    return f"Told what is wrong, {best['model']} mends {share} of its mistakes here, {again}."
