"""A tiny random Llama in GGUF, its head tied and its key heads shared, and an adapter for it as PEFT writes one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from tokenizers import pre_tokenizers

from toolmend.models.gguf.peft import MODULES, peft_key

LETTERS = sorted(pre_tokenizers.ByteLevel.alphabet())
"""The letters that stand for the 256 bytes."""
WIDTH, INNER, LAYERS, HEADS, KV_HEADS, WINDOW = 64, 96, 2, 4, 2, 4096
CHATML = (
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + "
    "'\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
KV = WIDTH * KV_HEADS // HEADS
SHAPES = {
    "attn_q": (WIDTH, WIDTH),
    "attn_k": (KV, WIDTH),
    "attn_v": (KV, WIDTH),
    "attn_output": (WIDTH, WIDTH),
    "ffn_gate": (INNER, WIDTH),
    "ffn_up": (INNER, WIDTH),
    "ffn_down": (WIDTH, INNER),
}


def write_llama(
    path: Path, tensors: Mapping[str, Any], template: str = CHATML, more: Callable[[Any], object] = lambda writer: None
) -> Path:
    """A net of these tensors; `more` adds to its header."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(WINDOW)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    kind = gguf.TokenType
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(["<|im_start|>", "<|im_end|>", *LETTERS, "ab"])
    writer.add_token_types([kind.CONTROL, kind.CONTROL, *[kind.NORMAL] * 257])
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(1)
    writer.add_chat_template(template)
    more(writer)
    return finish(writer, path, tensors)


def finish(writer: Any, path: Path, tensors: Mapping[str, Any]) -> Path:
    """Everything into the file."""
    for name, tensor in tensors.items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def write_base(path: Path) -> Path:
    """The net, its rows in llama.cpp's order."""
    noise = np.random.default_rng(5)
    tensors: dict[str, Any] = {"token_embd": noise.normal(0, 1, (259, WIDTH)), "output_norm": np.ones(WIDTH)}
    for layer in range(LAYERS):
        tensors |= {f"blk.{layer}.{name}": noise.normal(0, 0.15, shape) for name, shape in SHAPES.items()}
        tensors |= {f"blk.{layer}.{name}": np.ones(WIDTH) for name in ("attn_norm", "ffn_norm")}

    def more(writer: Any) -> None:
        writer.add_head_count_kv(KV_HEADS)
        writer.add_vocab_size(259)
        writer.add_rope_freq_base(10_000.0)

    return write_llama(path, {f"{name}.weight": tensor.astype("f4") for name, tensor in tensors.items()}, more=more)


def write_peft(folder: Path, base: Path, notation: int = 1, **about: Any) -> Path:
    """A folder as `smol/./FOLDER` takes it, with a random adapter of rank 2."""
    from safetensors.numpy import save_file

    noise = np.random.default_rng(7)
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {}
    for layer in range(LAYERS):
        for name, (rows, columns) in SHAPES.items():
            tensors[peft_key(layer, name, "A")] = noise.normal(0, 0.3, (2, columns)).astype("f2")
            tensors[peft_key(layer, name, "B")] = noise.normal(0, 0.3, (rows, 2)).astype("f2")
    assert len(tensors) == 2 * LAYERS * len(MODULES)
    save_file(tensors, folder / "adapter_model.safetensors")
    config = {"r": 2, "lora_alpha": 4, "toolmend_notation": notation}
    (folder / "adapter_config.json").write_text(json.dumps(config), encoding="utf-8")
    told = {"format": 1, "notation": notation, "title": "a test", "toolbox": "calendar", "base": str(base), **about}
    (folder / "toolmend.json").write_text(json.dumps(told), encoding="utf-8")
    return folder
