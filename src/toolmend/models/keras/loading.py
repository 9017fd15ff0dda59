"""Keras, JAX and KerasHub: making them ready, and a CausalLM out of a folder. Runs on the worker's thread only.

Works around what KerasHub 0.32 leaves out of Hugging Face folders (rotary base, tied head, epsilon, the scaling of
Llama 3.1 in its newer spelling, Mistral's digits beyond float16) and out of its own presets (a tied Llama). Tokenizers
are read without KerasHub.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import nullcontext
from difflib import get_close_matches
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from toolmend.errors import BadFile, BadOption, MissingExtra, ModelError, UnknownName
from toolmend.models.keras.catalogue import ENTRIES
from toolmend.models.keras.folder import Folder, read_json
from toolmend.models.keras.mesh import check, spread
from toolmend.models.keras.shards import ShardPlan
from toolmend.models.keras.tokens import JsonTokens, KerasTokens, PieceTokens

_LLAMA = {"tie_word_embeddings": False, "rope_theta": 10_000.0, "rms_norm_eps": 1e-6}
DEFAULTS: Mapping[str, Mapping[str, Any]] = {  # what transformers takes where a config.json is silent
    "llama": _LLAMA,
    "mistral": {**_LLAMA, "sliding_window": None},
    "gemma": {"head_dim": 256},
    "gemma2": {"head_dim": 256},
    "qwen2": {**_LLAMA, "use_sliding_window": False, "sliding_window": None},
    "qwen3": {**_LLAMA, "use_sliding_window": False, "sliding_window": None, "head_dim": 128},
}


def prepare() -> Any:
    """keras_hub on JAX, with compiled functions kept in the user's cache folder.

    Raises MissingExtra, and BadOption where Keras runs on something else already.
    """
    os.environ.setdefault("KERAS_BACKEND", "jax")
    try:
        import jax
        import keras
        import keras_hub
    except ImportError as error:
        raise MissingExtra("a model on Keras", "local") from error
    if keras.config.backend() != "jax":
        raise BadOption(
            f"keras/… runs on JAX, and Keras was started on {keras.config.backend()}: set KERAS_BACKEND=jax"
        )
    if jax.config.jax_compilation_cache_dir is None:
        from platformdirs import user_cache_path

        jax.config.update("jax_compilation_cache_dir", str(user_cache_path("toolmend") / "compiled"))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.2)
    return keras_hub


def usual_dtype() -> str:
    """bfloat16 on an accelerator; float32 on a CPU, where it is faster."""
    import jax

    return "float32" if jax.default_backend() == "cpu" else "bfloat16"


def preset_handle(name: str) -> str:
    """The handle of one of KerasHub's own presets for generating text. Raises UnknownName with the nearest."""
    presets = prepare().models.CausalLM.presets
    if name not in presets:
        near = get_close_matches(name, presets, 8, 0.4)
        hint = "KerasHub's presets of text models; a folder is ./FOLDER, a handle hf://… or kaggle://…"
        raise UnknownName("local model", name, [*(entry.name for entry in ENTRIES), *near], hint)
    return str(presets[name]["kaggle_handle"])


def load_lm(folder: Folder, dtype: str, plan: ShardPlan | None = None) -> Any:
    """The CausalLM of a folder, without a preprocessor, its weights in the parts of a plan.

    Raises BadFile, BadOption where devices are missing, and ModelError where memory does not do.
    """
    hub = prepare()
    try:
        with spread(plan, str(folder.path)) if plan else nullcontext():
            backbone = _keras_backbone(folder, dtype) if folder.is_keras else _converted(folder, dtype)
            lm = _task(hub, type(backbone))(backbone, preprocessor=None)
        if plan:
            check(plan, lm, str(folder.path))
        return lm
    except (BadFile, BadOption, ModelError):
        raise
    except Exception as error:  # a config or weights that the library cannot take: it raises all kinds
        if out_of_memory(error):
            raise ModelError(f"{folder.path}: no memory for its weights in {dtype}") from error
        why = " ".join(str(error).split())[:200]
        raise BadFile(folder.path, f"cannot be loaded by KerasHub ({type(error).__name__}: {why})") from error


def out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory, of the host or of a device, ran out."""
    return isinstance(error, MemoryError) or "RESOURCE_EXHAUSTED" in str(error)


def _converted(folder: Folder, dtype: str) -> Any:
    from keras_hub.src.utils.transformers.preset_loader import TransformersPresetLoader

    config = filled(folder.config)
    loader = TransformersPresetLoader(str(folder.path), config)
    if folder.kind == "mistral":
        loader.converter = _exact_mistral(loader.converter)
    more = {"layer_norm_epsilon": config["rms_norm_eps"]} if "rms_norm_eps" in config else {}
    return loader.load_backbone(loader.check_backbone_class(), True, dtype=dtype, **more)


def _exact_mistral(converter: Any) -> Any:
    """KerasHub's converter without its detour through float16: the layers are named as Llama's are."""
    from keras_hub.src.utils.transformers import convert_llama3

    def convert_weights(backbone: Any, loader: Any, config: Any) -> None:
        backbone.tie_word_embeddings = False
        convert_llama3.convert_weights(backbone, loader, config)

    return SimpleNamespace(**{**vars(converter), "convert_weights": convert_weights})


def filled(config: Mapping[str, Any]) -> dict[str, Any]:
    """A config.json with what KerasHub's converters take for granted."""
    made = {**DEFAULTS.get(str(config.get("model_type")), {}), **config}
    made.setdefault("num_key_value_heads", made["num_attention_heads"])
    rope = made.get("rope_parameters") or {}
    if rope.get("rope_type", "default") != "default" and not made.get("rope_scaling"):
        made["rope_scaling"] = rope
    scaling = made.get("rope_scaling")
    if scaling and "rope_type" not in scaling and "type" in scaling:
        made["rope_scaling"] = {**scaling, "rope_type": scaling["type"]}
    return made


def _keras_backbone(folder: Folder, dtype: str) -> Any:
    from keras_hub.src.utils.preset_utils import KerasPresetLoader

    config = {**folder.config, "config": dict(folder.config["config"])}
    if "Llama" in folder.kind and "tie_word_embeddings" not in config["config"]:
        config["config"]["tie_word_embeddings"] = is_tied(folder.path)
    loader = KerasPresetLoader(str(folder.path), config)
    return loader.load_backbone(loader.check_backbone_class(), True, dtype=dtype)


def is_tied(path: Path) -> bool:
    """Whether the embedding of a Keras preset is its head as well: then its file holds one variable, not two."""
    import h5py

    for file in sorted(path.glob("model*.weights.h5")):
        with h5py.File(file) as weights:
            found = weights.get("layers/token_embedding/vars") or weights.get("layers/reversible_embedding/vars")
            if found is not None:
                return len(found) == 1
    return False


def _task(hub: Any, backbone: type) -> Any:
    """The CausalLM class for a class of backbones."""
    tasks = [each for each in vars(hub.models).values() if isinstance(each, type)]
    for task in tasks:
        if issubclass(task, hub.models.CausalLM) and getattr(task, "backbone_cls", None) is backbone:
            return task
    raise ModelError(f"KerasHub has no CausalLM for {backbone.__name__}: this model generates no text")


def read_tokens(folder: Folder) -> KerasTokens:
    """The tokenizer of a folder, checked against the vocabulary of its weights. Raises BadFile."""
    tokens, path = _tokens(folder)
    inner = folder.config.get("config", {}) if folder.is_keras else folder.config
    size = inner.get("vocabulary_size" if folder.is_keras else "vocab_size")
    if isinstance(size, int) and tokens.size > size:
        raise BadFile(path, f"another model's tokenizer: {tokens.size} ids, and weights for {size} only")
    return tokens


def _tokens(folder: Folder) -> tuple[KerasTokens, Path]:
    assets = folder.path / "assets" / "tokenizer"
    for path in (folder.path / "tokenizer.model", assets / "vocabulary.spm"):
        if path.is_file() and (folder.is_keras or not (folder.path / "tokenizer.json").is_file()):
            return PieceTokens.read(path), path
    if not folder.is_keras:
        return JsonTokens.read(folder.path / "tokenizer.json"), folder.path / "tokenizer.json"
    prepare()  # first: importing KerasHub decides on what Keras runs
    from keras_hub.src.utils.preset_utils import KerasPresetLoader

    path = folder.path / "tokenizer.json"
    loader = KerasPresetLoader(str(folder.path), dict(folder.config))
    try:
        tokenizer = loader.load_tokenizer(None, str(read_json(path) and path.name))
        inner = tokenizer._tokenizer
    except Exception as error:  # the library raises all kinds
        raise BadFile(path, f"its tokenizer cannot be read ({type(error).__name__}: {error})") from error
    return JsonTokens(inner), path
