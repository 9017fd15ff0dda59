"""The exam of an adapter for somebody's own tools: held-out talks, turn after turn, the calls computed from its reply
beside those that are due.

What stood before a turn is what should have been said, so one mistake costs one turn. Replies are greedy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from toolmend.base.messages import Message, Options, Request, ToolSpec
from toolmend.language.resolve.calls import compute
from toolmend.models import Model
from toolmend.reading.spoken import read_spoken
from toolmend.training.adapter.turn import Turn
from toolmend.training.teach.kit import Kit
from toolmend.training.teach.talk import TaughtTalk

GREEDY = Options(temperature=0.0, max_tokens=160)
"""How a taught model is asked."""
_MISSES = 12  # so many are kept


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

    def card(self) -> Sequence[str]:
        """The lines of a card."""
        figures = self.figures()
        right = f"{100 * figures['right']:.1f} % of {figures['n']:,} turns of held-out talks come to the calls due."
        kinds = (f"| {kind} | {right} |" for kind, right in figures["by_op"].items())
        misses = [f"- *{said}*\n  due: `{due}`\n  said: `{reply}`" for said, due, reply in self.misses]
        told = ["", "The first misses:", "", *misses] if misses else []
        return [f"Exam: {right}", "", "| request | right |", "|---|---|", *kinds, *told]


def take_exam(
    kit: Kit, count: int, model: Model, say: Callable[[str], None], stop: Callable[[], bool]
) -> tuple[Mapping[str, Any], Sequence[str]] | None:
    """Every turn of so many talks that is learned in training, asked of the model: figures, and the lines of a card.
    None where it was stopped."""
    result = TalksResult()
    say(f"exam: {count} held-out talks ...")
    for done in range(1, count + 1):
        talk = TaughtTalk(kit, done - 1, held_out=True)
        messages = [Message("system", talk.system)]
        for turn in talk.play():
            messages.append(Message("user", turn.said))
            if turn.learned and not stop():
                _ask(model, talk.specs, turn, messages, result)
            messages.append(Message("assistant", turn.reply))
        if stop():
            return None
        if done % 10 == 0:
            right, asked = result.right.total(), result.asked.total()
            say(f"exam: {done} of {count} talks, {right} of {asked} turns right")
    return result.figures(), result.card()


def _ask(model: Model, specs: Sequence[ToolSpec], turn: Turn, messages: Sequence[Message], result: TalksResult) -> None:
    reply = anyio.run(model.reply, Request(tuple(messages), options=GREEDY)).text
    right = _came_to(reply, specs, turn) == _came_to(turn.reply, specs, turn)
    result.asked[turn.op] += 1
    result.right[turn.op] += right
    if not right and len(result.misses) < _MISSES:
        result.misses.append((turn.said, turn.reply, reply))


def _came_to(reply: str, specs: Sequence[ToolSpec], turn: Turn) -> tuple[Any, ...]:
    """What a reply comes to in its place: the calls in any order, texts whatever their case; what is asked and undone.
    A line that cannot be read comes to nothing else."""
    said = read_spoken(reply, specs)
    if said.broken:
        return ("broken", said.broken)
    computed = compute(said.lines, specs, turn.against)
    calls = sorted((call.tool, repr(_folded(call.arguments)), call.amends or "") for call in computed.calls)
    asked = computed.question.argument if computed.question else ""
    return (*calls, asked, tuple(sorted(computed.undo)))


def _folded(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    return sorted((name, str(value).casefold()) for name, value in values.items())
