"""A model that is asked once: the same request, under the same name and options, is answered from a cache afterwards.

Where one attempt must not know of another there is to be no cache; that is for the caller to see to. Knows no place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from toolmend.messages import Reply, Request
from toolmend.models.keys import reply_key
from toolmend.models.model import Model, OnDelta
from toolmend.models.wrapped import Wrapped

Get = Callable[[str], Reply | None]
Put = Callable[[str, Reply], None]


class Cached(Wrapped):
    """Another model, behind `get` (a reply by its key, None if there is none) and `put`.

    A reply from the cache is marked `cached`; its usage is what it was when it was asked for.
    """

    def __init__(self, model: Model, get: Get, put: Put) -> None:
        super().__init__(model)
        self._get, self._put = get, put

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The cached reply, given at once, else the other model's, which is put into the cache."""
        key = reply_key(self, request)
        found = self._get(key)
        if found is None:
            reply = await self.model.reply(request, on_delta=on_delta)
            self._put(key, reply)
            return reply
        if on_delta and found.text:
            on_delta(found.text)
        return replace(found, cached=True)
