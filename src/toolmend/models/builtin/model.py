"""An embedded model: a preset, the numpy engine, greedy or seeded sampling, and the conversation's window.

A conversation's next reply reuses the cache of what it shares with the last one. One lock per model: numpy is busy with
one reply at a time. System text is not read; a conversation longer than the window loses its oldest turns, which the
reply says (`truncated`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import anyio.to_thread
import numpy as np

from toolmend.messages import Reply, Request, Usage
from toolmend.models.builtin.engine import Cache, Engine
from toolmend.models.builtin.preset import Preset
from toolmend.models.builtin.tokens import END, SPECIAL, Tokens
from toolmend.models.model import Abilities, OnDelta

_CACHES = 4


class BuiltinModel:
    """A preset that answers. Weights are loaded at the first reply (or by `warm_up`)."""

    def __init__(self, name: str, preset: Preset) -> None:
        self.name, self.preset = name, preset
        self.abilities = Abilities(streaming=True, system=False, toolboxes=preset.toolboxes or None, window=preset.window)
        self._lock = threading.Lock()
        self._parts: tuple[Engine, Tokens] | None = None
        self._caches: list[Cache] = []

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """One reply, computed in a worker thread."""
        return await anyio.to_thread.run_sync(lambda: self.reply_now(request, on_delta))

    def reply_now(self, request: Request, on_delta: OnDelta | None = None) -> Reply:
        """The same, in this thread."""
        with self._lock:
            began = time.perf_counter()
            engine, tokens = self.warm_up()
            turns = [(message.role, message.content) for message in request.messages]
            room = min(request.options.max_tokens, self.preset.window // 3)
            ids, cut = self._fit(tokens, turns, self.preset.window - room)
            made, finished = self._decode(engine, tokens, ids, request, room, on_delta)
            seconds = time.perf_counter() - began
        usage = Usage(len(ids), len(made) + finished, seconds)
        finish: Any = "stop" if finished and made else "length" if made else "empty"
        return Reply(tokens.decode(made), usage=usage, finish=finish, model=self.name, truncated=cut)

    def warm_up(self) -> tuple[Engine, Tokens]:
        """Load the weights if they are not there yet."""
        if self._parts is None:
            self._parts = self.preset.load()
        return self._parts

    def _fit(self, tokens: Tokens, turns: Sequence[tuple[str, str]], most: int) -> tuple[list[int], bool]:
        ids, first = tokens.prompt(turns), 0
        while len(ids) > most and first < len(turns) - 1:
            first += 1
            ids = tokens.prompt(turns[first:])
        return (ids if len(ids) <= most else [ids[0], *ids[-most + 1 :]]), first > 0 or len(ids) > most

    def _decode(
        self, engine: Engine, tokens: Tokens, ids: list[int], request: Request, room: int, on_delta: OnDelta | None
    ) -> tuple[list[int], bool]:
        options = request.options
        generator = np.random.default_rng(options.seed) if options.temperature > 0 else None
        cache, made, shown = self._cache(engine, ids), list[int](), ""
        for _ in range(room):
            logits = engine.logits([*ids, *made], cache)
            logits[[i for i in range(len(SPECIAL)) if i != END]] = -np.inf
            token = _pick(logits, options.temperature, generator)
            if token == END:
                return made, True
            made.append(token)
            if on_delta or options.stop:
                text = tokens.decode(made)
                if on_delta and text.startswith(shown) and text != shown and not text.endswith("\ufffd"):
                    on_delta(text[len(shown) :])
                    shown = text
                if any(stop in text for stop in options.stop):
                    return made, True
        return made, False

    def _cache(self, engine: Engine, ids: list[int]) -> Cache:
        """The cache that shares most with these ids, or a new one; the least recently used of four goes first."""
        best = max(self._caches, key=lambda cache: _shared(cache.ids, ids), default=None)
        if best is None or (_shared(best.ids, ids) < min(16, len(ids)) and len(self._caches) < _CACHES):
            best = Cache(engine.sizes, self.preset.window)
        else:
            self._caches.remove(best)
        self._caches.append(best)
        return best


def _shared(old: Sequence[int], new: Sequence[int]) -> int:
    for count, (a, b) in enumerate(zip(old, new, strict=False)):
        if a != b:
            return count
    return min(len(old), len(new))


def _pick(logits: np.ndarray[Any, Any], temperature: float, generator: np.random.Generator | None) -> int:
    if generator is None:
        return int(logits.argmax())
    scaled = np.exp((logits - logits.max()) / temperature)
    return int(generator.choice(len(scaled), p=scaled / scaled.sum()))
