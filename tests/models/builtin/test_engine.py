"""The numpy engine agrees with itself: in one go or id by id, with a fresh cache or a used one."""

import numpy as np
import pytest

from toolmend.models.builtin.engine import KeyValueCache, NumpyEngine

IDS = [1, 3, 17, 200, 45, 45, 299, 8, 4, 120, 77, 2, 3, 250]
CLOSE = {"rtol": 0, "atol": 1e-4}


@pytest.fixture(scope="module")
def engine(sizes, make_weights):
    return NumpyEngine(sizes, make_weights(sizes, 0))


def fresh(engine, ids):
    return engine.logits(ids, KeyValueCache(engine.sizes, 32))


def test_id_by_id_is_the_same_as_in_one_go(engine):
    cache = KeyValueCache(engine.sizes, 32)
    one_by_one = [engine.logits(IDS[: count + 1], cache) for count in range(len(IDS))]
    np.testing.assert_allclose(one_by_one, [fresh(engine, IDS[: count + 1]) for count in range(len(IDS))], **CLOSE)


def test_in_two_parts_is_the_same_as_in_one_go(engine):
    cache = KeyValueCache(engine.sizes, 32)
    engine.logits(IDS[:6], cache)
    np.testing.assert_allclose(engine.logits(IDS, cache), fresh(engine, IDS), **CLOSE)


def test_shapes(engine):
    assert fresh(engine, IDS).shape == (300,)


@pytest.mark.parametrize("changed_at", [0, 1, 5, 12, 13])
def test_a_changed_history_gives_what_a_fresh_cache_gives(engine, changed_at):
    cache = KeyValueCache(engine.sizes, 32)
    engine.logits(IDS, cache)
    changed = [*IDS[:changed_at], 99, *IDS[changed_at + 1 :]]
    np.testing.assert_allclose(engine.logits(changed, cache), fresh(engine, changed), **CLOSE)
    assert cache.ids == changed


@pytest.mark.parametrize("ids", [IDS[:5], IDS[:1], IDS])
def test_a_shorter_or_equal_history_gives_what_a_fresh_cache_gives(engine, ids):
    cache = KeyValueCache(engine.sizes, 32)
    engine.logits(IDS, cache)
    np.testing.assert_allclose(engine.logits(ids, cache), fresh(engine, ids), **CLOSE)
    assert cache.ids == ids


def test_the_order_of_ids_matters(engine):
    swapped = [IDS[0], IDS[2], IDS[1], *IDS[3:]]
    assert np.abs(fresh(engine, swapped) - fresh(engine, IDS)).max() > 1e-3


def test_a_head_of_its_own_is_used_instead_of_the_embedding(sizes, make_weights):
    weights = make_weights(sizes, 0)
    tied = fresh(NumpyEngine(sizes, weights), IDS)
    untied = fresh(NumpyEngine(sizes, {**weights, "lm_head.weight": 2 * weights["model.embed_tokens.weight"]}), IDS)
    np.testing.assert_allclose(untied, 2 * tied, rtol=1e-5)


def test_large_activations_neither_warn_nor_give_nan(sizes, make_weights):
    assert np.isfinite(fresh(NumpyEngine(sizes, make_weights(sizes, 0, scale=300.0)), IDS)).all()


def test_the_weights_can_be_shared_by_several_talks(engine):
    first, second = KeyValueCache(engine.sizes, 32), KeyValueCache(engine.sizes, 32)
    engine.logits(IDS[:4], first)
    engine.logits([7, 7, 7], second)
    np.testing.assert_allclose(engine.logits(IDS, first), fresh(engine, IDS), **CLOSE)
