"""An adapter in a net, and as PEFT's files (which transformers loads), with the version of the notation it speaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from toolmend.errors import BadFile
from toolmend.models.gguf.peft import CONFIG, MODULES, WEIGHTS, peft_key, read_peft
from toolmend.resolve.said import NOTATION
from toolmend.training.adapter.net import GROUPS, AdaptedLlama


def save_peft(net: AdaptedLlama, folder: Path, base: str) -> None:
    """Write the matrices in float16 and their configuration, as PEFT does. `base` names the base model."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    tensors = {
        peft_key(layer, name, side): values.detach().float().numpy().astype(np.float16)
        for layer, name, side, values in _matrices(net)
    }
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt", "toolmend.notation": str(NOTATION)})
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": base,
        "r": net.rank,
        "lora_alpha": net.alpha,
        "lora_dropout": 0.0,
        "bias": "none",
        "target_modules": sorted(name.rpartition(".")[2] for name in MODULES.values()),
        "toolmend_notation": NOTATION,
    }
    (folder / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def load_peft(net: AdaptedLlama, folder: Path) -> None:
    """Put the matrices of a PEFT folder into a net of the same rank. Raises BadFile where they do not fit."""
    _, tensors = read_peft(folder)
    with torch.no_grad():
        for layer, name, side, values in _matrices(net):
            given = tensors.get(f"blk.{layer}.{name}.weight.lora_{side.lower()}")
            if given is None or given.shape != tuple(values.shape):
                shape = "nothing" if given is None else str(given.shape)
                wanted = f"layer {layer}, {MODULES[name]}.lora_{side}"
                raise BadFile(folder / WEIGHTS, f"has {shape} for {wanted}; {tuple(values.shape)} is needed")
            values.copy_(torch.from_numpy(given.astype(np.float32)))


def _matrices(net: AdaptedLlama) -> Iterator[tuple[int, str, str, torch.Tensor]]:
    for index, layer in enumerate(net.layers):
        for names, group in zip(GROUPS, layer.groups, strict=True):
            for name, down, up in zip(names, group.down, group.up, strict=True):
                yield index, name, "A", down
                yield index, name, "B", up
