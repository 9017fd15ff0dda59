"""Where a net is taught: on a GPU where torch sees one, else on the cores; and how many tokens pass there at once.

Which device it is changes no result beyond rounding: a step's tokens are the plan's, in as many passes as they need.
Torch sees no GPU with `CUDA_VISIBLE_DEVICES=` before the command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from toolmend.base.errors import ModelError
from toolmend.training.adapter.net import AdaptedLlama, Layer

Say = Callable[[str], None]
FULL = "free some of it, or use the cores (CUDA_VISIBLE_DEVICES= before the command); the same command goes on"
"""What to do where a GPU's memory is full."""


@dataclass(frozen=True, slots=True)
class Device:
    """A place to compute: torch's name for it, what is told of it, the kinds of numbers that are tried, and how many
    tokens pass at once at most."""

    name: str
    about: str
    numbers: tuple[str, ...]
    at_once: int

    @property
    def is_gpu(self) -> bool:
        """Whether it is a GPU."""
        return self.name == "cuda"

    def settle(self, net: AdaptedLlama, say: Say) -> None:
        """Move a net here and let it compute as this place does best. Raises ModelError where it does not fit."""
        net.fuse(fused=self.is_gpu)
        net.run = Layer.__call__
        if self.is_gpu:
            try:
                net.to(self.name)
                compile_layers(net, say)
            except torch.OutOfMemoryError as error:
                raise ModelError(f"the memory of {self.about} is full; {FULL}") from error


def found_device() -> Device:
    """The GPU that torch sees first, else the cores."""
    if torch.cuda.is_available():
        numbers = "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
        return Device("cuda", torch.cuda.get_device_name(), (numbers,), 32_768)
    threads = torch.get_num_threads()
    return Device("cpu", f"{threads} {'core' if threads == 1 else 'cores'}", ("bfloat16", "float32"), 4096)


def compile_layers(net: AdaptedLlama, say: Say) -> None:
    """One layer's function compiled for all lengths, tried on a small step; as it was, and said, where torch cannot."""
    net.run = torch.compile(Layer.forward, dynamic=True)
    tokens = torch.zeros(2, 64, dtype=torch.long, device=net.embedding.device)
    try:
        net.loss(tokens, torch.ones_like(tokens, dtype=torch.bool))[0].backward()
    except torch.OutOfMemoryError:
        raise
    except Exception as error:  # whatever a compiler, a driver or its absence says: it goes on without
        net.run = Layer.__call__
        first = (str(error).strip().splitlines() or [""])[0]
        say(f"torch.compile cannot be used here ({type(error).__name__}: {first:.80}): slower without it")
    net.zero_grad()


class Passes:
    """A step's gradients in as many passes as fit: halved, said, and gone on with, where the memory is full."""

    def __init__(self, net: AdaptedLlama, at_once: int, say: Say) -> None:
        self._net, self.at_once, self._say = net, at_once, say

    def gradients(self, tokens: Tensor, learned: Tensor) -> tuple[float, int]:
        """The summed loss of a step (batch, length) in nats and how many tokens it is of; gradients of the mean lie in
        the net. Raises ModelError, and the net has none, where even one row does not fit."""
        count = int(learned[:, 1:].sum())
        while True:
            try:
                return self._tried(tokens, learned, count), count
            except torch.OutOfMemoryError as error:
                self._net.zero_grad()
                torch.cuda.empty_cache()
                least = tokens.shape[1]
                if self.at_once <= least:
                    raise ModelError(f"the GPU's memory is full: no row of {least} tokens fits; {FULL}") from error
                self.at_once = max(least, min(self.at_once, tokens.numel()) // 2)
                self._say(f"the GPU's memory is full: going on with {self.at_once:,} tokens at once")

    def _tried(self, tokens: Tensor, learned: Tensor, count: int) -> float:
        rows, device = max(1, self.at_once // tokens.shape[1]), self._net.embedding.device
        total = torch.zeros((), device=device)
        for part, marks in zip(tokens.split(rows), learned.split(rows), strict=True):
            loss, _ = self._net.loss(part.to(device, non_blocking=True), marks.to(device, non_blocking=True))
            (loss / count).backward()
            total += loss.detach()
        return float(total)
