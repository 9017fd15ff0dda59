"""A model that is listened to: what it was asked and answered is kept, and a talk can be told again without asking.

Knows requests and replies; what they are kept in is the conversation's.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable
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
        self._wires: list[tuple[str, str]] = []

    def tell_again(self, replied: Iterable[Replied] | None) -> None:
        """Answer with these, in order, and ask nobody; None: ask the model again."""
        self._again = None if replied is None else deque(_reply(each) for each in replied)

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
        reply = await self.model.reply(request, on_delta=on_delta)
        wire = reply.wire
        sent, came = (wire.request, wire.reply) if wire else (_sent(request), reply.text)
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
