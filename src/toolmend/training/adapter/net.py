"""A Llama in torch with a low-rank adapter on every linear layer: frozen base, only the adapter learns.

Linear layers that share their input are one product, no attention mask (rows are padded on the right), and the head
sees only the positions that carry a loss. Two ways of computing the same: `fused`, for a GPU, where thousands of
tokens pass at once, and the other for processors. LoRA: Hu et al. 2021, section 4.1. Knows no files.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

# Linear layers that read the same input, in the order in which their rows are stacked.
GROUPS = (("attn_q", "attn_k", "attn_v"), ("attn_output",), ("ffn_gate", "ffn_up"), ("ffn_down",))


@dataclass(frozen=True, slots=True)
class LlamaShape:
    """Sizes of a Llama: all counts; `rope_base` in radians' base, `epsilon` of the root mean square norm."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    inner: int
    vocabulary: int
    rope_base: float
    epsilon: float

    @property
    def head_width(self) -> int:
        """The width of one attention head."""
        return self.width // self.heads

    def sizes(self, name: str) -> tuple[int, int]:
        """Rows (outputs) and columns (inputs) of a linear layer."""
        kv = self.kv_heads * self.head_width
        return {
            "attn_q": (self.width, self.width),
            "attn_k": (kv, self.width),
            "attn_v": (kv, self.width),
            "attn_output": (self.width, self.width),
            "ffn_gate": (self.inner, self.width),
            "ffn_up": (self.inner, self.width),
            "ffn_down": (self.width, self.inner),
        }[name]


class _LowRankLinear(torch.autograd.Function):
    """x·Wᵀ + Σ blocks (x·Aᵀ)·Bᵀ with no gradient for W."""

    @staticmethod
    def forward(ctx, x: Tensor, weight: Tensor, down: Tensor, up: Tensor) -> Tensor:  # type: ignore[no-untyped-def]
        low = x @ down.t()
        ctx.save_for_backward(x, weight, down, up, low)
        return torch.addmm(x @ weight.t(), low, up.t())

    @staticmethod
    def backward(ctx, grad: Tensor):  # type: ignore[no-untyped-def]
        x, weight, down, up, low = ctx.saved_tensors
        grad_low = grad @ up
        grad_x = torch.addmm(grad @ weight, grad_low, down)
        return grad_x, None, grad_low.t() @ x, grad.t() @ low


class AdaptedLinear(nn.Module):
    """Linear layers of one input, stacked: the frozen weight (rows, columns); A (rank, columns) and B (rows, rank) for
    each."""

    def __init__(self, rows: tuple[int, ...], columns: int, rank: int, scale: float) -> None:
        super().__init__()
        self.rows, self.rank, self.scale, self.fused = rows, rank, scale, False
        self.register_buffer("weight", torch.empty(sum(rows), columns), persistent=False)
        self.down = nn.ParameterList([nn.Parameter(torch.empty(rank, columns)) for _ in rows])
        self.up = nn.ParameterList([nn.Parameter(torch.zeros(size, rank)) for size in rows])
        for down in self.down:
            nn.init.kaiming_uniform_(down, a=math.sqrt(5))

    def forward(self, x: Tensor) -> Tensor:
        """(tokens, columns) → (tokens, rows)."""
        if self.fused:
            return x @ self.whole().t()
        dtype = x.dtype
        down = torch.cat(list(self.down)).to(dtype)
        up = torch.block_diag(*(self.scale * matrix for matrix in self.up)).to(dtype)
        return _LowRankLinear.apply(x, self.weight, down, up)

    def whole(self) -> Tensor:
        """The weight with what the adapter adds (rows, columns): once for all tokens, and gradients reach A and B."""
        added = torch.cat([self.scale * (up @ down) for down, up in zip(self.down, self.up, strict=True)])
        return (self.weight.float() + added).to(self.weight.dtype)


class Layer(nn.Module):
    """One layer: attention, then the gated feed-forward net, each behind its norm."""

    def __init__(self, shape: LlamaShape, rank: int, scale: float) -> None:
        super().__init__()
        self.shape, self.fused = shape, False
        self.register_buffer("attn_norm", torch.ones(shape.width), persistent=False)
        self.register_buffer("ffn_norm", torch.ones(shape.width), persistent=False)
        self.groups = nn.ModuleList(
            AdaptedLinear(tuple(shape.sizes(name)[0] for name in names), shape.sizes(names[0])[1], rank, scale)
            for names in GROUPS
        )

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, batch: int) -> Tensor:
        """(batch · length, width) → the same shape."""
        shape, length = self.shape, x.shape[0] // batch
        qkv, output, gate_up, down = self.groups
        kv = shape.kv_heads * shape.head_width
        q, k, v = qkv(functional.rms_norm(x, (shape.width,), self.attn_norm, shape.epsilon)).split(
            (shape.width, kv, kv), dim=-1
        )
        q = turned(q.view(batch, length, shape.heads, -1), cos, sin)
        k = turned(k.view(batch, length, shape.kv_heads, -1), cos, sin)
        mixed = (attended_fused if self.fused else attended)(q, k, v.view(batch, length, shape.kv_heads, -1))
        x = x + output(mixed)
        gate, up = gate_up(functional.rms_norm(x, (shape.width,), self.ffn_norm, shape.epsilon)).split(
            shape.inner, dim=-1
        )
        return x + down(functional.silu(gate) * up)


def attended(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Causal attention, (batch, length, heads, head width) each → (batch · length, width).

    By plain products: on processors torch's fused kernel takes twice as long in bfloat16. The query heads that share a
    key head stand below each other, so that nothing is repeated.
    """
    batch, length, heads, width = q.shape
    groups = k.shape[2]
    q = q.view(batch, length, groups, heads // groups, width).permute(0, 2, 3, 1, 4).reshape(batch, groups, -1, width)
    future = torch.full((length, length), -math.inf, dtype=q.dtype, device=q.device).triu(1).repeat(heads // groups, 1)
    weights = torch.softmax((q * width**-0.5) @ k.permute(0, 2, 3, 1) + future, dim=-1)
    mixed = (weights @ v.transpose(1, 2)).view(batch, groups, heads // groups, length, width)
    return mixed.permute(0, 3, 1, 2, 4).reshape(batch * length, heads * width)


def attended_fused(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The same by torch's own kernel, which never holds the weights: what a GPU has (Dao et al. 2022)."""
    batch, length, heads, width = q.shape
    k, v = (part.repeat_interleave(heads // k.shape[2], dim=2).transpose(1, 2) for part in (k, v))
    mixed = functional.scaled_dot_product_attention(q.transpose(1, 2), k, v, is_causal=True)
    return mixed.transpose(1, 2).reshape(batch * length, heads * width)


def turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary positions, halves apart (the layout of Hugging Face)."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


class AdaptedLlama(nn.Module):
    """The whole net. `embedding` is the head, too (tied)."""

    def __init__(self, shape: LlamaShape, *, rank: int = 16, alpha: float = 32.0) -> None:
        super().__init__()
        self.shape, self.rank, self.alpha = shape, rank, alpha
        self.register_buffer("embedding", torch.empty(shape.vocabulary, shape.width), persistent=False)
        self.register_buffer("norm", torch.ones(shape.width), persistent=False)
        self.layers = nn.ModuleList(Layer(shape, rank, alpha / rank) for _ in range(shape.layers))
        self.run: Callable[..., Tensor] = Layer.__call__

    def fuse(self, *, fused: bool = True) -> None:
        """Compute in the way for a GPU, or (False) in that for processors: same weights, same results."""
        for module in self.modules():
            if isinstance(module, Layer | AdaptedLinear):
                module.fused = fused

    def hidden(self, tokens: Tensor) -> Tensor:
        """(batch, length) → (batch · length, width), normed; padding on the right."""
        batch, length = tokens.shape
        x = functional.embedding(tokens.reshape(-1), self.embedding)
        cos, sin = self.turns(torch.arange(length, device=tokens.device))
        for layer in self.layers:
            x = self.run(layer, x, cos, sin, batch)
        return functional.rms_norm(x, (self.shape.width,), self.norm, self.shape.epsilon)

    def turns(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Cosines and sines of the rotary positions (count): (count, 1, half a head's width) each."""
        half = self.shape.head_width // 2
        frequencies = self.shape.rope_base ** (-torch.arange(half, dtype=torch.float32, device=positions.device) / half)
        angles = positions[:, None].float() * frequencies
        dtype = self.embedding.dtype
        return angles.cos()[:, None].to(dtype), angles.sin()[:, None].to(dtype)

    def loss(self, tokens: Tensor, learned: Tensor) -> tuple[Tensor, int]:
        """Summed cross-entropy in nats of the tokens marked in `learned` (batch, length), and how many they are."""
        logits, targets, at = self.guessed(tokens, learned)
        return functional.cross_entropy(logits.float(), targets, reduction="sum"), len(at)

    def guessed(self, tokens: Tensor, learned: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """For the tokens marked: the logits (count, vocabulary), the tokens that are due, and where they stand."""
        at = learned[:, 1:].reshape(-1).nonzero().squeeze(1)
        length = tokens.shape[1]
        position = at // (length - 1) * length + at % (length - 1)
        return self.hidden(tokens)[position] @ self.embedding.t(), tokens[:, 1:].reshape(-1)[at], at
