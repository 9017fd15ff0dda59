"""How many replies of talks that are kept back a net would give word for word: exactly those whose every token is the
likeliest after those before it, so one pass tells and nothing has to be said."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from toolmend.training.adapter.net import AdaptedLlama
from toolmend.training.adapter.rows import Row, packed

_STEP = 1536  # tokens in a pass


def replies_given(net: AdaptedLlama, rows: Iterable[Row]) -> tuple[int, int]:
    """How many of the learned replies of the rows come out exactly, and how many there are."""
    given = count = 0
    with torch.no_grad():
        for tokens, learned in packed(list(rows), _STEP):
            device = net.embedding.device
            logits, due, at = net.guessed(tokens.to(device), learned.to(device))
            missed, at = (logits.argmax(-1) != due).long().cpu(), at.cpu()
            begins = torch.cat((torch.zeros(1, dtype=torch.long), (at[1:] - at[:-1] > 1).long()))
            reply = begins.cumsum(0)
            misses = torch.zeros(int(reply[-1]) + 1, dtype=torch.long).index_add(0, reply, missed)
            given, count = given + int((misses == 0).sum()), count + len(misses)
    return given, count


class Held:
    """Looks at the replies of rows that are kept back every `seconds`; `tell` hears a row of `right` and `n`."""

    def __init__(
        self, net: AdaptedLlama, rows: Sequence[Row], tell: Callable[[Mapping[str, Any]], None], seconds: float
    ) -> None:
        self._net, self._rows, self._tell, self._seconds = net, rows, tell, seconds
        self._looks: list[int] = []
        self._count = 0
        self._last = 0.0

    def due(self) -> bool:
        """Whether it is time to look again."""
        return time.monotonic() - self._last > self._seconds

    def look(self, tokens: int) -> None:
        """Look, and tell."""
        given, self._count = replies_given(self._net, self._rows)
        self._looks.append(given)
        self._last = time.monotonic()
        self._tell({"tokens": tokens, **self.figures()})

    @property
    def enough(self) -> bool:
        """Whether all were right the last two times."""
        return len(self._looks) > 1 and self._looks[-2:] == [self._count] * 2

    @property
    def worse(self) -> bool:
        """Whether fewer are right than at first."""
        return bool(self._looks) and self._looks[-1] < self._looks[0]

    def figures(self) -> dict[str, Any]:
        """`right` is the share now, `before` that at first, `n` the number of replies."""
        count = max(1, self._count)
        return {
            "right": round(self._looks[-1] / count, 4), "before": round(self._looks[0] / count, 4), "n": self._count
        }  # fmt: skip
