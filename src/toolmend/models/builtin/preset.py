"""A model preset on disk: a Hugging Face Llama folder plus `toolmend.json`, checked before anything is loaded.

    config.json  model.safetensors (float16)  tokenizer.json  tokenizer_config.json  toolmend.json  README.md

The same folder loads with KerasHub's and transformers' `from_preset` / `from_pretrained`. Nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolmend.errors import BadFile
from toolmend.models.builtin.engine import NumpyEngine, Sizes
from toolmend.models.builtin.spelling import MAX_SHORTHANDS, Spelling
from toolmend.models.builtin.tokens import SPECIAL, BuiltinTokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = 1
_EMBEDDING, _HEAD = "model.embed_tokens.weight", "lm_head.weight"
_SIZES: dict[str, type | tuple[type, ...]] = {  # keys of config.json in the order of Sizes
    "vocab_size": int, "hidden_size": int, "intermediate_size": int, "num_hidden_layers": int,
    "num_attention_heads": int, "num_key_value_heads": int, "rope_theta": (int, float), "rms_norm_eps": (int, float),
}  # fmt: skip
_PLAIN = {"hidden_act": "silu", "attention_bias": False, "mlp_bias": False, "rope_scaling": None}
NEEDED = ("config.json", "model.safetensors", "tokenizer.json", "toolmend.json")
PICKLED = (".pkl", ".pickle", ".pt", ".pth", ".bin", ".ckpt")


@dataclass(frozen=True)
class Preset:
    """What a preset says of itself, read from its small files; `load` brings in the weights."""

    folder: Path
    sizes: Sizes
    toolboxes: tuple[str, ...]
    shorthands: tuple[str, ...]
    window: int
    about: Mapping[str, Any]

    @classmethod
    def read(cls, folder: Path) -> Preset:
        """Read and check a folder. Raises BadFile naming the file and what is wrong with it."""
        if not folder.is_dir():
            raise BadFile(folder, "no such preset folder")
        for name in NEEDED:
            if not (folder / name).is_file():
                raise BadFile(folder, f"{name} is missing; a preset has {', '.join(NEEDED)}")
        refuse_pickles(folder)
        path = folder / "toolmend.json"
        about = _json(path)
        if about.get("format") != FORMAT:
            raise BadFile(path, f"format {about.get('format')!r} is not {FORMAT}: made by another version")
        toolboxes, shorthands = _texts(path, about, "toolboxes"), _texts(path, about, "shorthands")
        if len(shorthands) > MAX_SHORTHANDS:
            raise BadFile(path, f"{len(shorthands)} shorthands, at most {MAX_SHORTHANDS} are possible")
        window = about.get("window", 512)
        if type(window) is not int or window < 1:
            raise BadFile(path, f"window should be a positive whole number, not {window!r}")
        return cls(folder, read_sizes(folder / "config.json"), toolboxes, shorthands, window, about)

    @property
    def parameters(self) -> int:
        """Number of weights, computed from the sizes."""
        s = self.sizes
        kv = s.width * s.key_heads // s.heads
        layer = 2 * s.width**2 + 2 * s.width * kv + 3 * s.width * s.inner + 2 * s.width
        return s.vocabulary * s.width + s.layers * layer + s.width

    def load(self) -> tuple[NumpyEngine, BuiltinTokens]:
        """The engine with float32 weights, and the tokens. Raises BadFile on wrong shapes or a foreign tokenizer."""
        return NumpyEngine(self.sizes, self.weights()), self.tokens()

    def check(self) -> None:
        """Names and shapes of the weights, from the head of their file, and the tokenizer: before anything is loaded.

        Raises BadFile as `load` does.
        """
        from safetensors import SafetensorError, safe_open

        path = self.folder / "model.safetensors"
        try:
            with safe_open(path, "numpy") as file:
                self._fit({name: tuple(file.get_slice(name).get_shape()) for name in file.keys()})  # noqa: SIM118
        except (SafetensorError, ValueError, OSError) as error:
            raise BadFile(path, f"not a readable safetensors file ({error})") from error
        self.tokens()

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """The weights in float32 by their Hugging Face names. Raises BadFile."""
        import numpy as np
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        path = self.folder / "model.safetensors"
        try:
            weights = load_file(path)
        except (SafetensorError, ValueError, OSError) as error:
            raise BadFile(path, f"not a readable safetensors file ({error})") from error
        if self.tied:
            weights.pop(_HEAD, None)
        self._fit({name: weight.shape for name, weight in weights.items()})
        return {name: np.asarray(weight, np.float32) for name, weight in weights.items()}

    @property
    def tied(self) -> bool:
        """Whether the head is the embedding."""
        return bool(_json(self.folder / "config.json").get("tie_word_embeddings", False))

    def _fit(self, found: Mapping[str, tuple[int, ...]]) -> None:
        """Raise BadFile unless the weights found have the shapes that config.json says."""
        path = self.folder / "model.safetensors"
        for name, shape in weight_shapes(self.sizes, tied=self.tied).items():
            if name not in found:
                raise BadFile(path, f"weight {name} is missing")
            if found[name] != shape:
                raise BadFile(path, f"weight {name} has shape {found[name]}, config.json says {shape}")

    def tokens(self) -> BuiltinTokens:
        """The tokenizer with the spelling. Raises BadFile for one that the weights were not trained with."""
        from tokenizers import Tokenizer

        path = self.folder / "tokenizer.json"
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises bare Exception for every kind of bad file
            raise BadFile(path, f"not a tokenizer ({error})") from error
        size, first = self.sizes.vocabulary, tuple(tokenizer.id_to_token(number) for number in range(len(SPECIAL)))
        if tokenizer.get_vocab_size() != size or first != SPECIAL:
            raise BadFile(path, f"another model's tokenizer: {size} ids that begin with {' '.join(SPECIAL)} are needed")
        if self.about.get("tokenizer") not in (None, file_hash(path)):
            raise BadFile(path, "another tokenizer than the weights were trained with: its hash is not toolmend.json's")
        return BuiltinTokens(tokenizer, Spelling(self.shorthands))


def refuse_pickles(folder: Path) -> None:
    """Raise BadFile naming a file of the folder that could hold pickled weights."""
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in PICKLED:
            raise BadFile(path, "pickled weights are never loaded; convert them to safetensors")


def file_hash(path: Path) -> str:
    """SHA-256 of a file, as hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise BadFile(path, f"not readable JSON ({error})") from error
    if not isinstance(data, dict):
        raise BadFile(path, "not a JSON object")
    return data


def _texts(path: Path, data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) and text for text in value):
        raise BadFile(path, f"{key} should be a list of texts, not {value!r}")
    return tuple(value)


def read_sizes(path: Path) -> Sizes:
    """The sizes in a config.json that the embedded engine can run. Raises BadFile naming the key that it cannot."""
    config = _json(path)
    if (kind := config.get("model_type")) != "llama":
        raise BadFile(path, f"model_type {kind!r} is not 'llama', the one architecture the embedded engine runs")
    for key, known in _SIZES.items():
        if key not in config:
            raise BadFile(path, f"key {key!r} is missing")
        if not isinstance(config[key], known) or isinstance(config[key], bool) or not config[key] > 0:
            raise BadFile(path, f"{key} should be a positive number, not {config[key]!r}")
    sizes = Sizes(*(config[key] for key in _SIZES))
    if sizes.width % (2 * sizes.heads) or sizes.heads % sizes.key_heads:
        shared = f"{sizes.heads} heads with {sizes.key_heads} for keys"
        raise BadFile(path, f"{shared} do not share out a width of {sizes.width} evenly")
    for key, plain in {**_PLAIN, "head_dim": sizes.width // sizes.heads}.items():
        if config.get(key) not in (None, plain):
            raise BadFile(path, f"{key} {config[key]!r} is not supported by the embedded engine")
    return sizes


def weight_shapes(s: Sizes, *, tied: bool) -> dict[str, tuple[int, ...]]:
    """The shape of every weight by its Hugging Face name."""
    kv = s.width * s.key_heads // s.heads
    shapes: dict[str, tuple[int, ...]] = {_EMBEDDING: (s.vocabulary, s.width), "model.norm.weight": (s.width,)}
    if not tied:
        shapes[_HEAD] = (s.vocabulary, s.width)
    layer: dict[str, tuple[int, ...]] = {
        "self_attn.q_proj": (s.width, s.width), "self_attn.k_proj": (kv, s.width), "self_attn.v_proj": (kv, s.width),
        "self_attn.o_proj": (s.width, s.width), "mlp.gate_proj": (s.inner, s.width), "mlp.up_proj": (s.inner, s.width),
        "mlp.down_proj": (s.width, s.inner), "input_layernorm": (s.width,), "post_attention_layernorm": (s.width,),
    }  # fmt: skip
    for number in range(s.layers):
        shapes |= {f"model.layers.{number}.{name}.weight": shape for name, shape in layer.items()}
    return shapes


def write_config(folder: Path, sizes: Sizes, window: int, *, tied: bool = True) -> None:
    """Write config.json and tokenizer_config.json so that KerasHub and transformers understand the folder."""
    config = {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama",
        "vocab_size": sizes.vocabulary, "hidden_size": sizes.width,
        "intermediate_size": sizes.inner, "num_hidden_layers": sizes.layers, "num_attention_heads": sizes.heads,
        "num_key_value_heads": sizes.key_heads, "max_position_embeddings": window, "rms_norm_eps": sizes.epsilon,
        "rope_theta": sizes.theta, "tie_word_embeddings": tied,
        "hidden_act": "silu", "attention_bias": False, "mlp_bias": False,
        "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0, "torch_dtype": "float16",
    }  # fmt: skip
    pad, begin, end = SPECIAL[:3]
    tokenizer = {
        "tokenizer_class": "PreTrainedTokenizerFast", "bos_token": begin, "eos_token": end, "pad_token": pad,
    }  # fmt: skip
    for name, data in (("config.json", config), ("tokenizer_config.json", tokenizer)):
        (folder / name).write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
