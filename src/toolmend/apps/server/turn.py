"""One turn of a strategy whose calls somebody else runs: driven until it makes calls that are to go out, or is done.

Calls are checked before they go out; a strategy that makes a mistake hears of it and tries again here. Knows neither
HTTP nor the API's format. session/turn.py is the driver for calls that are run here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from toolmend.messages import Call, CallResult, Finish, Reply, Usage
from toolmend.session.guards import Guard, Limits
from toolmend.strategies import WORDS, Act, Ask, Flag, Flow, Say, TakeBack
from toolmend.strategies.resuming import Record

Judge = Callable[[Sequence[Call]], Awaitable[tuple[tuple[Call, ...], tuple[CallResult, ...]]]]


class Asking(Protocol):
    """Who asks the model; `live` tells that this reply is shown to the client as it is."""

    async def __call__(self, ask: Ask, *, live: bool) -> Reply:
        """The reply."""
        ...


@dataclass(frozen=True, slots=True)
class Done:
    """What a turn came to: calls for the client, or words. `wrong` are calls the strategy gave up on: they name tools
    that there are, and their arguments do not fit. `flags` are what it did of its own accord and the guards."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    wrong: tuple[Call, ...] = ()
    usage: Usage = Usage()
    finish: Finish = "stop"
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manner:
    """How a strategy is driven. `gathers`: it plans first, so that all its calls go out together (`one`: only one);
    `native`: the model makes calls itself; `spoken`: its text is never read as a call."""

    gathers: bool = False
    one: bool = False
    native: bool = False
    spoken: bool = False


class Turn:
    """A turn as it unfolds."""

    def __init__(self, ask: Asking, judge: Judge, record: Record, manner: Manner) -> None:
        self._ask, self._judge, self._record, self._manner = ask, judge, record, manner
        self._guard = Guard(Limits())
        self._gathered: list[Call] = []
        self._wrong: tuple[Call, ...] = ()
        self._text, self._usage, self._flags = "", Usage(), list[str]()
        self._finish: Finish = "stop"
        self._spoken, self._over, self._said = manner.spoken, False, False

    async def drive(self, flow: Flow) -> Done:
        """Go through with it. Raises what asking raises, and Diverged."""
        sent: Any = None
        while not self._over:
            try:
                step = flow.send(sent)
            except StopIteration:
                break
            sent = await self._answer(step)
        flow.close()
        calls = tuple(self._gathered)
        text = "" if calls and not self._said else self._text
        return Done(text, calls, () if calls else self._wrong, self._usage, self._finish, tuple(self._flags))

    async def _answer(self, step: Any) -> Any:
        if isinstance(step, Ask):
            return await self._reply(step)
        if isinstance(step, Act):
            return await self._act(step)
        if isinstance(step, TakeBack):
            ids = tuple(call.id for call in self._gathered)
            self._gathered.clear()
            return ids
        if isinstance(step, Say):
            self._text = step.text
        elif isinstance(step, Flag):
            self._flags.append(step.name)
            self._record.heard(step)
        return None

    async def _reply(self, ask: Ask) -> Reply | None:
        """The reply from the record, or the model's. With calls gathered nothing is left to be said."""
        if self._gathered and ask.role in WORDS:
            self._over = True
            return None
        recorded = self._record.reply(ask)
        if recorded is not None:
            self._spoken = self._spoken or bool(recorded.calls)
            return recorded
        if stopped := self._guard.round(ask):
            self._flags.append(stopped)
            self._over = True
            return None
        live = ask.role in WORDS or (self._manner.native and self._spoken)
        reply = self._record.adjusted(ask, await self._ask(ask, live=live))
        self._spoken = self._spoken or (self._manner.native and bool(reply.calls))
        self._text, self._finish, self._usage = reply.text, reply.finish, self._usage + reply.usage
        self._said = bool(reply.calls) and self._manner.native
        return reply

    async def _act(self, act: Act) -> tuple[CallResult, ...]:
        """The results on record, or what is wrong with the calls; calls that are right go out."""
        if not act.calls:
            return ()
        recorded = self._record.results(act.calls)
        if recorded is not None:
            return recorded
        made = act.calls[:1] if self._manner.one else act.calls
        calls, wrong = await self._judge(made)
        if wrong:
            self._wrong = () if any(each.fault == "unknown_tool" for each in wrong) else calls
            held = [CallResult(call.id, error="only one call at a time", fault="arguments") for call in act.calls[1:]]
            return (*wrong, *held) if self._manner.one else wrong
        self._gathered += calls
        self._over = not self._manner.gathers or self._manner.one
        return tuple(CallResult(call.id) for call in act.calls)
