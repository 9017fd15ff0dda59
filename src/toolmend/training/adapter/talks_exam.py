"""The exam of an adapter: held-out talks, turn after turn, the calls computed from its reply beside those that are due.

What stood before a turn is what should have been said, so one mistake costs one turn. Replies are greedy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from toolmend.messages import Call, Message, Options, Request, ToolSpec
from toolmend.models import Model
from toolmend.reading.spoken import read_spoken
from toolmend.resolve.calls import compute
from toolmend.training.adapter.talks import SimulatedTalk, Turn

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
