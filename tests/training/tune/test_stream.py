"""Batches: of fixed lengths, every example once an epoch, the same for the same seed and position."""

from __future__ import annotations

import numpy as np

from toolmend.training.tune.rows import Row
from toolmend.training.tune.stream import Stream, forgetful


def row(length: int, first: int = 7) -> Row:
    return Row(tuple(range(first, first + length)), (False, *[True] * (length - 1)))


EXAMPLES = [(row(5 + number * 7),) for number in range(20)]


def test_every_example_is_seen_once_an_epoch() -> None:
    stream = Stream(EXAMPLES, 256, 1, 0)
    seen = [number for place in range(len(stream.plan(3))) for number in stream.batch(3, place).examples]
    assert sorted(each for each in seen if each >= 0) == list(range(20))


def test_a_length_has_one_shape_only() -> None:
    stream = Stream(EXAMPLES, 256, 1, 0)
    shapes = {stream.batch(epoch, place).ids.shape for epoch in (0, 1) for place in range(len(stream.plan(epoch)))}
    assert shapes == {(4, 64), (2, 128), (1, 192)}


def test_a_batch_written_out() -> None:
    batch = Stream([(row(3), row(2, 50))], 256, 1, 0).batch(-1, 0)
    assert batch.ids.shape == (4, 64)
    assert batch.ids[:, :4].tolist() == [[7, 8, 9, 0], [0] * 4, [50, 51, 0, 0], [0] * 4]
    assert batch.target[:, :4].tolist() == [[0, 1, 1, 0], [0] * 4, [0, 1, 0, 0], [0] * 4]
    assert batch.keep[:, :4].tolist() == [[1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0]]
    assert batch.examples == (0, -1)


def test_the_order_depends_on_seed_and_epoch_alone() -> None:
    plans = {(seed, epoch): Stream(EXAMPLES, 256, seed, 0).plan(epoch) for seed in (1, 2) for epoch in (0, 1)}
    assert plans[1, 0] == Stream(EXAMPLES, 256, 1, 0).plan(0)
    assert len({repr(plan) for plan in plans.values()}) == 4


def test_a_place_can_be_asked_for_without_those_before() -> None:
    one, other = Stream(EXAMPLES, 256, 1, 0, forget=True), Stream(EXAMPLES, 256, 1, 0, forget=True)
    for place in range(3):
        one.batch(1, place)
    assert np.array_equal(one.batch(1, 3).keep, other.batch(1, 3).keep)


def test_epochs_and_tokens_say_when_it_ends() -> None:
    stream = Stream(EXAMPLES, 256, 1, 0)
    epoch = len(stream.plan(0))
    assert len(list(stream.places(2, None))) == 2 * epoch
    assert len(list(stream.places(1.5, None))) == epoch + round(epoch / 2)
    assert len(list(stream.places(9, 1))) == 1
    assert list(stream.places(9, 10_000))[-1][0] > 1


def test_up_to_a_twentieth_of_past_tokens_is_forgotten_and_nothing_that_is_learned() -> None:
    keep, target = np.ones((64, 256), np.float32), np.zeros((64, 256), np.float32)
    target[:, 200:] = 1
    left = forgetful(keep, target, np.random.default_rng(0))
    assert left[:, 0].all() and left[:, 200:].all()
    assert 0.015 < 1 - left[:, 1:200].mean() < 0.035
