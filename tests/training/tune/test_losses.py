"""The losses, against values worked out by hand."""

from __future__ import annotations

import math

import pytest

np = pytest.importorskip("jax.numpy")
pytest.importorskip("keras_hub")

from toolmend.training.tune.losses import cross_entropy, log_probabilities, preference  # noqa: E402

# Two words: after the first position the odds are 3 to 1 for word 0, after the second 1 to 1.
LOGITS = np.array([[[math.log(3.0), 0.0], [0.0, 0.0], [9.0, -9.0]]])


def test_only_learned_tokens_count() -> None:
    ids = np.array([[1, 0, 1]])
    total, count = cross_entropy(LOGITS, ids, np.array([[0.0, 1.0, 0.0]]))
    assert (float(total), float(count)) == (pytest.approx(-math.log(0.75), abs=1e-6), 1)
    total, count = cross_entropy(LOGITS, ids, np.array([[0.0, 1.0, 1.0]]))
    assert (float(total), float(count)) == (pytest.approx(-math.log(0.75) - math.log(0.5), abs=1e-6), 2)


def test_the_first_token_of_a_row_is_never_predicted() -> None:
    assert log_probabilities(LOGITS, np.array([[1, 0, 1]]), np.array([[1.0, 0.0, 0.0]])).tolist() == [[0, 0]]


def test_preference_by_hand() -> None:
    # β((-1 - -2) - (-3 - -2.5)) = 0.1 · 1.5 = 0.15;  -log σ(0.15) = log(1 + e^-0.15) = 0.620957…
    loss = preference(np.array([-1.0]), np.array([-3.0]), (np.array([-2.0]), np.array([-2.5])), 0.1)
    assert float(loss[0]) == pytest.approx(math.log(1 + math.exp(-0.15)), abs=1e-6)
    assert float(loss[0]) == pytest.approx(0.620957, abs=1e-5)


def test_at_the_reference_itself_it_is_the_logarithm_of_two() -> None:
    scores = np.array([-1.0, -5.0])
    assert preference(scores, scores - 1, (scores, scores - 1), 0.5).tolist() == pytest.approx([math.log(2)] * 2)
