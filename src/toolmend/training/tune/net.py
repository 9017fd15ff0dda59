"""A Keras model as pure functions of its weights on JAX: one step of AdamW, and the loss of a batch.

Compiled once for each length of batch. Dropout stays off: a step depends on nothing but weights and batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.training.tune.recipe import Recipe
from toolmend.training.tune.stream import Batch

Array = Any
Tensors = dict[str, NDArray[Any]]


class Net:
    """The model, its optimizer and their values. `steps` is the length of the whole training, for the learning rate."""

    def __init__(self, lm: Any, recipe: Recipe, steps: int) -> None:
        import jax

        self.lm, self._recipe = lm, recipe
        self.optimizer = make_optimizer(lm.trainable_variables, recipe, steps)
        self.weights = [variable.value for variable in lm.trainable_variables]
        self._frozen = [variable.value for variable in lm.non_trainable_variables]
        self._state = [variable.value for variable in self.optimizer.variables]
        loss = self._preference if recipe.method == "preference" else self._cross_entropy
        self._scores = jax.jit(self._row_scores)
        self._measure = jax.jit(loss)
        self._step = jax.jit(self._make_step(loss))

    def step(self, batch: Batch, reference: Array) -> tuple[Array, Array]:
        """Learn from a batch; (sum of the loss before it, how much was learned from), not waited for."""
        self.weights, self._state, total, count = self._step(
            self.weights, self._frozen, self._state, (batch.ids, batch.keep, batch.target), reference
        )
        return total, count

    def measure(self, batch: Batch, reference: Array) -> tuple[float, float]:
        """(sum of the loss, what it is a sum over) without learning."""
        total, count = self._measure(self.weights, self._frozen, (batch.ids, batch.keep, batch.target), reference)
        return float(total), float(count)

    def scores(self, batch: Batch) -> NDArray[np.float32]:
        """The log probability of what is learned in every row."""
        return np.asarray(self._scores(self.weights, self._frozen, (batch.ids, batch.keep, batch.target)))

    def tensors(self) -> Tensors:
        """Weights and optimizer, for a checkpoint."""
        named = {f"weight/{number:05}": value for number, value in enumerate(self.weights)}
        named |= {f"optimizer/{number:05}": value for number, value in enumerate(self._state)}
        return {name: np.asarray(value) for name, value in named.items()}

    def restore(self, tensors: Tensors) -> None:
        """Go on from a checkpoint's values."""
        import jax.numpy as jnp

        self.restore_weights(tensors)
        self._state = [jnp.asarray(tensors[f"optimizer/{number:05}"]) for number in range(len(self._state))]

    def restore_weights(self, tensors: Tensors) -> None:
        """The same without the optimizer."""
        import jax.numpy as jnp

        self.weights = [jnp.asarray(tensors[f"weight/{number:05}"]) for number in range(len(self.weights))]

    def assigned(self) -> Any:
        """The Keras model with the current weights."""
        for variable, value in zip(self.lm.trainable_variables, self.weights, strict=True):
            variable.assign(value)
        return self.lm

    def _logits(self, weights: Array, frozen: Array, batch: Array) -> Array:
        ids, keep, _ = batch
        inputs = {"token_ids": ids, "padding_mask": keep}
        logits, _ = self.lm.stateless_call(weights, frozen, inputs, training=False)
        return logits

    def _row_scores(self, weights: Array, frozen: Array, batch: Array) -> Array:
        from toolmend.training.tune.losses import log_probabilities

        return log_probabilities(self._logits(weights, frozen, batch), batch[0], batch[2]).sum(-1)

    def _cross_entropy(self, weights: Array, frozen: Array, batch: Array, _reference: Array) -> tuple[Array, Array]:
        from toolmend.training.tune.losses import cross_entropy

        return cross_entropy(self._logits(weights, frozen, batch), batch[0], batch[2])

    def _preference(self, weights: Array, frozen: Array, batch: Array, reference: Array) -> tuple[Array, Array]:
        from toolmend.training.tune.losses import preference

        scores, half = self._row_scores(weights, frozen, batch), batch[0].shape[0] // 2
        there = (batch[2][:half].sum(-1) > 0).astype("float32")
        each = preference(scores[:half], scores[half:], (reference[:half], reference[half:]), self._recipe.beta)
        return (each * there).sum(), there.sum()

    def _make_step(self, loss: Callable[..., tuple[Array, Array]]) -> Callable[..., tuple[Array, ...]]:
        import jax
        import jax.numpy as jnp

        def mean(weights: Array, frozen: Array, batch: Array, reference: Array) -> tuple[Array, tuple[Array, Array]]:
            total, count = loss(weights, frozen, batch, reference)
            return total / jnp.maximum(count, 1), (total, count)

        def step(weights: Array, frozen: Array, state: Array, batch: Array, reference: Array) -> tuple[Array, ...]:
            (_, told), slopes = jax.value_and_grad(mean, has_aux=True)(weights, frozen, batch, reference)
            weights, state = self.optimizer.stateless_apply(state, slopes, weights)
            return weights, state, *told

        return step


def make_optimizer(variables: Sequence[Any], recipe: Recipe, steps: int) -> Any:
    """AdamW with the norm of the gradients clipped; the rate rises in a line, then falls as a cosine to nothing."""
    import keras

    warm_up = min(max(1, round(recipe.warm_up * steps)), max(1, steps - 1))
    rate = keras.optimizers.schedules.CosineDecay(
        recipe.rate / warm_up, max(1, steps - warm_up), warmup_target=recipe.rate, warmup_steps=warm_up
    )
    made = keras.optimizers.AdamW(rate, weight_decay=recipe.decay, beta_2=0.98, global_clipnorm=recipe.clip)
    made.exclude_from_weight_decay(var_names=["scale", "embeddings"])
    made.build(variables)
    return made
