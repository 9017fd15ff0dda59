"""An embedded model as a GGUF file whose plain text is right in llama.cpp and Ollama, and such a file read back.

The chat template spells what goes in; what comes out is right because every token stands there in every text that it
can say (variants.py). What the spelled model was is kept under `toolmend.*`, so that nothing is lost on the way back.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.errors import BadFile
from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import BEGIN, END, PAD, SPECIAL, Tokens
from toolmend.training.convert.gguf_file import Vocabulary, library, permuted, tensor_name, write_gguf
from toolmend.training.convert.source import EMBEDDING, HEAD, Trained, head_width
from toolmend.training.convert.templates import jinja
from toolmend.training.convert.variants import MORE, Variant, variants, widened

# Keeps letters with the space before them, and figures with - and : before them, as the vocabularies here want it.
PRE = "bloom"


def write(trained: Trained, path: Path, kind: str) -> None:
    """Write the file; `kind` is one of gguf_file.TYPES."""
    gguf = library()
    rows = variants(trained.tokens)
    weights, sizes = widened(trained.weights, trained.sizes, rows)
    model = json.loads(trained.tokens.tokenizer.to_str())["model"]
    vocabulary = Vocabulary(
        names=[each.name for each in rows],
        kinds=[_kind(gguf, number, each) for number, each in enumerate(rows)],
        merges=[each if isinstance(each, str) else " ".join(each) for each in model["merges"]],
        pre=PRE,
        begin=BEGIN,
        end=END,
        pad=PAD,
        template=jinja(trained.tokens.spelling),
    )
    about = {
        "general.name": trained.name,
        "general.license": trained.license,
        "toolmend.base": [each.base for each in rows],
        "toolmend.epsilon": trained.sizes.epsilon,
        "toolmend.tied": str(trained.tied).lower(),
        "toolmend.preset": json.dumps(_said(trained), ensure_ascii=False),
        "toolmend.card": trained.card,
        "toolmend.tokenizer": trained.tokens.tokenizer.to_str(),
    }
    write_gguf(path, weights, sizes, head_width(trained.sizes), trained.window, vocabulary, about, kind)


def _said(trained: Trained) -> dict[str, Any]:
    return {
        **trained.about,
        "toolboxes": list(trained.toolboxes),
        "shorthands": list(trained.tokens.spelling.shorthands),
        "window": trained.window,
    }


def _kind(gguf: Any, number: int, variant: Variant) -> int:
    """Token type: special ones are control tokens; what says nothing is unused, which llama.cpp never writes."""
    if number < len(SPECIAL):
        return int(gguf.TokenType.CONTROL)
    return int(gguf.TokenType.NORMAL if variant.text else gguf.TokenType.UNUSED)


def read(path: Path) -> Trained:
    """The embedded model of such a file, in f32 or f16. Raises BadFile, also for a file that toolmend did not write."""
    gguf = library()
    try:
        file = gguf.GGUFReader(path)
    except (ValueError, OSError, IndexError, KeyError) as error:
        raise BadFile(path, f"not a readable GGUF file ({error})") from error
    if "toolmend.tokenizer" not in file.fields:
        raise BadFile(path, "not written by toolmend: another program's GGUF has a tokenizer no embedded model reads")
    tensors = {each.name: each for each in file.tensors}
    if foreign := {each.tensor_type.name for each in file.tensors} - {"F32", "F16"}:
        raise BadFile(path, f"quantized ({', '.join(sorted(foreign))}); only f32 and f16 become a preset again")
    from tokenizers import Tokenizer

    said = json.loads(_text(file, "toolmend.preset"))
    tokens = Tokens(Tokenizer.from_str(_text(file, "toolmend.tokenizer")), Spelling(said.pop("shorthands")))
    sizes = _sizes(file, tokens)
    tied = _text(file, "toolmend.tied") == "true"
    base = [int(number) for number in file.fields["toolmend.base"].contents()]
    return Trained(
        name=_text(file, "general.name"),
        weights=_narrowed(path, {name: each.data for name, each in tensors.items()}, sizes, base, tied),
        sizes=sizes,
        tokens=tokens,
        window=said.pop("window"),
        toolboxes=tuple(said.pop("toolboxes")),
        about=said,
        card=_text(file, "toolmend.card") if "toolmend.card" in file.fields else "",
    )


def _text(file: Any, key: str) -> str:
    return str(file.fields[key].contents())


def _sizes(file: Any, tokens: Tokens) -> Sizes:
    def number(key: str) -> Any:
        return file.fields[key].contents()

    return Sizes(
        tokens.tokenizer.get_vocab_size(),
        int(number("llama.embedding_length")) - MORE,
        int(number("llama.feed_forward_length")),
        int(number("llama.block_count")),
        int(number("llama.attention.head_count")),
        int(number("llama.attention.head_count_kv")),
        float(number("llama.rope.freq_base")),
        float(number("toolmend.epsilon")),
    )


def _narrowed(
    path: Path, tensors: dict[str, Any], sizes: Sizes, base: list[int], tied: bool
) -> dict[str, NDArray[np.float32]]:
    """The weights without what `widened` added. Norms come back as the float16 they were."""
    first = [base.index(number) for number in range(sizes.vocabulary)]
    grow = np.sqrt((sizes.width + MORE) / sizes.width)
    made: dict[str, NDArray[np.float32]] = {}
    for name in weight_names(sizes, tied=tied):
        if tensor_name(name) not in tensors:
            raise BadFile(path, f"tensor {tensor_name(name)} is missing")
        weight = permuted(name, np.asarray(tensors[tensor_name(name)], np.float32), sizes, back=True)
        if weight.ndim == 1:
            made[name] = (weight[: sizes.width] * grow).astype(np.float16).astype(np.float32)
        elif name in (EMBEDDING, HEAD):
            made[name] = weight[first, : sizes.width]
        else:
            down = name.endswith(("o_proj.weight", "down_proj.weight"))
            made[name] = weight[: sizes.width] if down else weight[:, : sizes.width]
    return made


def weight_names(sizes: Sizes, *, tied: bool) -> list[str]:
    """Every weight of a Llama, by its Hugging Face name."""
    parts = (
        "input_layernorm", "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
        "post_attention_layernorm", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj",
    )  # fmt: skip
    layers = [f"model.layers.{number}.{part}.weight" for number in range(sizes.layers) for part in parts]
    return [EMBEDDING, *layers, "model.norm.weight", *([] if tied else [HEAD])]
