"""A model on Keras and JAX, as `keras/NAME?option=value` names it: one reply to a request, computed by the worker.

Requests that wait together are decoded together. Only the worker's thread loads and computes; this one waits.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import anyio
import anyio.to_thread

from toolmend.errors import BadOption, MissingExtra, ModelError, ToolmendError
from toolmend.messages import Call, Finish, Message, Reply, Request, Usage
from toolmend.models.keras.chat import TemplateChat, read_chat
from toolmend.models.keras.engine import DecodedRow, KerasEngine
from toolmend.models.keras.folder import Folder
from toolmend.models.keras.guide import LogitGuide
from toolmend.models.keras.resident import Residents, size, usual_budget
from toolmend.models.keras.shards import ShardPlan
from toolmend.models.keras.worker import KerasJob, worker
from toolmend.models.masks import TokenMask
from toolmend.models.model import Abilities, OnDelta
from toolmend.models.openai_messages import names_of
from toolmend.models.said import Said

WIDTHS = {"float32": 4, "bfloat16": 2, "float16": 2}
"""Bytes of a number."""
_ONE_SIDE = 3  # a reply may take a third of the window at most, so that there is room for what it answers
WORK = 3
"""Rows of cache for each that is decoded: decoding it, keeping it, making it longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KerasSettings:
    """What can be said of a model in its name. `window` is prompt and reply together, in tokens; `batch` how many
    requests are decoded at once; `pin` keeps it in memory, `warm` compiles everything when it is loaded; `devices` are
    those that its weights are cut over, `replicate` allows large ones that cannot be cut to lie whole on each."""

    dtype: Literal["", "float32", "bfloat16", "float16"] = ""
    window: int = field(default=2048, metadata={"least": 16})
    batch: int = field(default=5, metadata={"least": 1})
    devices: int = field(default=1, metadata={"least": 1})
    replicate: bool = False
    template: str = ""
    pin: bool = False
    warm: bool = False
    download: bool = False


class KerasModel:
    """A model in a folder that was looked at. Weights are loaded at the first reply, or by `warm_up`."""

    def __init__(self, name: str, folder: Folder, settings: KerasSettings) -> None:
        self.name, self.folder, self.settings, self.together = name, folder, settings, settings.batch
        self.options = {"dtype": settings.dtype, "window": settings.window, "template": settings.template}
        self.plan = self._planned()
        self.chat = self._chat()
        self.window = min(settings.window, context(folder) or settings.window)
        self.abilities = Abilities(
            native_tools=self.chat.tools, streaming=True, system=self.chat.system, window=self.window, schemas=True
        )

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """One reply, computed by the worker, which stops within a few tokens when this is cancelled."""
        job = KerasJob(self, _Ask(request, on_delta))
        worker().submit(job)
        try:
            found: Reply = await anyio.to_thread.run_sync(
                job.future.result, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1)
            )
            return found
        finally:
            job.dropped.set()

    def reply_now(self, request: Request) -> Reply:
        """The same for whoever has no event loop."""
        found: Reply = worker().submit(KerasJob(self, _Ask(request, None))).result()
        return found

    def warm_up(self) -> KerasEngine:
        """Load the weights and compile all that replies need; the engine."""

        def ready() -> KerasEngine:
            engine = self._engine()
            engine.warm_up()
            return engine

        return worker().call(ready)

    def serve(self, jobs: Sequence[KerasJob]) -> None:
        """Answer requests together; in the worker's thread."""
        engine, began = self._engine(), time.perf_counter()
        asked = [made for job in jobs if (made := self._begin(job))]
        free = [each for each in asked if each.row.pick is None]
        groups = [free[at : at + engine.batch] for at in range(0, len(free), engine.batch)]
        for group in [*groups, *([each] for each in asked if each.row.pick is not None)]:
            try:
                engine.generate([each.row for each in group])
            except Exception as error:
                self._fail(group, error)
                continue
            for each in group:
                each.finish(self, time.perf_counter() - began)

    def _begin(self, job: KerasJob) -> _Answer | None:
        """The row of a job; None where its conversation cannot be shown."""
        try:
            return _Answer.to(job, self)
        except ToolmendError as error:
            job.future.set_exception(error)
            return None

    def _fail(self, group: Sequence[_Answer], error: Exception) -> None:
        from toolmend.models.keras.loading import out_of_memory

        if out_of_memory(error):
            residents().drop(self._key)
            error = ModelError(
                f"{self.name}: memory ran out with {len(group)} rows of {self.window} tokens ({self._plan()}); "
                "a smaller window, or batch=1"
            )
        for each in group:
            each.job.future.set_exception(error)

    @property
    def _key(self) -> tuple[Any, ...]:
        settings = self.settings
        return self.folder.path, settings.dtype, self.window, settings.batch, settings.template, settings.devices

    def _planned(self) -> ShardPlan | None:
        """Which weight goes to which device; None for one device."""
        from toolmend.models.keras.shards import plan
        from toolmend.models.keras.sizes import Sizes

        if self.settings.devices == 1:
            return None
        made = plan(Sizes.read(self.folder), self.settings.devices)
        return made.check(self.name, replicate=self.settings.replicate)

    def _chat(self) -> TemplateChat:
        from toolmend.models.keras.loading import read_tokens

        def read() -> TemplateChat:
            return read_chat(self.folder, read_tokens(self.folder), self.settings.template, self.name)

        return worker().call(read) if self.folder.is_keras else read()

    def _engine(self) -> KerasEngine:
        """The engine in memory, loaded if it is not there; in the worker's thread."""
        from toolmend.models.keras.loading import prepare, usual_dtype

        prepare()
        dtype = self.settings.dtype or usual_dtype()
        weights, caches = self._needs(dtype)
        found: KerasEngine = residents().get(
            self._key, self.name, weights + caches, lambda: self._load(dtype), pinned=self.settings.pin,
            plan=f"weights {size(weights)} in {dtype}, caches {size(caches)} for {self.settings.batch} rows of "
            f"{self.window} tokens{self._on_each()}",
        )  # fmt: skip
        return found

    def _plan(self) -> str:
        from toolmend.models.keras.loading import usual_dtype

        weights, caches = self._needs(self.settings.dtype or usual_dtype())
        return f"weights {size(weights)}, caches {size(caches)}"

    def _on_each(self) -> str:
        return f", on each of {self.plan.devices} devices" if self.plan and not _one_memory() else ""

    def _needs(self, dtype: str) -> tuple[int, int]:
        """Bytes of the weights, and of the caches at most: those of one device, where each has a memory of its own."""
        width = WIDTHS[dtype]
        caches = WORK * self.settings.batch * row_bytes(self.folder, self.window, width)
        if self.plan and not _one_memory():
            return self.plan.numbers_each * width, self.plan.caches_each(caches)
        return self.folder.bytes(width), caches

    def _load(self, dtype: str) -> KerasEngine:
        from toolmend.models.keras.engine import cache_shape
        from toolmend.models.keras.loading import load_lm
        from toolmend.models.keras.mesh import cache_sharding

        lm = load_lm(self.folder, dtype, self.plan)
        sharding = cache_sharding(self.plan) if self.plan else None
        try:
            cache_shape(lm)
        except ValueError as error:
            raise ModelError(f"{self.name}: {error}; as a GGUF file it runs as gguf/./FILE") from error
        engine = KerasEngine(lm, self.window, self.settings.batch, self.chat.stops, sharding=sharding)
        if self.settings.warm:
            engine.warm_up()
        return engine


@dataclass(frozen=True)
class _Ask:
    """The work of a job."""

    request: Request
    on_delta: OnDelta | None


@dataclass(eq=False)
class _Answer:
    """A reply in the making."""

    job: KerasJob
    row: DecodedRow
    said: Said
    cut: bool
    guide: LogitGuide | None
    unmet: tuple[str, ...]
    error: Exception | None = field(default=None)

    @classmethod
    def to(cls, job: KerasJob, model: KerasModel) -> _Answer:
        """The row for a request, cut to the window."""
        request, options = job.work.request, job.work.request.options
        room = max(1, min(options.max_tokens, model.window // _ONE_SIDE))
        ids, cut = fit(request, model.chat, model.window - room)
        guide, unmet = _guide(request, model.chat)
        said = Said(model.chat.decode, options.stop, job.work.on_delta)
        seed = secrets.randbits(31) if options.seed is None else options.seed
        row = DecodedRow(ids, room, options.temperature, seed)
        answer = cls(job, row, said, cut, guide, unmet)
        row.take = answer.take
        if guide:
            row.pick = guide.chooser(options.temperature, seed)
        return answer

    def take(self, made: list[int]) -> bool:
        """Hear of the tokens so far; whether to stop, because nobody waits, a stop text came or a listener failed."""
        if self.job.dropped.is_set():
            return True
        try:
            return self.said.ends(made)
        except Exception as error:  # whatever a listener does is its own affair, not that of the other rows
            self.error = error
            return True

    def finish(self, model: KerasModel, seconds: float) -> None:
        """Set the future."""
        if self.error is not None or self.job.dropped.is_set():
            self.job.future.set_exception(self.error or ModelError(f"{model.name}: nobody waits for this reply"))
            return
        request, made = self.job.work.request, self.row.made
        try:
            text = self.said.whole(made)
        except Exception as error:  # a listener again
            self.job.future.set_exception(error)
            return
        calls: tuple[Call, ...] = ()
        if request.tools:
            text, calls = model.chat.calls(text, names_of(request.messages, request.tools))
        ended = self.row.ended or self.said.stopped
        finish: Finish = "empty" if not text and not calls else "stop" if ended else "length"
        usage = Usage(len(self.row.ids), len(made) + self.row.ended, seconds)
        reply = Reply(text, calls, usage=usage, finish=finish, model=model.name, truncated=self.cut, unmet=self.unmet)
        self.job.future.set_result(reply)


def fit(request: Request, chat: TemplateChat, most: int) -> tuple[list[int], bool]:
    """Ids of a conversation, its oldest turns left out until they fit, and whether any were. System text stays."""
    names = names_of(request.messages, request.tools)

    def ids_of(messages: Sequence[Message]) -> list[int]:
        return chat.prompt(messages, request.tools, names)

    ids = ids_of(request.messages)
    if len(ids) <= most:
        return ids, False
    system = [message for message in request.messages if message.role == "system"]
    rest = [message for message in request.messages if message.role != "system"]
    for first in [place for place, message in enumerate(rest) if message.role == "user" and place]:
        ids = ids_of([*system, *rest[first:]])
        if len(ids) <= most:
            break
    return (ids if len(ids) <= most else [ids[0], *ids[-most + 1 :]]), True


def _guide(request: Request, chat: TemplateChat) -> tuple[LogitGuide | None, tuple[str, ...]]:
    """What leads a reply along its constraint, or why nothing does."""
    constraint = request.constraint
    if constraint is None:
        return None, ()
    try:
        return LogitGuide(TokenMask(constraint, chat.vocabulary), chat.stops), ()
    except (MissingExtra, BadOption) as error:
        return None, (f"constraint: {constraint.kind} asked, not kept to: {error}",)


def context(folder: Folder) -> int | None:
    """Tokens that a model was made for, where its folder says so."""
    found = folder.config.get("max_position_embeddings")
    return found if isinstance(found, int) else None


def row_bytes(folder: Folder, window: int, width: int) -> int:
    """Bytes of the keys and values of one conversation of `window` tokens."""
    inner = folder.config.get("config", {}) if folder.is_keras else folder.config

    def number(*keys: str) -> int:
        return next((inner[key] for key in keys if isinstance(inner.get(key), int)), 0)

    heads = number("num_query_heads", "num_attention_heads", "num_heads") or 1
    size = number("head_dim") or number("hidden_dim", "hidden_size") // heads
    keys = number("num_key_value_heads") or heads
    return 2 * width * window * keys * size * number("num_layers", "num_hidden_layers")


def _one_memory() -> bool:
    """Whether all devices share the memory of the machine, as virtual ones do."""
    import jax

    return bool(jax.default_backend() == "cpu")


@cache
def residents() -> Residents:
    """The models in memory of this process."""

    def budget() -> int:
        import jax

        device = jax.local_devices()[0]
        limit = (device.memory_stats() or {}).get("bytes_limit") if device.platform != "cpu" else None
        return usual_budget(limit)

    return Residents(budget)
