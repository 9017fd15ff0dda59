"""A LoRA adapter of a Llama as PEFT writes it, made into llama.cpp's: other names, and the rows of query and key in the
order that its rotary positions want. What ships has its matrices in whole numbers of eight bits, a scale for each of
their ranks beside them, at half the size. Knows neither engine nor training.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile
from toolmend.models.gguf.header import SPEAKS

WEIGHTS, CONFIG = "adapter_model.safetensors", "adapter_config.json"
MODULES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
"""Linear layers of a Llama, by the names of GGUF and of Hugging Face."""

_PREFIX = "base_model.model.model.layers."
_SCALE, _MOST = ".scale", 127
_OURS = {theirs: name for name, theirs in MODULES.items()}
Matrix = np.ndarray[Any, Any]


def peft_key(layer: int, name: str, side: str) -> str:
    """PEFT's name for the matrix A or B of a linear layer, which is named as in GGUF."""
    return f"{_PREFIX}{layer}.{MODULES[name]}.lora_{side}.weight"


def read_peft(folder: Path) -> tuple[dict[str, Any], dict[str, Matrix]]:
    """Configuration and matrices, those under GGUF's names: `blk.0.attn_q.weight.lora_a`. Raises BadFile."""
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        float(config["lora_alpha"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(folder, f"holds no adapter as PEFT writes them ({error})") from error
    return config, {_gguf_key(key, folder): values for key, values in sorted(halves(folder).items())}


def halves(folder: Path) -> dict[str, Matrix]:
    """The matrices under PEFT's names; those in eight bits times their scales, in float16. Raises BadFile."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors = load_file(folder / WEIGHTS)
    except (OSError, SafetensorError) as error:
        raise BadFile(folder, f"holds no adapter as PEFT writes them ({error})") from error
    scales = {key: tensors.pop(key + _SCALE) for key in list(tensors) if key + _SCALE in tensors}
    return {key: (values * scales[key]).astype(np.float16) if key in scales else values
            for key, values in tensors.items()}  # fmt: skip


def eighths(tensors: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """The same in whole numbers of eight bits, with a float32 scale for every rank: a row of A, a column of B."""
    small: dict[str, Matrix] = {}
    for key, values in tensors.items():
        most = np.abs(values.astype(np.float32)).max(axis=1 if ".lora_A." in key else 0, keepdims=True)
        scale = np.where(most > 0, most / _MOST, 1.0).astype(np.float32)
        small |= {key: np.rint(values / scale).astype(np.int8), key + _SCALE: scale}
    return small


def average(folders: Sequence[Path], out: Path) -> None:
    """The mean of adapters that were taught from one another, as a folder like the first: more often right than either
    (model soups: Wortsman et al. 2022, section 3). Raises BadFile for one that is no adapter, or has another shape."""
    from safetensors.numpy import save_file

    first, *others = [halves(folder) for folder in folders]
    shapes = {key: values.shape for key, values in first.items()}
    for folder, other in zip(folders[1:], others, strict=True):
        if {key: values.shape for key, values in other.items()} != shapes:
            raise BadFile(folder, f"is an adapter of another shape than {folders[0]}")
    mean = {key: np.mean([one[key].astype(np.float32) for one in (first, *others)], axis=0) for key in shapes}
    with written(out) as part:
        part.mkdir()
        for beside in (path for path in folders[0].iterdir() if path.suffix in (".json", ".md")):
            shutil.copy(beside, part)
        save_file({key: values.astype(np.float16) for key, values in mean.items()}, part / WEIGHTS)


def peft_to_gguf(folder: Path, path: Path, *, heads: int, kv_heads: int) -> None:
    """The adapter of a PEFT folder as a GGUF adapter for a Llama with so many heads; there wholly, or as it was.

    Raises BadFile for what is no such adapter, or where it cannot be written.
    """
    from gguf import GGUFWriter

    config, tensors = read_peft(folder)
    with written(path) as part:
        writer = GGUFWriter(str(part), "llama")
        writer.add_type("adapter")
        writer.add_string("adapter.type", "lora")
        writer.add_float32("adapter.lora.alpha", float(config["lora_alpha"]))
        if "toolmend_notation" in config:
            writer.add_uint32(SPEAKS, int(config["toolmend_notation"]))
        for name, values in tensors.items():
            of = {"attn_q": heads, "attn_k": kv_heads}.get(name.split(".")[2])
            turned = permuted(values, of) if of and name.endswith("lora_b") else values
            writer.add_tensor(name, np.ascontiguousarray(turned))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()


def permuted(rows: Matrix, heads: int) -> Matrix:
    """Rows whose halves stand apart, as Hugging Face has them, → interleaved, as llama.cpp turns them."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def unpermuted(rows: Matrix, heads: int) -> Matrix:
    """The reverse of `permuted`."""
    return rows.reshape(heads, rows.shape[0] // heads // 2, 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def _gguf_key(key: str, folder: Path) -> str:
    layer, _, rest = key.removeprefix(_PREFIX).partition(".")
    module, _, side = rest.removesuffix(".weight").rpartition(".lora_")
    if not key.startswith(_PREFIX) or module not in _OURS or side not in ("A", "B"):
        raise BadFile(folder / WEIGHTS, f"has {key}, which is no part of an adapter of a Llama's linear layers")
    return f"blk.{layer}.{_OURS[module]}.weight.lora_{side.lower()}"
