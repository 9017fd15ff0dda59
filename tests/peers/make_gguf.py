"""Write a tiny llama model with random weights as GGUF, for llama.cpp. Run by the peers' Python: make_gguf.py FILE.

Its text is noise, but it is a true peer: tokens, sampling, grammars, streaming and counts are llama.cpp's own.
"""

from __future__ import annotations

import sys

import gguf
import numpy as np

WIDTH, LAYERS, HEADS, INNER, CONTEXT = 64, 2, 4, 128, 4096
SPECIAL = ["<unk>", "<s>", "</s>"]
PRINTABLE = ["▁" if code == 32 else chr(code) for code in range(32, 127)]


def main(path: str) -> None:
    """Bytes and printable characters as tokens, two layers of noise."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    tokens = SPECIAL + [f"<0x{byte:02X}>" for byte in range(256)] + PRINTABLE
    kind = gguf.TokenType
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * (len(tokens) - len(PRINTABLE)) + [-1.0] * len(PRINTABLE))
    writer.add_token_types(
        [kind.UNKNOWN, kind.CONTROL, kind.CONTROL, *[kind.BYTE] * 256, *[kind.NORMAL] * len(PRINTABLE)]
    )
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    for name, shape in shapes(len(tokens)).items():
        writer.add_tensor(name, weights(shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def shapes(vocabulary: int) -> dict[str, tuple[int, ...]]:
    """Every tensor of the net."""
    found: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (vocabulary, WIDTH),
        "output.weight": (vocabulary, WIDTH),
        "output_norm.weight": (WIDTH,),
    }
    for layer in range(LAYERS):
        for name in ("attn_norm", "ffn_norm"):
            found[f"blk.{layer}.{name}.weight"] = (WIDTH,)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            found[f"blk.{layer}.{name}.weight"] = (WIDTH, WIDTH)
        for name in ("ffn_gate", "ffn_up"):
            found[f"blk.{layer}.{name}.weight"] = (INNER, WIDTH)
        found[f"blk.{layer}.ffn_down.weight"] = (WIDTH, INNER)
    return found


_chance = np.random.default_rng(11)


def weights(shape: tuple[int, ...]) -> np.ndarray:
    """Ones for a norm, noise for the rest."""
    if len(shape) == 1:
        return np.ones(shape, np.float32)
    return _chance.normal(0, 0.3, shape).astype(np.float32)


if __name__ == "__main__":
    main(sys.argv[1])
