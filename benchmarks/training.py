"""Tokens a CPU second that teach an adapter, beside transformers' trainer with peft: a Llama of SmolLM2's size, random
weights, talks of 384 tokens with 48 of them learned, two talks a step, rank 16, one thread; both sides with numbers
of 16 or 32 bits, whichever is faster there. Run: PYTHONPATH=src python benchmarks/training.py
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from rows import Peer, Row, in_turns

from toolmend.training.adapter.loop import Schedule, train
from toolmend.training.adapter.net import AdaptedLlama, LlamaShape
from toolmend.training.adapter.rows import Row as Talk

SHAPE = LlamaShape(layers=30, width=576, heads=9, kv_heads=3, inner=1536, vocabulary=49152, rope_base=1e5, epsilon=1e-5)
CONFIG = {
    "hidden_size": SHAPE.width, "intermediate_size": SHAPE.inner, "num_hidden_layers": SHAPE.layers,
    "num_attention_heads": SHAPE.heads, "num_key_value_heads": SHAPE.kv_heads, "vocab_size": SHAPE.vocabulary,
    "tie_word_embeddings": True, "rms_norm_eps": SHAPE.epsilon, "rope_theta": SHAPE.rope_base,
}  # fmt: skip
TALKS, LENGTH, LEARNED, BATCH, RANK = 4, 384, 48, 2, 16
NUMBERS = ("bfloat16", "float32")


def talks() -> list[list[int]]:
    """Tokens at random."""
    return torch.randint(SHAPE.vocabulary, (TALKS, LENGTH), generator=torch.Generator().manual_seed(0)).tolist()


def ours(numbers: str) -> float:
    """Tokens a CPU second of the loop."""
    net = AdaptedLlama(SHAPE, rank=RANK)
    for buffer in net.buffers():
        buffer.data = (0.02 * torch.randn(buffer.shape)).to(getattr(torch, numbers))
    marks = (False,) * (LENGTH - LEARNED) + (True,) * LEARNED
    lessons = [Talk(tuple(row), marks) for row in talks()]
    plan = Schedule(tokens=TALKS * LENGTH, step=BATCH * LENGTH)
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        train(net, plan, lambda seed: lessons[seed % TALKS], Path(folder), lambda _: None)
        return plan.tokens / (time.process_time() - began)


def rows() -> Iterator[Row]:
    """The faster numbers of both."""
    torch.set_num_threads(1)
    asked = {"config": CONFIG, "rows": talks(), "learned": LEARNED, "batch": BATCH, "rank": RANK}
    pairs = []
    for numbers in NUMBERS:
        with Peer("peft", json.dumps({**asked, "numbers": numbers})) as peft:
            pairs.append(in_turns(lambda numbers=numbers: ours(numbers), peft.turn, 2))
    mine, peer = (max(pair[side] for pair in pairs) for side in (0, 1))
    yield Row("train adapter", "transformers' trainer, peft", "tokens/CPU s", mine, peer, more=True, bar=1.5)


if __name__ == "__main__":
    for row in rows():
        print(f"{row.ours:,.0f} tokens a CPU second, {row.against} {row.peer:,.0f}: {row.ratio:.2f} x")
