"""A Llama as a GGUF file, by the `gguf` library: names, metadata and the order of rows as llama.cpp wants them.

Knows tensors and sizes; which tokens there are is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.errors import BadOption
from toolmend.models.builtin.engine import Sizes
from toolmend.models.gguf import peft

Weights = Mapping[str, NDArray[np.float32]]
TYPES = ("f32", "f16", "q8_0")
_NAMES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
}
_LAYER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


@dataclass(frozen=True)
class Vocabulary:
    """What a GGUF file says of its tokens. `kinds` are GGUF's token types; `merges` are `a b`, best first."""

    names: Sequence[bytes]
    kinds: Sequence[int]
    merges: Sequence[str]
    pre: str
    begin: int
    end: int
    pad: int
    template: str


def library() -> ModuleType:
    """The module gguf, imported late."""
    import gguf

    found: ModuleType = gguf
    return found


def write_gguf(
    path: Path,
    weights: Weights,
    sizes: Sizes,
    head: int,
    window: int,
    vocabulary: Vocabulary,
    about: Mapping[str, Any],
    kind: str,
) -> None:
    """Write the file. `head` is the width of an attention head, `kind` one of TYPES; norms are float32 in all of them.

    `about` are further keys: texts, whole numbers, lists of whole numbers. Raises BadOption where a type does not fit.
    """
    gguf = library()
    writer = gguf.GGUFWriter(path, "llama")
    for key, value in about.items():
        if isinstance(value, str):
            writer.add_string(key, value)
        elif isinstance(value, list):
            writer.add_array(key, value)
        else:
            writer.add_float64(key, float(value))
    _add_sizes(writer, sizes, head, window)
    _add_vocabulary(writer, vocabulary)
    chosen = {"f32": gguf.LlamaFileType.ALL_F32, "f16": gguf.LlamaFileType.MOSTLY_F16}
    writer.add_file_type(chosen.get(kind, gguf.LlamaFileType.MOSTLY_Q8_0))
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    for name, weight in weights.items():
        _add_tensor(gguf, writer, tensor_name(name), permuted(name, weight, sizes), kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_sizes(writer: Any, sizes: Sizes, head: int, window: int) -> None:
    writer.add_vocab_size(sizes.vocabulary)
    writer.add_context_length(window)
    writer.add_embedding_length(sizes.width)
    writer.add_block_count(sizes.layers)
    writer.add_feed_forward_length(sizes.inner)
    writer.add_head_count(sizes.heads)
    writer.add_head_count_kv(sizes.key_heads)
    writer.add_key_length(head)
    writer.add_value_length(head)
    writer.add_rope_dimension_count(head)
    writer.add_rope_freq_base(sizes.theta)
    writer.add_layer_norm_rms_eps(sizes.epsilon)


def _add_vocabulary(writer: Any, vocabulary: Vocabulary) -> None:
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(vocabulary.pre)
    writer.add_token_list(list(vocabulary.names))
    writer.add_token_types(list(vocabulary.kinds))
    writer.add_token_merges(list(vocabulary.merges))
    writer.add_bos_token_id(vocabulary.begin)
    writer.add_eos_token_id(vocabulary.end)
    writer.add_pad_token_id(vocabulary.pad)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(vocabulary.template)


def _add_tensor(gguf: ModuleType, writer: Any, name: str, weight: NDArray[np.float32], kind: str) -> None:
    if weight.ndim == 1 or kind == "f32":
        writer.add_tensor(name, np.ascontiguousarray(weight, np.float32))
    elif kind == "f16":
        writer.add_tensor(name, np.ascontiguousarray(weight.astype(np.float16)))
    else:
        if weight.shape[-1] % 32:
            raise BadOption(f"q8_0 needs rows of a multiple of 32 numbers; {name} has {weight.shape[-1]}: take f16")
        quantized = gguf.quantize(weight, gguf.GGMLQuantizationType.Q8_0)
        writer.add_tensor(name, quantized, raw_dtype=gguf.GGMLQuantizationType.Q8_0)


def tensor_name(name: str) -> str:
    """`blk.0.attn_q.weight` for `model.layers.0.self_attn.q_proj.weight`."""
    stem = name.removesuffix(".weight")
    if stem in _NAMES:
        return f"{_NAMES[stem]}.weight"
    number, _, part = stem.removeprefix("model.layers.").partition(".")
    return f"blk.{number}.{_LAYER[part]}.weight"


def permuted(name: str, weight: NDArray[np.float32], sizes: Sizes, *, back: bool = False) -> NDArray[np.float32]:
    """Rows of q and k in llama.cpp's order: it turns neighbours (0, 1), (2, 3), …; Hugging Face turns halves."""
    heads = {"q_proj.weight": sizes.heads, "k_proj.weight": sizes.key_heads}.get(name.rpartition("self_attn.")[2])
    if heads is None:
        return weight
    return peft.unpermuted(weight, heads) if back else peft.permuted(weight, heads)
