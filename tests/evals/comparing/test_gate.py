"""The gate: fails on a drop beyond chance that matters, and says what it could not have seen."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.mistakes import Mark
from toolmend.evals.comparing.gate import Gated, GateReport, gate, to_json
from toolmend.evals.metrics.outcomes import Played, SampleOutcome, StepAnswers
from toolmend.evals.store import Run, RunConfig, StoredContestant


def run_of(values: list[dict[str, dict[int, float]]], id: str, attempts: int = 1, **more: Any) -> Played:
    """A run of a case for each of the values."""
    outcomes = tuple(
        SampleOutcome(f"main/{n:03}", "m", "s", attempt, "corrected", values=each, **more)
        for n, each in enumerate(values)
        for attempt in range(attempts)
    )
    return Played(Run(id, RunConfig("s", "h", (StoredContestant("m", "s"),)), "2025-01-01"), outcomes, id)


def first(*hits: int) -> list[dict[str, dict[int, float]]]:
    return [{"first_right": {0: float(hit)}} for hit in hits]


def judged(base: list[int], new: list[int], **options: Any) -> GateReport:
    return gate(run_of(first(*new), "new"), run_of(first(*base), "base"), **options)


def rate(made: GateReport, name: str = "first_right") -> Gated:
    (found,) = (each for each in made.rates if each.figure == name)
    return found


def test_a_clear_drop_fails() -> None:
    made = judged([1] * 20, [0] * 8 + [1] * 12)
    found = rate(made)
    assert (made.passed, found.failed, found.base, found.run, found.worse) == (False, True, 1.0, 0.6, 0.4)
    assert (found.test, found.p, found.p_holm) == ("mcnemar", 1 / 256, 1 / 256)  # one-sided, one rate tested
    assert found.low is not None and found.low > 0


def test_an_improvement_passes_however_clear() -> None:
    made = judged([0] * 8 + [1] * 12, [1] * 20)
    assert (made.passed, rate(made).worse, rate(made).p) == (True, -0.4, 1.0)


def test_a_drop_within_chance_passes() -> None:
    made = judged([1] * 20, [0] * 4 + [1] * 16)
    assert (made.passed, rate(made).p_holm) == (True, 1 / 16)


def test_a_drop_smaller_than_matters_passes() -> None:
    base, new = [1] * 200, [0] * 8 + [1] * 192
    assert rate(judged(base, new)).p_holm == 1 / 256
    assert (judged(base, new).passed, judged(base, new, drop=0.04).passed, judged(base, new, drop=0).passed) == (
        True,
        False,
        False,
    )


def test_regress_is_worse_when_it_rises() -> None:
    held, gave = ([{"regress": {0: value}}] * 20 for value in (0.0, 1.0))
    risen = rate(gate(run_of(gave, "new"), run_of(held, "base")), "regress")
    assert (risen.failed, risen.worse, risen.p) == (True, 1.0, 2**-20)
    assert gate(run_of(held, "new"), run_of(gave, "base")).passed


def test_several_trials_of_a_case_are_one_score() -> None:
    found = rate(gate(run_of(first(*[0] * 5), "new", attempts=4), run_of(first(*[1] * 5), "base", attempts=4)))
    assert (found.test, found.pairs, found.cases, found.p) == ("wilcoxon", 20, 5, 1 / 32)


def test_p_is_corrected_for_the_rates_that_are_gated() -> None:
    worse = [{"first_right": {0: 0.0}, "done": {0: 1.0}}] * 5
    base = run_of([{"first_right": {0: 1.0}, "done": {0: 1.0}}] * 5, "base")
    both, one = gate(run_of(worse, "new"), base), gate(run_of(worse, "new"), base, rates=["first_right"])
    assert (rate(both).p_holm, both.passed) == (2 / 32, True)
    assert (rate(one).p_holm, one.passed) == (1 / 32, False)


def test_a_sample_too_small_is_said() -> None:
    tiny = judged([1] * 4, [1] * 4, rates=["first_right"])
    assert tiny.notes == ("first right: 4 cases cannot show any drop; play more cases",)
    small = judged([1] * 20, [1] * 20, rates=["first_right"], drop=0.1)
    assert rate(small).detectable == 0.25
    assert small.notes == ("first right: 20 cases show a drop (four times in five) from 25 % on, not one of 10 %",)
    assert judged([1] * 20, [1] * 20, rates=["first_right"], drop=0.25).notes == ()


def test_a_rate_that_no_pair_has_is_said() -> None:
    assert "done: no pair has it, so it was not tested" in judged([1], [1]).notes


def test_what_has_no_partner_is_said() -> None:
    base, new = run_of(first(*[1] * 8), "base"), run_of(first(*[1] * 6), "new")
    assert "samples of the base without a partner in the run, counted nowhere: 2" in gate(new, base).notes
    broken = SampleOutcome("main/009", "m", "s", 0, "corrected", ok=False)
    found = gate(Played(new.run, (*new.outcomes, broken), "new"), base).notes
    assert "samples of the run that could not be run, counted nowhere: 1" in found


def test_the_steps_that_got_worse() -> None:
    def outcome(case: str, attempt: int, hit: int, reply: str) -> SampleOutcome:
        marks = ((Mark.CORRECT,) if hit else (Mark.MISTAKE,),)
        step = StepAnswers("ask", reply, (), marks, (bool(hit),))
        values = {"first_right": {1: float(hit)}}
        return SampleOutcome(f"main/{case}", "m", "s", attempt, "corrected", values=values, steps={1: step})

    hits = {"half": ([1, 1], [1, 0]), "lost": ([1, 1], [0, 0]), "won": ([0, 0], [1, 1])}
    sides = [
        [outcome(case, n, hit, f"{case} {side} {n}") for case, both in hits.items() for n, hit in enumerate(both[side])]
        for side in (0, 1)
    ]
    config = RunConfig("s", "h", (StoredContestant("m", "s"),))
    base, new = (Played(Run(id, config, ""), tuple(each), id) for id, each in zip(("base", "new"), sides, strict=True))
    found = gate(new, base).worse
    assert [(each.case, each.step, each.attempts, each.change) for each in found] == [
        ("main/lost", 1, 2, -1.0),
        ("main/half", 1, 2, -0.5),
    ]
    assert (found[1].a.reply, found[1].b.reply, found[1].of) == ("half 0 1", "half 1 1", "m · s")


def test_runs_that_share_no_gated_rate_are_refused() -> None:
    with pytest.raises(BadOption, match="no case, attempt and arm for which both runs have done"):
        judged([1], [1], rates=["done"])


@pytest.mark.parametrize("name", ["speed", "tokens"])
def test_an_unknown_rate_is_refused(name: str) -> None:
    with pytest.raises(UnknownName, match="known: done, first_right, fix_at_1, net_fix, regress"):
        judged([1], [1], rates=[name])


def test_as_json() -> None:
    data = to_json(judged([1] * 20, [0] * 8 + [1] * 12))
    assert list(data) == ["schema", "passed", "run", "base", "drop", "alpha", "rates", "worse", "differs", "notes"]
    assert (data["passed"], data["run"]["id"], data["base"]["id"], len(data["worse"])) == (False, "new", "base", 0)
