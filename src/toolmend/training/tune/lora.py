"""Adapters of low rank (Hu et al. 2021, LoRA) on the query and value projections: Keras' own, switched on, merged."""

from __future__ import annotations

from typing import Any

from toolmend.errors import BadOption


def add_adapters(lm: Any, rank: int, alpha: float) -> int:
    """Freeze the model and add adapters scaled by `alpha` / `rank`; how many layers have one. Raises BadOption."""
    backbone = lm.backbone
    backbone.enable_lora(rank)
    layers = adapted(lm)
    if not layers:
        raise BadOption(f"--lora: {type(backbone).__name__} has no query and value layers that Keras can adapt")
    for layer in layers:
        layer.lora_alpha = alpha
    return len(layers)


def merge_adapters(lm: Any) -> None:
    """Add what the adapters learned to the weights that they adapt; the model's answers stay the same."""
    for layer in adapted(lm):
        layer._kernel.assign(layer.kernel)
        layer.lora_kernel_b.assign(layer.lora_kernel_b * 0)


def adapted(lm: Any) -> list[Any]:
    """The layers with adapters."""
    return [layer for layer in lm.backbone._flatten_layers(include_self=False) if getattr(layer, "lora_enabled", False)]
