"""The loop on a tiny base: a step changes the adapter, a stopped training goes on as if it were not. Needs torch."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from toolmend.base.errors import BadFile  # noqa: E402
from toolmend.training.adapter import loop  # noqa: E402
from toolmend.training.adapter.base import GgufBase  # noqa: E402
from toolmend.training.adapter.loop import Schedule, TrainingState, train  # noqa: E402
from toolmend.training.adapter.net import AdaptedLlama  # noqa: E402
from toolmend.training.adapter.rows import Row  # noqa: E402

PLAN = Schedule(1200, step=100, warmup=3)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rows at a time, so that several pools are needed."""
    monkeypatch.setattr(loop, "_POOL", 12)


def row(seed: int) -> Row | None:
    """A talk of eight to sixteen tokens that counts upwards; every fifth teaches nothing."""
    length = 8 + seed % 9
    tokens = tuple((seed + place) % 200 + 2 for place in range(length))
    return None if seed % 5 == 4 else Row(tokens, (False, *[True] * (length - 1)))


def fresh(base: Path) -> AdaptedLlama:
    torch.manual_seed(2)
    return GgufBase(base).net(rank=2, alpha=4.0, dtype=torch.float32)


def taught(base: Path, out: Path, stops: tuple[int, ...] = ()) -> tuple[TrainingState, AdaptedLlama]:
    """Taught to the end, in a new process as it were after every one of these steps."""
    for stop in stops:
        seen: list[int] = []
        train(fresh(base), PLAN, row, out, lambda told: seen.append(told.steps), lambda: seen[-1:] == [stop])  # noqa: B023
    net = fresh(base)
    return train(net, PLAN, row, out, lambda told: None), net


def test_a_step_changes_the_adapter_and_nothing_else(base: Path, tmp_path: Path) -> None:
    net, before = fresh(base), fresh(base)
    train(net, Schedule(1, step=100), row, tmp_path, lambda told: None)
    changed = [not torch.equal(a, b) for a, b in zip(net.parameters(), before.parameters(), strict=True)]
    assert any(changed)
    for a, b in zip(net.buffers(), before.buffers(), strict=True):
        assert torch.equal(a, b)


def test_it_learns(base: Path, tmp_path: Path) -> None:
    progress, _ = taught(base, tmp_path)
    losses = [loss for _, loss in progress.curve]
    assert sum(losses[-3:]) < 0.9 * sum(losses[:3])


def test_a_stopped_training_goes_on_to_the_same_result(base: Path, tmp_path: Path) -> None:
    whole, net = taught(base, tmp_path / "whole")
    parts, again = taught(base, tmp_path / "parts", stops=(1, 4, 9))
    assert parts.curve == whole.curve
    assert (parts.seed, parts.taken, parts.tokens) == (whole.seed, whole.taken, whole.tokens)
    for a, b in zip(net.parameters(), again.parameters(), strict=True):
        assert torch.equal(a, b)


def test_a_training_that_is_killed_goes_on_from_what_was_saved(base: Path, tmp_path: Path) -> None:
    whole, _ = taught(base, tmp_path / "whole")

    def killed(told: TrainingState) -> None:
        if told.steps == 6:
            raise MemoryError

    plan = Schedule(1200, step=100, warmup=3, save_seconds=0.0)
    with pytest.raises(MemoryError):
        train(fresh(base), plan, row, tmp_path / "parts", killed)
    steps: list[int] = []
    parts = train(fresh(base), plan, row, tmp_path / "parts", lambda told: steps.append(told.steps))
    assert (steps[0], parts.curve) == (6, whole.curve)


def test_a_full_disk_is_one_line_and_the_state_before_it_is_kept(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught(base, tmp_path)
    kept = (tmp_path / "state.pt").read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BadFile, match=r"state\.pt: cannot be written; is the disk full\? The state before"):
        taught(base, tmp_path)
    assert (tmp_path / "state.pt").read_bytes() == kept
