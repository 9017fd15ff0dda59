"""A model whose exchanges are kept: what went over the wire goes to a function. Knows no place to keep it in."""

from __future__ import annotations

from collections.abc import Callable

from toolmend.messages import Reply, Request, Wire
from toolmend.models.model import Model, OnDelta
from toolmend.models.wrapped import Wrapped

Keep = Callable[[str, Wire], None]


class Kept(Wrapped):
    """Another model; the wire of each reply that has one is given to `keep`, with the model's name."""

    def __init__(self, model: Model, keep: Keep) -> None:
        super().__init__(model)
        self._keep = keep

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The other model's reply."""
        reply = await self.model.reply(request, on_delta=on_delta)
        if reply.wire is not None:
            self._keep(self.name, reply.wire)
        return reply
