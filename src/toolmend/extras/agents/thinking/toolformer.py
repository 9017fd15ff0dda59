"""Suite `toolformer`: which of the calls that could stand in a text are worth keeping? Those that lower the loss of
what follows, by the filter of Schick et al. 2023 (arXiv 2302.04761, section 2).

The texts are made here (toolformer.json). A loss is that of a reply that was forced: one request is
one loss, and log-probabilities come from whatever model can tell them (`reply_with_chances`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.base.errors import ModelError
from toolmend.base.messages import Constraint, Message, Reply, Request
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored, shipped
from toolmend.models import Model
from toolmend.models.model import OnDelta
from toolmend.models.scripted import Scripted
from toolmend.models.wrapped import Wrapped

_KINDS = ("useful", "wrong", "useless")
_WEIGHTS = tuple((1 - 0.2 * place) / 3 for place in range(5))  # the paper's: from the sixth token on 0, sum 1
_RULES = Message("system", "Go on with the text exactly where it ends.")


@dataclass
class FilterWay:
    """A call is kept where it lowers the loss by `tau` nats or more; the paper's is 1."""

    tau: float = 1.0


class Toolformer(AgentSystem):
    """Texts with a sum and a day in each, and two candidate calls before either."""

    name = "toolformer"
    about = "which calls lower the loss of the text that follows; two of four are useful"
    ways: Mapping[str, Any] = {"filter": FilterWay}
    steps = 10
    floor = 0.5

    def tasks(self) -> Sequence[AgentTask]:
        """The texts: of each call what kind it is, the text before it, itself, what it gives, and what follows."""
        rows = shipped("thinking/toolformer.json")
        parts = ("kind", "head", "call", "result", "rest")
        return [
            AgentTask(f"text/{n}", row["say"], "text", [dict(zip(parts, call, strict=True)) for call in row["calls"]])
            for n, row in enumerate(rows)
        ]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """A scorer for which only useful calls with their results make what follows likely."""
        likely = {_prompt(row["head"], row["call"], row["result"]) for row in task.data if row["kind"] == "useful"}

        def chances(request: Request) -> str:
            return ("-0.1 " if request.messages[-1].content in likely else "-6 ") * 5

        return Scripted(chances, "scripted/oracle")

    def reference(self, task: AgentTask) -> list[list[Any]]:
        """Useful calls are kept, no others; how much they gain is not judged."""
        return [[row["kind"] == "useful", None] for row in task.data]

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> list[list[Any]]:
        """For each call whether it is kept, and by how many nats it lowers the loss (None where that was not told)."""
        _measure(bench.model)
        bare: dict[str, float | None] = {}
        rows: list[list[Any]] = []
        for candidate in task.data:
            head, call, result, rest = (candidate[part] for part in ("head", "call", "result", "rest"))
            if head not in bare:
                bare[head] = await _loss(bench, head, rest)
            without = bare[head]
            alone = await _loss(bench, _prompt(head, call), rest)
            told = await _loss(bench, _prompt(head, call, result), rest)
            gain = None if without is None or alone is None or told is None else min(without, alone) - told
            rows.append([gain is not None and gain >= way.tau, gain])
        return rows

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """The share of right decisions; beside it what was kept of each kind, and its mean gain in nats."""
        rows = [row for row in answer if isinstance(row, list) and len(row) == 2] if isinstance(answer, list) else []
        if len(rows) != len(task.data):
            return Scored(0.0, f"no decision on each of {len(task.data)} calls")
        pairs = [(candidate["kind"], row) for candidate, row in zip(task.data, rows, strict=True)]
        right = sum((kind == "useful") is row[0] for kind, row in pairs)
        figures: dict[str, float] = {}
        for kind in _KINDS:
            of_kind = [row for of, row in pairs if of == kind]
            figures[f"{kind}, kept"] = sum(row[0] is True for row in of_kind) / len(of_kind)
            gains = [row[1] for row in of_kind if isinstance(row[1], float)]
            figures |= {f"{kind}, nats gained": sum(gains) / len(gains)} if gains else {}
        why = "" if right == len(pairs) else f"{right} of {len(pairs)} decisions are right"
        return Scored(right / len(pairs), why, figures)


def weighted_loss(chances: Sequence[float]) -> float:
    """The loss in nats of the log-probabilities of tokens that follow one another, the next ones weighted most."""
    return -sum(weight * chance for weight, chance in zip(_WEIGHTS, chances, strict=False))


class Measuring(Wrapped):
    """A model whose forced replies are told as the log-probabilities of their tokens, where it can tell them."""

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """Numbers with blanks between them. Raises ModelError where the reply could not be forced."""
        tell: Any = getattr(self.model, "reply_with_chances", None)
        if tell is None:
            return await self.model.reply(request, on_delta=on_delta)
        reply, chances = await tell(request)
        if reply.unmet:
            raise ModelError(f"{self.name}: cannot be made to say a given text: {reply.unmet[0]}")
        return Reply(" ".join(f"{chance.logprob:.4f}" for chance in chances), usage=reply.usage, model=reply.model)


def _measure(model: Any) -> None:
    """Have the model inside all wrappers measured, so that budget, steps and what is kept hold for it as for others."""
    while isinstance(model.model, Wrapped):
        model = model.model
    if not isinstance(model, Measuring):
        model.model = Measuring(model.model)


async def _loss(bench: Bench, prompt: str, rest: str) -> float | None:
    """The weighted loss of the rest after a prompt; None where no log-probabilities came."""
    said = (_RULES, Message("user", prompt))
    forced = Constraint("regex", re.escape(rest))
    reply = await bench.ask(said, constraint=forced, max_tokens=len(_WEIGHTS))
    try:
        chances = [float(word) for word in reply.text.split()]
    except ValueError:
        chances = []
    known = len(chances) == len(_WEIGHTS) and all(math.isfinite(chance) for chance in chances)
    bench.heard(known, "" if known else "no log-probabilities of five tokens")
    return weighted_loss(chances) if known else None


def _prompt(head: str, call: str, result: str = "") -> str:
    """A text so far, with a call in front of all of it, as in the paper."""
    return f"[{call} -> {result}] {head}" if result else f"[{call}] {head}"
