"""Judges with known faults are exposed: one that always says "first", one that likes length, an honest noisy one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from fakes.judges import match
from toolmend.base.stats import wilson
from toolmend.extras.arena.judges.habits import Share, habits
from toolmend.extras.arena.judges.judgements import Judgement
from toolmend.extras.arena.judges.merging import merge
from toolmend.extras.arena.judges.ways import Likert, Ranking

Judged = Callable[..., list[Judgement]]


def test_one_that_always_prefers_the_first(judged: Judged) -> None:
    found = habits(merge(judged(lambda first, second: "1", [match(n) for n in range(50)]), Likert()))
    assert (found.first.k, found.first.n, found.first.value) == (100, 100, 1.0)
    assert found.first.low == pytest.approx(0.9286524)  # one trial for each of 50 prompts
    assert found.flips == Share(50, 50, *wilson(50, 50))
    assert (found.ties, found.longer.n) == (50, 0)


def test_one_that_prefers_the_longer(judged: Judged) -> None:
    matches = [match(n, f"x {'long ' * (n % 3)}", f"y {'long ' * (n % 2)}") for n in range(60)]
    answers = judged(lambda first, second: str(4 + (len(first) < len(second))), matches)
    found = habits(merge(answers, Likert()))
    uneven = [n for n in range(60) if n % 3 != n % 2]
    assert (found.longer.k, found.longer.n) == (len(uneven), 40)
    assert (found.flips.k, found.halves.k) == (20, 0)  # where both are alike it is "4" whatever stands first
    assert found.first.value == pytest.approx((40 + 40) / 120)


def test_an_honest_noisy_one(judged: Judged) -> None:
    matches = [match(n, f"x {n}{' good' * (n % 2)}", f"y {n}{' good' * (1 - n % 2)}") for n in range(120)]

    def answers(first: str, second: str) -> str:
        right = "1" if "good" in first else "2"
        coin = random.Random(f"1 {first} {second}")
        return right if coin.random() < 0.9 else "2" if right == "1" else "1"

    found = habits(merge(judged(answers, matches, "ranking"), Ranking()))
    assert (found.flips.k, found.first.k, found.first.n, found.longer.k, found.longer.n) == (24, 120, 240, 95, 96)
    assert found.first.low < 0.5 < found.first.high
    assert abs(found.flips.value - 2 * 0.9 * 0.1) < 0.04  # type: ignore[operator]


def test_answers_that_say_nothing_are_counted_and_never_guessed(judged: Judged) -> None:
    answers = {"x 0": "0", "x 1": "well", "x 2": "2"}
    found = habits(merge(judged(lambda first, second: answers.get(first, "3"), [match(n) for n in range(3)]), Likert()))
    assert (found.matches, found.judgements, found.out_of_range, found.unreadable, found.incomplete) == (3, 6, 1, 1, 2)
    assert found.flips == Share(1, 1, *wilson(1, 1))


def test_no_judgement_at_all() -> None:
    found = habits(())
    assert (found.matches, found.first.value, found.longer.n) == (0, None, 0)
