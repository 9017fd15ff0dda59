"""One net for both devices: the way of computing that a GPU has gives what that of processors gives, a step is the
same in however many passes, a full memory halves them. There is no GPU here: torch is asked to say that there is one.
Needs torch.
"""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from toolmend.base.errors import ModelError  # noqa: E402
from toolmend.training.adapter.base import GgufBase  # noqa: E402
from toolmend.training.adapter.device import Device, Passes, compile_layers, found_device  # noqa: E402
from toolmend.training.adapter.loop import Schedule, train  # noqa: E402
from toolmend.training.adapter.net import AdaptedLlama, Layer  # noqa: E402
from toolmend.training.adapter.rows import Row, packed  # noqa: E402

PLAN = Schedule(1200, step=200, warmup=3)
ROWS = [Row(tuple(range(2 + seed, 12 + seed)), (False, *[True] * 9)) for seed in range(8)]


def fresh(base: Path) -> AdaptedLlama:
    """A net whose adapter already does something."""
    torch.manual_seed(2)
    net = GgufBase(base).net(rank=2, alpha=4.0, dtype=torch.float32)
    with torch.no_grad():
        for name, values in net.named_parameters():
            if ".up." in name:
                values.normal_(0, 0.1)
    return net


def gradients(net: AdaptedLlama, at_once: int = 1000) -> tuple[float, list[Tensor]]:
    tokens, learned = packed(ROWS, 1000)[0]
    loss, _ = Passes(net, at_once, lambda text: None).gradients(tokens, learned)
    return loss, [values.grad for values in net.parameters()]


def assert_alike(one: tuple[float, list[Tensor]], other: tuple[float, list[Tensor]]) -> None:
    assert one[0] == pytest.approx(other[0], rel=1e-5)
    for a, b in zip(one[1], other[1], strict=True):
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-5)


def test_the_way_of_a_gpu_computes_the_same(base: Path) -> None:
    fused = fresh(base)
    fused.fuse()
    assert_alike(gradients(fused), gradients(fresh(base)))


def test_a_step_is_the_same_in_several_passes(base: Path) -> None:
    assert_alike(gradients(fresh(base), at_once=20), gradients(fresh(base)))


def test_a_training_begun_in_one_way_goes_on_in_the_other(base: Path, tmp_path: Path) -> None:
    def rows(seed: int) -> Row:
        return ROWS[seed % len(ROWS)]

    whole = train(fresh(base), PLAN, rows, tmp_path / "whole", lambda told: None)
    fused = fresh(base)
    fused.fuse()
    train(fused, PLAN, rows, tmp_path / "parts", lambda told: None, until=400)
    parts = train(fresh(base), PLAN, rows, tmp_path / "parts", lambda told: None)
    assert [loss for _, loss in parts.curve] == pytest.approx([loss for _, loss in whole.curve], rel=1e-3)
    assert (parts.seed, parts.taken, parts.tokens) == (whole.seed, whole.taken, whole.tokens)


class Small:
    """A net on a device whose memory has room for so many tokens."""

    def __init__(self, net: AdaptedLlama, room: int) -> None:
        self.net, self.room, self.embedding = net, room, net.embedding
        self.zero_grad = net.zero_grad

    def loss(self, tokens: Tensor, learned: Tensor) -> tuple[Tensor, int]:
        if tokens.numel() > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 GiB.\nSee the documentation.")
        return self.net.loss(tokens, learned)


def test_a_full_memory_halves_the_passes_and_the_step_is_the_same(base: Path) -> None:
    said: list[str] = []
    net = fresh(base)
    passes = Passes(Small(net, room=30), 1000, said.append)  # type: ignore[arg-type]
    loss, _ = passes.gradients(*packed(ROWS, 1000)[0])
    assert_alike((loss, [values.grad for values in net.parameters()]), gradients(fresh(base)))
    assert said == [
        "the GPU's memory is full: going on with 40 tokens at once",
        "the GPU's memory is full: going on with 20 tokens at once",
    ]


def test_where_no_row_fits_the_state_is_kept_and_one_line_says_so(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    tried = Passes._tried

    def full(self: Passes, tokens: Tensor, learned: Tensor, count: int) -> float:
        if len(steps) == 2:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return tried(self, tokens, learned, count)

    monkeypatch.setattr(Passes, "_tried", full)

    def rows(seed: int) -> Row:
        return ROWS[seed % len(ROWS)]

    with pytest.raises(ModelError, match=r"^the GPU's memory is full: no row of 10 tokens fits; free some of it, or"):
        train(fresh(base), PLAN, rows, tmp_path, lambda told: steps.append(told.steps))
    monkeypatch.undo()
    again: list[int] = []
    train(fresh(base), PLAN, rows, tmp_path, lambda told: again.append(told.steps))
    assert (steps, again[0]) == ([1, 2], 3)


def test_a_net_that_does_not_fit_is_one_line(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: AdaptedLlama, name: str) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(AdaptedLlama, "to", full)
    with pytest.raises(ModelError, match=r"^the memory of NVIDIA X1 is full; free some of it, or use the cores"):
        Device("cuda", "NVIDIA X1", ("bfloat16",), 32_768).settle(fresh(base), lambda text: None)


def test_without_a_compiler_it_goes_on_and_says_so(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(function: object, *, dynamic: bool) -> object:
        def called(*given: object) -> None:
            raise RuntimeError("Failed to find C compiler.\nSet CC.")

        return called

    monkeypatch.setattr(torch, "compile", broken)
    said: list[str] = []
    net = fresh(base)
    compile_layers(net, said.append)
    assert net.run is Layer.__call__
    assert said == ["torch.compile cannot be used here (RuntimeError: Failed to find C compiler.): slower without it"]


@pytest.mark.parametrize(("modern", "numbers"), [(True, "bfloat16"), (False, "float32")], ids=["ampere", "before"])
def test_the_gpu_that_torch_sees_is_used_and_named(monkeypatch: pytest.MonkeyPatch, modern: bool, numbers: str) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: modern)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "NVIDIA X1")
    found = found_device()
    assert (found.name, found.about, found.numbers, found.at_once) == ("cuda", "NVIDIA X1", (numbers,), 32_768)


def test_else_the_cores_are_used_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)
    assert (found_device().name, found_device().about) == ("cpu", "2 cores")
