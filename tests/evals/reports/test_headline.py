"""The report in ten lines."""

from __future__ import annotations

from typing import Any

from toolmend.evals.reports.headline import headline


def rate(value: float | None, low: float = 0.0, high: float = 1.0, trials: int = 37, cases: int = 11) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "trials": trials if value else 0, "cases": cases}


def contestant(fix: float | None, net: float | None, low: float, high: float) -> dict[str, Any]:
    rates = {"first_right": rate(0.91, 0.83, trials=11, cases=2), "fix_at_1": rate(fix, 0.77), "control": rate(None)}
    return {"model": "a/b", **rates, "net_fix": rate(net, low, high)}


def test_a_table_and_what_it_means() -> None:
    assert headline({"contestants": [contestant(1.0, 0.2, 0.1, 0.3)]}) == [
        "     right at first                  mended when told      after “Try again.”  being told adds",
        "a/b  91 % (83–100) of 11 in 2 cases  100 % (77–100) of 37  –                   +20 % (+10…+30)",
        "Told what is wrong, a/b mends 100 % of its mistakes here, more than for a plain “Try again.”: it listens.",
    ]


def test_an_interval_with_nothing_in_it_is_no_listening() -> None:
    assert headline({"contestants": [contestant(1.0, 0.03, 0.0, 0.09)]})[-1].endswith(
        "it is the second look that helps, not what was said."
    )


def test_much_that_may_be_chance_is_said_to_be_so() -> None:
    told = {**contestant(0.46, 0.22, 0.0, 0.44), "control": rate(0.24, 0.1, 0.41)}
    assert headline({"contestants": [told]})[-1] == (
        "Told what is wrong, a/b mends 46 % of its mistakes here, 24 % (10–41) after a plain “Try again.”: "
        "too few to say that it listens."
    )


def test_no_mistakes() -> None:
    assert headline({"contestants": [contestant(None, None, 0, 0)]})[-1] == "No mistake was made, so none was mended."
