"""Keras, JAX and KerasHub: making them ready, and a CausalLM out of a folder. Runs on the worker's thread only.

Works around what KerasHub 0.32 leaves out of Hugging Face folders (rotary base, tied head, epsilon, the scaling of
Llama 3.1 in its newer spelling, Mistral's digits beyond float16). Tokenizers are read without KerasHub.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from toolmend.base.errors import BadFile, BadOption, MissingExtra, ModelError
from toolmend.extras.keras.chat import JsonTokens, KerasTokens, PieceTokens
from toolmend.extras.keras.folder import Folder, read_json

_LLAMA = {"tie_word_embeddings": False, "rope_theta": 10_000.0, "rms_norm_eps": 1e-6}
DEFAULTS: Mapping[str, Mapping[str, Any]] = {  # what transformers takes where a config.json is silent
    "llama": _LLAMA,
    "mistral": {**_LLAMA, "sliding_window": None},
    "gemma": {"head_dim": 256},
    "gemma2": {"head_dim": 256},
    "qwen2": {**_LLAMA, "use_sliding_window": False, "sliding_window": None},
    "qwen3": {**_LLAMA, "use_sliding_window": False, "sliding_window": None, "head_dim": 128},
}


@cache
def worker() -> ThreadPoolExecutor:
    """The one thread of a process in which Keras runs: its settings and distribution are per thread."""
    return ThreadPoolExecutor(1, "toolmend-keras")


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


def load_lm(folder: Folder, dtype: str, devices: int = 1) -> Any:
    """The CausalLM of a folder, without a preprocessor, its weights cut over so many devices.

    Raises BadFile, BadOption where devices are missing or KerasHub does not say how to cut, and ModelError where memory
    does not do.
    """
    hub = prepare()
    try:
        with _cut(folder, devices) if devices > 1 else nullcontext():
            backbone = _backbone(folder, dtype)
            return _task(hub, type(backbone))(backbone, preprocessor=None)
    except (BadFile, BadOption, ModelError):
        raise
    except Exception as error:  # a config or weights that the library cannot take: it raises all kinds
        if out_of_memory(error):
            raise ModelError(f"{folder.path}: no memory for its weights in {dtype}") from error
        why = " ".join(str(error).split())[:200]
        raise BadFile(folder.path, f"cannot be loaded by KerasHub ({type(error).__name__}: {why})") from error


@contextmanager
def _cut(folder: Folder, devices: int) -> Iterator[None]:
    """What is loaded inside lies on several devices as KerasHub's layout map for its kind says."""
    import keras

    found = keras.distribution.list_devices()
    if len(found) < devices:
        raise BadOption(f"{folder.path} on {devices} devices: this machine has {len(found)}")
    mesh = keras.distribution.DeviceMesh((1, devices), ["batch", "model"], devices=found[:devices])
    backbone = _loader(folder).check_backbone_class()
    if "Mistral" in backbone.__name__:
        backbone = prepare().models.LlamaBackbone  # their layers have the same names
    if not hasattr(backbone, "get_layout_map"):
        raise BadOption(f"{folder.path}: KerasHub does not say how a {backbone.__name__} is cut; take devices=1")
    cut = keras.distribution.ModelParallel(layout_map=backbone.get_layout_map(mesh), batch_dim_name="batch")
    before = keras.distribution.distribution()
    keras.distribution.set_distribution(cut)
    try:
        yield
    finally:
        keras.distribution.set_distribution(before)


def out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory, of the host or of a device, ran out."""
    return isinstance(error, MemoryError) or "RESOURCE_EXHAUSTED" in str(error)


def _loader(folder: Folder) -> Any:
    """KerasHub's loader of a folder."""
    from keras_hub.src.utils.preset_utils import KerasPresetLoader
    from keras_hub.src.utils.transformers.preset_loader import TransformersPresetLoader

    if folder.is_keras:
        return KerasPresetLoader(str(folder.path), dict(folder.config))
    return TransformersPresetLoader(str(folder.path), filled(folder.config))


def _backbone(folder: Folder, dtype: str) -> Any:
    loader, config = _loader(folder), {} if folder.is_keras else filled(folder.config)
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


def _task(hub: Any, backbone: type) -> Any:
    """The CausalLM class for a class of backbones."""
    for task in vars(hub.models).values():
        generates = isinstance(task, type) and issubclass(task, hub.models.CausalLM)
        if generates and getattr(task, "backbone_cls", None) is backbone:
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
    path = folder.path / "tokenizer.json"
    try:
        tokenizer = _loader(folder).load_tokenizer(None, str(read_json(path) and path.name))
        inner = tokenizer._tokenizer
    except Exception as error:  # the library raises all kinds
        raise BadFile(path, f"its tokenizer cannot be read ({type(error).__name__}: {error})") from error
    return JsonTokens(inner), path
