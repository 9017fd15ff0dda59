"""The sizes of a model, as its config says them, and from them every weight it will have, by KerasHub's names.

Nothing is loaded: it is arithmetic for plans. Knows neither Keras nor devices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolmend.errors import BadFile

if TYPE_CHECKING:
    from toolmend.models.keras.folder import Folder

LLAMAS = ("llama", "mistral", "qwen2", "qwen3")
"""Kinds whose layers are named as Llama's are; the others are named as Gemma's."""

_KINDS = {
    "LlamaBackbone": "llama",
    "Llama3Backbone": "llama",
    "MistralBackbone": "mistral",
    "QwenBackbone": "qwen2",
    "Qwen3Backbone": "qwen3",
    "GemmaBackbone": "gemma",
}
_HUB = ("vocabulary_size", "num_layers", "hidden_dim", "intermediate_dim", "num_query_heads", "num_key_value_heads")
_FACE = (
    "vocab_size", "num_hidden_layers", "hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads",
)  # fmt: skip


@dataclass(frozen=True)
class Sizes:
    """What decides the shapes of a model's weights. `inner` is one half of a gated feed-forward, `keys` the heads of
    keys and values, `tied` whether the embedding is the output head too, `norms` how many scales a layer has."""

    kind: str
    vocabulary: int
    layers: int
    width: int
    inner: int
    heads: int
    keys: int
    head: int
    tied: bool
    norms: int = 2

    @classmethod
    def read(cls, folder: Folder) -> Sizes:
        """The sizes of a folder that was looked at. Raises BadFile for a kind whose weights are not known here."""
        if not folder.is_keras:
            return _of_face(folder)
        kind = _KINDS.get(folder.kind)
        if kind is None:
            raise BadFile(folder.path, f"the layout of a {folder.kind} is not known; known: {', '.join(_KINDS)}")
        return _of_hub(kind, folder)

    def variables(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Path and shape of every weight, as KerasHub (0.32) names and shapes them."""
        yield "token_embedding/embeddings", (self.vocabulary, self.width)
        if not self.tied:
            yield "token_embedding/reverse_embeddings", (self.width, self.vocabulary)
        for number in range(self.layers):
            yield from self._llama(number) if self.kind in LLAMAS else self._gemma(number)
        last = "sequence_output_layernorm" if self.kind in LLAMAS else "final_normalization"
        yield f"{last}/scale", (self.width,)

    def _llama(self, number: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        at = f"transformer_layer_{number}"
        for name, heads in (("query", self.heads), ("key", self.keys), ("value", self.keys)):
            yield f"{at}/self_attention/{name}/kernel", (self.width, heads, self.head)
            if self.kind == "qwen2":
                yield f"{at}/self_attention/{name}/bias", (heads, self.head)
            if self.kind == "qwen3" and name != "value":
                yield f"{at}/self_attention/{name}_dense_layernorm/scale", (self.head,)
        yield f"{at}/self_attention/attention_output/kernel", (self.heads, self.head, self.width)
        yield f"{at}/self_attention_layernorm/scale", (self.width,)
        yield f"{at}/feedforward_intermediate_dense/kernel", (self.width, self.inner)
        yield f"{at}/feedforward_gate_dense/kernel", (self.width, self.inner)
        yield f"{at}/feedforward_output_dense/kernel", (self.inner, self.width)
        yield f"{at}/feedforward_layernorm/scale", (self.width,)

    def _gemma(self, number: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        at = f"decoder_block_{number}"
        after = ("post_attention_norm", "post_ffw_norm") if self.norms == 4 else ()
        for name in ("pre_attention_norm", "pre_ffw_norm", *after):
            yield f"{at}/{name}/scale", (self.width,)
        for name, heads in (("query", self.heads), ("key", self.keys), ("value", self.keys)):
            yield f"{at}/attention/{name}/kernel", (heads, self.width, self.head)
        yield f"{at}/attention/attention_output/kernel", (self.heads, self.head, self.width)
        yield f"{at}/ffw_gating/kernel", (self.width, self.inner)
        yield f"{at}/ffw_gating_2/kernel", (self.width, self.inner)
        yield f"{at}/ffw_linear/kernel", (self.inner, self.width)


def _of_face(folder: Folder) -> Sizes:
    """Out of a Hugging Face config.json, with what transformers takes where it is silent."""
    from toolmend.models.keras.loading import filled

    config = filled(folder.config)
    vocabulary, layers, width, inner, heads, keys = _numbers(folder, config, _FACE)
    tied = bool(config.get("tie_word_embeddings", folder.kind.startswith("gemma")))
    kind = "gemma" if folder.kind.startswith("gemma") else folder.kind
    norms = 4 if folder.kind == "gemma2" else 2
    head = int(config.get("head_dim") or width // heads)
    return Sizes(kind, vocabulary, layers, width, inner, heads, keys, head, tied, norms)


def _of_hub(kind: str, folder: Folder) -> Sizes:
    """Out of a KerasHub preset's config.json; Gemma's feed-forward counts both of its halves there."""
    from toolmend.models.keras.loading import is_tied

    config = folder.config.get("config", {})
    vocabulary, layers, width, inner, heads, keys = _numbers(folder, config, _HUB)
    head = int(config.get("head_dim") or width // heads)
    if kind == "gemma":
        norms = 4 if config.get("use_post_ffw_norm") else 2
        return Sizes(kind, vocabulary, layers, width, inner // 2, heads, keys, head, True, norms)
    found = config.get("tie_word_embeddings")
    tied = is_tied(folder.path) if found is None else bool(found)
    return Sizes(kind, vocabulary, layers, width, inner, heads, keys, head, tied)


def _numbers(folder: Folder, config: Mapping[str, Any], names: tuple[str, ...]) -> list[int]:
    if missing := [name for name in names if not isinstance(config.get(name), int) or config[name] < 1]:
        raise BadFile(folder.path / "config.json", f"{missing[0]} is missing or no positive whole number")
    return [int(config[name]) for name in names]
