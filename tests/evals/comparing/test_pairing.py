"""Who is compared with whom: sides, pairs, what has no partner."""

from __future__ import annotations

import random
from typing import Any

import pytest

from toolmend.base.errors import BadOption, UnknownName
from toolmend.evals.comparing.pairing import couples, pair, sides_across, sides_within
from toolmend.evals.metrics.outcomes import Played, SampleOutcome
from toolmend.evals.store import Run, RunConfig, StoredContestant


def run_of(*contestants: tuple[str, str], id: str = "aaaaaaaaaaaa", cases: str = "xy", **more: Any) -> Played:
    """A run in which every contestant has played every case once."""
    config = RunConfig("s", "h", tuple(StoredContestant(*names) for names in contestants))
    outcomes = [SampleOutcome(case, *names, 0, "corrected", **more) for case in cases for names in contestants]
    return Played(Run(id, config, "2025-01-01"), tuple(outcomes), id)


MODELS = (("m1", "s"), ("m2", "s"), ("m0", "s"))
GRID = (("m1", "s1"), ("m1", "s2"), ("m2", "s1"), ("m2", "s2"))


def names_within(played: Played, by: Any = None) -> tuple[str, list[str]]:
    chosen, sides = sides_within(played, by)
    return chosen, [side.name for side in sides]


def test_what_varies_is_compared() -> None:
    assert names_within(run_of(*MODELS)) == ("model", ["m1", "m2", "m0"])
    assert names_within(run_of(("m", "s1"), ("m", "s2"))) == ("strategy", ["s1", "s2"])
    assert names_within(run_of(*GRID)) == ("contestant", ["m1 · s1", "m1 · s2", "m2 · s1", "m2 · s2"])


def test_by_strategy_pairs_the_same_model() -> None:
    _, (one, two) = sides_within(run_of(*GRID), "strategy")
    found = pair(one, two)
    assert [(a.case, a.contestant, b.contestant) for a, b in found.both] == [
        ("x", "m1 · s1", "m1 · s2"),
        ("x", "m2 · s1", "m2 · s2"),
        ("y", "m1 · s1", "m1 · s2"),
        ("y", "m2 · s1", "m2 · s2"),
    ]


def test_one_contestant_alone_is_refused() -> None:
    with pytest.raises(BadOption, match="has one model only \\(m\\)"):
        sides_within(run_of(("m", "s")))
    with pytest.raises(BadOption, match="has one strategy only \\(s\\)"):
        sides_within(run_of(*MODELS), "strategy")


def test_the_order_of_samples_changes_nothing() -> None:
    played = run_of(*GRID)
    mixed = list(played.outcomes)
    random.Random(3).shuffle(mixed)
    assert sides_within(Played(played.run, tuple(mixed), ""), "model") == sides_within(played, "model")


def test_every_two_or_each_against_one() -> None:
    _, sides = sides_within(run_of(*MODELS))

    def named(against: str | None) -> list[tuple[str, str]]:
        return [(a.name, b.name) for a, b in couples(sides, against)]

    assert named(None) == [("m1", "m2"), ("m1", "m0"), ("m2", "m0")]
    assert named("m2") == named("2") == [("m2", "m1"), ("m2", "m0")]
    with pytest.raises(UnknownName, match="unknown contestant 'x'; known: m0, m1, m2"):
        named("x")
    with pytest.raises(BadOption, match="'m' may be any of m1, m2, m0"):
        named("m")


def test_two_runs_of_the_same_contestants() -> None:
    a, b = run_of(*MODELS), run_of(*MODELS[:2], id="b" * 12)
    first, second = sides_across(a, b)
    found = pair(first, second)
    assert (first.name, second.name) == ("run aaaaaaaa", "run bbbbbbbb")
    assert (len(found.both), found.only_a, found.only_b) == (4, 2, 0)
    assert all(x.contestant == y.contestant for x, y in found.both)


@pytest.mark.parametrize(
    ("ours", "theirs", "names", "pairs"),
    [
        ([("m1", "s")], [("m2", "s")], ("m1", "m2"), 2),
        ([("m", "s1")], [("m", "s2")], ("s1", "s2"), 2),
        ([("m1", "s1")], [("m2", "s2")], ("m1 · s1", "m2 · s2"), 2),
        ([("m1", "s1"), ("m2", "s1")], [("m1", "s2"), ("m2", "s2")], ("s1", "s2"), 4),
    ],
)
def test_two_runs_that_differ_in_one_half(ours: Any, theirs: Any, names: Any, pairs: int) -> None:
    first, second = sides_across(run_of(*ours), run_of(*theirs, id="b" * 12))
    assert ((first.name, second.name), len(pair(first, second).both)) == (names, pairs)


def test_two_runs_that_leave_a_choice_are_refused() -> None:
    with pytest.raises(BadOption, match="have no contestant in common, and several each"):
        sides_across(run_of(("m1", "s1"), ("m2", "s2")), run_of(("m3", "s1"), ("m4", "s2"), id="b" * 12))


def test_a_run_with_itself_is_refused() -> None:
    with pytest.raises(BadOption, match="both are run aaaaaaaaaaaa"):
        sides_across(run_of(*MODELS), run_of(*MODELS))


def test_samples_that_could_not_be_run_are_counted() -> None:
    broken = run_of(("m2", "s"), id="b" * 12, ok=False)
    found = pair(*sides_across(run_of(("m1", "s")), broken))
    assert (found.both, found.only_a, found.only_b, found.a.errors, found.b.errors) == ((), 2, 0, 0, 2)
