"""KerasHub Llama 3 presets: read with their weights and byte-level vocabulary, and written from an embedded model.

Two bugs of keras-hub 0.32 are met here: a tied preset says nothing of `tie_word_embeddings` and cannot be loaded again
(`say_tied` adds it); its exporter to Hugging Face loses special tokens (hub_export.py writes them itself).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.errors import BadFile, MissingExtra
from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.preset import refuse_pickles
from toolmend.training.convert.source import EMBEDDING, HEAD, Trained, Weights

KIND = "Llama3Backbone"
_LAYER = {
    "self_attn.q_proj": "self_attention/query/kernel",
    "self_attn.k_proj": "self_attention/key/kernel",
    "self_attn.v_proj": "self_attention/value/kernel",
    "self_attn.o_proj": "self_attention/attention_output/kernel",
    "input_layernorm": "self_attention_layernorm/scale",
    "mlp.up_proj": "feedforward_intermediate_dense/kernel",
    "mlp.gate_proj": "feedforward_gate_dense/kernel",
    "mlp.down_proj": "feedforward_output_dense/kernel",
    "post_attention_layernorm": "feedforward_layernorm/scale",
}
_OUTSIDE = {
    EMBEDDING: "token_embedding/embeddings",
    HEAD: "token_embedding/reverse_embeddings",
    "model.norm.weight": "sequence_output_layernorm/scale",
}


@dataclass(frozen=True)
class Hub:
    """A KerasHub Llama 3: float32 weights under Hugging Face names, and its byte-level vocabulary.

    `specials` are the tokens that are never split, as they stand in `vocabulary`.
    """

    name: str
    weights: Weights
    sizes: Sizes
    vocabulary: dict[str, int]
    merges: tuple[str, ...]
    specials: tuple[str, ...]
    begin: str
    end: str
    window: int

    @property
    def tied(self) -> bool:
        """Whether the head is the embedding."""
        return HEAD not in self.weights


def is_keras(folder: Path) -> bool:
    """Whether a folder's config.json is one of Keras."""
    try:
        return "registered_name" in json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def read(folder: Path) -> Hub:
    """The model of a preset folder. Raises BadFile naming the file that is missing or of another kind; MissingExtra."""
    refuse_pickles(folder)
    for name in ("config.json", "model.weights.h5", "tokenizer.json"):
        if not (folder / name).is_file():
            raise BadFile(
                folder, f"{name} is missing; a KerasHub preset has config.json, model.weights.h5, tokenizer.json"
            )
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if config.get("class_name") != KIND:
        raise BadFile(folder / "config.json", f"{config.get('class_name')!r}: only {KIND} is converted")
    inner = config.get("config", {})
    if inner.get("rope_frequency_adjustment_factor") is not None:
        raise BadFile(folder / "config.json", "scaled rotary positions (Llama 3.1 and later) are not converted")
    backbone = _backbone(inner)
    try:
        backbone.load_weights(str(folder / "model.weights.h5"))
    except (ValueError, OSError, KeyError) as error:
        what = " ".join(str(error).split())[:200]
        raise BadFile(folder / "model.weights.h5", f"its weights do not fit config.json ({what})") from error
    sizes = _sizes(inner)
    vocabulary, merges, said = _vocabulary(folder)
    if len(vocabulary) > sizes.vocabulary:
        raise BadFile(folder / "tokenizer.json", f"{len(vocabulary)} tokens, config.json says {sizes.vocabulary}")
    specials = _specials(said, vocabulary)
    begin, end = (str(said.get(key, default)) for key, default in _ENDS)
    return Hub(
        folder.resolve().name, weights_of(backbone, sizes), sizes, vocabulary, merges, specials, begin,
        "<|eot_id|>" if "<|eot_id|>" in vocabulary else end, _window(folder),
    )  # fmt: skip


_ENDS = (("bos_token", "<|begin_of_text|>"), ("eos_token", "<|end_of_text|>"))


def _window(folder: Path) -> int:
    try:
        task = json.loads((folder / "preprocessor.json").read_text(encoding="utf-8"))
        return int(task["config"].get("sequence_length") or 1024)
    except (OSError, ValueError, KeyError):
        return 1024


def _vocabulary(folder: Path) -> tuple[dict[str, int], tuple[str, ...], dict[str, Any]]:
    said = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8")).get("config", {})
    assets = folder / "assets" / "tokenizer"
    for name in ("vocabulary.json", "merges.txt"):
        if not (assets / name).is_file():
            raise BadFile(assets, f"{name} is missing; only byte-level vocabularies are converted")
    merges = (assets / "merges.txt").read_text(encoding="utf-8").splitlines()
    vocabulary = json.loads((assets / "vocabulary.json").read_text(encoding="utf-8"))
    return vocabulary, tuple(each for each in merges if each and not each.startswith("#version")), said


def _specials(said: dict[str, Any], vocabulary: dict[str, int]) -> tuple[str, ...]:
    """Every token that looks like `<|…|>`, and what the tokenizer says must not be split."""
    named = {*(said.get("unsplittable_tokens") or ()), *(str(said.get(key, "")) for key, _ in _ENDS)}
    found = (each for each in vocabulary if each in named or (each.startswith("<|") and each.endswith("|>")))
    return tuple(sorted(found, key=lambda each: vocabulary[each]))


def _sizes(config: dict[str, Any]) -> Sizes:
    return Sizes(
        config["vocabulary_size"],
        config["hidden_dim"],
        config["intermediate_dim"],
        config["num_layers"],
        config["num_query_heads"],
        config["num_key_value_heads"],
        float(config.get("rope_max_wavelength", 10_000)),
        float(config.get("layer_norm_epsilon", 1e-6)),
    )


def _backbone(config: dict[str, Any]) -> Any:
    os.environ.setdefault("KERAS_BACKEND", "jax")
    try:
        import keras_hub
    except ImportError as error:
        raise MissingExtra("a KerasHub preset", "local") from error
    known = {key: value for key, value in config.items() if key not in ("name", "trainable", "dtype")}
    return keras_hub.models.Llama3Backbone(**known, dtype="float32")


def weights_of(backbone: Any, sizes: Sizes) -> dict[str, NDArray[np.float32]]:
    """The backbone's weights under Hugging Face names: (outputs, inputs), heads side by side."""
    found = {variable.path: np.asarray(variable.value, np.float32) for variable in backbone.variables}
    made = {name: found[path] for name, path in _OUTSIDE.items() if path in found}
    if HEAD in made:
        made[HEAD] = np.ascontiguousarray(made[HEAD].T)
    for number in range(sizes.layers):
        for name, path in _LAYER.items():
            weight = found[f"transformer_layer_{number}/{path}"]
            if weight.ndim > 1:
                inputs = weight.shape[0] * (weight.shape[1] if name.endswith("o_proj") else 1)
                weight = np.ascontiguousarray(weight.reshape(inputs, -1).T)
            made[f"model.layers.{number}.{name}.weight"] = weight
    return made


def write(trained: Trained, folder: Path) -> None:
    """Write an embedded model as a KerasHub preset, float32. Its tokenizer goes along as it is and does not spell: it
    wants `Spelling.encode`d text."""
    s = trained.sizes
    backbone = _backbone({
        "vocabulary_size": s.vocabulary, "num_layers": s.layers, "num_query_heads": s.heads,
        "num_key_value_heads": s.key_heads, "hidden_dim": s.width, "intermediate_dim": s.inner,
        "rope_max_wavelength": s.theta, "layer_norm_epsilon": s.epsilon, "tie_word_embeddings": trained.tied,
    })  # fmt: skip
    paths = {path: name for name, path in _OUTSIDE.items()}
    for number in range(s.layers):
        paths |= {
            f"transformer_layer_{number}/{path}": f"model.layers.{number}.{name}.weight"
            for name, path in _LAYER.items()
        }
    for variable in backbone.variables:
        name = paths[variable.path]
        weight = trained.weights[name]
        variable.assign((weight if weight.ndim == 1 or name == EMBEDDING else weight.T).reshape(variable.shape))
    backbone.save_to_preset(str(folder))
    say_tied(folder, trained.tied)
    trained.tokens.tokenizer.save(str(folder / "spelled_tokenizer.json"), pretty=False)
    (folder / "README.md").write_text(trained.card, encoding="utf-8")


def say_tied(folder: Path, tied: bool) -> None:
    """Add `tie_word_embeddings` wherever a preset's files describe its backbone: keras-hub 0.32 leaves it out."""
    for name in ("config.json", "task.json"):
        path = folder / name
        if not path.is_file():
            continue
        data = json.loads(path.read_text(encoding="utf-8"))
        for each in (data, data.get("config", {}).get("backbone") or {}):
            if each.get("class_name") == KIND:
                each["config"]["tie_word_embeddings"] = tied
        path.write_text(json.dumps(data, indent=4), encoding="utf-8")
