"""The Llama architecture in torch, for training only: on two cores torch in bfloat16 sees twice as many tokens a second
as Keras on JAX (docs/log.md, 2026-11-21). `export` gives the weights under their Hugging Face names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

EPSILON = 1e-6
ROPE_THETA = 10_000.0


@dataclass(frozen=True)
class Shape:
    """Sizes of a model. `heads` divides `width`; parameters ≈ vocabulary·width + layers·(4·width² + 3·width·inner)."""

    vocabulary: int = 2048
    width: int = 192
    inner: int = 384
    layers: int = 6
    heads: int = 6


class Block(nn.Module):
    """One layer: attention with rotary positions, then a gated feed-forward."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        d, f = shape.width, shape.inner
        self.heads = shape.heads
        self.norm1, self.norm2 = nn.RMSNorm(d, EPSILON), nn.RMSNorm(d, EPSILON)
        self.qkv, self.out = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.gate_up, self.down = nn.Linear(d, 2 * f, bias=False), nn.Linear(f, d, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """x: (batch, time, width); cos, sin: (time, head width / 2)."""
        batch, steps, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, steps, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(_rotate(q, cos, sin), _rotate(k, cos, sin), v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, steps, width))
        gate, up = self.gate_up(self.norm2(x)).chunk(2, -1)
        out: Tensor = x + self.down(F.silu(gate) * up)
        return out


def _rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    first, second = x.chunk(2, -1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


class Net(nn.Module):
    """Tied embeddings, `shape.layers` blocks, a final norm. `forward` gives the logits at chosen positions."""

    def __init__(self, shape: Shape, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.width, EPSILON)
        nn.init.normal_(self.embedding.weight, std=shape.width**-0.5)
        for name, weight in self.named_parameters():
            if weight.ndim == 2 and "embedding" not in name:
                residual = name.endswith(("out.weight", "down.weight"))
                nn.init.normal_(weight, std=weight.shape[1] ** -0.5 / ((2 * shape.layers) ** 0.5 if residual else 1))

    def forward(self, ids: Tensor, chosen: Tensor) -> Tensor:
        """ids: (batch, time); chosen: flat indices into batch·time whose next token is wanted."""
        half = self.shape.width // self.shape.heads // 2
        angles = torch.arange(ids.shape[1])[:, None] * ROPE_THETA ** (-torch.arange(half) / half)[None]
        cos, sin = angles.cos(), angles.sin()
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, cos, sin)
        picked = self.norm(x).reshape(-1, self.shape.width)[chosen]
        return picked @ self.embedding.weight.T


def export(net: Net) -> dict[str, NDArray[np.float16]]:
    """Weights as float16 under the names of a Hugging Face Llama checkpoint."""

    def half(tensor: Tensor) -> NDArray[np.float16]:
        return np.ascontiguousarray(tensor.detach().float().numpy().astype(np.float16))

    made = {"model.embed_tokens.weight": half(net.embedding.weight), "model.norm.weight": half(net.norm.weight)}
    for number, block in enumerate(net.blocks):
        assert isinstance(block, Block)
        at = f"model.layers.{number}"
        for name, part in zip("qkv", block.qkv.weight.chunk(3, 0), strict=True):
            made[f"{at}.self_attn.{name}_proj.weight"] = half(part)
        gate, up = block.gate_up.weight.chunk(2, 0)
        made |= {
            f"{at}.self_attn.o_proj.weight": half(block.out.weight),
            f"{at}.mlp.gate_proj.weight": half(gate),
            f"{at}.mlp.up_proj.weight": half(up),
            f"{at}.mlp.down_proj.weight": half(block.down.weight),
            f"{at}.input_layernorm.weight": half(block.norm1.weight),
            f"{at}.post_attention_layernorm.weight": half(block.norm2.weight),
        }
    return made
