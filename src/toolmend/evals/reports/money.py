"""What the replies of a report would cost: money beside tokens. Knows prices and reports, no run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.evals.prices import Prices
from toolmend.messages import Usage


def priced(report: Mapping[str, Any], prices: Prices) -> dict[str, Any]:
    """The report with `money` and `currency` in each contestant's cost. Raises BadOption for one without a price."""
    prices.check(row["model"] for row in report["contestants"])
    return {**report, "contestants": [_priced(row, prices) for row in report["contestants"]]}


def _priced(row: Mapping[str, Any], prices: Prices) -> dict[str, Any]:
    cost = row["cost"]
    money = prices.cost(Usage(cost["input_tokens"], cost["output_tokens"]), row["model"])
    return {**row, "cost": {**cost, "money": money, "currency": prices.currency}}
