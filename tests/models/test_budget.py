"""Limits of tokens and money: nothing is asked once they are reached."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from toolmend.base.errors import BudgetSpent
from toolmend.base.messages import Call, Reply, Request, Usage
from toolmend.models.budget import Budgeted, Spending
from toolmend.models.scripted import Answer, Scripted

Ask = Callable[..., Reply]
TEN = Reply("hi", usage=Usage(8, 2))


def cent(usage: Usage, model: str) -> float:
    return (usage.input_tokens + usage.output_tokens) / 100


def asked(ask: Ask, hello: Request, budget: Spending, answer: Answer = TEN) -> tuple[int, str]:
    """How often a model is asked before the budget is spent, and what is said then."""
    model = Scripted([answer])
    made = Budgeted(model, budget)
    with pytest.raises(BudgetSpent) as caught:
        for _ in range(10):
            ask(made, hello)
    return len(model.requests), str(caught.value)


def test_tokens_are_spent(ask: Ask, hello: Request) -> None:
    assert asked(ask, hello, Spending(max_tokens=25)) == (3, "30 of 25 tokens are spent")


def test_a_limit_that_is_just_reached_is_spent(ask: Ask, hello: Request) -> None:
    assert asked(ask, hello, Spending(max_tokens=20)) == (2, "20 of 20 tokens are spent")


def test_money_is_spent(ask: Ask, hello: Request) -> None:
    assert asked(ask, hello, Spending(max_cost=0.15, price=cent, currency="EUR")) == (2, "0.2 of 0.15 EUR are spent")


def test_what_was_spent_before_counts(ask: Ask, hello: Request) -> None:
    budget = Spending(max_tokens=25)
    budget.add(Usage(20, 5), "a/b")
    assert asked(ask, hello, budget) == (0, "25 of 25 tokens are spent")


def test_models_spend_together(ask: Ask, hello: Request) -> None:
    budget = Spending(max_tokens=25)
    ask(Budgeted(Scripted([TEN]), budget), hello)
    assert asked(ask, hello, budget)[0] == 2


@pytest.mark.parametrize("answer", [Reply("hi"), Reply("", (Call("add"),))])
def test_without_counts_no_limit_can_be_kept(ask: Ask, hello: Request, answer: Reply) -> None:
    times, said = asked(ask, hello, Spending(max_tokens=25), answer)
    assert (times, said) == (1, "scripted/canned does not say how many tokens it used, so no limit can be kept")


def test_nothing_said_is_nothing_uncounted(ask: Ask, hello: Request) -> None:
    budget = Spending(max_tokens=25)
    for _ in range(2):
        assert ask(Budgeted(Scripted([Reply("")]), budget), hello).text == ""


def test_without_a_limit_it_only_counts(ask: Ask, hello: Request) -> None:
    budget = Spending(price=cent)
    for _ in range(3):
        ask(Budgeted(Scripted([TEN]), budget), hello)
    assert (budget.tokens, round(budget.cost, 9)) == (30, 0.3)
