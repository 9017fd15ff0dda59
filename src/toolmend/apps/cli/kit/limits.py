"""What a run may spend by the options of `toolmend run`, and what is said once it is spent. docs/prices.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from toolmend.base.errors import BadOption, BudgetSpent
from toolmend.evals.costs.prices import Prices, load_prices
from toolmend.models.budget import Spending


def read_prices(asked: Mapping[str, Any], models: Iterable[str]) -> Prices | None:
    """The file of prices, if one is given. Raises BadFile, and BadOption for a model without a price."""
    if asked["prices"] is None:
        if asked["max_cost"] is not None:
            raise BadOption("--max-cost needs to know what tokens cost: add --prices FILE (docs/prices.md)")
        return None
    prices = load_prices(asked["prices"])
    prices.check(models)
    return prices


def make_budget(asked: Mapping[str, Any], prices: Prices | None) -> Spending | None:
    """What may be spent, and what it costs; None where nobody asked about either."""
    if asked["max_tokens_total"] is None and prices is None:
        return None
    price, currency = (prices.cost, prices.currency) if prices else (None, "")
    return Spending(asked["max_tokens_total"], asked["max_cost"], price, currency)


def told(budget: Spending | None) -> str:
    """`, 1,204 tokens, 0.42 EUR`."""
    if budget is None:
        return ""
    return f", {budget.tokens:,} tokens" + (f", {budget.cost:,.4g} {budget.currency}" if budget.currency else "")


def ended_early(work: Callable[[], object]) -> KeyboardInterrupt | BudgetSpent | None:
    """Do it; what ended it before its time, None if nothing did."""
    ended: KeyboardInterrupt | BudgetSpent | None = None
    try:
        work()
    except* KeyboardInterrupt:  # a second Ctrl-C comes out of the tasks, in a group
        ended = KeyboardInterrupt()
    except* BudgetSpent as spent:
        ended = spent.exceptions[0]  # type: ignore[assignment]  # raised once, after the tasks
    return ended
