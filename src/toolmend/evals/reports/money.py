"""What the replies of a report would cost: money beside tokens. Knows prices and reports, no run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.base.messages import Usage
from toolmend.evals.costs.prices import Prices


def priced(report: Mapping[str, Any], prices: Prices) -> dict[str, Any]:
    """The report with `money` and `currency` in each contestant's cost. Raises BadOption for one without a price."""
    prices.check(model for row in report["contestants"] for model in _models(row))
    return {**report, "contestants": [_priced(row, prices) for row in report["contestants"]]}


def _priced(row: Mapping[str, Any], prices: Prices) -> dict[str, Any]:
    money = sum(
        prices.cost(Usage(role["input_tokens"], role["output_tokens"]), role["model"]) for role in row["roles"].values()
    )
    return {**row, "cost": {**row["cost"], "money": money, "currency": prices.currency}}


def _models(row: Mapping[str, Any]) -> set[str]:
    """Those that were asked; where none was, the contestant's only one."""
    return {role["model"] for role in row["roles"].values()} or (set() if row["assigned"] else {row["model"]})
