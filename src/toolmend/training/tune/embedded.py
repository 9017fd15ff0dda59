"""Embedded presets as a base: the same weights in KerasHub's Llama 3, and back under their Hugging Face names.

Built from the sizes, because KerasHub's own converter takes no notice of the norms' epsilon.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.models.builtin.engine import Engine, Sizes
from toolmend.models.builtin.model import BuiltinModel
from toolmend.models.builtin.preset import Preset, file_hash
from toolmend.models.builtin.tokens import PAD, Tokens
from toolmend.models.keras.loading import prepare
from toolmend.training.preset_files import write_files
from toolmend.training.tune.lora import adapted
from toolmend.training.tune.rows import EmbeddedForm

Weights = dict[str, NDArray[np.float32]]

_LAYER = {  # paths of KerasHub's Llama 3 in the order of Hugging Face's
    "self_attention/query/kernel": "self_attn.q_proj",
    "self_attention/key/kernel": "self_attn.k_proj",
    "self_attention/value/kernel": "self_attn.v_proj",
    "self_attention/attention_output/kernel": "self_attn.o_proj",
    "self_attention_layernorm/scale": "input_layernorm",
    "feedforward_intermediate_dense/kernel": "mlp.up_proj",
    "feedforward_gate_dense/kernel": "mlp.gate_proj",
    "feedforward_output_dense/kernel": "mlp.down_proj",
    "feedforward_layernorm/scale": "post_attention_layernorm",
}


class EmbeddedBase:
    """A preset of ours as a base."""

    pad = PAD

    def __init__(self, name: str, preset: Preset) -> None:
        preset.check()
        self.name, self.preset, self.window = name, preset, preset.window
        parts = [file_hash(preset.folder / each) for each in ("config.json", "model.safetensors", "tokenizer.json")]
        self.identity = hashlib.sha256("".join(parts).encode()).hexdigest()
        self.license = str(preset.about.get("license", "as the base's"))
        self.toolboxes = preset.toolboxes
        self._tokens = preset.tokens()

    def form(self) -> EmbeddedForm:
        """The form of embedded models."""
        return EmbeddedForm(self._tokens)

    def load(self) -> Any:
        """KerasHub's Llama 3 with this preset's weights, in float32."""
        lm = make_llama(self.preset.sizes, tied=self.preset.tied)
        weights = self.preset.weights()
        for variable in lm.variables:
            weight = weights[hugging_face_name(variable.path)]
            variable.assign(
                (weight if weight.ndim == 1 or _as_it_is(variable.path) else weight.T).reshape(variable.shape)
            )
        return lm

    def write(self, lm: Any, folder: Path, about: Mapping[str, Any], card: str) -> None:
        """Write the folder, float16, for the same toolboxes and with the same tokenizer."""
        halves = {name: np.ascontiguousarray(weight.astype(np.float16)) for name, weight in weights_of(lm).items()}
        preset = self.preset
        write_files(
            folder,
            halves,
            preset.sizes,
            self._tokens,
            toolboxes=preset.toolboxes,
            window=preset.window,
            about=about,
            card=card,
        )

    def player(self, lm: Any) -> BuiltinModel:
        """The same weights in the embedded engine: faster than Keras on one conversation, and what will be used."""
        return BuiltinModel(self.name, _Trained(**vars(self.preset), made=weights_of(lm)))


@dataclass(frozen=True)
class _Trained(Preset):
    """A preset whose weights are here and not in its folder."""

    made: Weights

    def load(self) -> tuple[Engine, Tokens]:
        """The engine with these weights."""
        return Engine(self.sizes, self.made), self.tokens()


def make_llama(sizes: Sizes, *, tied: bool) -> Any:
    """KerasHub's Llama 3 of these sizes with random weights, without a preprocessor."""
    keras_hub = prepare()
    backbone = keras_hub.models.Llama3Backbone(
        vocabulary_size=sizes.vocabulary,
        num_layers=sizes.layers,
        num_query_heads=sizes.heads,
        num_key_value_heads=sizes.key_heads,
        hidden_dim=sizes.width,
        intermediate_dim=sizes.inner,
        rope_max_wavelength=sizes.theta,
        layer_norm_epsilon=sizes.epsilon,
        tie_word_embeddings=tied,
        dtype="float32",
    )
    return keras_hub.models.Llama3CausalLM(backbone=backbone, preprocessor=None)


def weights_of(lm: Any) -> Weights:
    """The weights of such a model under their Hugging Face names; adapters merged into what they adapt."""
    made: Weights = {}
    merged = {layer._kernel.path: layer.kernel for layer in adapted(lm)}
    for variable in lm.variables:
        if "lora_kernel" in variable.path:
            continue
        weight = np.asarray(merged.get(variable.path, variable.value), np.float32)
        name = hugging_face_name(variable.path)
        made[name] = weight if weight.ndim == 1 or _as_it_is(variable.path) else _flat(name, weight).T
    return made


def hugging_face_name(path: str) -> str:
    """`model.layers.0.self_attn.q_proj.weight` for `transformer_layer_0/self_attention/query/kernel`."""
    layer, _, rest = path.partition("/")
    if layer.startswith("transformer_layer_"):
        return f"model.layers.{layer.removeprefix('transformer_layer_')}.{_LAYER[rest]}.weight"
    return {
        "token_embedding/embeddings": "model.embed_tokens.weight",
        "token_embedding/reverse_embeddings": "lm_head.weight",
        "sequence_output_layernorm/scale": "model.norm.weight",
    }[path]


def _as_it_is(path: str) -> bool:
    return path == "token_embedding/embeddings"


def _flat(name: str, weight: NDArray[np.float32]) -> NDArray[np.float32]:
    """A kernel as inputs x outputs: heads stand among the outputs, but among the inputs of o_proj."""
    inputs = weight.shape[:-1] if name.endswith("o_proj.weight") else weight.shape[:1]
    return weight.reshape(int(np.prod(inputs)), -1)
