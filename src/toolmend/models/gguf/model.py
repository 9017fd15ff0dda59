"""A model in a GGUF file, as `gguf/NAME?option=value` names it: one reply to a request, computed in this process.

A prompt longer than the window is an error and never cut. A constraint is kept to, or is `unmet`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from toolmend.base.errors import BadOption
from toolmend.base.messages import Constraint, Finish, Reply, Request, Usage
from toolmend.models.gguf.chat import GgufChat, Prompt, grammar_of, probe_of, took
from toolmend.models.gguf.engine import Adapter, engine_of, fingerprint
from toolmend.models.gguf.header import Header
from toolmend.models.model import Abilities, OnDelta
from toolmend.models.openai_messages import names_of

_WINDOW = 4096
_SLOTS, _FEW = 8, 3  # a strategy asks in up to three ways, each with a beginning of its own
_CACHES = 768 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufSettings:
    """What can be said of a GGUF model. `adapter` is a LoRA adapter's GGUF file; `num_ctx` the window of a conversation
    in tokens; `parallel` how many are served at once; `threads` 0 as many as are of use (engine.py). `temperature` goes
    before the request's, `seed` where it has none; `template` is a family, or own."""

    adapter: str = ""
    num_ctx: int | None = field(default=None, metadata={"least": 16})
    parallel: int | None = field(default=None, metadata={"least": 1})
    threads: int = field(default=0, metadata={"least": 0})
    temperature: float | None = field(default=None, metadata={"least": 0})
    seed: int | None = field(default=None, metadata={"least": 0})
    template: str = ""


@dataclass(frozen=True, slots=True)
class Chance:
    """A token of a reply as the engine chose it: its text, its log-probability before any constraint, and those of the
    most likely at its place, the best first. Of the tokens that spell one letter together only the last is told."""

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


class GgufModel:
    """A file that was looked at. Weights are loaded at the first reply, or by `warm_up`."""

    def __init__(self, name: str, header: Header, settings: GgufSettings) -> None:
        self.name, self.header, self.settings = name, header, settings
        self.chat = GgufChat(header, settings.template)
        trained = header.number("context_length")
        self.window = settings.num_ctx or min(_WINDOW, trained)
        if self.window > trained:
            raise BadOption(f"{name}: num_ctx is {self.window}, and the model was made for {trained} tokens")
        fitting = _CACHES // max(1, header.cache_bytes * self.window)
        most = settings.parallel or max(1, min(_SLOTS, fitting))
        begin = settings.parallel or min(_FEW, most)
        self.engine = engine_of(header.path, self.window, begin, most, settings.threads)
        self.adapter: Adapter | None = None
        if settings.adapter:
            self.adapter = Adapter.of(Path(settings.adapter).expanduser())
            self.engine.add(self.adapter)
        self.abilities = Abilities(
            native_tools=self.chat.template.opening is not None,
            streaming=True,
            system=self.chat.template.system,
            window=self.window,
            schemas=True,
        )
        self._grammars: dict[str, bool] = {}

    @property
    def options(self) -> Mapping[str, Any]:
        """What makes its replies what they are, for a run's record: the files by their content."""
        adapter = self.adapter.digest if self.adapter else ""
        said = {name: getattr(self.settings, name) for name in ("temperature", "seed", "template")}
        return {"file": fingerprint(self.header.path), "adapter": adapter, "num_ctx": self.window, **said}

    def warm_up(self) -> None:
        """Load the weights if they are not there yet."""
        self.engine.warm_up()

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """One reply, computed in a worker thread; cancelled, it gives its slot back at the next token."""
        reply, _ = await self._begun(request, on_delta, 0)
        return reply

    async def reply_with_chances(self, request: Request, top: int = 1) -> tuple[Reply, tuple[Chance, ...]]:
        """One reply and the chances of its tokens, with the `top` most likely at each place."""
        return await self._begun(request, None, max(1, top))

    async def _begun(self, request: Request, on_delta: OnDelta | None, top: int) -> tuple[Reply, tuple[Chance, ...]]:
        dropped = threading.Event()
        try:
            return await anyio.to_thread.run_sync(
                lambda: self._reply(request, on_delta, top, dropped),
                abandon_on_cancel=True,
                limiter=anyio.CapacityLimiter(1),
            )
        finally:
            dropped.set()
            self.engine.wake()

    def _reply(
        self, request: Request, on_delta: OnDelta | None, top: int, dropped: threading.Event
    ) -> tuple[Reply, tuple[Chance, ...]]:
        began = time.perf_counter()
        names = names_of(request.messages, request.tools)
        prompt = self.chat.prompt(request.messages, request.tools, names)
        body = self._body(request, top)
        unmet = self._led(body, request.constraint, prompt, dropped)
        native = bool(request.tools) and self.abilities.native_tools
        heard = _Heard(None if native else on_delta)
        self.engine.run(prompt, body, self.adapter, heard.take, dropped)
        text, calls = self.chat.template.calls(heard.text, names) if native else (heard.text, ())
        usage = Usage(heard.read, heard.made, time.perf_counter() - began)
        finish: Finish = "empty" if not text and not calls else "length" if heard.finish == "length" else "stop"
        reply = Reply(text, calls, usage=usage, finish=finish, model=self.name, unmet=unmet)
        return reply, tuple(heard.chances)

    def _body(self, request: Request, top: int) -> dict[str, Any]:
        """The options in the words of llama.cpp's server. All its own cuts of the distribution are off."""
        options, settings = request.options, self.settings
        body = {
            "n_predict": options.max_tokens,
            "temperature": options.temperature if settings.temperature is None else settings.temperature,
            "stop": list(options.stop),
            "top_k": 0,
            "top_p": 1.0,
            "min_p": 0.0,
            "n_probs": top,
        }
        seed = settings.seed if options.seed is None else options.seed
        if seed is not None:
            body["seed"] = seed
        if request.tools and self.chat.template.opening:
            body["preserved_tokens"] = [self.chat.template.opening]
        return body

    def _led(
        self, body: dict[str, Any], constraint: Constraint | None, prompt: Prompt, dropped: threading.Event
    ) -> tuple[str, ...]:
        """Put a constraint into a body, once it is known to be taken; else say why not. The probe reads the prompt,
        which is then in the cache for the reply."""
        if constraint is None:
            return ()
        grammar = grammar_of(constraint, self.chat.end)
        if grammar not in self._grammars:
            heard = _Heard(None)
            probe = {**body, "n_predict": 1, "grammar": probe_of(grammar)}
            self.engine.run(prompt, probe, self.adapter, heard.take, dropped)
            if not heard.finish:
                return ()  # dropped
            self._grammars[grammar] = took(heard.text)
        if not self._grammars[grammar]:
            return (f"constraint: {constraint.kind} asked, not kept to: llama.cpp cannot compile it",)
        body["grammar"] = grammar
        return ()


class _Heard:
    """What came of a reply so far."""

    def __init__(self, on_delta: OnDelta | None) -> None:
        self.text, self.finish, self.read, self.made = "", "", 0, 0
        self.chances: list[Chance] = []
        self._on_delta = on_delta

    def take(self, piece: Mapping[str, Any]) -> bool:
        """Take the next piece; never the last to be wanted."""
        for choice in piece.get("choices", ()):
            self.finish = choice.get("finish_reason") or self.finish
            self.chances += map(_chance, (choice.get("logprobs") or {}).get("content", ()))
            if more := choice.get("text"):
                self.text += more
                if self._on_delta:
                    self._on_delta(more)
        usage = piece.get("usage") or {}
        self.read, self.made = usage.get("prompt_tokens", self.read), usage.get("completion_tokens", self.made)
        return False


def _chance(token: Mapping[str, Any]) -> Chance:
    top = tuple((other["token"], other["logprob"]) for other in token.get("top_logprobs", ()))
    return Chance(token["token"], token["logprob"], top)
