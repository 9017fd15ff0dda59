"""Tables of a report: what a cell says of its figure, how few cases it rests on, and what it leads to."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.base.errors import BadOption
from toolmend.evals.costs.prices import Price, Prices
from toolmend.evals.reports import tables
from toolmend.evals.reports.money import priced
from toolmend.evals.reports.tables import Behind, Cell, difference_cell, rate_cell

Found = Any


def rate(trials: int, cases: int) -> dict[str, Any]:
    return {"value": 0.5, "hits": trials // 2, "trials": trials, "low": 0.25, "high": 0.751, "cases": cases}


@pytest.mark.parametrize(
    ("trials", "cases", "small"),
    [(38, 13, "25–75 n=38"), (10, 10, "25–75 n=10"), (11, 7, "25–75 n=11/7°"), (4, 4, "25–75 n=4°")],
)
def test_a_rate_says_how_many_cases_it_rests_on_where_they_are_few(trials: int, cases: int, small: str) -> None:
    assert rate_cell(rate(trials, cases), "done", 1) == Cell("50 %", small, Behind("done", 1), 0.5)


def test_a_difference_that_rests_on_few_cases() -> None:
    behind = Behind("net_fix", 0)
    value = {"value": -0.05, "low": -0.16, "high": 0.0, "pairs": 9, "cases": 9}
    assert difference_cell(value, behind) == Cell("-5 %", "-16…+0°", behind)
    assert difference_cell({**value, "cases": 10}, behind).small == "-16…+0"


def test_without_a_trial_there_is_a_dash_that_leads_nowhere() -> None:
    nothing = {"value": None, "hits": 0, "trials": 0, "low": 0.0, "high": 1.0, "cases": 0, "pairs": 0}
    assert rate_cell(nothing, "done", 0) == difference_cell(nothing, Behind("net_fix", 0)) == Cell("–")


def test_a_table_knows_whether_a_cell_rests_on_few(calendar_run: Found) -> None:
    assert tables.overview(calendar_run.report).has_few
    assert not tables.cost(calendar_run.report).has_few


def test_rows_have_a_cell_for_each_column(calendar_run: Found, foreign_run: Found) -> None:
    for found in (calendar_run, foreign_run):
        for table in tables.full(found.report):
            assert {len(row.cells) + 1 for row in table.rows} == {len(table.columns)}, table.title


def test_outcomes_are_shown_where_there_are_some(calendar_run: Found, foreign_run: Found, markup: str) -> None:
    assert tables.outcomes(calendar_run.report) is None
    table = tables.outcomes(foreign_run.report)
    assert table is not None
    (name,) = foreign_run.report["contestants"][0]["outcomes"]["unmet"]
    assert table.columns == ("contestant", f"{name} not honoured")
    assert table.rows[0].cells == (Cell("1", "", Behind("unmet", 0, name)),)


def test_errors_lead_to_what_could_not_be_run(foreign_run: Found) -> None:
    assert tables.cost(foreign_run.report).rows[0].cells[-1] == Cell("1", "", Behind("error", 0))


def test_money_stands_beside_tokens(foreign_run: Found) -> None:
    report = priced(foreign_run.report, Prices("EUR", {"*": Price(1_000_000, 10_000_000)}))
    assert report["contestants"][0]["cost"]["money"] == 3 * 1 + 4 * 10
    table = tables.cost(report)
    assert table.columns[-2:] == ("EUR", "errors")
    assert table.rows[0].cells[-2].text == "43"
    assert "money" not in foreign_run.report["contestants"][0]["cost"]


def test_a_model_without_a_price_is_named(foreign_run: Found) -> None:
    with pytest.raises(BadOption, match="has no price for"):
        priced(foreign_run.report, Prices("EUR", {}, "prices.yaml"))


def test_a_notebook_shows_a_table_with_its_intervals() -> None:
    row = tables.TableRow("canned/<one>", (Cell("50 %", "25–75 n=38"), Cell("–")))
    made = tables.Table("Who fixes what when told", "95 % intervals", ("contestant", "fix@1", "control"), (row,))
    assert made._repr_html_() == (
        "<p>Who fixes what when told 95 % intervals</p><table>"
        "<tr><th>contestant</th><th>fix@1</th><th>control</th></tr>"
        "<tr><td>canned/&lt;one&gt;</td><td>50 %<br>25–75 n=38</td><td>–</td></tr></table>"
    )
