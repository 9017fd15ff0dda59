"""The exam of an adapter: held-out talks, turn after turn, the calls computed from its reply beside those that are due.

What stood before a turn is what should have been said, so one mistake costs one turn. Replies are greedy. While a net
learns, it is looked at how many it would give word for word: exactly those whose every token is the likeliest after
those before it, so one pass tells and nothing has to be said.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio
import torch

from toolmend.messages import Call, Message, Options, Request, ToolSpec
from toolmend.models import Model
from toolmend.reading.spoken import read_spoken
from toolmend.resolve.calls import compute
from toolmend.training.adapter.net import AdaptedLlama
from toolmend.training.adapter.rows import Row, Tokens, packed, row_of
from toolmend.training.adapter.talks import SimulatedTalk, Turn

HELD_TALKS = 20
"""So many talks are looked at while it learns."""
_STEP = 1536  # tokens in a pass
GREEDY = Options(temperature=0.0, max_tokens=160)
"""How a taught model is asked."""


@dataclass(frozen=True, slots=True)
class ExamTalk:
    """A talk: the system text, the tools, those as the notation has them, and the turns."""

    system: str
    specs: Sequence[ToolSpec]
    shown: Sequence[ToolSpec]
    turns: Sequence[Turn]

    @classmethod
    def of(cls, talk: SimulatedTalk) -> ExamTalk:
        """A simulated talk, played."""
        return cls(talk.system, talk.specs, talk.shown, talk.play())

    def came_to(self, reply: str, turn: Turn) -> tuple[Any, ...]:
        """What a reply comes to in its place: the calls in any order, texts whatever their case; what is asked and
        undone. A line that cannot be read comes to nothing else."""
        said = read_spoken(reply, self.shown)
        if said.broken:
            return ("broken", said.broken)
        computed = compute(said.lines, self.specs, turn.against)
        asked = computed.question.argument if computed.question else ""
        return (*calls_of(computed.calls), asked, tuple(sorted(computed.undo)))


@dataclass(slots=True)
class TalksResult:
    """Turns that were asked and that were right, by the kind of request; the first misses as (said, due, reply)."""

    asked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    misses: list[tuple[str, str, str]] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """`right` is a share, `n` the number of turns."""
        count = self.asked.total()
        by_op = {op: f"{self.right[op]}/{self.asked[op]}" for op in sorted(self.asked)}
        return {"right": round(self.right.total() / max(1, count), 4), "n": count, "by_op": by_op}


def take_exam(
    model: Model,
    talks: Iterator[ExamTalk],
    tell: Callable[[TalksResult], None],
    stop: Callable[[], bool] = lambda: False,
) -> TalksResult:
    """Every turn that is learned in training, asked of the model; `tell` hears after each talk, `stop` ends it."""
    result = TalksResult()
    for talk in talks:
        messages = [Message("system", talk.system)]
        for turn in talk.turns:
            messages.append(Message("user", turn.said))
            if turn.learned and not stop():
                _ask(model, talk, turn, messages, result)
            messages.append(Message("assistant", turn.reply))
        tell(result)
        if stop():
            break
    return result


def _ask(model: Model, talk: ExamTalk, turn: Turn, messages: Sequence[Message], result: TalksResult) -> None:
    reply = anyio.run(model.reply, Request(tuple(messages), options=GREEDY)).text
    right = talk.came_to(reply, turn) == talk.came_to(turn.reply, turn)
    result.asked[turn.op] += 1
    result.right[turn.op] += right
    if not right and len(result.misses) < 12:
        result.misses.append((turn.said, turn.reply, reply))


def calls_of(calls: Sequence[Call]) -> list[tuple[str, str, str]]:
    """Calls as they are compared."""
    return sorted((call.tool, repr(_folded(call.arguments)), call.amends or "") for call in calls)


def _folded(values: Any) -> list[tuple[str, str]]:
    return sorted((name, str(value).casefold()) for name, value in values.items() if (name, value) != ("duration", 30))


def replies_given(net: AdaptedLlama, rows: Iterable[Row]) -> tuple[int, int]:
    """How many of the learned replies of the rows come out exactly, and how many there are."""
    given = count = 0
    with torch.no_grad():
        for tokens, learned in packed(list(rows), _STEP):
            logits, due, at = net.guessed(tokens, learned)
            missed = (logits.argmax(-1) != due).long()
            begins = torch.cat((torch.zeros(1, dtype=torch.long), (at[1:] - at[:-1] > 1).long()))
            reply = begins.cumsum(0)
            misses = torch.zeros(int(reply[-1]) + 1, dtype=torch.long).index_add(0, reply, missed)
            given, count = given + int((misses == 0).sum()), count + len(misses)
    return given, count


class Held:
    """Looks at the held-out replies of an exam's talks every `seconds`; `tell` hears a row of `right` and `n`."""

    def __init__(
        self,
        net: AdaptedLlama,
        talks: Iterable[ExamTalk],
        tokens: Tokens,
        tell: Callable[[Mapping[str, Any]], None],
        seconds: float,
    ) -> None:
        rows = (row_of(talk.system, talk.turns, tokens) for talk in talks)
        self._net, self._rows, self._tell, self._seconds = net, [row for row in rows if row], tell, seconds
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
