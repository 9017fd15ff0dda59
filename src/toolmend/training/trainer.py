"""Trains an embedded model from simulated dialogues: Muon and AdamW in bfloat16, warm-up, constant, linear decay.

State is written to the work folder every `save_every` steps; a killed run goes on from there with the same batches.
Running again with a smaller `tokens` makes the decay steeper. Knows the net, the corpus and the exam; where
dialogues come from is the caller's business (corpus.Source).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from toolmend.models.builtin.tokens import Tokens
from toolmend.training.corpus import BUCKETS, Batch, Source, batches
from toolmend.training.exam import exam
from toolmend.training.net import Net, Shape


@dataclass(frozen=True)
class Recipe:
    """Everything a training run depends on. `tokens` counts padded positions; `threads` 0 means all cores."""

    shape: Shape = Shape()
    tokens: int = 60_000_000
    tokens_per_batch: int = 10_240
    muon_rate: float = 0.02
    adam_rate: float = 3e-3
    warm_up: int = 100
    decay: float = 0.35
    apart: float = 0.6
    swap: float = 0.0
    drills: float = 0.0
    stop: int | None = None
    seed: int = 1
    save_every: int = 250
    exam_every: int = 1000
    compile: bool = True
    buckets: tuple[int, ...] = BUCKETS
    threads: int = 0


Report = Callable[[dict[str, Any]], None]


def train(
    recipe: Recipe,
    tokens: Tokens,
    work: Path,
    report: Report,
    source: Source,
    begin: Callable[[Net], object] = lambda _: None,
) -> Net:
    """Train on a source's dialogues until `recipe.tokens` are seen; progress goes to `report` and work/log.jsonl.

    `begin` may give a new net other weights than random ones.
    """
    torch.set_num_threads(recipe.threads or os.cpu_count() or 1)
    net = Net(recipe.shape, recipe.seed)
    begin(net)
    optimizers = _optimizers(net, recipe)
    seen, step, chunk, place = _resume(net, optimizers, work, recipe.seed)
    forward = torch.compile(net, dynamic=False) if recipe.compile else net
    stream = batches(
        tokens,
        source,
        seed=recipe.seed,
        tokens_per_batch=recipe.tokens_per_batch,
        start=chunk,
        apart=recipe.apart,
        swap=recipe.swap,
        drills=recipe.drills,
        buckets=recipe.buckets,
    )
    for _ in range(place):
        next(stream)
    began, losses, marker = time.monotonic(), [], seen
    batch: Batch | None = None
    end = recipe.stop or recipe.tokens
    while seen < end:
        batch = next(stream)
        rate = _rate(recipe, seen, step)
        for group in (group for optimizer in optimizers for group in optimizer.param_groups):
            group["lr"] = group["base"] * rate
        losses.append(_step(forward, optimizers, batch))
        seen, step = seen + batch.ids.size, step + 1
        if step % 50 == 0:
            row = {"step": step, "tokens": seen, "of": end, "loss": sum(losses) / len(losses), "rate": rate}
            _log(work, report, {**row, "tokens_per_second": round((seen - marker) / (time.monotonic() - began))})
            began, losses, marker = time.monotonic(), [], seen
        if step % recipe.save_every == 0:
            _save(net, optimizers, work, (seen, step, batch.chunk, batch.place + 1, recipe.seed))
        if step % recipe.exam_every == 0 or seen >= end:
            _log(work, report, {"step": step, "tokens": seen, **exam(net, tokens, source, dialogues=150).summary()})
            began, marker = time.monotonic(), seen
    if batch is not None:
        _save(net, optimizers, work, (seen, step, batch.chunk, batch.place + 1, recipe.seed))
    return net


def _rate(recipe: Recipe, seen: int, step: int) -> float:
    """The share of the full learning rates: rising at first, falling to zero at the end."""
    decay_from = int(recipe.tokens * (1 - recipe.decay))
    falling = (recipe.tokens - seen) / max(1, recipe.tokens - decay_from)
    return min(1.0, (step + 1) / recipe.warm_up, max(0.01, falling))


def _step(forward: Callable[..., torch.Tensor], optimizers: list[torch.optim.Optimizer], batch: Batch) -> float:
    """One update. The number of chosen positions is padded to a multiple of 512, so that compiled shapes repeat."""
    ids = torch.from_numpy(batch.ids)
    wanted = torch.from_numpy(batch.target).reshape(-1).nonzero().squeeze(1)
    size = int(ids.numel() * 0.56) // 512 * 512
    keep = wanted[:size]
    chosen = torch.cat([keep - 1, torch.zeros(size - len(keep), dtype=torch.long)])
    labels = torch.cat([ids.reshape(-1)[keep], torch.full((size - len(keep),), -100)])
    with torch.autocast("cpu", torch.bfloat16):
        logits = forward(ids, chosen)
    loss = F.cross_entropy(logits.float(), labels, ignore_index=-100)
    loss.backward()
    torch.nn.utils.clip_grad_norm_([w for o in optimizers for g in o.param_groups for w in g["params"]], 1.0)
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return float(loss.detach())


def _optimizers(net: Net, recipe: Recipe) -> list[torch.optim.Optimizer]:
    if not recipe.muon_rate:
        everything = torch.optim.AdamW(
            net.parameters(), lr=recipe.adam_rate, betas=(0.9, 0.98), weight_decay=0.01, fused=True
        )
        for group in everything.param_groups:
            group["base"] = recipe.adam_rate
        return [everything]
    matrices = [w for n, w in net.named_parameters() if w.ndim == 2 and "embedding" not in n]
    others = [w for n, w in net.named_parameters() if w.ndim != 2 or "embedding" in n]
    muon = torch.optim.Muon(matrices, lr=recipe.muon_rate, momentum=0.95, weight_decay=0.02)
    adam = torch.optim.AdamW(others, lr=recipe.adam_rate, betas=(0.9, 0.98), weight_decay=0.0, fused=True)
    for optimizer, base in ((muon, recipe.muon_rate), (adam, recipe.adam_rate)):
        for group in optimizer.param_groups:
            group["base"] = base
    return [muon, adam]


def _save(net: Net, optimizers: list[torch.optim.Optimizer], work: Path, at: tuple[int, ...]) -> None:
    state = {"net": net.state_dict(), "optimizers": [o.state_dict() for o in optimizers], "at": at}
    partial = work / "state.part"
    torch.save(state, partial)
    partial.replace(work / "state.pt")


def _resume(net: Net, optimizers: list[torch.optim.Optimizer], work: Path, seed: int) -> tuple[int, int, int, int]:
    """Positions seen, steps, chunk and place to go on from; another seed means another stage, whose data begin anew."""
    path = work / "state.pt"
    if not path.exists():
        return 0, 0, 0, 0
    state = torch.load(path, weights_only=True)
    net.load_state_dict(state["net"])
    for optimizer, saved in zip(optimizers, state["optimizers"], strict=True):
        bases = [group["base"] for group in optimizer.param_groups]
        optimizer.load_state_dict(saved)
        for group, base in zip(optimizer.param_groups, bases, strict=True):
            group["base"] = base  # the rates are this stage's, not those of the stage that was saved
    seen, step, chunk, place, saved_seed = state["at"]
    return (seen, step, chunk, place) if saved_seed == seed else (seen, step, 0, 0)


def _log(work: Path, report: Report, row: dict[str, Any]) -> None:
    with (work / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    report(row)
