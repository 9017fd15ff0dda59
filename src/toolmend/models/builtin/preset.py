"""A model preset on disk: a Hugging Face Llama folder plus `toolmend.json`, checked before anything is loaded.

    config.json  model.safetensors (float16)  tokenizer.json  tokenizer_config.json  toolmend.json  README.md

The same folder loads with KerasHub's and transformers' `from_preset` / `from_pretrained`. Nothing in it is executed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolmend.errors import BadFile
from toolmend.models.builtin.engine import Engine, Sizes
from toolmend.models.builtin.spelling import MAX_SHORTHANDS, Spelling
from toolmend.models.builtin.tokens import SPECIAL, Tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = 1
NEEDED = ("config.json", "model.safetensors", "tokenizer.json", "toolmend.json")


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
        foreign = [p.name for p in folder.iterdir() if p.suffix in {".pkl", ".pickle", ".pt", ".bin", ".pth"}]
        if foreign:
            raise BadFile(folder / foreign[0], "pickled weights are never loaded; convert them to safetensors")
        about = _json(folder / "toolmend.json")
        if about.get("format") != FORMAT:
            raise BadFile(folder / "toolmend.json", f"format {about.get('format')!r} is not {FORMAT}: made by another version")
        shorthands = tuple(about.get("shorthands", ()))
        if len(shorthands) > MAX_SHORTHANDS:
            raise BadFile(folder / "toolmend.json", f"{len(shorthands)} shorthands, at most {MAX_SHORTHANDS} are possible")
        window = int(about.get("window", 512))
        return cls(folder, _sizes(folder / "config.json"), tuple(about.get("toolboxes", ())), shorthands, window, about)

    @property
    def parameters(self) -> int:
        """Number of weights, computed from the sizes."""
        s = self.sizes
        kv = s.width * s.key_heads // s.heads
        layer = 2 * s.width**2 + 2 * s.width * kv + 3 * s.width * s.inner + 2 * s.width
        return s.vocabulary * s.width + s.layers * layer + s.width

    def load(self) -> tuple[Engine, Tokens]:
        """The engine with its weights in float32, and the tokens. Raises BadFile on wrong shapes or a foreign tokenizer."""
        return Engine(self.sizes, self._weights()), self._tokens()

    def _weights(self) -> dict[str, NDArray[np.float32]]:
        import numpy as np
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        path = self.folder / "model.safetensors"
        try:
            weights = load_file(path)
        except (SafetensorError, ValueError, OSError) as error:
            raise BadFile(path, f"not a readable safetensors file ({error})") from error
        for name, shape in _shapes(self.sizes).items():
            if name not in weights:
                raise BadFile(path, f"weight {name} is missing")
            if weights[name].shape != shape:
                raise BadFile(path, f"weight {name} has shape {weights[name].shape}, config.json says {shape}")
        return {name: np.asarray(weight, np.float32) for name, weight in weights.items()}

    def _tokens(self) -> Tokens:
        from tokenizers import Tokenizer

        path = self.folder / "tokenizer.json"
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises bare Exception for every kind of bad file
            raise BadFile(path, f"not a tokenizer ({error})") from error
        if tokenizer.get_vocab_size() != self.sizes.vocabulary or [tokenizer.id_to_token(i) for i in range(5)] != list(SPECIAL):
            raise BadFile(path, f"another model's tokenizer: {self.sizes.vocabulary} ids that begin with {' '.join(SPECIAL)} are needed")
        return Tokens(tokenizer, Spelling(self.shorthands))


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise BadFile(path, f"not readable JSON ({error})") from error
    if not isinstance(data, dict):
        raise BadFile(path, "not a JSON object")
    return data


def _sizes(path: Path) -> Sizes:
    config = _json(path)
    if config.get("model_type") != "llama":
        raise BadFile(path, f"model_type {config.get('model_type')!r} is not 'llama', the one architecture the embedded engine runs")
    try:
        return Sizes(
            config["vocab_size"], config["hidden_size"], config["intermediate_size"], config["num_hidden_layers"],
            config["num_attention_heads"], config["num_key_value_heads"], config["rope_theta"], config["rms_norm_eps"],
        )
    except KeyError as error:
        raise BadFile(path, f"key {error} is missing") from error


def _shapes(s: Sizes) -> dict[str, tuple[int, ...]]:
    kv = s.width * s.key_heads // s.heads
    shapes: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": (s.vocabulary, s.width), "model.norm.weight": (s.width,)}
    layer: dict[str, tuple[int, ...]] = {
        "self_attn.q_proj": (s.width, s.width), "self_attn.k_proj": (kv, s.width), "self_attn.v_proj": (kv, s.width),
        "self_attn.o_proj": (s.width, s.width), "mlp.gate_proj": (s.inner, s.width), "mlp.up_proj": (s.inner, s.width),
        "mlp.down_proj": (s.width, s.inner), "input_layernorm": (s.width,), "post_attention_layernorm": (s.width,),
    }
    for number in range(s.layers):
        shapes |= {f"model.layers.{number}.{name}.weight": shape for name, shape in layer.items()}
    return shapes


def write_config(folder: Path, sizes: Sizes, window: int) -> None:
    """Write config.json and tokenizer_config.json so that KerasHub and transformers understand the folder."""
    config = {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": sizes.vocabulary, "hidden_size": sizes.width,
        "intermediate_size": sizes.inner, "num_hidden_layers": sizes.layers, "num_attention_heads": sizes.heads,
        "num_key_value_heads": sizes.key_heads, "max_position_embeddings": window, "rms_norm_eps": sizes.epsilon,
        "rope_theta": sizes.theta, "tie_word_embeddings": True, "hidden_act": "silu", "attention_bias": False, "mlp_bias": False,
        "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0, "torch_dtype": "float16",
    }
    tokenizer = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": SPECIAL[1], "eos_token": SPECIAL[2], "pad_token": SPECIAL[0]}
    for name, data in (("config.json", config), ("tokenizer_config.json", tokenizer)):
        (folder / name).write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
