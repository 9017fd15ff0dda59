"""How much a key may ask in a minute: requests and tokens, each a bucket that fills up again. Knows no HTTP."""

from __future__ import annotations

import time

from toolmend.apps.server.keys import Key
from toolmend.apps.server.refusals import ApiError
from toolmend.apps.site.bucket import Bucket, Clock


class Rates:
    """The buckets of all keys, in this process."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, str, int], Bucket] = {}

    def admit(self, key: Key) -> None:
        """Count a request. Raises ApiError (429) where a limit is reached."""
        for kind, most in (("requests", key.requests), ("tokens", key.tokens)):
            if most is not None and (seconds := self._bucket(key, kind, most).wait(1)):
                raise _limited(kind, most, seconds)
        if key.requests is not None:
            self._bucket(key, "requests", key.requests).take(1)

    def spent(self, key: Key, tokens: int) -> None:
        """Count what a request took in the end."""
        if key.tokens is not None:
            self._bucket(key, "tokens", key.tokens).take(tokens)

    def _bucket(self, key: Key, kind: str, most: int) -> Bucket:
        place = (key.id, kind, most)
        if place not in self._buckets:
            self._buckets[place] = Bucket(most, self._clock)
        return self._buckets[place]


def _limited(kind: str, most: int, seconds: float) -> ApiError:
    text = f"Rate limit reached: {most:,} {kind} per minute. Try again in {seconds:.1f} s."
    headers = {"retry-after": str(int(seconds) + 1)}
    return ApiError(429, text, kind=kind, code="rate_limit_exceeded", headers=headers)
