"""A loaded CausalLM that decodes rows: fixed shapes, padded batches, a cache of keys and values per conversation.

A conversation's next turn computes only what is new, and attempts at one prompt share its cache. Shapes are few: two
batch sizes, three lengths of the cache, two sizes of prompt pieces; `traces` counts what was compiled. Runs on the
worker's thread only. Knows tokens as numbers, and neither text nor templates.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

STEPS = 16
PIECES = (16, 128)
_HALVINGS = 3


@dataclass(eq=False)
class DecodedRow:
    """One reply to make. `room` is the most tokens it may have; `take` hears of all tokens so far after every few and
    says whether to stop; `pick`, where a reply is led, chooses a token from logits of shape (vocabulary,)."""

    ids: Sequence[int]
    room: int
    temperature: float = 0.0
    seed: int = 0
    take: Callable[[list[int]], bool] = lambda made: False
    pick: Callable[[np.ndarray[Any, Any]], int] | None = None
    made: list[int] = field(default_factory=list)
    ended: bool = False


@dataclass(eq=False)
class ConversationCache:
    """Keys and values of one conversation, (1, layers, 2, length, heads, size), valid for `ids`."""

    ids: list[int]
    cache: Any


class KerasEngine:
    """Replies of one CausalLM with `call_with_cache`. `stops` end a reply, tokens of `never` are not chosen.

    `window` is the most tokens of prompt and reply together, `batch` how many rows are decoded at once, `sharding`
    how caches lie on several devices.
    """

    def __init__(
        self, lm: Any, window: int, batch: int, stops: Sequence[int], never: Sequence[int] = (), sharding: Any = None
    ) -> None:
        import jax

        self._lm, self.window, self.batch, self._sharding = lm, window, batch, sharding
        self._stops, self._never = np.array(sorted(stops), "int32"), np.array(sorted(never), "int32")
        self._variables = [*lm.trainable_variables, *lm.non_trainable_variables]
        self.lengths = sorted({-(-window // 2**n) for n in range(_HALVINGS)})
        self.traces = 0
        self._kept: list[ConversationCache] = []
        self._prefill = jax.jit(self._prefill_traced, donate_argnums=1)
        self._decode = jax.jit(self._decode_traced, donate_argnums=1, static_argnames="sampled")
        self._step = jax.jit(self._step_traced, donate_argnums=1)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The batch sizes that are compiled."""
        return (1,) if self.batch == 1 else (1, self.batch)

    @property
    def bytes(self) -> int:
        """Bytes of the weights, and of the caches that are kept."""
        values = [variable.value for variable in self._variables]
        return sum(int(value.nbytes) for value in [*values, *(kept.cache for kept in self._kept)])

    def generate(self, rows: Sequence[DecodedRow]) -> None:
        """Fill `made` and `ended` of at most `batch` rows. A row that is led (`pick`) comes alone."""
        caches = self._caches(rows)
        if rows[0].pick is not None:
            self._led(rows[0], caches[0])
        else:
            self._together(rows, caches)

    def forget(self) -> None:
        """Drop what is kept of conversations."""
        self._kept.clear()

    def warm_up(self, sampled: Sequence[bool] = (False, True)) -> None:
        """Compile everything `generate` will need for rows that are not led, for greedy and sampled replies."""
        for length, size in itertools.product(self.lengths, self.sizes):
            ids = [0] * min(length - STEPS - 1, max(PIECES) + 2) if length > STEPS + 2 else [0]
            for each in sampled:
                self.forget()
                self.generate([DecodedRow([*ids, n], min(2, self.window - len(ids)), float(each)) for n in range(size)])
        for small, large in itertools.pairwise(self.lengths):  # conversations grow from one length to the next
            self._grown(self._empty(small), large)
        for length, piece in itertools.product(self.lengths, PIECES):
            self._filled(self._empty(length), [0] * min(piece, length), 0, min(piece, length))
        for length, size, each in itertools.product(self.lengths, self.sizes, sampled):
            still = [DecodedRow([0], 0, float(each)) for _ in range(size)]
            self._chunk(self._stacked([self._empty(length)] * size, length), _State.of(still, size))
            self._row(self._stacked([self._empty(length)] * size, length), 0)
        self.forget()

    def _together(self, rows: Sequence[DecodedRow], caches: list[Any]) -> None:
        """Decode rows side by side, a few steps at a time, until all are done."""
        size = next(each for each in self.sizes if each >= len(rows))
        state = _State.of(rows, size)
        cache = self._stacked([*caches, *[caches[0]] * (size - len(rows))], self._length(state.reach))
        caches.clear()
        while not state.done.all():
            if state.reach > cache.shape[3]:
                cache = self._grown(cache, self._length(state.reach))
            cache, out, counts = self._chunk(cache, state)
            for number, row in enumerate(rows):
                if counts[number] or not state.done[number]:
                    row.made += out[number, : counts[number]].tolist()
                    if row.made and row.made[-1] in self._stops:
                        row.made.pop()
                        row.ended = True
                    if row.take(row.made):
                        state.done[number] = True
        for number, row in enumerate(rows):
            known = [*row.ids, *row.made][: int(state.position[number])]
            self._keep(ConversationCache(known, cache if size == 1 else self._row(cache, number)))

    def _chunk(self, cache: Any, state: _State) -> tuple[Any, Any, Any]:
        """Up to STEPS tokens for every row that is not done: the cache, (rows, STEPS) tokens, and how many of each."""
        cache, out, counts, *moved = self._decode(
            self._values(), cache, state.token, state.position, state.done, state.left,
            state.temperature, state.keys, sampled=bool((state.temperature > 0).any()),
        )  # fmt: skip
        state.token, state.position, state.done, state.left = (np.array(each) for each in moved)
        return cache, np.asarray(out), np.asarray(counts)

    def _led(self, row: DecodedRow, cache: Any) -> None:
        """Decode one row token by token; `pick` sees the logits of each."""
        assert row.pick is not None
        token, position = row.ids[-1], len(row.ids) - 1
        while len(row.made) < row.room:
            if position >= cache.shape[3]:
                cache = self._grown(cache, self._length(position + 1))
            cache, logits = self._step(self._values(), cache, np.array([[token]], "int32"), np.int32(position))
            logits, position = np.array(logits), position + 1
            logits[self._never] = -np.inf
            token = row.pick(logits)
            if token in self._stops:
                row.ended = True
                break
            row.made.append(token)
            if row.take(row.made):
                break
        self._keep(ConversationCache([*row.ids, *row.made][:position], cache))

    def _caches(self, rows: Sequence[DecodedRow]) -> list[Any]:
        """For each row a cache of all its ids but the last, out of what is kept as far as it goes."""
        fresh: list[ConversationCache] = []
        for row in rows:
            known = list(row.ids[:-1])
            best = max([*self._kept, *fresh], key=lambda kept: shared(kept.ids, known), default=None)
            same = shared(best.ids, known) if best else 0
            if best in fresh and same == len(known):
                fresh.append(ConversationCache(known, best.cache if best else None))  # stacking copies it
                continue
            cache = self._taken(best, same, mine=best in self._kept) if best and same else None
            length = self._length(min(max(len(known), 1) + STEPS, self.window))
            cache = self._empty(length) if cache is None else self._grown(cache, length)
            fresh.append(ConversationCache(known, self._filled(cache, known, same, len(known))))
        return [kept.cache for kept in fresh]

    def _taken(self, kept: ConversationCache, same: int, *, mine: bool) -> Any:
        """The cache of a kept conversation that goes on; a copy where another goes off from it."""
        import jax.numpy as jnp

        if mine and same == len(kept.ids):
            self._kept.remove(kept)
            return kept.cache
        return jnp.copy(kept.cache)

    def _filled(self, cache: Any, ids: Sequence[int], start: int, end: int) -> Any:
        """The cache with the keys and values of ids[start:end], in pieces of few sizes; padding is written over."""
        length = cache.shape[3]
        while start < end:
            piece = next((each for each in sorted(PIECES) if each >= end - start), max(PIECES))
            piece = min(piece, length)
            start = min(start, length - piece)  # the last piece may begin in what is known: a cache has no more room
            part = np.zeros((1, piece), "int32")
            given = ids[start : min(start + piece, end)]
            part[0, : len(given)] = given
            cache = self._prefill(self._values(), cache, part, np.int32(start))
            start += len(given)
        return cache

    def _keep(self, kept: ConversationCache) -> None:
        self._kept = [*self._kept[-(self.batch + 1) :], kept]

    def _length(self, least: int) -> int:
        return next((length for length in self.lengths if length >= least), self.window)

    def _values(self) -> list[Any]:
        return [variable.value for variable in self._variables]

    def _empty(self, length: int) -> Any:
        import jax.numpy as jnp

        shape, dtype = cache_shape(self._lm)
        return jnp.zeros((1, *shape[1:3], length, *shape[4:]), dtype, device=self._sharding)

    def _grown(self, cache: Any, length: int) -> Any:
        import jax.numpy as jnp

        more = length - cache.shape[3]
        return cache if more <= 0 else self._laid(jnp.pad(cache, [(0, more if axis == 3 else 0) for axis in range(6)]))

    def _laid(self, cache: Any) -> Any:
        """A cache as it lies on several devices, always the same way: another one would be compiled for anew."""
        import jax

        return cache if self._sharding is None else jax.device_put(cache, self._sharding)

    def _held(self, cache: Any) -> Any:
        """The same inside of a function that is compiled."""
        import jax

        return cache if self._sharding is None else jax.lax.with_sharding_constraint(cache, self._sharding)

    def _stacked(self, caches: list[Any], length: int) -> Any:
        import jax.numpy as jnp

        length = max(length, *(cache.shape[3] for cache in caches))
        grown = [self._grown(cache, length) for cache in caches]
        return grown[0] if len(grown) == 1 else self._laid(jnp.concatenate(grown))

    def _row(self, cache: Any, number: int) -> Any:
        import jax

        return self._laid(jax.lax.dynamic_slice_in_dim(cache, number, 1))

    def _call(self, values: list[Any], tokens: Any, cache: Any, at: Any) -> tuple[Any, Any]:
        """Logits and cache of one call of the model with these weights."""
        import keras

        with keras.StatelessScope(state_mapping=list(zip(self._variables, values, strict=True))):
            logits, _, cache = self._lm.call_with_cache(tokens, cache, at)
        return logits, cache

    def _prefill_traced(self, values: list[Any], cache: Any, tokens: Any, start: Any) -> Any:
        self.traces += 1
        return self._held(self._call(values, tokens, cache, start)[1])

    def _step_traced(self, values: list[Any], cache: Any, token: Any, position: Any) -> tuple[Any, Any]:
        self.traces += 1
        logits, cache = self._call(values, token, cache, position)
        return self._held(cache), logits[0, -1].astype("float32")

    def _decode_traced(
        self,
        values: list[Any],
        cache: Any,
        token: Any,
        position: Any,
        done: Any,
        left: Any,
        temperature: Any,
        keys: Any,
        *,
        sampled: bool,
    ) -> tuple[Any, ...]:
        """The loop over STEPS tokens, which ends as soon as every row is done."""
        import jax
        import jax.numpy as jnp

        self.traces += 1
        one = partial(self._one, values, sampled=sampled)
        several = one if cache.shape[0] == 1 else jax.vmap(one)

        def body(carry: Any) -> Any:
            step, cache, out, counts, token, position, done, left = carry
            cache, chosen = several(cache, token, position, temperature, keys)
            out = out.at[:, step].set(jnp.where(done, 0, chosen))
            counts = counts + ~done
            token = jnp.where(done, token, chosen)
            position, left = position + ~done, left - ~done
            done = done | (left <= 0) | (chosen[:, None] == self._stops[None]).any(-1)
            return step + 1, cache, out, counts, token, position, done, left

        def goes_on(carry: Any) -> Any:
            return (carry[0] < STEPS) & ~carry[6].all()

        rows = len(token)
        empty = jnp.zeros((rows, STEPS), "int32"), jnp.zeros(rows, "int32")
        cache, *rest = jax.lax.while_loop(goes_on, body, (0, cache, *empty, token, position, done, left))[1:]
        return self._held(cache), *rest

    def _one(
        self, values: list[Any], cache: Any, token: Any, position: Any, temperature: Any, key: Any, *, sampled: bool
    ) -> tuple[Any, Any]:
        """The next token of one row, which comes as a batch of one or, under vmap, without its batch axis."""
        import jax
        import jax.numpy as jnp

        alone = cache.ndim == 6
        whole = cache if alone else cache[None]
        row = (token, position, temperature, key)
        token, position, temperature, key = (each[0] for each in row) if alone else row
        logits, whole = self._call(values, token[None, None], whole, position)
        logits = logits[0, -1].astype("float32").at[self._never].set(-jnp.inf)
        chosen = jnp.argmax(logits)
        if sampled:
            key = jax.random.fold_in(jax.random.key(key), position)
            drawn = jax.random.categorical(key, logits / jnp.maximum(temperature, 1e-6))
            chosen = jnp.where(temperature > 0, drawn, chosen)
        chosen = chosen.astype("int32")
        return (whole, chosen[None]) if alone else (whole[0], chosen)


@dataclass
class _State:
    """Where the rows of a batch stand, padded with rows that are done."""

    token: Any
    position: Any
    done: Any
    left: Any
    temperature: Any
    keys: Any

    @classmethod
    def of(cls, rows: Sequence[DecodedRow], size: int) -> _State:
        """The state before the first token."""

        def column(values: Iterator[Any], dtype: str) -> Any:
            return np.array([*values, *[0] * (size - len(rows))], dtype)

        left = column((row.room for row in rows), "int32")
        return cls(
            column((row.ids[-1] for row in rows), "int32"),
            column((len(row.ids) - 1 for row in rows), "int32"),
            left <= 0,
            left,
            column((row.temperature for row in rows), "float32"),
            column((row.seed % 2**32 for row in rows), "uint32"),
        )

    @property
    def reach(self) -> int:
        """The length of cache that the next few steps need at most."""
        return int((self.position + np.where(self.done, 1, np.minimum(self.left, STEPS))).max())


def shared(old: Sequence[int], new: Sequence[int]) -> int:
    """How many ids two sequences begin with in common."""
    both = min(len(old), len(new))
    same = np.asarray(old[:both]) == np.asarray(new[:both])
    return both if same.all() else int(same.argmin())


def cache_shape(lm: Any) -> tuple[tuple[int, ...], str]:
    """Shape (rows, layers, 2, length, heads, size) and dtype of a model's cache, found without computing anything.

    Raises ValueError for a model whose cache is another thing.
    """
    import jax
    import keras

    def build(tokens: Any) -> Any:
        with keras.StatelessScope():
            return lm._build_cache(tokens)[-1]

    try:
        cache = jax.eval_shape(build, jax.ShapeDtypeStruct((1, 8), "int32"))
        rank = len(cache.shape)
    except (AttributeError, TypeError) as error:
        raise ValueError(f"{type(lm).__name__} has no cache of the common form") from error
    if rank != 6:
        raise ValueError(f"{type(lm).__name__} has a cache of rank {rank}, not 6")
    return tuple(cache.shape), str(cache.dtype)
