"""Comparisons from outcomes made by hand: differences, tests, corrections, cases, the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.errors import BadOption
from toolmend.base.mistakes import Mark
from toolmend.evals.comparing.compare import Compared, Contrast, compare_runs, compare_within, contrasts
from toolmend.evals.comparing.pairing import sides_within
from toolmend.evals.comparing.report import comparison_report, verdict
from toolmend.evals.metrics.outcomes import Played, SampleOutcome, StepAnswers
from toolmend.evals.store import Run, RunConfig, StoredContestant

Values = Mapping[str, Mapping[int, float]]


def made(case: str, model: str, values: Values, attempt: int = 0, **more: Any) -> SampleOutcome:
    return SampleOutcome(f"main/{case}", model, "s", attempt, "corrected", values=values, **more)


def first(case: str, model: str, *hits: int, attempt: int = 0) -> SampleOutcome:
    return made(case, model, {"first_right": dict(enumerate(map(float, hits)))}, attempt)


def run_of(*outcomes: SampleOutcome, id: str = "aaaaaaaaaaaa", **config: Any) -> Played:
    names = dict.fromkeys((each.model, each.strategy) for each in outcomes)
    contestants = tuple(StoredContestant(*each) for each in names)
    return Played(Run(id, RunConfig("s", "h", contestants, **config), "2025-01-01"), outcomes, id)


def singles(won: int, lost: int, same: int = 0) -> Played:
    """Cases of one request: b alone is right in `won`, a alone in `lost`, both in `same`."""
    pairs = [(0, 1)] * won + [(1, 0)] * lost + [(1, 1)] * same
    rows = [[first(f"{n:03}", "a", x), first(f"{n:03}", "b", y)] for n, (x, y) in enumerate(pairs)]
    return run_of(*(each for row in rows for each in row))


def figure(contrast: Contrast, name: str = "first_right") -> Compared:
    (found,) = (each for each in contrast.figures if each.figure == name)
    return found


def only(played: Played, name: str = "first_right") -> Compared:
    (contrast,) = compare_within(played).contrasts
    return figure(contrast, name)


# one figure ----------------------------------------------------------------------------------------------------------


def test_single_trials_are_tested_by_mcnemar() -> None:
    found = only(singles(won=9, lost=2, same=9))
    assert (found.pairs, found.cases, found.a, found.b) == (20, 20, 0.55, 0.9)
    assert found.difference == pytest.approx(0.35)
    assert (found.test, found.p) == ("mcnemar", 2 * 67 / 2048)
    assert found.low is not None and found.high is not None and 0 < found.low < 0.35 < found.high < 1


def test_several_trials_of_a_case_are_tested_by_wilcoxon_on_its_mean() -> None:
    cases = [("p", (0, 0), (1, 1)), ("q", (0, 0), (1, 0)), ("r", (1, 0), (0, 0)), ("s", (0, 0, 0), (1, 1, 0))]
    played = run_of(*(first(case, model, *hits) for case, a, b in cases for model, hits in (("a", a), ("b", b))))
    found = only(played)  # means of b - a: 1, 1/2, -1/2, 2/3; ranks 4, 1.5, 1.5, 3: 8.5 of 10 for b
    assert (found.pairs, found.cases, found.test) == (9, 4, "wilcoxon")
    assert found.p == 2 * 3 / 16  # the sets {}, {q}, {r} weigh at most 1.5
    assert found.difference == pytest.approx(4 / 9)


def test_equal_differences_are_equal_whatever_the_number_of_trials() -> None:
    """Thirds and sixths of different sums must tie; else ranks would hang on rounding errors."""
    cases = [("p", (0, 0, 0), (1, 0, 0)), ("q", (1, 0, 0), (1, 1, 0)), ("r", (0,) * 6, (1, 1, 0, 0, 0, 0))]
    played = run_of(*(first(case, model, *hits) for case, a, b in cases for model, hits in (("a", a), ("b", b))))
    assert only(played).p == 2 / 8


def test_net_fix_is_tested_by_wilcoxon_even_on_single_trials() -> None:
    rows = [
        made(str(n), model, {"net_fix": {0: value}}) for n in range(6) for model, value in (("a", -1.0), ("b", 1.0))
    ]
    found = only(run_of(*rows), "net_fix")
    assert (found.test, found.p, found.difference) == ("wilcoxon", 2 / 64, 2.0)


def test_an_interval_of_no_width_is_none() -> None:
    rows = [made(str(n), model, {"net_fix": {0: value}}) for n in range(6) for model, value in (("a", 0.0), ("b", 1.0))]
    found = only(run_of(*rows), "net_fix")
    assert (found.difference, found.low, found.high) == (1.0, None, None)


def test_costs_are_compared_per_dialogue() -> None:
    costs = {"a": [100.0, 101.0, 102.0, 103.0, 104.0, 105.0], "b": [80.0, 90.0, 80.0, 90.0, 80.0, 90.0]}
    rows = [made(str(n), model, {"tokens": {0: cost}}) for model, each in costs.items() for n, cost in enumerate(each)]
    found = only(run_of(*rows), "tokens")
    assert (found.a, found.b, found.difference) == (102.5, 85.0, -17.5)
    assert (found.test, found.p) == ("wilcoxon", 2 / 64)
    assert found.low is not None and found.high is not None and -24 <= found.low < -17.5 < found.high <= -11


def test_what_only_one_side_has_is_counted_and_not_compared() -> None:
    a = made("p", "a", {"fix_at_1": {0: 1.0, 1: 0.0}})
    b = made("p", "b", {"fix_at_1": {1: 1.0, 2: 1.0, 3: 1.0}})
    found = only(run_of(a, b), "fix_at_1")
    assert (found.pairs, found.only_a, found.only_b, found.a, found.b) == (1, 1, 2, 0.0, 1.0)


def test_a_figure_that_nobody_has_is_not_tested() -> None:
    found = only(singles(won=1, lost=0), "done")
    assert (found.pairs, found.p, found.p_holm, found.difference) == (0, None, None, None)


# several -------------------------------------------------------------------------------------------------------------


def test_holm_goes_over_everything_shown() -> None:
    rows = [first(f"{n:02}", model, int(model != "a" and n < 8)) for n in range(12) for model in "abc"]
    found = [figure(each) for each in compare_within(run_of(*rows)).contrasts]
    assert [each.p for each in found] == [2 / 256, 2 / 256, 1.0]  # a-b, a-c, b-c
    assert [each.p_holm for each in found] == [6 / 256, 6 / 256, 1.0]
    assert [each.beyond_chance for each in found] == [True, True, False]


def test_against_one_makes_fewer_tests() -> None:
    rows = [first(f"{n:02}", model, int(model != "a" and n < 8)) for n in range(12) for model in "abc"]
    found = [figure(each).p_holm for each in compare_within(run_of(*rows), against="a").contrasts]
    assert found == [4 / 256, 4 / 256]


def test_runs_of_different_suites_are_refused_unless_asked_for() -> None:
    a, b = run_of(first("p", "m", 1)), run_of(first("p", "m", 0), id="b" * 12)
    other = replace(b, run=replace(b.run, config=replace(b.run.config, suite_hash="other")))
    with pytest.raises(
        BadOption, match="run aaaaaaaaaaaa played 's' \\(h\\) and run bbbbbbbbbbbb played 's' \\(other\\)"
    ):
        compare_runs(a, other)
    found = compare_runs(a, other, anyway=True)
    assert "cases with the same name are compared" in found.notes[0]
    assert found.contrasts[0].paired == 1


def test_runs_without_a_common_case_are_refused() -> None:
    with pytest.raises(BadOption, match="no case, attempt and arm that both have played"):
        compare_runs(run_of(first("p", "m", 1)), run_of(first("q", "m", 1), id="b" * 12))


def test_what_differs_in_the_configurations() -> None:
    experiments = [{"id": "main", "attempts": 1, "options": {"seed": 1}}]
    a = run_of(first("p", "m", 1), temperature=0.0, settings={"experiments": experiments, "suite_path": "here"})
    more = [{"id": "main", "attempts": 3, "options": {"seed": 1}}]
    outcomes = (first("p", "m", 1), first("p", "n", 1))
    b = run_of(*outcomes, id="b" * 12, temperature=0.7, settings={"experiments": more, "suite_path": "there"})
    assert compare_runs(a, b).differs == (
        ("temperature", 0.0, 0.7),
        ("settings.experiments.main.attempts", 1, 3),
        ("contestants.n · s", None, "played"),
    )


# properties ----------------------------------------------------------------------------------------------------------

_bits = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=3)
_dialogues = st.dictionaries(st.tuples(st.sampled_from("pqrstu"), st.integers(0, 1)), _bits, min_size=1, max_size=8)


def outcomes_of(dialogues: Mapping[tuple[str, int], list[tuple[bool, bool]]]) -> list[SampleOutcome]:
    return [
        first(case, model, *(int(pair[side]) for pair in pairs), attempt=attempt)
        for (case, attempt), pairs in dialogues.items()
        for side, model in enumerate("ab")
    ]


@settings(max_examples=40, deadline=None)
@given(_dialogues, st.randoms(use_true_random=False))
def test_the_order_of_samples_changes_nothing(dialogues: Any, random: Any) -> None:
    outcomes = outcomes_of(dialogues)
    mixed = list(outcomes)
    random.shuffle(mixed)
    assert (
        compare_within(run_of(*mixed), against="a").contrasts
        == compare_within(run_of(*outcomes), against="a").contrasts
    )


@settings(max_examples=40, deadline=None)
@given(_dialogues)
def test_swapping_the_sides_negates_the_difference(dialogues: Any) -> None:
    _, sides = sides_within(run_of(*outcomes_of(dialogues)))
    there, back = (figure(contrasts([tuple(way)])[0]) for way in (sides, sides[::-1]))  # type: ignore[list-item]
    assert (there.a, there.b, there.p, there.p_holm) == (back.b, back.a, back.p, back.p_holm)
    assert there.difference == -(back.difference or 0.0)
    assert (there.low, there.high) == pytest.approx((-(back.high or 0.0), -(back.low or 0.0)))


# cases and the verdict -----------------------------------------------------------------------------------------------


def said(reply: str, *right: bool) -> StepAnswers:
    marks = tuple((Mark.CORRECT,) if each else (Mark.MISTAKE,) for each in right)
    return StepAnswers("asked", reply, () if right[0] else ("wrong_value(time)",), marks, right)


def with_steps(model: str, case: str, *steps: StepAnswers, attempt: int = 0) -> SampleOutcome:
    values = {"first_right": {number: float(each.right[0]) for number, each in enumerate(steps)}}
    return made(case, model, values, attempt, steps=dict(enumerate(steps)))


def test_the_steps_that_differ_the_clearest_first() -> None:
    same, right, mended, wrong = said("same", True), said("r", True), said("m", False, True), said("w", False, False)
    rows = [
        *(with_steps("a", "p", same, mended, attempt=n) for n in range(2)),
        with_steps("b", "p", same, mended, attempt=0),
        with_steps("b", "p", same, right, attempt=1),
        with_steps("a", "q", right),
        with_steps("b", "q", wrong),
    ]
    (contrast,) = compare_within(run_of(*rows)).contrasts
    found = [(each.case, each.step, each.change, each.differ, each.attempts) for each in contrast.cases]
    assert found == [("main/q", 0, -1.0, 1, 1), ("main/p", 1, 0.25, 1, 2)]
    clearest, other = contrast.cases
    assert (clearest.a.reply, clearest.b.reply, clearest.b.mistakes) == ("r", "w", ("wrong_value(time)",))
    assert (other.of, other.a.right, other.b.right, other.b.reply) == (
        "s",
        0,
        1,
        "r",
    )  # shown is the attempt that differs


def test_the_verdict_names_what_is_beyond_chance() -> None:
    (contrast,) = compare_within(singles(won=9, lost=0, same=11)).contrasts
    assert verdict(contrast) == "b is better at first replies: +45 % (+25…+65), p 0.004 after Holm."


def test_the_verdict_claims_nothing_within_chance() -> None:
    (contrast,) = compare_within(singles(won=4, lost=2, same=6)).contrasts
    assert verdict(contrast).startswith(
        "Nothing differs beyond chance between a and b on 12 cases; the nearest is first right +17 % ("
    )


def test_the_verdict_on_equals() -> None:
    (contrast,) = compare_within(singles(won=0, lost=0, same=1)).contrasts
    assert verdict(contrast) == "a and b do not differ at all on 1 case."


def test_too_few_cases_are_said() -> None:
    notes = compare_within(singles(won=4, lost=0)).notes
    assert notes == (
        "4 cases are few: intervals from under 10 are too narrow",
        "4 cases are too few for a test: no difference, however clear, could be significant",
    )
    assert compare_within(singles(won=10, lost=0)).notes == ()


def test_the_report_has_everything() -> None:
    report = comparison_report(compare_within(singles(won=9, lost=0, same=11)))
    assert list(report) == ["schema", "runs", "by", "differs", "comparisons", "notes"]
    (found,) = report["comparisons"]
    assert (found["a"], found["b"], found["paired"]) == ("a", "b", 20)
    assert found["figures"][0]["p"] == 2 / 512
