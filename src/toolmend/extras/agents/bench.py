"""What a system solves one task at: a model to ask, events that are kept, steps that are counted.

A step is one reply. Replies of an earlier try that was killed are given again instead of asked for, in their order, so
that the work goes on at the step where it was. Knows no task and no store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.events import Asked, Event, Read, Replied
from toolmend.base.messages import Constraint, Message, Options, Reply, Request
from toolmend.models.model import Model, OnDelta
from toolmend.models.wrapped import Wrapped
from toolmend.reading import Reading
from toolmend.session import Session
from toolmend.strategies import Strategy
from toolmend.tools import Toolbox

Keep = Callable[[tuple[Event, ...]], None]


class StepsSpent(Exception):
    """The steps of a task are used up. What stands in `Bench.answer` is what is scored."""


class Bench:
    """One task being solved. `told` are the replies of an earlier try, `keep` is given all events after each new one.

    `options` are those to sample with; a system may change heat and length, and counts on with the seed.
    """

    def __init__(
        self,
        model: Model,
        *,
        steps: int,
        options: Options | None = None,
        told: Sequence[Replied] = (),
        keep: Keep | None = None,
    ) -> None:
        self.model: Model = _Stepped(model, self)
        self.options, self.steps = options or Options(), steps
        self.events: list[Event] = []
        self.answer: Any = None
        self.told, self._keep = tuple(told), keep
        self.turn = self.asked = self._heard = 0

    async def ask(
        self,
        said: str | Sequence[Message],
        *,
        role: str = "main",
        amends: bool = False,
        constraint: Constraint | None = None,
        **options: Any,
    ) -> Reply:
        """One reply, a turn of its own; `amends` tells that it is to be put right what the last one said. `options`
        replace those of the bench (temperature, seed, max_tokens).

        Raises StepsSpent when there is none left, ModelError where the model cannot answer.
        """
        messages = (Message("user", said),) if isinstance(said, str) else tuple(said)
        self.note(Asked(self.turn, messages[-1].content, self.turn - 1 if amends else None))
        reply = await self.model.reply(Request(messages, (), replace(self.options, **options), constraint))
        self.note(
            Replied(
                *(self.turn, reply.text, role, reply.model, reply.usage, reply.finish, reply.reasoning),
                *(reply.truncated, reply.unmet, reply.wire.key if reply.wire else "", reply.cached, reply.calls),
            )
        )
        self.turn += 1
        return reply

    def heard(self, readable: bool, detail: str = "") -> None:
        """Whether the last reply, which is no call, could be read; one that could not counts as unreadable."""
        reading = Reading(problem="no_call") if readable else Reading(rest=detail, problem="syntax")
        self.note(Read(self.turn - 1, reading.calls, reading.leniencies, reading.rest, reading.problem))

    def session(self, tools: str | Toolbox, strategy: str | Strategy, **terms: Any) -> Session:
        """A talk over a toolbox whose events come in here, its turns counted on from those before."""
        begun = self.turn

        def sink(event: Event) -> None:
            turn, amends = begun + getattr(event, "turn", 0), getattr(event, "amends", None)
            moved: Any = {"turn": turn} if amends is None else {"turn": turn, "amends": begun + amends}
            self.turn = max(self.turn, turn + 1)
            self.note(replace(event, **moved) if hasattr(event, "turn") else event)

        return Session(self.model, tools, strategy, sink=sink, **{"options": self.options, "mend": False, **terms})

    def note(self, event: Event) -> None:
        """Keep an event; a reply of an earlier try as it was then."""
        new = isinstance(event, Replied) and self._heard >= len(self.told)
        if isinstance(event, Replied):
            event = event if new else replace(self.told[self._heard], turn=event.turn)
            self._heard += 1
        self.events.append(event)
        if new and self._keep:
            self._keep(tuple(self.events))


class _Stepped(Wrapped):
    """The model, asked only for what was not told before, and while steps are left."""

    def __init__(self, model: Model, bench: Bench) -> None:
        super().__init__(model)
        self._bench = bench

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """What was told at this step, else what the model says. Raises StepsSpent."""
        bench, number = self._bench, self._bench.asked
        if number >= bench.steps:
            raise StepsSpent(f"{bench.steps} steps")
        bench.asked += 1
        if number >= len(bench.told):
            return await self.model.reply(request, on_delta=on_delta)
        told = bench.told[number]
        finish: Any = told.finish
        return Reply(told.text, told.calls, told.reasoning, told.usage, finish, told.model, told.truncated, told.unmet)
