"""What may be spent in a minute, and buckets of many people. Knows neither who they are nor what they spend."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

MINUTE = 60.0
_MOST = 10_000

Clock = Callable[[], float]


class Bucket:
    """Holds what may be spent in a minute. What is only known afterwards may take it below zero."""

    def __init__(self, most: int, clock: Clock) -> None:
        self.most, self._clock = most, clock
        self._left, self._then = float(most), clock()

    def wait(self, amount: float) -> float:
        """Seconds until so much is there; 0 if it is."""
        now = self._clock()
        self._left = min(float(self.most), self._left + (now - self._then) * self.most / MINUTE)
        self._then = now
        return max(0.0, (amount - self._left) * MINUTE / self.most)

    def take(self, amount: float) -> None:
        """Spend so much."""
        self.wait(0)
        self._left -= amount


class Buckets:
    """A bucket for each name, the last `_MOST` that were asked for: whoever makes up names fills no memory."""

    def __init__(self, most: int, clock: Clock = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, name: str) -> float:
        """Spend one; the seconds to wait where there is none, 0 where there was."""
        bucket = self._buckets.setdefault(name, Bucket(self._most, self._clock))
        self._buckets.move_to_end(name)
        if len(self._buckets) > _MOST:
            self._buckets.popitem(last=False)
        if seconds := bucket.wait(1):
            return seconds
        bucket.take(1)
        return 0.0
