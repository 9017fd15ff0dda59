"""The loop that teaches an adapter: rows in, a checkpoint every minute, going on where it was killed.

The state on disk is whole at any moment, and of one step: adapter, optimiser, the talks and tokens seen, the curve.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from toolmend.base.atomic import UNFINISHED, written
from toolmend.base.errors import BadFile
from toolmend.training.adapter.net import AdaptedLlama
from toolmend.training.adapter.rows import Row, packed


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast: tokens to see in all, the highest learning rate (that of the matrices B is `up_factor`
    times it: LoRA+, Hayou et al. 2024), tokens a step, warm-up steps; the rate falls along a cosine to a tenth over the
    last `decay` of the tokens. A state is saved every `save_seconds`: so much work is lost where it is killed."""

    tokens: int
    rate: float = 8e-4
    up_factor: float = 4.0
    step: int = 1536
    warmup: int = 30
    decay: float = 0.6
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

_POOL = 48  # rows that are put into steps by their length


def train(
    net: AdaptedLlama,
    plan: Schedule,
    rows: Rows,
    out: Path,
    tell: Callable[[TrainingState], None],
    stop: Callable[[], bool] = lambda: False,
    until: int | None = None,
) -> TrainingState:
    """Teach until the plan's tokens are seen, the first `until` of them, or `stop` says so; `tell` hears every step.
    The state is then saved.

    Goes on from `out` where a state of an earlier run lies, as if it had never been stopped.
    """
    optimiser = _optimiser(net)
    progress = _restored(net, optimiser, out) or TrainingState(seed=plan.seed)
    saved = time.monotonic()
    until = min(plan.tokens, until or plan.tokens)
    while progress.tokens < until and not stop():
        waiting, seed = _pool(rows, progress.seed)
        for tokens, learned in packed(waiting, plan.step)[progress.taken :]:
            _step(net, optimiser, plan, progress, tokens, learned)
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
    tokens: Tensor,
    learned: Tensor,
) -> None:
    """One step, noted in the progress."""
    begun = time.monotonic()
    for group in optimiser.param_groups:
        group["lr"] = _rate(plan, progress) * (plan.up_factor if group["side"] == "up" else 1.0)
    loss, count = net.loss(tokens, learned)
    (loss / count).backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimiser.step()
    optimiser.zero_grad()
    progress.steps += 1
    progress.taken += 1
    progress.tokens += tokens.numel()
    progress.learned += count
    progress.seconds += time.monotonic() - begun
    progress.curve.append((progress.tokens, loss.item() / count))


def _pool(rows: Rows, seed: int) -> tuple[list[Row], int]:
    """The next rows, and the seed after them."""
    waiting: list[Row] = []
    while len(waiting) < _POOL:
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
        rate *= 0.1 + 0.45 * (1 + float(torch.cos(torch.tensor(min(through, 1.0) * torch.pi))))
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
    state = torch.load(path, weights_only=True)
    net.load_state_dict(state["net"])
    optimiser.load_state_dict(state["optimiser"])
    progress = TrainingState(**state["progress"])
    progress.curve = [(int(tokens), float(loss)) for tokens, loss in progress.curve]
    return progress
