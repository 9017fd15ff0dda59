"""Plots stand where their figures say."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.evals.reports import plots

Found = Any


def test_dots_and_intervals_stand_at_their_shares(calendar_run: Found) -> None:
    first, fixed, _ = plots.forests(calendar_run.report)
    row = calendar_run.report["contestants"][0]
    (span,) = first.strips[0].spans
    assert (span.at, span.low, span.high) == tuple(100 * row["first_right"][name] for name in ("value", "low", "high"))
    told, control = fixed.strips[0].spans
    assert (told.hollow, control.hollow) == (False, True)
    assert (told.at, control.at) == (100 * row["fix_at_1"]["value"], 100 * row["control"]["value"])


def test_no_difference_is_in_the_middle(calendar_run: Found) -> None:
    net = plots.forests(calendar_run.report)[2]
    assert net.zero == dict((label, place) for place, label in net.ticks)["0"] == 50.0
    spans = [span for strip in net.strips for span in strip.spans]
    assert all(0 <= span.low <= span.at <= span.high <= 100 for span in spans)


@pytest.mark.parametrize(("widest", "reach"), [(0.04, "+10"), (0.2, "+25"), (0.3, "+50"), (0.8, "+100")])
def test_the_axis_of_differences_is_as_wide_as_they_need(calendar_run: Found, widest: float, reach: str) -> None:
    rows = [
        {**row, "net_fix": {"value": 0.0, "low": -widest, "high": 0.01, "pairs": 20, "cases": 20}}
        for row in calendar_run.report["contestants"]
    ]
    assert plots.forests({"contestants": rows})[2].ticks[-1] == (100.0, reach)


def test_a_run_without_samples_has_plots_of_nothing() -> None:
    empty: dict[str, Any] = {"contestants": []}
    assert [forest.strips for forest in plots.forests(empty)] == [(), (), ()]
