"""A judge against people, with figures worked by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from toolmend.base.errors import BadOption
from toolmend.base.stats import wilson
from toolmend.extras.arena.judges.calibration import Calibration, correlations, kappas, observed
from toolmend.extras.arena.judges.calibration import calibrate as calibrate_fully
from toolmend.extras.arena.ratings import Votes


def calibrate(human: Votes, judge: Votes) -> Calibration:
    """With fewer rounds than usual: these tests are about figures, and intervals of few digits."""
    return calibrate_fully(human, judge, rounds=200)


def votes(winners: str, prompts: Sequence[str] | None = None, *, swap: bool = False, **more: Any) -> Votes:
    """x against y, a letter for each vote: a, b, or t for a tie; `swap` writes y against x."""
    words = {"a": "b" if swap else "a", "b": "a" if swap else "b", "t": "tie", "z": "both_bad"}
    sides = ["y", "x"] if swap else ["x", "y"]
    count = len(winners)
    asked = prompts or [f"p{n}" for n in range(count)]
    return Votes.of([sides[0]] * count, [sides[1]] * count, [words[each] for each in winners], prompt=asked, **more)


def test_cohen_by_hand() -> None:
    table = np.array([[20.0, 5], [10, 15]])  # 35 of 50 alike; chance 0.5 * 0.6 + 0.5 * 0.4
    assert float(observed(table)) == 0.7
    assert float(kappas(table)) == pytest.approx((0.7 - 0.5) / 0.5)


@pytest.mark.parametrize(
    ("table", "kappa"), [([[5.0, 0], [0, 5]], 1.0), ([[0.0, 5], [5, 0]], -1.0), ([[4.0, 4], [4, 4]], 0.0)]
)
def test_cohen_at_its_ends(table: list[list[float]], kappa: float) -> None:
    assert float(kappas(np.array(table))) == kappa


def test_cohen_of_too_little() -> None:
    assert np.isnan(kappas(np.zeros((2, 2)))) and np.isnan(kappas(np.array([[9.0, 0], [0, 0]])))


def test_correlation_of_symmetric_votes() -> None:
    table = np.array([[3.0, 1, 1], [1, 2, 1], [1, 1, 3]])
    assert float(correlations(table)) == pytest.approx((6 - 2) / 10)


def test_three_of_four() -> None:
    found = calibrate(votes("aaab"), votes("aaaa"))
    assert (found.judge.comparisons, found.judge.prompts) == (4, 4)
    assert found.judge.agreement.value == 0.75
    assert found.judge.decided.value == 0.75
    assert found.judge.kappa.value == pytest.approx(0.5)  # chance is a half: sides carry no meaning
    assert found.judge.correlation.value == pytest.approx(0.5)
    assert found.warnings == ("few prompts: with 4 the intervals are too narrow",)


def test_ties_and_both_bad_are_one_outcome() -> None:
    found = calibrate(votes("atzb"), votes("attt"))
    assert found.judge.agreement.value == 0.75
    assert found.judge.decided.value == 1.0  # of the one that both decided
    # Margins with both orientations: people 1/4 1/2 1/4, judge 1/8 3/4 1/8; chance 7/16.
    assert found.judge.kappa.value == pytest.approx((3 / 4 - 7 / 16) / (9 / 16))
    # Scores: together 1 of 4; squares 2 and 1.
    assert found.judge.correlation.value == pytest.approx(1 / math.sqrt(2))


def test_which_side_is_called_a_changes_nothing() -> None:
    one, other = (calibrate(votes("aabtb", swap=swap), votes("abbta")) for swap in (False, True))
    assert one == other


def test_several_votes_share_a_comparison() -> None:
    people = votes("aab", ["p", "p", "p"])
    found = calibrate(people, votes("a", ["p"]))
    assert found.judge.comparisons == 1
    assert found.judge.agreement.value == pytest.approx(2 / 3)
    assert found.people is not None
    assert found.people.agreement.value == pytest.approx(1 / 3)  # of three pairs of people one agrees


def test_turns_and_contestants_are_kept_apart() -> None:
    people = votes("ab", ["p", "p"], turn=["step 0", "step 1"])
    found = calibrate(people, votes("ab", ["p", "p"], turn=["step 0", "step 2"]))
    assert (found.judge.comparisons, found.alone, found.unjudged) == (1, 1, 1)


def test_by_category() -> None:
    found = calibrate(votes("aabb", category=["code", "code", "talk", ""]), votes("abbb"))
    assert {name: each.agreement.value for name, each in found.categories.items()} == {"code": 0.5, "talk": 1.0}


def weight(winners: str) -> float:
    people = "ab" * 100
    return calibrate(votes(people), votes(winners)).weight


def test_weight_of_one_that_always_agrees() -> None:
    low, _ = wilson(200, 200)
    assert weight("ab" * 100) == pytest.approx((2 * low - 1) ** 2)


def test_weight_of_a_coin_and_of_an_enemy_is_nothing() -> None:
    assert weight("aabb" * 50) == 0.0
    assert weight("ba" * 100) == 0.0


def test_weight_is_the_square_of_the_lower_end() -> None:
    found = calibrate(votes("ab" * 100), votes("ab" * 80 + "ba" * 20))
    assert found.judge.correlation.value == pytest.approx(0.6)
    low = found.judge.correlation.low
    assert low is not None and 0.47 < low < 0.5
    assert found.weight == low**2


def test_intervals_are_by_prompt() -> None:
    """A hundred votes on four prompts know less than a hundred on as many."""

    def width(found: Calibration) -> float:
        assert found.judge.agreement.low is not None and found.judge.agreement.high is not None
        return found.judge.agreement.high - found.judge.agreement.low

    people, judge = "a" * 100, "a" * 25 + "b" * 25 + "a" * 50
    turns = [str(n) for n in range(100)]
    few = [f"p{n // 25}" for n in range(100)]
    together = calibrate(votes(people, few, turn=turns), votes(judge, few, turn=turns))
    apart = calibrate(votes(people, turns, turn=turns), votes(judge, turns, turn=turns))
    assert width(together) > 3 * width(apart)


def test_one_prompt_has_no_interval_and_no_weight() -> None:
    found = calibrate(votes("a", ["p"]), votes("a", ["p"]))
    assert (found.judge.agreement.low, found.weight) == (None, 0.0)
    assert found.warnings[0].startswith("one prompt: no interval")


def test_nothing_in_common() -> None:
    with pytest.raises(BadOption, match=r"no comparison has votes of both\. People: prompt 'p0'.*judge: prompt 'q'"):
        calibrate(votes("ab"), votes("a", ["q"]))
    with pytest.raises(BadOption, match="needs a column `prompt` in both files"):
        calibrate(Votes.of(["x"], ["y"], ["a"]), votes("a"))
