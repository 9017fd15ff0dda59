"""Intervals and p-values against published examples and hand-made ones."""

import random

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.stats import (
    bootstrap_mean,
    detectable,
    diff_interval,
    holm,
    mcnemar,
    newcombe,
    paired_bootstrap,
    share_interval,
    wilcoxon,
    wilson,
)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, Statistics in Medicine 17:857, table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_newcombes_table(k, n, low, high):
    assert wilson(k, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("k", "n", "low", "high"), [(35, 72, 0.37, 0.60), (7, 9, 0.45, 0.94), (1, 24, 0.01, 0.20)])
def test_wilson_of_the_published_marks(k, n, low, high):
    assert wilson(k, n) == pytest.approx((low, high), abs=5e-3)


def test_wilson_without_trials_knows_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


def test_wilson_touches_its_ends_exactly():
    assert wilson(0, 5)[0] == 0.0
    assert wilson(5, 5)[1] == 1.0


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2), (0, -1)])
def test_an_impossible_share_is_refused(k, n):
    with pytest.raises(BadOption, match=f"k={k}, n={n}"):
        wilson(k, n)


def test_newcombe_gives_the_published_difference():
    assert newcombe(56, 70, 48, 80) == pytest.approx((0.0524, 0.3339), abs=5e-5)  # Newcombe 1998, 17:873, example (a)


def test_newcombe_with_an_empty_group_knows_nothing():
    assert newcombe(0, 0, 3, 4) == (-1.0, 1.0)


def test_mcnemar_is_twice_the_smaller_binomial_tail():
    assert mcnemar(5, 15) == 2 * 21700 / 2**20
    assert mcnemar(15, 5) == mcnemar(5, 15)
    assert mcnemar(0, 6) == 0.03125


def test_mcnemar_without_a_difference_is_one():
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(4, 4) == 1.0


def test_mcnemar_refuses_negative_counts():
    with pytest.raises(BadOption, match="b=-1"):
        mcnemar(-1, 2)


def test_wilcoxon_of_darwins_maize():
    differences = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    assert wilcoxon(differences, [0] * 15) == 0.041259765625


def test_wilcoxon_by_hand_with_ties_and_an_equal_pair():
    # ranks 1, 2.5, 2.5, 4 and the negative one has rank 1: sums <= 1 are {} and {1}, so p = 2 * 2/16
    assert wilcoxon([-1, 2, 2, 3, 7], [0, 0, 0, 0, 7]) == 0.25


def test_wilcoxon_of_many_pairs_is_near_the_exact_law():
    chance = random.Random(1)
    x = [chance.gauss(0.25, 1) for _ in range(101)]
    exact = wilcoxon(x[:100], [0.0] * 100)
    normal = wilcoxon(x, [0.0] * 101)
    assert abs(exact - normal) < 0.02


def test_wilcoxon_without_a_difference_is_one():
    assert wilcoxon([], []) == 1.0
    assert wilcoxon([1, 2], [1, 2]) == 1.0


def test_one_sided_mcnemar_is_the_upper_tail():
    assert mcnemar(9, 2, one_sided=True) == (55 + 11 + 1) / 2048
    assert mcnemar(2, 9, one_sided=True) == 1 - (11 + 1) / 2048
    assert mcnemar(0, 0, one_sided=True) == 1.0


def test_one_sided_wilcoxon_by_hand():
    assert wilcoxon([1, 2, 3, 4], [0, 0, 0, 0], one_sided=True) == 1 / 16
    assert wilcoxon([-1, 2, 3, 4], [0, 0, 0, 0], one_sided=True) == 2 / 16  # only {} and {1} weigh as little
    assert wilcoxon([0, 0, 0, 0], [1, 2, 3, 4], one_sided=True) == 1.0


def test_one_sided_wilcoxon_of_many_pairs_is_half_of_two():
    x = [number + 20 if number % 3 else -number for number in range(1, 151)]
    assert wilcoxon(x, [0] * 150, one_sided=True) == pytest.approx(wilcoxon(x, [0] * 150) / 2)
    assert wilcoxon([0] * 150, x, one_sided=True) > 0.5


def test_what_can_be_detected_by_hand():
    half = [0.3] * 50 + [-0.3] * 50  # spread 0.3 * sqrt(100 / 99), normal quantiles 1.6449 and 0.8416
    assert detectable(half) == pytest.approx(0.0750, abs=1e-4)


def test_what_can_be_detected_is_never_less_than_the_fewest_cases_that_could_be_significant():
    assert detectable([0.0] * 10) == 5 / 10  # 2 ** -5 is the first below 0.05
    assert detectable([0.0] * 10, 0.05 / 4) == 7 / 10
    assert detectable([0.0] * 4) == 5 / 4
    assert detectable([0.0]) is None


def test_tests_agree_with_scipy():
    scipy = pytest.importorskip("scipy.stats")
    random.seed(5)
    x, y = ([random.random() for _ in range(60)] for _ in "xy")
    for ours, theirs in ((False, "two-sided"), (True, "greater")):
        assert wilcoxon(x, y, one_sided=ours) == pytest.approx(
            scipy.wilcoxon(x, y, alternative=theirs, method="exact").pvalue
        )
        assert mcnemar(31, 17, one_sided=ours) == pytest.approx(scipy.binomtest(31, 48, alternative=theirs).pvalue)


def test_holm_steps_down_in_the_order_given():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_bootstrap_of_single_values_is_near_the_normal_interval():
    low, high = bootstrap_mean([0.0, 1.0] * 200)
    assert low == pytest.approx(0.451, abs=0.01)
    assert high == pytest.approx(0.549, abs=0.01)


def test_copies_within_clusters_do_not_narrow_the_interval():
    values = [0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]
    copied = [value for value in values for _ in range(20)]
    clusters = [case for case in range(10) for _ in range(20)]
    assert bootstrap_mean(copied, clusters) == bootstrap_mean(values)
    low, high = bootstrap_mean(copied)
    assert high - low < 0.2


def test_bootstrap_is_the_same_every_time():
    values, clusters = [1.0, 0.0, 1.0, 1.0], ["b", "a", "c", "a"]
    assert bootstrap_mean(values, clusters) == bootstrap_mean(values, clusters)


def test_bootstrap_in_parts_is_one_bootstrap(monkeypatch):
    whole = bootstrap_mean([1.0, 2.0, 5.0])
    monkeypatch.setattr("toolmend.base.stats._CELLS", 300)
    assert bootstrap_mean([1.0, 2.0, 5.0]) == whole


def test_bootstrap_needs_two_clusters():
    assert bootstrap_mean([]) is None
    assert bootstrap_mean([1.0]) is None
    assert bootstrap_mean([1.0, 0.0, 1.0], ["one", "one", "one"]) is None
    assert paired_bootstrap([1.0, 0.0], [0.0, 0.0], ["one", "one"]) is None


def test_paired_bootstrap_of_equal_differences_is_that_difference():
    assert paired_bootstrap([3.0, 5.0, 9.0], [1.0, 3.0, 7.0]) == (2.0, 2.0)


def test_pairing_is_narrower_than_two_samples():
    control = [float(i % 10) for i in range(100)]
    fixed = [value + (0.5 if i % 2 else 1.5) for i, value in enumerate(control)]
    low, high = paired_bootstrap(fixed, control)
    assert 0.85 < low < 1.0 < high < 1.15


@pytest.mark.parametrize("call", [wilcoxon, paired_bootstrap, diff_interval, bootstrap_mean, share_interval])
def test_unequal_lengths_are_refused(call):
    with pytest.raises(BadOption, match="2 and 1"):
        call([1, 0], [1])


def test_a_share_of_single_trials_is_wilsons():
    assert share_interval([True] * 7 + [False] * 2) == wilson(7, 9)
    assert share_interval([]) == (0.0, 1.0)


def test_a_share_with_several_trials_per_case_is_bootstrapped():
    hits = [True, True, False, False, True, False, True, True]
    cases = ["a", "a", "b", "b", "c", "c", "d", "d"]
    assert share_interval(hits, cases) == bootstrap_mean([float(hit) for hit in hits], cases)


def test_a_share_that_cannot_vary_counts_each_case_once():
    assert share_interval([True] * 12, ["a", "b", "c"] * 4) == wilson(3, 3)
    assert share_interval([True, False, True, True], ["a"] * 4) == wilson(1, 1)


def test_net_fix_lies_around_the_difference():
    chance = random.Random(5)
    fixed = [chance.random() < 0.75 for _ in range(200)]
    control = [chance.random() < 0.25 for _ in range(200)]
    low, high = diff_interval(fixed, control, [i // 4 for i in range(200)])
    assert 0.3 < low < (sum(fixed) - sum(control)) / 200 < high < 0.7


def test_net_fix_of_pairs_is_the_paired_bootstrap():
    fixed, control = [True, True, False, True], [False, True, False, False]
    assert diff_interval(fixed, control) == paired_bootstrap(fixed, control)


def test_net_fix_that_cannot_vary_is_newcombes_with_one_trial_per_case():
    clusters = [case for case in range(6) for _ in range(3)]
    assert diff_interval([True] * 18, [False] * 18, clusters) == newcombe(6, 6, 0, 6)
    assert diff_interval([True] * 3, [False] * 3, ["one"] * 3) == newcombe(1, 1, 0, 1)


def test_net_fix_of_an_empty_arm_knows_nothing():
    assert diff_interval([], []) == (-1.0, 1.0)
