"""A GGUF file of a Llama as torch weights, and the tokenizer that it carries. Dequantised once, query and key rows put
back into the order of Hugging Face (llama.cpp keeps them interleaved). The adapter over it as PEFT's files (which
transformers loads), with the version of the notation it speaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor

from toolmend.base.errors import BadFile
from toolmend.language.resolve.said import NOTATION
from toolmend.models.gguf.peft import CONFIG, MODULES, WEIGHTS, peft_key, read_peft, unpermuted
from toolmend.training.adapter.net import GROUPS, AdaptedLlama, LlamaShape

_GPT2_SPLIT = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


class GgufBase:
    """A base model's file: its shape, its tokenizer, its weights. Raises BadFile where it is not a Llama in GGUF."""

    def __init__(self, path: Path) -> None:
        from gguf import GGUFReader

        try:
            self._reader = GGUFReader(str(path))
        except (ValueError, OSError, IndexError) as error:
            raise BadFile(path, f"not a GGUF file that can be read: {error}") from error
        self.path = path
        if self._field("general.architecture") != "llama":
            raise BadFile(path, f"its architecture is {self._field('general.architecture')}; adapters need llama")
        if any(tensor.name == "output.weight" for tensor in self._reader.tensors):
            raise BadFile(path, "its head is not its embedding; adapters need a Llama whose head is tied")
        self.shape = LlamaShape(
            layers=self._field("llama.block_count"),
            width=self._field("llama.embedding_length"),
            heads=self._field("llama.attention.head_count"),
            kv_heads=self._field("llama.attention.head_count_kv"),
            inner=self._field("llama.feed_forward_length"),
            vocabulary=self._field("llama.vocab_size"),
            rope_base=self._field("llama.rope.freq_base"),
            epsilon=self._field("llama.attention.layer_norm_rms_epsilon"),
        )

    @property
    def window(self) -> int:
        """How many tokens it was made for."""
        return int(self._field("llama.context_length"))

    def _field(self, name: str) -> Any:
        field = self._reader.fields.get(name)
        if field is None:
            raise BadFile(self.path, f"its header has no {name}")
        return field.contents()

    def tokenizer(self) -> Tokenizer:
        """The byte-pair tokenizer of the file; special tokens are read only where they are added on purpose."""
        tokens, kinds = self._field("tokenizer.ggml.tokens"), self._field("tokenizer.ggml.token_type")
        merges = [tuple(merge.split(" ")) for merge in self._field("tokenizer.ggml.merges")]
        tokenizer = Tokenizer(models.BPE({token: index for index, token in enumerate(tokens)}, merges))
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Digits(individual_digits=True),
                pre_tokenizers.Split(Regex(_GPT2_SPLIT), "isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
        tokenizer.decoder = decoders.ByteLevel()
        control = 3
        tokenizer.add_special_tokens(
            [AddedToken(token, special=True) for token, kind in zip(tokens, kinds, strict=True) if kind == control]
        )
        return tokenizer

    @cached_property
    def weights(self) -> dict[str, Tensor]:
        """Every tensor in float32 under its GGUF name, rows in the order of Hugging Face."""
        from gguf import dequantize

        weights: dict[str, Tensor] = {}
        for tensor in self._reader.tensors:
            values = np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
            if tensor.name.endswith("attn_q.weight"):
                values = unpermuted(values, self.shape.heads)
            elif tensor.name.endswith("attn_k.weight"):
                values = unpermuted(values, self.shape.kv_heads)
            weights[tensor.name] = torch.from_numpy(values)
        return weights

    def net(self, *, rank: int, alpha: float, dtype: torch.dtype) -> AdaptedLlama:
        """The net with this base in `dtype`, and a fresh adapter in float32, which changes nothing yet."""
        net = AdaptedLlama(self.shape, rank=rank, alpha=alpha)
        weights = self.weights
        net.embedding = weights["token_embd.weight"].to(dtype)
        net.norm = weights["output_norm.weight"].to(dtype)
        for index, layer in enumerate(net.layers):
            layer.attn_norm = weights[f"blk.{index}.attn_norm.weight"].to(dtype)
            layer.ffn_norm = weights[f"blk.{index}.ffn_norm.weight"].to(dtype)
            for names, group in zip(GROUPS, layer.groups, strict=True):
                group.weight = torch.cat([weights[f"blk.{index}.{name}.weight"] for name in names]).to(dtype)
        return net


def save_peft(net: AdaptedLlama, folder: Path, base: str) -> None:
    """Write the matrices in float16 and their configuration, as PEFT does. `base` names the base model."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    tensors = {
        peft_key(layer, name, side): values.detach().float().cpu().numpy().astype(np.float16)
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
    """Put the matrices of a PEFT folder into a net of the same rank, whose scale may be another. Raises BadFile where
    they do not fit."""
    config, tensors = read_peft(folder)
    scale = float(config["lora_alpha"]) / int(config.get("r", net.rank)) / (net.alpha / net.rank)
    with torch.no_grad():
        for layer, name, side, values in _matrices(net):
            given = tensors.get(f"blk.{layer}.{name}.weight.lora_{side.lower()}")
            if given is None or given.shape != tuple(values.shape):
                shape = "nothing" if given is None else str(given.shape)
                wanted = f"layer {layer}, {MODULES[name]}.lora_{side}"
                raise BadFile(folder / WEIGHTS, f"has {shape} for {wanted}; {tuple(values.shape)} is needed")
            values.copy_(torch.from_numpy(given.astype(np.float32) * (scale if side == "B" else 1.0)))


def _matrices(net: AdaptedLlama) -> Iterator[tuple[int, str, str, torch.Tensor]]:
    for index, layer in enumerate(net.layers):
        for names, group in zip(GROUPS, layer.groups, strict=True):
            for name, down, up in zip(names, group.down, group.up, strict=True):
                yield index, name, "A", down
                yield index, name, "B", up
