"""The exam of an embedded model: whole right replies on dialogues never trained on, history as it should have been.

A reply counts when every token of it, end included, is the model's first choice given those before it; that is the same
as greedy decoding writing exactly this reply. Knows nothing of grading: harder than the marks, which forgive notation.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import torch

from toolmend.models.builtin.tokens import Tokens
from toolmend.training.corpus import Source, encode_dialogue
from toolmend.training.net import Net

EXAM_SEED = 5_000_000_000


@dataclass(frozen=True)
class Answer:
    """One reply of the exam: its distribution (`same`, `held_out`), kind of request, what was said, due, answered."""

    part: str
    op: str
    said: str
    due: str
    got: str

    @property
    def exact(self) -> bool:
        """Whether the reply is the one that was due."""
        return self.due == self.got


@dataclass
class Result:
    """Exact replies and all replies, by distribution (`same`, `held_out`) and by kind of request."""

    exact: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    total: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    missed: list[tuple[str, str, str, str]] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    def share(self, part: str, op: str | None = None) -> float:
        """Exact share of one distribution, of one kind of request or all."""
        keys = [key for key in self.total if key[0] == part and op in (None, key[1])]
        return sum(self.exact[k] for k in keys) / max(1, sum(self.total[k] for k in keys))

    def summary(self) -> dict[str, Any]:
        """Both shares, and the held-out one by kind of request (fixes together by level)."""
        kinds = sorted({op for part, op in self.total if part == "held_out"})
        return {
            "same": round(self.share("same"), 4),
            "held_out": round(self.share("held_out"), 4),
            "n": sum(n for (part, _), n in self.total.items() if part == "held_out"),
            "by_op": {op: f"{self.exact['held_out', op]}/{self.total['held_out', op]}" for op in kinds},
        }


@torch.no_grad()
def exam(net: Net, tokens: Tokens, source: Source, dialogues: int = 300) -> Result:
    """Run `dialogues` of both distributions through the model in float32."""
    result = Result()
    for part in ("same", "held_out"):
        for number in range(dialogues):
            exchanges = source.dialogue(EXAM_SEED + number, part == "held_out")
            ids, learned, spans = encode_dialogue(exchanges, tokens)
            wanted = torch.tensor([i for i, flag in enumerate(learned) if flag])
            if len(ids) > 900 or not len(wanted):
                continue
            got = net(torch.tensor([ids]), wanted - 1).argmax(-1)
            guess = dict(zip(wanted.tolist(), got.tolist(), strict=True))
            gold = [e for e in exchanges if e.gold]
            for (start, end, op), exchange in zip(spans, gold, strict=True):
                kind = op[:5] if op.startswith("fix") else op
                right = all(guess[i] == ids[i] for i in range(start, end))
                result.exact[part, kind] += right
                result.total[part, kind] += 1
                said = exchange.reply if right else tokens.decode([guess[i] for i in range(start, end)])
                result.answers.append(Answer(part, op, exchange.user, exchange.reply, said))
                if not right:
                    result.missed.append((part, exchange.user, exchange.reply, said))
    return result
