"""An embedded model: a preset, the numpy engine, greedy or seeded sampling, and the conversation's window.

A conversation's next reply reuses the cache of what it shares with the last one. One lock per model, one thread for
BLAS: on matrices this small a second one costs CPU for nothing. System text and tools are not read. A conversation
longer than the window loses its oldest turns, which the reply says (`truncated`). A constraint is not
kept to, which the reply says. A reply that was just called wrong is not given again (otherwise.py).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache, partial
from typing import Any

import anyio.to_thread
import numpy as np
from threadpoolctl import ThreadpoolController

from toolmend.base.messages import Finish, Reply, Request, Usage
from toolmend.models.builtin.engine import KeyValueCache, NumpyEngine, shared
from toolmend.models.builtin.otherwise import Logits, unless
from toolmend.models.builtin.preset import Preset
from toolmend.models.builtin.tokens import END, SPECIAL, BuiltinTokens
from toolmend.models.model import Abilities, OnDelta
from toolmend.models.reply_text import ReplyText

_CACHES = 4
_NEVER = [number for number in range(len(SPECIAL)) if number != END]


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()


def _one_blas_thread() -> AbstractContextManager[Any]:
    limited: AbstractContextManager[Any] = _blas().limit(limits=1, user_api="blas")
    return limited


class BuiltinModel:
    """A preset that answers. Weights are loaded at the first reply (or by `warm_up`)."""

    def __init__(self, name: str, preset: Preset) -> None:
        self.name, self.preset = name, preset
        self.abilities = Abilities(
            streaming=True, system=False, toolboxes=preset.toolboxes or None, window=preset.window, avoids=True
        )
        self._lock = threading.Lock()
        self._parts: tuple[NumpyEngine, BuiltinTokens] | None = None
        self._caches: list[KeyValueCache] = []

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """One reply, computed in a worker thread, which stops at the next token when this is cancelled."""
        dropped = threading.Event()
        try:
            return await anyio.to_thread.run_sync(
                lambda: self.reply_now(request, on_delta, dropped), abandon_on_cancel=True
            )
        finally:
            dropped.set()

    def reply_now(
        self, request: Request, on_delta: OnDelta | None = None, dropped: threading.Event | None = None
    ) -> Reply:
        """The same, in this thread. Once `dropped` is set the rest of the reply is not computed."""
        with self._lock, _one_blas_thread():
            began = time.perf_counter()
            engine, tokens = self.warm_up()
            turns = [(message.role, message.content) for message in request.messages]
            room = min(request.options.max_tokens, self.preset.window // 3)
            ids, cut = self._fit(tokens, turns, self.preset.window - room)
            said = ReplyText(tokens.decode, request.options.stop, None if request.avoid else on_delta)
            after, seen = self._after(engine, ids), list[Any]()
            made, ended = _decode(after, request, room, said, dropped, seen)
            if request.avoid and ended and not (said.stopped or request.options.temperature):
                made = unless(request.avoid, tokens.decode, made, seen, after, room)
            text = said.whole(made)
            if request.avoid and on_delta:
                on_delta(text)
            seconds = time.perf_counter() - began
        finish: Finish = "empty" if not text else "stop" if ended else "length"
        asked = request.constraint
        unmet = (f"constraint: {asked.kind} asked, embedded models have none",) if asked else ()
        usage = Usage(len(ids), len(made) + (ended and not said.stopped), seconds)
        return Reply(text, usage=usage, finish=finish, model=self.name, truncated=cut, unmet=unmet)

    def warm_up(self) -> tuple[NumpyEngine, BuiltinTokens]:
        """Load the weights if they are not there yet."""
        if self._parts is None:
            self._parts = self.preset.load()
        return self._parts

    def _fit(self, tokens: BuiltinTokens, turns: Sequence[tuple[str, str]], most: int) -> tuple[list[int], bool]:
        """Ids of the talk, oldest turns left out until they fit; what is left begins with a request, as in training."""
        ids, first = tokens.prompt(turns), 0
        while len(ids) > most and first < len(turns) - 1:
            first += 1
            if turns[first][0] == "user" or first == len(turns) - 1:
                ids = tokens.prompt(turns[first:])
        return (ids if len(ids) <= most else [ids[0], *ids[-most + 1 :]]), first > 0 or len(ids) > most

    def _after(self, engine: NumpyEngine, ids: list[int]) -> Logits:
        """The logits that follow these ids and what was made since."""
        cache = self._cache(engine, ids)

        def after(made: Sequence[int]) -> Any:
            logits = engine.logits([*ids, *made], cache)
            logits[_NEVER] = -np.inf
            return logits

        return after

    def _cache(self, engine: NumpyEngine, ids: list[int]) -> KeyValueCache:
        """The cache that shares most with these ids, or a new one; the least recently used of four goes first."""
        best = max(self._caches, key=lambda cache: shared(cache.ids, ids), default=None)
        if best is None or (shared(best.ids, ids) < min(16, len(ids)) and len(self._caches) < _CACHES):
            best = KeyValueCache(engine.sizes, self.preset.window)
        else:
            self._caches.remove(best)
        self._caches.append(best)
        return best


def _decode(
    after: Logits,
    request: Request,
    room: int,
    said: ReplyText,
    dropped: threading.Event | None,
    seen: list[Any],
) -> tuple[list[int], bool]:
    """The tokens made, without the one for the end, and whether the model or a stop text ended the reply.

    `seen` gets the logits at each place, if the request has something to avoid.
    """
    options = request.options
    generator = np.random.default_rng(options.seed) if options.temperature > 0 else None
    choose = partial(_pick, temperature=options.temperature, generator=generator)
    made = list[int]()
    for _ in range(room):
        if dropped and dropped.is_set():
            break
        logits = after(made)
        if request.avoid:
            seen.append(logits)
        token = choose(logits)
        if token == END:
            return made, True
        made.append(token)
        if said.ends(made):
            return made, True
    return made, False


def _pick(logits: np.ndarray[Any, Any], temperature: float, generator: np.random.Generator | None) -> int:
    if generator is None:
        return int(logits.argmax())
    scaled = np.exp((logits - logits.max()) / temperature)
    return int(generator.choice(len(scaled), p=scaled / scaled.sum()))
