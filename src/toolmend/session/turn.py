"""One turn as it unfolds: drives the strategy, asks the models, has calls run, and stops what leads nowhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from toolmend.base.events import Guarded, Read, Replied
from toolmend.base.messages import Call, CallResult, Reply, Usage
from toolmend.language.resolve.background import Open
from toolmend.models.model import OnDelta
from toolmend.reading import Reading, read, read_python
from toolmend.reading.stream import WordStream
from toolmend.reading.thoughts import words_of
from toolmend.session.guards import SAME_AGAIN, Guard, Limits
from toolmend.session.standing import Standing
from toolmend.strategies import Act, Ask, Flag, Flow, PutBack, Say, TakeBack


class Responder(Protocol):
    """Who answers the requests of a strategy."""

    async def __call__(self, step: Ask, on_delta: OnDelta | None) -> Reply:
        """The reply of the model of that role."""
        ...


class TurnState:
    """What happened in a turn so far."""

    def __init__(
        self,
        number: int,
        standing: Standing,
        amended: Sequence[Call],
        limits: Limits,
        review: Callable[[Call], Call] | None = None,
    ) -> None:
        self.number, self.standing, self.amended, self.review = number, standing, amended, review
        self.calls: list[Call] = []
        self.results: list[CallResult] = []
        self.text, self.own, self.usage, self.truncated, self.stopped = "", "", Usage(), False, ""
        self.open: Open | None = None
        self._said = False  # words of the strategy's own, since the last reply
        self.taken: list[str] = []  # earlier calls that the strategy took back, or replaced
        self.restored: list[str] = []  # earlier calls that stand again
        self._readings: list[Reading] = []
        self._guard = Guard(limits)

    async def give(self, text: str) -> None:
        """Take a reply that is given instead of asked for: read as Python, whatever the strategy; its calls are run."""
        self._note("main", Reply(text, model="given"))
        reading = read_python(text, self.standing.tools.specs)
        await self._act(Act(reading.calls, reading))

    async def drive(self, flow: Flow, ask: Responder, on_delta: OnDelta | None) -> None:
        """Go through with it: every request answered, every call run, until the strategy ends or a guard stops it."""
        sent: Any = None
        while True:
            try:
                step = flow.send(sent)
            except StopIteration:
                return
            if self._stops(self._guard.round(step)):
                break
            if isinstance(step, Ask):
                sent = await self._heard(ask, step, on_delta)
                self._note(step.role, sent)
            elif isinstance(step, Act):
                sent = await self._act(step)
                if self.stopped:
                    break
            elif isinstance(step, TakeBack):
                sent = await self._undo(step.calls)
            elif isinstance(step, PutBack):
                await self._restore(step.calls)
                sent = None
            else:
                self._hear(step)
                sent = None
        flow.close()

    async def _heard(self, ask: Responder, step: Ask, on_delta: OnDelta | None) -> Reply:
        """The reply; of its text only words are shown while it comes, and what is left of them at its end."""
        if on_delta is None:
            return await ask(step, None)
        stream = WordStream(step.tools)

        def show(piece: str) -> None:
            if words := stream.feed(piece):
                on_delta(words)

        reply = await ask(step, show)
        called = bool(step.tools) and bool(read(reply.text, step.tools).calls)
        if left := "" if called else stream.rest(words_of(reply.text)):
            on_delta(left)
        return reply

    @property
    def took_effect(self) -> list[Call]:
        """The calls of this turn that stand."""
        return [call for call, result in zip(self.calls, self.results, strict=True) if result.ok]

    @property
    def reading(self) -> Reading:
        """What counts: the calls that took effect and those of the last reply that was read, in their order."""
        if not self._readings:  # a strategy that only talked
            return Reading(rest=self.text, problem="no_call")
        last = self._readings[-1]
        if len(self._readings) == 1:
            return last
        kept = {call.id for call in (*self.took_effect, *last.calls)}
        calls = tuple(call for reading in self._readings for call in reading.calls if call.id in kept)
        notes = dict.fromkeys(note for reading in self._readings for note in reading.leniencies)
        return replace(last, calls=calls, leniencies=tuple(notes), problem=None if calls else last.problem)

    def _note(self, role: str, reply: Reply) -> None:
        self.text, self.own, self.usage, self._said = words_of(reply.text), "", self.usage + reply.usage, False
        self.truncated = self.truncated or reply.truncated
        self.standing.emit(_replied(self.number, role, reply))

    def _reviewed(self, step: Act) -> Act:
        """The step with its calls as they are to be made."""
        calls = tuple(map(self.review, step.calls)) if self.review else step.calls
        if calls == step.calls:
            return step
        notes = (*step.reading.leniencies, "computed")
        return replace(step, calls=calls, reading=replace(step.reading, calls=calls, leniencies=notes))

    async def _act(self, step: Act) -> tuple[CallResult, ...]:
        step = self._reviewed(step)
        named = self.standing.named(step.calls, self.amended)
        reading = replace(step.reading, calls=named) if len(named) == len(step.reading.calls) else step.reading
        self._readings.append(reading)
        told = self.text if self._said else ""
        self.standing.emit(Read(self.number, named, reading.leniencies, reading.rest, reading.problem, told))
        if self._stops(self._guard.too_many(named)):
            return ()
        results = []
        self.standing.begin(named)
        for call, asked in zip(named, step.calls, strict=True):
            result = await self._run(call, edits=asked.amends is not None)
            self.calls.append(call)
            self.results.append(result)
            times = self._guard.seen(call, result)
            if times >= self._guard.limits.repeats:
                result = replace(result, value=SAME_AGAIN) if result.ok else replace(result, error=SAME_AGAIN)
            results.append(result)
            if times > self._guard.limits.repeats and self._stops("repeated_call"):
                break
        return tuple(results)

    def _hear(self, step: Say | Flag) -> None:
        if isinstance(step, Say):
            self.text, self.own, self.open, self._said = step.text, step.own, step.open, True
        else:
            self.standing.emit(Guarded(self.number, step.name, step.detail))

    async def _run(self, call: Call, *, edits: bool) -> CallResult:
        """Run a call; where the strategy `edits` one that still stands, in the place of that, or beside it where that
        cannot be taken back and a person is asked."""
        for old in self.standing.standing([call.amends] if edits and call.amends else []):
            if self.standing.asks(call) and not self.standing.tools.can_undo(old):
                break
            result = await self.standing.edit(self.number, call, old)
            self.taken += [old.id] if result.ok else []
            return result
        return await self.standing.run(self.number, call)

    async def _undo(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Undo earlier calls; the ids of those that were. What the turn had undone already is not put back then."""
        undone, kept = await self.standing.take_back(self.number, self.standing.standing(ids))
        gone = [call_id for call_id in ids if call_id not in kept and self.standing.took_effect(call_id)]
        self.taken += [call_id for call_id in gone if call_id not in self.restored]
        self.restored = [call_id for call_id in self.restored if call_id not in gone]
        return undone

    async def _restore(self, ids: Sequence[str]) -> None:
        """Do earlier calls again that do not stand."""
        standing = {call.id for call in self.standing.standing(ids)}
        gone = tuple(call_id for call_id in ids if call_id not in standing)
        await self.standing.put_back(self.number, gone)
        self.restored += gone

    def _stops(self, guard: str) -> bool:
        if guard:
            self.stopped = guard
            self.standing.emit(Guarded(self.number, guard))
        return bool(guard)


def _replied(turn: int, role: str, reply: Reply) -> Replied:
    """The event of a reply."""
    exchange = reply.wire.key if reply.wire else ""
    return Replied(
        turn,
        reply.text,
        role,
        reply.model,
        reply.usage,
        reply.finish,
        reply.reasoning,
        reply.truncated,
        reply.unmet,
        exchange,
        reply.cached,
        reply.calls,
    )
