"""A GGUF file in memory and the conversations that run on it side by side, by the servers inside xllamacpp.

Each slot keeps the tokens of its last prompt: a conversation comes back to the slot that shares most with it, under the
same adapter. The server's own choice of slots and its cache of prompts do not ask for the adapter, so neither is used.
The package always listens; here it does so on a socket file in a private folder that is removed at once.

A light model's threads would meet more often than they compute: one thread makes its tokens, and where there are many
conversations they are spread over lanes, servers of one file that share nothing but the machine.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

from toolmend.base.errors import BadFile, ModelError
from toolmend.models.gguf.chat import Prompt

Take = Callable[[Mapping[str, Any]], bool]
"""Hears of every piece of a reply; True ends it."""

_BATCH = 128  # tokens of a prompt between two looks at whether anybody still waits
_ENDS = 4 << 20  # bytes of either end of a file that tell it from others
_LOOK = 0.5  # seconds between two such looks while no slot is free
_LIGHT = 300 << 20  # bytes of a file whose tokens one thread makes as fast as several
_LANES = 4


@dataclass(frozen=True)
class Adapter:
    """A LoRA adapter in a GGUF file; another content is another adapter."""

    path: Path
    digest: str

    @classmethod
    def of(cls, path: Path) -> Adapter:
        """The adapter that a file holds now."""
        return cls(path, fingerprint(path))

    @property
    def stands(self) -> bool:
        """Whether the file still holds it."""
        return self.path.is_file() and fingerprint(self.path) == self.digest


@dataclass(eq=False)
class _Slot:
    """A place for one conversation, the `number`th of its lane, and what its cache holds."""

    lane: int
    number: int
    adapter: Adapter | None = None
    text: str = ""
    used: float = field(default=0.0)

    def shared(self, adapter: Adapter | None, text: str) -> int:
        """Letters of a prompt that need not be read again."""
        low, high = 0, min(len(self.text), len(text)) if adapter == self.adapter else 0
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if text.startswith(self.text[:middle]) else (low, middle - 1)
        return low


class GgufEngine:
    """A file, its window in tokens for each conversation, and threads (0: as many as are of use).

    Every slot takes the memory of a window: there are `slots` of them, and `most` once that was too few.
    """

    def __init__(self, path: Path, window: int, slots: int, most: int, threads: int) -> None:
        self.path, self.window, self.threads = path, window, threads
        self._light = not threads and path.stat().st_size < _LIGHT
        self._slots = self._spread(slots)
        self._free = list(self._slots)
        self._most, self._crowded = most, False
        self._adapters: list[Adapter] = []
        self._loaded: list[Adapter] = []
        self._servers: list[Any] = []  # one for each lane
        self._turn = threading.Condition()

    def add(self, adapter: Adapter) -> None:
        """Let requests ask for an adapter. One that comes late is loaded, with all else, once nobody is served."""
        with self._turn:
            if adapter not in self._adapters:
                self._adapters.append(adapter)

    def run(
        self, prompt: Prompt, body: Mapping[str, Any], adapter: Adapter | None, take: Take, dropped: threading.Event
    ) -> None:
        """Have one request answered, in this thread. Raises ModelError; an error of `take` is raised as it is."""
        with self._slot(adapter, "".join(map(str, prompt)), dropped) as slot:
            self._ask(slot, prompt, body, take, dropped)

    def warm_up(self) -> None:
        """Load the file if that was not done yet."""
        with self._turn:
            if not self._servers:
                self._start()

    def wake(self) -> None:
        """Let whoever waits for a slot look whether it still has to."""
        with self._turn:
            self._turn.notify_all()

    def _ask(self, slot: _Slot, prompt: Prompt, body: Mapping[str, Any], take: Take, dropped: threading.Event) -> None:
        raised: list[BaseException] = []

        def hear(piece: Mapping[str, Any]) -> bool:
            try:
                if "error" in piece:
                    raise ModelError(self._problem(piece["error"]))
                return dropped.is_set() or take(piece)
            except BaseException as error:  # the engine would swallow it
                raised.append(error)
                return True

        lora = [{"id": n, "scale": float(adapter == slot.adapter)} for n, adapter in enumerate(self._loaded)]
        text = prompt[0] if len(prompt) == 1 else list(prompt)
        asked = {"prompt": text, "stream": True, "return_progress": True, "id_slot": slot.number, "lora": lora}
        answer = self._servers[slot.lane].handle_completions({**asked, **body}, hear)
        if raised:
            raise raised[0]
        if isinstance(answer, Mapping) and "error" in answer:
            raise ModelError(self._problem(answer["error"]))

    def _problem(self, error: Mapping[str, Any]) -> str:
        if error.get("type") == "exceed_context_size_error":
            return (
                f"{self.path.name}: the prompt has {error.get('n_prompt_tokens')} tokens and the window is "
                f"{self.window}; nothing was cut: take a shorter talk, or num_ctx=…"
            )
        return f"{self.path.name}: llama.cpp refuses: {' '.join(str(error.get('message', error)).split())[:200]}"

    @contextmanager
    def _slot(self, adapter: Adapter | None, text: str, dropped: threading.Event) -> Iterator[_Slot]:
        """A free slot, as soon as there is one, set to this adapter and prompt."""
        with self._turn:
            while not self._ready():
                if dropped.is_set():
                    raise ModelError(f"{self.path.name}: nobody waits for this reply")
                self._turn.wait(_LOOK)
            if adapter is not None and adapter not in self._loaded:
                raise BadFile(adapter.path, "is gone, or another one, since this model was named; name it anew")
            slot = self._best(adapter, text)
            self._free.remove(slot)
            slot.adapter, slot.text = adapter, text
        try:
            yield slot
        finally:
            with self._turn:
                slot.used = monotonic()
                self._free.append(slot)
                self._turn.notify_all()

    def _ready(self) -> bool:
        """Whether a slot can be had now. What is missing, slots too, comes as soon as no slot is busy."""
        if not self._servers or self._crowded or len(self._loaded) < len(self._adapters):
            if len(self._free) < len(self._slots):
                return False
            self._start()
        self._crowded = not self._free and len(self._slots) < self._most
        return bool(self._free)

    def _best(self, adapter: Adapter | None, text: str) -> _Slot:
        """The slot whose conversation goes on here; where none does, of the idlest lane the one left longest ago."""
        best = max(self._free, key=lambda slot: slot.shared(adapter, text))
        if best.shared(adapter, text) * 2 > len(best.text):
            return best
        idle = Counter(slot.lane for slot in self._free)
        return min(self._free, key=lambda slot: (-idle[slot.lane], slot.used, -slot.shared(adapter, text)))

    def _spread(self, count: int) -> list[_Slot]:
        """So many slots, those of a light model over lanes of two and more."""
        lanes = max(1, min(count // 2, _cores(), _LANES)) if self._light else 1
        return [_Slot(place % lanes, place // lanes) for place in range(count)]

    def _start(self) -> None:
        """Load the file with all adapters. Raises BadFile, and ModelError where the package is missing."""
        self._servers = []  # what was loaded before goes first
        if self._crowded:
            self._slots = self._spread(self._most)
            self._free, self._crowded = list(self._slots), False
        self._adapters = [adapter for adapter in self._adapters if adapter.stands]
        lanes = Counter(slot.lane for slot in self._slots)
        self._servers = [self._served(lanes[lane], len(lanes)) for lane in range(len(lanes))]
        self._loaded = list(self._adapters)
        for slot in self._slots:
            slot.text = ""

    def _served(self, slots: int, lanes: int) -> Any:
        """The server of a lane with so many slots."""
        package = library()
        params = package.CommonParams()
        params.model.path = str(self.path)
        params.n_parallel = slots
        params.n_ctx = self.window * slots
        params.n_batch = max(_BATCH, slots)
        params.cache_ram_mib = 0
        params.fit_params = params.warmup = params.ui = False
        params.verbosity = -1
        params.n_threads_http = 1
        params.api_keys = [secrets.token_hex()]
        making, reading = params.cpuparams, params.cpuparams_batch
        making.n_threads = self.threads or (1 if self._light else making.n_threads)
        reading.n_threads = self.threads or (max(1, _cores() // lanes) if self._light else reading.n_threads)
        making.poll = reading.poll = 0
        params.lora_adapters = [package.CommonAdapterLoraInfo(str(adapter.path), 1.0) for adapter in self._adapters]
        params.lora_init_without_apply = True
        try:
            with TemporaryDirectory(prefix="toolmend-") as folder:
                if sys.platform != "win32":
                    params.hostnames = [os.path.join(folder, "s.sock")]
                return package.Server(params)
        except RuntimeError as error:
            raise BadFile(
                self.path, f"llama.cpp could not load it with {len(self._slots)} x {self.window} tokens: an "
                "architecture that it does not know, damaged weights, or too little memory (num_ctx=…, parallel=1)",
            ) from error  # fmt: skip


def _cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def library() -> Any:
    """The module xllamacpp. Raises ModelError where it, or what it needs of the system, is missing.

    Its threads meet several hundred times a token. They sleep while they wait: spinning, as is usual, loses nine tenths
    of the speed as soon as another program wants a core.
    """
    said = os.environ.get("OMP_WAIT_POLICY")
    os.environ["OMP_WAIT_POLICY"] = said or "passive"
    try:
        import xllamacpp
    except ImportError as error:
        hint = "; on Debian and Ubuntu: apt install libgomp1" if "libgomp" in str(error) else ""
        raise ModelError(f"gguf/… needs the package xllamacpp, which cannot be imported ({error}){hint}") from error
    finally:
        if said is None:
            del os.environ["OMP_WAIT_POLICY"]
    return xllamacpp


def fingerprint(path: Path) -> str:
    """16 hexadecimal digits of a file's size, beginning and end: another model or training is another one."""
    size = path.stat().st_size
    with path.open("rb") as file:
        digest = hashlib.sha256(b"%d" % size + file.read(_ENDS))
        file.seek(max(0, size - _ENDS))
        digest.update(file.read())
    return digest.hexdigest()[:16]


_ENGINES: WeakValueDictionary[tuple[Any, ...], GgufEngine] = WeakValueDictionary()
_LOCK = threading.Lock()


def engine_of(path: Path, window: int, slots: int, most: int, threads: int) -> GgufEngine:
    """The engine of a file, shared by all models that say the same of it; it goes with the last of them."""
    state = path.stat()
    key = (path.resolve(), state.st_mtime_ns, state.st_size, window, slots, most, threads)
    with _LOCK:
        engine = _ENGINES.get(key)
        if engine is None:
            engine = _ENGINES[key] = GgufEngine(path, window, slots, most, threads)
        return engine
