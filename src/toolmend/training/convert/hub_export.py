"""A KerasHub Llama 3 as a Hugging Face folder or a GGUF file: its own vocabulary, every special token special.

The end is `<|eot_id|>` where the vocabulary has it. Knows files, and nothing of Keras.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

from toolmend.models.builtin.preset import write_config
from toolmend.training.convert.gguf_file import Vocabulary, library, write_gguf
from toolmend.training.convert.keras_folder import Hub
from toolmend.training.convert.source import head_width

# GPT-2's, which KerasHub cuts text by whatever the model; llama.cpp has it by that name.
PRE = "gpt-2"
SPLIT = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
TEMPLATE = (
    "{{- '%s' -}}{%%- for message in messages -%%}"
    "{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n' + (message['content'] or '') | trim"
    " + '%s' -}}{%%- endfor -%%}"
    "{%%- if add_generation_prompt -%%}{{- '<|start_header_id|>assistant<|end_header_id|>\n\n' -}}{%%- endif -%%}"
)


def template(hub: Hub) -> str:
    """Llama 3's chat template, or nothing where the vocabulary has not its tokens."""
    needed = {"<|start_header_id|>", "<|end_header_id|>"} <= set(hub.specials)
    return TEMPLATE % (hub.begin, hub.end) if needed else ""


def tokenizer(hub: Hub) -> Tokenizer:
    """The vocabulary for the `tokenizers` library."""
    merges: Any = [tuple(each.split(" ", 1)) for each in hub.merges]
    made = Tokenizer(models.BPE(hub.vocabulary, merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(SPLIT), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(each, normalized=False, special=True) for each in hub.specials])
    return made


def write_hf(hub: Hub, folder: Path) -> None:
    """Write config, weights (float32), tokenizer, chat template and generation_config into the folder."""
    save_file(dict(hub.weights), folder / "model.safetensors", metadata={"format": "pt"})
    tokenizer(hub).save(str(folder / "tokenizer.json"), pretty=False)
    write_config(folder, hub.sizes, hub.window, tied=hub.tied)
    ends = {"bos_token_id": hub.vocabulary[hub.begin], "eos_token_id": hub.vocabulary[hub.end], "pad_token_id": 0}
    config = json.loads((folder / "config.json").read_text(encoding="utf-8")) | ends | {"torch_dtype": "float32"}
    said = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": hub.begin,
        "eos_token": hub.end,
        "pad_token": next(name for name, number in hub.vocabulary.items() if number == 0),
        "additional_special_tokens": [each for each in hub.specials if each not in (hub.begin, hub.end)],
        "clean_up_tokenization_spaces": False,
        "model_max_length": hub.window,
    }
    if chat := template(hub):
        said["chat_template"] = chat
    files = {
        "config.json": config,
        "tokenizer_config.json": said,
        "generation_config.json": {**ends, "do_sample": False},
    }
    for name, data in files.items():
        (folder / name).write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def write(hub: Hub, path: Path, kind: str) -> None:
    """Write a GGUF file; `kind` is one of gguf_file.TYPES."""
    types = library().TokenType
    names = [f"<|unused {number}|>" for number in range(hub.sizes.vocabulary)]
    kinds = [int(types.UNUSED)] * len(names)
    for name, number in hub.vocabulary.items():
        names[number], kinds[number] = name, int(types.CONTROL if name in hub.specials else types.NORMAL)
    vocabulary = Vocabulary(
        names=[each.encode() for each in names],
        kinds=kinds,
        merges=hub.merges,
        pre=PRE,
        begin=hub.vocabulary[hub.begin],
        end=hub.vocabulary[hub.end],
        pad=0,
        template=template(hub),
    )
    weights = {name: np.asarray(weight) for name, weight in hub.weights.items()}
    write_gguf(
        path, weights, hub.sizes, head_width(hub.sizes), hub.window, vocabulary, {"general.name": hub.name}, kind
    )
