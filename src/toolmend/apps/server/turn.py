"""One turn of a strategy whose calls somebody else runs: driven until it makes calls that are to go out, or is done.

Calls are checked before they go out; a strategy that makes a mistake hears of it and tries again here. Knows neither
HTTP nor the API's format. session/turn.py is the driver for calls that are run here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.messages import Call, CallResult, Finish, Reply, Usage
from toolmend.session.guards import Guard, Limits
from toolmend.strategies import WORDS, Act, Ask, Flag, Flow, Say, TakeBack, calls_tools, roles_of
from toolmend.strategies.resuming import Record

Judge = Callable[[Sequence[Call]], Awaitable[tuple[tuple[Call, ...], tuple[CallResult, ...]]]]
AsksModel = Callable[[Ask, bool], Awaitable[Reply]]
"""Who asks the model; the second tells whether this reply is shown to the client as it is."""


@dataclass(frozen=True, slots=True)
class ServedAnswer:
    """What a request came to: calls for the client, or words. `wrong` are calls the strategy gave up on: they name
    tools that there are, and their arguments do not fit. `flags` are what it did of its own accord and the guards."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    wrong: tuple[Call, ...] = ()
    usage: Usage = Usage()
    finish: Finish = "stop"
    flags: tuple[str, ...] = ()


class ClientTurn:
    """A turn as it unfolds: `one` call at most. A strategy that plans first has all its calls go out together; where
    the model makes calls itself, and strictly so, its text is never read as a call."""

    def __init__(self, ask: AsksModel, judge: Judge, record: Record, strategy: Any = None, *, one: bool) -> None:
        self._ask, self._judge, self._record, self._one = ask, judge, record, one
        self._gathers = strategy is not None and "intent" in roles_of(strategy)
        self._native = strategy is not None and calls_tools(strategy)
        self._guard = Guard(Limits())
        self._gathered: list[Call] = []
        self._wrong: tuple[Call, ...] = ()
        self._text, self._flags = "", list[str]()
        self._finish: Finish = "stop"
        self._spoken = self._native and getattr(strategy, "strict", False)
        self._over, self._said = False, False

    async def drive(self, flow: Flow) -> ServedAnswer:
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
        return ServedAnswer(text, calls, () if calls else self._wrong, Usage(), self._finish, tuple(self._flags))

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
        live = ask.role in WORDS or (self._native and self._spoken)
        reply = self._record.adjusted(ask, await self._ask(ask, live))
        self._spoken = self._spoken or (self._native and bool(reply.calls))
        self._text, self._finish = reply.text, reply.finish
        self._said = bool(reply.calls) and self._native
        return reply

    async def _act(self, act: Act) -> tuple[CallResult, ...]:
        """The results on record, or what is wrong with the calls; calls that are right go out."""
        if not act.calls:
            return ()
        recorded = self._record.results(act.calls)
        if recorded is not None:
            return recorded
        made = act.calls[:1] if self._one else act.calls
        calls, wrong = await self._judge(made)
        if wrong:
            self._wrong = () if any(each.fault == "unknown_tool" for each in wrong) else calls
            held = [CallResult(call.id, error="only one call at a time", fault="arguments") for call in act.calls[1:]]
            return (*wrong, *held) if self._one else wrong
        self._gathered += calls
        self._over = not self._gathers or self._one
        return tuple(CallResult(call.id) for call in act.calls)
