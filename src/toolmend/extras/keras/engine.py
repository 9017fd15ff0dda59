"""A loaded CausalLM that decodes one reply at a time, with a cache of keys and values per conversation.

A conversation's next turn computes only what is new, and attempts at one prompt share its cache. Shapes are few: one
length of the cache and three sizes of pieces. Runs on Keras' thread only. Knows tokens as numbers, and neither text
nor templates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from toolmend.models.builtin.engine import shared

PIECES = (1, 16, 128)
"""Tokens that are computed at once."""
KEPT = 3
"""Conversations whose caches are kept."""

Choose = Callable[["np.ndarray[Any, Any]"], int]
"""Chooses a token from logits of shape (vocabulary,)."""


@dataclass(eq=False)
class ConversationCache:
    """Keys and values of one conversation, (1, layers, 2, window, heads, size), valid for `ids`."""

    ids: list[int]
    cache: Any


class KerasEngine:
    """Replies of one CausalLM with `call_with_cache`. `stops` end a reply, `window` is the most tokens of prompt and
    reply together. Raises ValueError for a model whose cache has another form."""

    def __init__(self, lm: Any, window: int, stops: Sequence[int]) -> None:
        import jax

        self._lm, self.window, self._stops = lm, window, frozenset(stops)
        self._variables = [*lm.trainable_variables, *lm.non_trainable_variables]
        self._shape, self._dtype = cache_shape(lm)
        self._kept: list[ConversationCache] = []
        whole = len(self._variables[0].value.devices()) == 1  # cut over devices, the first cache lies otherwise
        self._forward = jax.jit(self._traced, donate_argnums=1 if whole else ())

    def reply(
        self, ids: Sequence[int], room: int, choose: Choose, take: Callable[[list[int]], bool] = lambda made: False
    ) -> tuple[list[int], bool]:
        """At most `room` tokens after a prompt, and whether the reply ended by itself; `take` hears of all tokens so
        far after each and says whether to stop."""
        cache, known = self._begun(ids)
        made: list[int] = []
        ended = False
        while len(made) < room and not ended:
            tokens = [*ids, *made]
            cache, logits = self._filled(cache, tokens, known)
            known = len(tokens)
            token = choose(np.array(logits))
            ended = token in self._stops
            if not ended:
                made.append(token)
                if take(made):
                    break
        self._kept = [*self._kept[1 - KEPT :], ConversationCache([*ids, *made][:known], cache)]
        return made, ended

    def _begun(self, ids: Sequence[int]) -> tuple[Any, int]:
        """A cache that holds as much of a prompt as any that is kept, and how many of its ids that are."""
        import jax.numpy as jnp

        best = max(self._kept, key=lambda kept: shared(kept.ids, ids[:-1]), default=None)
        known = shared(best.ids, ids[:-1]) if best else 0
        if best is None or not known:
            return jnp.zeros((1, *self._shape[1:3], self.window, *self._shape[4:]), self._dtype), 0
        if known == len(best.ids):
            self._kept.remove(best)
            return best.cache, known
        return jnp.copy(best.cache), known  # another conversation goes off from it

    def _filled(self, cache: Any, ids: Sequence[int], start: int) -> tuple[Any, Any]:
        """The cache with the keys and values of ids[start:], and the logits after the last of them.

        They come in pieces of few sizes; padding is written over.
        """
        logits = None
        while start < len(ids):
            piece = min(next((size for size in PIECES if size >= len(ids) - start), PIECES[-1]), self.window)
            start = min(start, self.window - piece)  # the last piece may begin in what is known
            given = ids[start : start + piece]
            part = np.zeros((1, piece), "int32")
            part[0, : len(given)] = given
            values = [variable.value for variable in self._variables]
            cache, logits = self._forward(values, cache, part, np.int32(start), np.int32(len(given) - 1))
            start += len(given)
        return cache, logits

    def _traced(self, values: list[Any], cache: Any, tokens: Any, start: Any, last: Any) -> tuple[Any, Any]:
        """One call of the model with these weights: the cache, and the logits after token number `last`."""
        import keras

        with keras.StatelessScope(state_mapping=list(zip(self._variables, values, strict=True))):
            logits, _, cache = self._lm.call_with_cache(tokens, cache, start)
        return cache, logits[0, last].astype("float32")


def chooser(temperature: float, seed: int) -> Choose:
    """The likeliest token, or one drawn with a seed (the Gumbel trick)."""
    generator = np.random.default_rng(seed)

    def choose(logits: np.ndarray[Any, Any]) -> int:
        drawn = logits + temperature * generator.gumbel(size=len(logits)) if temperature > 0 else logits
        return int(drawn.argmax())

    return choose


def cache_shape(lm: Any) -> tuple[tuple[int, ...], str]:
    """Shape (rows, layers, 2, length, heads, size) and dtype of a model's cache, found without computing anything.

    Raises ValueError for a model whose cache is another thing.
    """
    import jax
    import keras

    def build(tokens: Any) -> Any:
        with keras.StatelessScope():
            return lm._build_cache(tokens)[-1]

    cache = jax.eval_shape(build, jax.ShapeDtypeStruct((1, 8), "int32"))
    if len(cache.shape) != 6:
        raise ValueError(f"{type(lm).__name__} has a cache of rank {len(cache.shape)}, not 6")
    return tuple(cache.shape), str(cache.dtype)
