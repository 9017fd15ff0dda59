"""A budget of tries by class of error."""

from toolmend.base.messages import CallResult
from toolmend.strategies.retries import Retries, RetryCause, faults
from toolmend.strategies.strategy import Flag

ARGUMENTS, REFUSED = RetryCause("arguments", "no"), RetryCause("refused", "never")


def test_each_class_has_its_own_tries():
    budget = Retries(2)
    assert [budget.spend([each]) for each in (ARGUMENTS, REFUSED, ARGUMENTS, ARGUMENTS, REFUSED, REFUSED)] == [
        True,
        True,
        True,
        False,
        True,
        False,
    ]


def test_errors_of_one_class_at_once_are_one_try():
    budget = Retries(1)
    assert [budget.spend([REFUSED, REFUSED]), budget.spend([REFUSED])] == [True, False]


def test_nothing_wrong_costs_nothing():
    assert Retries(0).spend([])


def test_no_try_is_a_budget_too():
    assert not Retries(0).spend([REFUSED])


def test_what_is_spent_is_told_once():
    assert Retries.gave_up([REFUSED, ARGUMENTS, REFUSED]) == Flag("retries_spent", "refused: never; arguments: no")


def test_the_errors_among_results():
    results = [CallResult("a", 1), CallResult("b", error="no", fault="arguments"), CallResult("c", error="never")]
    assert faults(results) == [ARGUMENTS, REFUSED]
