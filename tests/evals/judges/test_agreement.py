"""Coefficients against examples worked by hand, or printed by those who made them."""

from __future__ import annotations

import numpy as np
import pytest

from toolmend.errors import BadOption
from toolmend.evals.judges.agreement import agreement, cohen_kappa, correlations, kendall, krippendorff_alpha, spearman

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve units.
NONE = None
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3),
    (NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE),
)
UNITS = list(zip(*OBSERVERS, strict=True))


def test_krippendorff_as_printed() -> None:
    assert krippendorff_alpha(UNITS, range(1, 6)) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(UNITS, range(1, 6), "ordinal") == pytest.approx(0.815, abs=5e-4)


def test_krippendorff_as_the_package_krippendorff_has_it() -> None:
    assert krippendorff_alpha(UNITS, range(1, 6)) == pytest.approx(0.743421052631579, abs=1e-12)
    assert krippendorff_alpha(UNITS, range(1, 6), "ordinal") == pytest.approx(0.8153875037548814, abs=1e-12)


def test_krippendorff_by_hand() -> None:
    # a a, a b, b b: margins 3 and 3 of 6 values, 2 of 6 coincidences apart; expected 2 * 9 / 5 apart.
    assert krippendorff_alpha(["aa", "ab", "bb"], "ab") == pytest.approx(1 - 2 / (18 / 5))


def test_krippendorff_of_too_little() -> None:
    assert krippendorff_alpha([], "ab") is None
    assert krippendorff_alpha(["a", "b"], "ab") is None
    assert krippendorff_alpha(["aa", "aa"], "ab") is None
    with pytest.raises(BadOption, match="metric is nominal or ordinal"):
        krippendorff_alpha(["ab"], "ab", "ratio")  # type: ignore[arg-type]


def test_cohen_by_hand() -> None:
    # 35 of 50 alike; chance 0.5 * 0.6 + 0.5 * 0.4.
    table = [[20, 5], [10, 15]]
    assert agreement(table) == 0.7
    assert cohen_kappa(table) == pytest.approx((0.7 - 0.5) / 0.5)


@pytest.mark.parametrize(
    ("table", "kappa"), [([[5, 0], [0, 5]], 1.0), ([[0, 5], [5, 0]], -1.0), ([[4, 4], [4, 4]], 0.0)]
)
def test_cohen_at_its_ends(table: list[list[int]], kappa: float) -> None:
    assert cohen_kappa(table) == kappa


def test_cohen_of_too_little() -> None:
    assert (cohen_kappa([[0, 0], [0, 0]]), cohen_kappa([[9, 0], [0, 0]]), agreement([[0]])) == (None, None, None)


def test_ranks() -> None:
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0])
    assert float(spearman(x, y)) == pytest.approx(0.8)
    assert float(kendall(x, y)) == pytest.approx(4 / 6)


def test_ranks_with_ties() -> None:
    x, y = np.array([1.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0, 3.0])
    assert float(spearman(x, y)) == pytest.approx(5 / 6)  # mid-ranks 1.5 1.5 3 4 and 1 2.5 2.5 4: 3.75 / 4.5
    assert float(kendall(x, y)) == pytest.approx(4 / 5)  # four pairs agree, five are apart on each side


def test_ranks_of_one_value_are_no_order() -> None:
    assert np.isnan(spearman(np.ones(3), np.arange(3.0)))


def test_correlation_of_symmetric_votes() -> None:
    table = np.array([[3.0, 1, 1], [1, 2, 1], [1, 1, 3]])
    assert float(correlations(table)) == pytest.approx((6 - 2) / 10)
