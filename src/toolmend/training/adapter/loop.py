"""The loop that teaches an adapter: rows in, a checkpoint every minute, going on where it was killed.

The state on disk is whole at any moment, and of one step: adapter, optimiser, the talks and tokens seen, the curve.
"""

from __future__ import annotations

import json
import math
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from toolmend.base.atomic import UNFINISHED, written
from toolmend.base.errors import BadFile, ModelError
from toolmend.training.adapter.device import Passes
from toolmend.training.adapter.net import AdaptedLlama
from toolmend.training.adapter.rows import Row, packed


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast: tokens to see in all, the highest learning rate (that of the matrices B is `up_factor`
    times it: LoRA+, Hayou et al. 2024), tokens a step, to what lengths of rows are rounded up, warm-up steps; the rate
    falls along a cosine to its share `floor` over the last `decay` of the tokens. A state is saved every
    `save_seconds`: so much work is lost where it is killed."""

    tokens: int
    rate: float = 8e-4
    up_factor: float = 4.0
    step: int = 1536
    multiple: int = 1
    warmup: int = 30
    decay: float = 0.6
    floor: float = 0.1
    seed: int = 0
    save_seconds: float = 60.0


@dataclass(slots=True)
class TrainingState:
    """Where a training is: steps, tokens seen, tokens learned from, the seed of a pool's first talk, how many steps of
    that pool are done; seconds of steps; the curve as (tokens, loss in nats a token)."""

    steps: int = 0
    tokens: int = 0
    learned: int = 0
    seed: int = 0
    taken: int = 0
    seconds: float = 0.0
    curve: list[tuple[int, float]] = field(default_factory=list)


Rows = Callable[[int], Row | None]
"""The row of a talk by its seed; None for a talk that teaches nothing."""

RECIPES = {
    "small steps": Schedule(0),
    "large steps": Schedule(0, rate=1e-3, step=32_768, multiple=64, decay=0.75, floor=0.02),
}
"""How it is taught by what it is taught on: on cores, and where a GPU is (docs/training.md). Kept in a plan, so that a
training that goes on elsewhere stays the same one."""
_POOL = 48  # rows that are put into small steps by their length


def train(
    net: AdaptedLlama,
    plan: Schedule,
    rows: Rows,
    out: Path,
    tell: Callable[[TrainingState], None],
    stop: Callable[[], bool] = lambda: False,
    until: int | None = None,
    passes: Passes | None = None,
) -> TrainingState:
    """Teach until the plan's tokens are seen, the first `until` of them, or `stop` says so; `tell` hears every step.
    The state is then saved, and before ModelError where a GPU's memory has no place for a row.

    Goes on from `out` where a state of an earlier run lies, as if it had never been stopped. `passes` are whole steps
    unless they are given.
    """
    passes = passes or Passes(net, plan.step, lambda text: None)
    optimiser = _optimiser(net)
    progress = _restored(net, optimiser, out) or TrainingState(seed=plan.seed)
    saved = time.monotonic()
    until = min(plan.tokens, until or plan.tokens)
    while progress.tokens < until and not stop():
        waiting, seed = _pool(rows, progress.seed, _POOL * max(1, plan.step // 1536))
        for tokens, learned in packed(waiting, plan.step, plan.multiple)[progress.taken :]:
            try:
                _step(net, optimiser, plan, progress, passes, (tokens, learned))
            except ModelError:
                save_state(net, optimiser, progress, out)
                raise
            tell(progress)
            if progress.tokens >= until or stop():
                break
            if time.monotonic() - saved > plan.save_seconds:
                save_state(net, optimiser, progress, out)
                saved = time.monotonic()
        else:
            progress.seed, progress.taken = seed, 0
    save_state(net, optimiser, progress, out)
    return progress


def _step(
    net: AdaptedLlama,
    optimiser: torch.optim.Optimizer,
    plan: Schedule,
    progress: TrainingState,
    passes: Passes,
    rows: tuple[Tensor, Tensor],
) -> None:
    """One step over tokens and their marks (batch, length), noted in the progress."""
    begun = time.monotonic()
    for group in optimiser.param_groups:
        group["lr"] = _rate(plan, progress) * (plan.up_factor if group["side"] == "up" else 1.0)
    loss, count = passes.gradients(*rows)
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimiser.step()
    optimiser.zero_grad()
    progress.steps += 1
    progress.taken += 1
    progress.tokens += rows[0].numel()
    progress.learned += count
    progress.seconds += time.monotonic() - begun
    progress.curve.append((progress.tokens, loss / count))


def _pool(rows: Rows, seed: int, count: int) -> tuple[list[Row], int]:
    """The next rows, and the seed after them."""
    waiting: list[Row] = []
    while len(waiting) < count:
        row = rows(seed)
        waiting += [row] if row else []
        seed += 1
    return waiting, seed


def _optimiser(net: AdaptedLlama) -> torch.optim.Optimizer:
    named = list(net.named_parameters())
    sides = {side: [values for name, values in named if f".{side}." in name] for side in ("down", "up")}
    groups = [{"params": values, "side": side} for side, values in sides.items()]
    return torch.optim.AdamW(groups, lr=0.0, weight_decay=0.01, betas=(0.9, 0.98), fused=True)


def _rate(plan: Schedule, progress: TrainingState) -> float:
    share = progress.tokens / plan.tokens
    rate = plan.rate * min(1.0, (progress.steps + 1) / plan.warmup)
    if share > 1 - plan.decay:
        through = (share - (1 - plan.decay)) / plan.decay
        falling = 0.5 * (1 + math.cos(min(through, 1.0) * math.pi))
        rate *= plan.floor + (1 - plan.floor) * falling
    return rate


def save_state(net: AdaptedLlama, optimiser: torch.optim.Optimizer, progress: TrainingState, out: Path) -> None:
    """The whole state, in one file that is there wholly or as it was. Raises BadFile where it cannot be written."""
    state = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "progress": asdict(progress)}
    try:
        with written(out / "state.pt", durable=True) as part:
            torch.save(state, part)
        (out / "curve.json").write_text(json.dumps(progress.curve), encoding="utf-8")
    except (BadFile, OSError, RuntimeError) as error:  # torch has no words for a full disk
        why = "is the disk full? The state before it is kept: the same command goes on from there"
        raise BadFile(out / "state.pt", f"cannot be written; {why}") from error


def _restored(net: AdaptedLlama, optimiser: torch.optim.Optimizer, out: Path) -> TrainingState | None:
    for unfinished in out.glob(f".*{UNFINISHED}"):  # as large as a state, and whoever is killed often leaves many
        shutil.rmtree(unfinished)
    path = out / "state.pt"
    if not path.exists():
        return None
    state = torch.load(path, weights_only=True, map_location="cpu")
    net.load_state_dict(state["net"])
    optimiser.load_state_dict(state["optimiser"])
    progress = TrainingState(**state["progress"])
    progress.curve = [(int(tokens), float(loss)) for tokens, loss in progress.curve]
    return progress
