"""Hugging Face Llama folders: an embedded model written as one that transformers runs as it is, and read back.

The tokenizer spells by itself (respelled.py), the chat template sets the roles. What only toolmend wants to know stands
in `toolmend_preset.json`; a folder without it is read as well. Nothing in a folder is executed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer, decoders

from toolmend.errors import BadFile
from toolmend.models.builtin.preset import read_sizes, refuse_pickles, weight_shapes, write_config
from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import ASSISTANT, BEGIN, END, PAD, SPECIAL, USER, Tokens
from toolmend.training.convert.respelled import FOUND, respelled
from toolmend.training.convert.source import HEAD, Trained
from toolmend.training.convert.templates import jinja

OURS = "toolmend_preset.json"


def write(trained: Trained, folder: Path) -> None:
    """Write config, weights (float16), tokenizer, chat template, generation_config and card into the folder."""
    halves = {name: np.ascontiguousarray(weight.astype(np.float16)) for name, weight in trained.weights.items()}
    save_file(halves, folder / "model.safetensors", metadata={"format": "pt"})
    write_config(folder, trained.sizes, trained.window, tied=trained.tied)
    respelled(trained.tokens.tokenizer, trained.tokens.spelling).save(str(folder / "tokenizer.json"), pretty=False)
    _write(folder / "tokenizer_config.json", tokenizer_config(trained.window))
    _write(folder / "generation_config.json", generation_config(trained.window))
    _write(folder / OURS, said(trained))
    (folder / "README.md").write_text(trained.card, encoding="utf-8")


def said(trained: Trained) -> dict[str, Any]:
    """What toolmend.json says of a model, without what the folder's other files say."""
    return {**trained.about, "toolboxes": list(trained.toolboxes), "window": trained.window}


def tokenizer_config(window: int) -> dict[str, Any]:
    """tokenizer_config.json; the five special tokens are special in every sense."""
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": SPECIAL[BEGIN],
        "eos_token": SPECIAL[END],
        "pad_token": SPECIAL[PAD],
        "additional_special_tokens": [SPECIAL[USER], SPECIAL[ASSISTANT]],
        "clean_up_tokenization_spaces": False,
        "model_max_length": window,
        "chat_template": jinja(),
    }


def generation_config(window: int) -> dict[str, Any]:
    """generation_config.json: greedy, as long as the embedded engine's replies, no special token but the end."""
    return {
        "bos_token_id": BEGIN,
        "eos_token_id": END,
        "pad_token_id": PAD,
        "do_sample": False,
        "max_new_tokens": window // 3,
        "suppress_tokens": [PAD, BEGIN, USER, ASSISTANT],
    }


def _write(path: Path, data: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read(folder: Path) -> Trained:
    """The embedded model of such a folder. Raises BadFile naming the file and what is wrong with it."""
    if not folder.is_dir():
        raise BadFile(folder, "no such folder")
    refuse_pickles(folder)
    for name in ("config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise BadFile(folder, f"{name} is missing; a Hugging Face folder has config.json and tokenizer.json")
    sizes = read_sizes(folder / "config.json")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    ours = _ours(folder / OURS)
    tokens = _tokens(folder / "tokenizer.json", sizes.vocabulary)
    window = int(ours.pop("window", config.get("max_position_embeddings", 512)))
    card = folder / "README.md"
    return Trained(
        name=str(ours.get("name") or folder.resolve().name),
        weights=_weights(folder, weight_shapes(sizes, tied=bool(config.get("tie_word_embeddings", False)))),
        sizes=sizes,
        tokens=tokens,
        window=window,
        toolboxes=tuple(ours.pop("toolboxes", ())),
        about=ours,
        card=card.read_text(encoding="utf-8") if card.is_file() else "",
    )


def _ours(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadFile(path, f"not readable JSON ({error})") from error
    if not isinstance(data, dict):
        raise BadFile(path, "not a JSON object")
    return data


def _weights(folder: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, NDArray[np.float32]]:
    """Every weight of the folder's safetensors files, one or several. Raises BadFile on a name or shape."""
    found: dict[str, NDArray[np.float32]] = {}
    for path in sorted(folder.glob("*.safetensors")):
        try:
            found |= {name: np.asarray(weight, np.float32) for name, weight in load_file(path).items()}
        except (SafetensorError, ValueError, TypeError, KeyError, OSError) as error:
            raise BadFile(path, f"not a readable safetensors file ({error})") from error
    for name, shape in shapes.items():
        if name not in found:
            raise BadFile(folder, f"weight {name} is missing in its safetensors files")
        if found[name].shape != shape:
            raise BadFile(folder, f"weight {name} has shape {found[name].shape}, config.json says {shape}")
    if HEAD not in shapes:
        found.pop(HEAD, None)
    if extra := sorted(set(found) - set(shapes)):
        raise BadFile(folder, f"weight {extra[0]} is no part of the Llama that the embedded engine runs")
    return {name: found[name] for name in shapes}


def _tokens(path: Path, size: int) -> Tokens:
    """The spelled tokenizer in a tokenizer.json that `respelled` made. Raises BadFile for any other."""
    try:
        given = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exception for every kind of bad file
        raise BadFile(path, f"not a tokenizer ({error})") from error
    first = tuple(given.id_to_token(number) for number in range(len(SPECIAL)))
    if given.get_vocab_size() != size or first != SPECIAL:
        raise BadFile(path, f"another model's tokenizer: {size} ids that begin with {' '.join(SPECIAL)} are needed")
    plain = Tokenizer.from_str(json.dumps({**json.loads(given.to_str()), "normalizer": None}))
    plain.decoder = decoders.ByteLevel()
    spelling = Spelling(_shorthands(json.loads(given.to_str())))
    wanted, found = (json.loads(each.to_str()) for each in (respelled(plain, spelling), given))
    if any(wanted[part] != found[part] for part in ("normalizer", "decoder")):
        raise BadFile(path, "another tokenizer than an embedded model's: it does not spell as toolmend's exports do")
    return Tokens(plain, spelling)


def _shorthands(tokenizer: Mapping[str, Any]) -> list[str]:
    """The shorthands that its normalizers replace, in the order of their codes."""
    steps = (tokenizer.get("normalizer") or {}).get("normalizers", [])
    pairs = [(step.get("content"), (step.get("pattern") or {}).get("String", "")) for step in steps]
    found = {code: text.removesuffix(FOUND) for code, text in pairs if text.endswith(FOUND) and isinstance(code, str)}
    return [found[code] for code in sorted(found)]
