"""The losses of fine-tuning: cross entropy of the learned tokens, and direct preference optimisation. Pure JAX.

Shapes: logits (rows, time, vocabulary), ids and target (rows, time). `target` is 1 where the id is to be predicted from
those before it: the first position of a row never is.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

Array = Any


def log_probabilities(logits: Array, ids: Array, target: Array) -> Array:
    """Natural logarithm of the probability of every learned id, 0 elsewhere: (rows, time - 1)."""
    said = jax.nn.log_softmax(logits[:, :-1].astype(jnp.float32), axis=-1)
    return jnp.take_along_axis(said, ids[:, 1:, None], axis=-1)[..., 0] * target[:, 1:]


def cross_entropy(logits: Array, ids: Array, target: Array) -> tuple[Array, Array]:
    """Sum of the negative log probabilities (nats), and how many tokens were learned."""
    return -log_probabilities(logits, ids, target).sum(), target[:, 1:].sum()


def preference(chosen: Array, rejected: Array, reference: tuple[Array, Array], beta: float) -> Array:
    """-log σ(β((chosen - its reference) - (rejected - its reference))) for each pair, from log probabilities of whole
    replies. Rafailov et al. 2023, Direct Preference Optimization, equation 7."""
    margin = (chosen - reference[0]) - (rejected - reference[1])
    return -jax.nn.log_sigmoid(beta * margin)
