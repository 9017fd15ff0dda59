"""A model on Keras and JAX, as `keras/NAME?option=value` names it: one reply to a request, computed by the worker.

Only the worker's thread loads and computes; this one waits. A constraint is not kept to, which the reply says.
"""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import anyio
import anyio.to_thread

from toolmend.base.errors import ModelError
from toolmend.base.messages import Call, Finish, Reply, Request, Usage
from toolmend.extras.keras.chat import TemplateChat
from toolmend.extras.keras.engine import KEPT, KerasEngine, chooser
from toolmend.extras.keras.folder import Folder
from toolmend.extras.keras.loading import load_lm, out_of_memory, prepare, read_tokens, usual_dtype, worker
from toolmend.extras.keras.resident import Residents, size, usual_budget
from toolmend.models.model import Abilities, OnDelta
from toolmend.models.openai_messages import names_of
from toolmend.models.reply_text import ReplyText

WIDTHS = {"float32": 4, "bfloat16": 2, "float16": 2}
"""Bytes of a number."""
_ONE_SIDE = 3  # a reply may take a third of the window at most, so that there is room for what it answers


@dataclass(frozen=True, slots=True, kw_only=True)
class KerasSettings:
    """What can be said of a model in its name. `window` is prompt and reply together, in tokens; `devices` are those
    that its weights are cut over."""

    dtype: Literal["", "float32", "bfloat16", "float16"] = ""
    window: int = field(default=2048, metadata={"least": 16})
    devices: int = field(default=1, metadata={"least": 1})
    template: str = ""


class KerasModel:
    """A model in a folder that was looked at. Weights are loaded at the first reply."""

    def __init__(self, name: str, folder: Folder, settings: KerasSettings) -> None:
        self.name, self.folder, self.settings = name, folder, settings
        self.options = {"dtype": settings.dtype, "window": settings.window, "template": settings.template}
        tokens = worker().submit(read_tokens, folder).result()
        self.chat = TemplateChat(folder, tokens, settings.template, name)
        trained = folder.config.get("max_position_embeddings")
        self.window = min(settings.window, trained) if isinstance(trained, int) else settings.window
        template = self.chat.template
        self.abilities = Abilities(
            native_tools=template.opening is not None, streaming=True, system=template.system, window=self.window
        )

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """One reply, computed by the worker, which stops at the next token when this is cancelled."""
        dropped = threading.Event()
        try:
            return await anyio.to_thread.run_sync(
                lambda: worker().submit(self._reply, request, on_delta, dropped).result(),
                abandon_on_cancel=True,
                limiter=anyio.CapacityLimiter(1),
            )
        finally:
            dropped.set()

    def _reply(self, request: Request, on_delta: OnDelta | None, dropped: threading.Event) -> Reply:
        """The same, in the worker's thread."""
        if dropped.is_set():
            raise ModelError(f"{self.name}: nobody waits for this reply")
        options, began = request.options, time.perf_counter()
        room = max(1, min(options.max_tokens, self.window // _ONE_SIDE))
        ids, cut = fit(request, self.chat, self.window - room)
        said = ReplyText(self.chat.tokens.decode, options.stop, on_delta)
        choose = chooser(options.temperature, secrets.randbits(31) if options.seed is None else options.seed)
        try:
            made, ended = self._engine().reply(ids, room, choose, lambda made: dropped.is_set() or said.ends(made))
        except Exception as error:
            if not out_of_memory(error):
                raise
            _residents().drop(self._key)
            raise ModelError(f"{self.name}: memory ran out ({self._needs()[1]}); a smaller window") from error
        text, calls = said.whole(made), tuple[Call, ...]()
        if request.tools:
            text, calls = self.chat.template.calls(text, names_of(request.messages, request.tools))
        finish: Finish = "empty" if not text and not calls else "stop" if ended or said.stopped else "length"
        usage = Usage(len(ids), len(made) + ended, time.perf_counter() - began)
        unmet = (
            (f"constraint: {request.constraint.kind} asked, models on Keras have none",) if request.constraint else ()
        )
        return Reply(text, calls, usage=usage, finish=finish, model=self.name, truncated=cut, unmet=unmet)

    @property
    def _key(self) -> tuple[Any, ...]:
        return self.folder.path, self.settings.dtype, self.window, self.settings.devices, self.chat.stops

    def _engine(self) -> KerasEngine:
        """The engine in memory, loaded if it is not there."""
        prepare()
        need, plan = self._needs()
        found: KerasEngine = _residents().get(self._key, self.name, need, self._load, plan)
        return found

    def _needs(self) -> tuple[int, str]:
        """Bytes of weights and caches, those of one device where each has a memory of its own; and in words."""
        import jax

        dtype = self.settings.dtype or usual_dtype()
        weights = self.folder.bytes(WIDTHS[dtype])
        caches = (KEPT + 1) * row_bytes(self.folder, self.window, WIDTHS[dtype])
        plan = f"weights {size(weights)} in {dtype}, caches {size(caches)} for {KEPT + 1} talks of {self.window} tokens"
        shares = 1 if jax.default_backend() == "cpu" else self.settings.devices
        return (weights + caches) // shares, plan

    def _load(self) -> KerasEngine:
        lm = load_lm(self.folder, self.settings.dtype or usual_dtype(), self.settings.devices)
        try:
            return KerasEngine(lm, self.window, self.chat.stops)
        except (ValueError, AttributeError, TypeError) as error:  # no cache, or one of another form
            raise ModelError(f"{self.name}: {error}; as a GGUF file it runs as gguf/./FILE") from error


def fit(request: Request, chat: TemplateChat, most: int) -> tuple[list[int], bool]:
    """Ids of a conversation, its oldest turns left out until they fit, and whether any were. System text stays."""
    names = names_of(request.messages, request.tools)
    ids = chat.prompt(request.messages, request.tools, names)
    if len(ids) <= most:
        return ids, False
    system = [message for message in request.messages if message.role == "system"]
    rest = [message for message in request.messages if message.role != "system"]
    for first in [place for place, message in enumerate(rest) if message.role == "user" and place]:
        ids = chat.prompt([*system, *rest[first:]], request.tools, names)
        if len(ids) <= most:
            break
    return (ids if len(ids) <= most else [ids[0], *ids[-most + 1 :]]), True


def row_bytes(folder: Folder, window: int, width: int) -> int:
    """Bytes of the keys and values of one conversation of `window` tokens."""
    inner = folder.config.get("config", {}) if folder.is_keras else folder.config

    def number(*keys: str) -> int:
        return next((inner[key] for key in keys if isinstance(inner.get(key), int)), 0)

    heads = number("num_query_heads", "num_attention_heads", "num_heads") or 1
    size = number("head_dim") or number("hidden_dim", "hidden_size") // heads
    keys = number("num_key_value_heads") or heads
    return 2 * width * window * keys * size * number("num_layers", "num_hidden_layers")


@cache
def _residents() -> Residents:
    """The models in memory of this process."""

    def budget() -> int:
        import jax

        device = jax.local_devices()[0]
        return usual_budget((device.memory_stats() or {}).get("bytes_limit") if device.platform != "cpu" else None)

    return Residents(budget)
