"""Where the marks of each plot stand, in per cent across; templates/plots.html draws them.

Widths in per cent keep text and strokes at their size on any screen. Computes no rate; knows no markup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.evals.reports.tables import Behind, Cell, difference_cell, name_of, rate_cell

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PlotSpan:
    """A dot with its interval on a strip: places in per cent, the words beside it."""

    at: float
    low: float
    high: float
    label: str
    cell: Cell
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Strip:
    """One contestant in a forest plot; no span where there was no trial."""

    name: str
    spans: tuple[PlotSpan, ...]


@dataclass(frozen=True, slots=True)
class Forest:
    """Strips over one axis. `ticks` are places and labels; `zero` is where no difference stands, if it is one."""

    title: str
    about: str
    ticks: tuple[tuple[float, str], ...]
    strips: tuple[Strip, ...]
    zero: float | None = None


def forests(report: Data) -> list[Forest]:
    """First right; fix@1 beside its control; net fix."""
    rows = report["contestants"]
    ticks = tuple((float(place), f"{place} %" if place in (0, 100) else f"{place}") for place in (0, 25, 50, 75, 100))
    first = [Strip(name_of(row), _spans(row, who, (("first_right", "first_right"),))) for who, row in enumerate(rows)]
    both = (("fix_at_1", "fix_at_1"), ("control", "level 0"))
    fixed = [Strip(name_of(row), _spans(row, who, both)) for who, row in enumerate(rows)]
    return [
        Forest("First right", "requests right at once", ticks, tuple(first)),
        Forest("fix@1 and control", "● one correction  ○ only “Try again.”", ticks, tuple(fixed)),
        _net(rows),
    ]


def _spans(row: Data, who: int, names: Sequence[tuple[str, str]]) -> tuple[PlotSpan, ...]:
    return tuple(
        PlotSpan(
            100 * rate["value"], 100 * rate["low"], 100 * rate["high"], label, rate_cell(rate, facet, who), number > 0
        )
        for number, (name, facet) in enumerate(names)
        for rate, label in [
            (row[name], "control" if name == "control" else name.replace("_at_", "@").replace("_", " "))
        ]
        if rate["value"] is not None
    )


def _net(rows: Sequence[Data]) -> Forest:
    found = [row["net_fix"] for row in rows if row["net_fix"]["value"] is not None]
    widest = max((max(-net["low"], net["high"]) for net in found), default=1.0)
    reach = next(reach for reach in (0.1, 0.25, 0.5, 1.0) if widest <= reach or reach == 1.0)

    def place(value: float) -> float:
        return 50 + 50 * value / reach

    strips = []
    for who, row in enumerate(rows):
        net, behind = row["net_fix"], Behind("net_fix", who)
        places = [] if net["value"] is None else [place(net[name]) for name in ("value", "low", "high")]
        cell = difference_cell(net, behind)
        strips.append(
            Strip(name_of(row), (PlotSpan(places[0], places[1], places[2], "net fix", cell),) if places else ())
        )
    ticks = tuple((place(reach * part), f"{100 * reach * part:+g}" if part else "0") for part in (-1, -0.5, 0, 0.5, 1))
    return Forest("Net fix", "the correction minus asking again", ticks, tuple(strips), zero=50.0)
