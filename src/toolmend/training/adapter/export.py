"""A taught adapter as files: PEFT's safetensors (for transformers) and GGUF (for llama.cpp), with the notation it speaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from toolmend.errors import BadFile
from toolmend.reading.spoken import NOTATION
from toolmend.training.adapter.base import permuted
from toolmend.training.adapter.net import GROUPS, AdaptedLlama

_PEFT = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_TENSOR = "base_model.model.model.layers.{layer}.{name}.lora_{side}.weight"


def save_peft(net: AdaptedLlama, folder: Path, base: str) -> None:
    """`adapter_model.safetensors` in float16 and `adapter_config.json`, as PEFT writes them. `base` names the base model."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {
        _TENSOR.format(layer=layer, name=_PEFT[name], side=side): values.astype(np.float16)
        for layer, name, side, values in _matrices(net)
    }
    save_file(tensors, folder / "adapter_model.safetensors", metadata={"format": "pt", "toolmend.notation": str(NOTATION)})
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": base,
        "r": net.rank,
        "lora_alpha": net.alpha,
        "lora_dropout": 0.0,
        "bias": "none",
        "target_modules": sorted(name.rpartition(".")[2] for name in _PEFT.values()),
        "toolmend_notation": NOTATION,
    }
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def _matrices(net: AdaptedLlama) -> Iterator[tuple[int, str, str, np.ndarray]]:
    for index, layer in enumerate(net.layers):
        for names, group in zip(GROUPS, layer.groups, strict=True):  # type: ignore[call-overload]
            for name, down, up in zip(names, group.down, group.up, strict=True):
                yield index, name, "A", down.detach().float().numpy()
                yield index, name, "B", up.detach().float().numpy()


def peft_to_gguf(folder: Path, path: Path, *, heads: int, kv_heads: int) -> None:
    """The adapter of a PEFT folder as a GGUF adapter of a Llama; the rows of B for query and key in llama.cpp's order."""
    from gguf import GGUFWriter

    try:
        config = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
        tensors = load_file(folder / "adapter_model.safetensors")
    except (OSError, ValueError) as error:
        raise BadFile(folder, f"not an adapter as PEFT writes them: {error}") from error
    part = path.with_suffix(".part")
    writer = GGUFWriter(str(part), "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(config["lora_alpha"]))
    writer.add_uint32("toolmend.notation", int(config.get("toolmend_notation", 0)))
    ours = {theirs: name for name, theirs in _PEFT.items()}
    for key, values in sorted(tensors.items()):
        layer, _, rest = key.removeprefix("base_model.model.model.layers.").partition(".")
        module, _, side = rest.removesuffix(".weight").rpartition(".lora_")
        name = ours[module]
        if side == "B" and name in ("attn_q", "attn_k"):
            values = permuted(values, heads if name == "attn_q" else kv_heads)
        writer.add_tensor(f"blk.{layer}.{name}.weight.lora_{side.lower()}", np.ascontiguousarray(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(path)
