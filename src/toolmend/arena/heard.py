"""A model that is heard: its raw exchanges are there to be kept, and what it answered can be told again without it."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from toolmend.errors import ModelError
from toolmend.events import Replied
from toolmend.messages import Reply, Request
from toolmend.models import Model, OnDelta
from toolmend.models.wrapped import Wrapped

_LONGEST = 20_000  # characters of a raw text that are kept


class Heard(Wrapped):
    """Another model. `wires` are raw exchanges since they were last taken; `tell_again` has it repeat replies."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._again: deque[Reply] | None = None
        self._first: deque[tuple[Replied, tuple[str, str]]] = deque()
        self._wires: list[tuple[str, str]] = []

    @property
    def wires(self) -> tuple[tuple[str, str], ...]:
        """What was sent and what came back, since it was last taken."""
        return tuple(self._wires)

    def tell_again(self, replied: Iterable[Replied] | None) -> None:
        """Answer with these, in order, and ask nobody; None: ask the model again."""
        self._again = None if replied is None else deque(_reply(each) for each in replied)
        self._first.clear()

    def go_on(self, replied: Sequence[Replied], wires: Sequence[tuple[str, str]]) -> None:
        """Answer with these first, which came by these wires, then ask the model."""
        self._first = deque(zip(replied, wires, strict=False))

    def take_wires(self) -> list[tuple[str, str]]:
        """What was sent and what came back, since this was last called."""
        taken, self._wires = self._wires, []
        return taken

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The model's reply, or the next one that is told again. Raises ModelError when those are used up."""
        if self._again is not None:
            if not self._again:
                raise ModelError("the talk cannot be told again: its strategy asks otherwise now")
            return self._again.popleft()
        if self._first:
            replied, wire = self._first.popleft()
            self._wires.append(wire)
            return _reply(replied)
        reply = await self.model.reply(request, on_delta=on_delta)
        sent, came = (reply.wire.request, reply.wire.reply) if reply.wire else (_sent(request), reply.text)
        self._wires.append((sent[:_LONGEST], came[:_LONGEST]))
        return reply


def _reply(event: Replied) -> Reply:
    return Reply(
        event.text,
        event.calls,
        event.reasoning,
        event.usage,
        event.finish,  # type: ignore[arg-type]  # events keep it as text
        event.model,
        event.truncated,
        event.unmet,
        None,
        event.cached,
    )


def _sent(request: Request) -> str:
    """A request of a model without a wire (one inside this process), as text."""
    messages = [{"role": each.role, "content": each.content} for each in request.messages]
    data = {"messages": messages, "tools": [tool.full_name for tool in request.tools], **asdict(request.options)}
    return json.dumps(data, ensure_ascii=False, indent=1, default=str)
