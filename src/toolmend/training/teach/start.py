"""A net that begins as another one: the layers of an embedded preset, its pieces' embeddings under a new vocabulary.

What a model has learned of copying is in its layers and need not be learned again; pieces that the preset did not have
begin as the mean of those they are made of. Needs torch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import load_file

from toolmend.models.builtin.preset import Preset
from toolmend.models.builtin.tokens import Tokens
from toolmend.training.net import Net, Shape


def shape_like(preset: Preset, vocabulary: int) -> Shape:
    """The preset's sizes with another number of pieces."""
    sizes = preset.sizes
    return Shape(vocabulary, sizes.width, sizes.inner, sizes.layers, sizes.heads)


def begin_as(net: Net, tokens: Tokens, preset: Preset) -> int:
    """Fill a net of the preset's sizes; how many pieces of `tokens` both have."""
    _, known = preset.load()
    weights = load_file(Path(preset.folder) / "model.safetensors")
    with torch.no_grad():
        for name, tensor in _layers(weights, net.shape.layers).items():
            net.state_dict()[name].copy_(torch.from_numpy(tensor.astype(np.float32)))
        old = weights["model.embed_tokens.weight"].astype(np.float32)
        shared = 0
        for number in range(net.shape.vocabulary):
            piece = tokens.tokenizer.id_to_token(number) or ""
            same = known.tokenizer.token_to_id(piece)
            shared += same is not None
            parts = [same] if same is not None else _parts(piece, known.tokenizer)
            if parts:
                net.embedding.weight[number] = torch.from_numpy(old[parts].mean(0))
    return shared


def _layers(weights: Mapping[str, Any], layers: int) -> dict[str, Any]:
    """The weights under the net's own names: the reverse of net.export."""
    made = {"norm.weight": weights["model.norm.weight"]}
    for number in range(layers):
        at, to = f"model.layers.{number}", f"blocks.{number}"
        made |= {
            f"{to}.qkv.weight": np.concatenate([weights[f"{at}.self_attn.{name}_proj.weight"] for name in "qkv"]),
            f"{to}.out.weight": weights[f"{at}.self_attn.o_proj.weight"],
            f"{to}.gate_up.weight": np.concatenate(
                [weights[f"{at}.mlp.{name}_proj.weight"] for name in ("gate", "up")]
            ),
            f"{to}.down.weight": weights[f"{at}.mlp.down_proj.weight"],
            f"{to}.norm1.weight": weights[f"{at}.input_layernorm.weight"],
            f"{to}.norm2.weight": weights[f"{at}.post_attention_layernorm.weight"],
        }
    return made


def _parts(piece: str, tokenizer: Any) -> Sequence[int]:
    """The ids of a piece's longest known beginnings, one after the other."""
    found: list[int] = []
    at = 0
    while at < len(piece):
        for end in range(len(piece), at, -1):
            if (known := tokenizer.token_to_id(piece[at:end])) is not None:
                found.append(known)
                at = end
                break
        else:
            at += 1
    return found
