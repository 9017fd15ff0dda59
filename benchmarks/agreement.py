"""Whether the engines say the same: llama.cpp (`gguf/…`), torch (what trains) and Keras, on the same weights.

    toolmend models get smollm2; python benchmarks/agreement.py [--prompts 50] [--keras 10]

The weights are SmolLM2's, dequantised to float32 and written anew for each engine, alone and with each shipped adapter.
Prompts are the first requests of written talks. The greedy text of `gguf/…` is read by torch in float32: at the first
token that torch would not have chosen, the gap is the difference of both log-probabilities there, in nats. Keras says
the first of the prompts by itself, adapters added to its weights. Needs the extras `train` and `local`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import anyio
import gguf
import torch
from gguf_engine import rewrite
from safetensors.torch import save_file

from toolmend.base.messages import Message, Reply, Request
from toolmend.models import Model, load_model
from toolmend.models.gguf.peft import MODULES, peft_to_gguf
from toolmend.models.gguf.places import locate
from toolmend.models.smol import SHELF
from toolmend.training.adapter.base import GgufBase, load_peft
from toolmend.training.adapter.net import GROUPS, AdaptedLlama
from toolmend.training.adapter.rows import Tokens
from toolmend.training.adapter.written_talks import written_talks
from toolmend.training.teach.exam import GREEDY

Prompt = tuple[str, str]
"""What the system says, and the person."""


def main() -> None:
    """One line for each adapter and pair of engines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prompts", type=int, default=50)
    parser.add_argument("--keras", type=int, default=10)
    asked = parser.parse_args()
    base = GgufBase(locate("smollm2"))
    talks = zip(written_talks("calendar"), written_talks("tools"), strict=False)
    prompts = [(talk.system, talk.turns[0].said) for pair in talks for talk in pair][: asked.prompts]
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "smollm2.gguf"
        rewrite(gguf, base.path, plain, gguf.GGMLQuantizationType.F32)
        for adapter in ("", "calendar", "tools"):
            net = base.net(rank=16, alpha=32.0, dtype=torch.float32)
            option = ""
            if adapter:
                load_peft(net, SHELF / adapter)
                option = f"?adapter={derived(SHELF / adapter, base, Path(folder))}"
            said = greedy(load_model(f"gguf/{plain}{option}"), prompts)
            gaps = [gap(net, base, prompt, reply) for prompt, reply in zip(prompts, said, strict=True)]
            show(adapter, "torch", sum(found == 0.0 for found in gaps), len(gaps), f"; widest gap {max(gaps):.4f} nats")
            keras_folder = write_folder(net, base, Path(folder) / f"keras-{adapter or 'base'}")
            keras = load_model(f"keras/{keras_folder}?dtype=float32&template=chatml")
            other = greedy(keras, prompts[: asked.keras])
            same = sum(one.text == two.text for one, two in zip(said, other, strict=False))
            show(adapter, "Keras", same, len(other), "")


def show(adapter: str, other: str, same: int, count: int, more: str) -> None:
    """A line of the table."""
    name = f"smol/{adapter}" if adapter else "SmolLM2 as it is"
    print(f"{name:16} llama.cpp and {other}: the same greedy text in {same} of {count}{more}", flush=True)


def greedy(model: Model, prompts: Sequence[Prompt]) -> list[Reply]:
    """The likeliest reply to each."""
    requests = [Request((Message("system", system), Message("user", said)), options=GREEDY) for system, said in prompts]
    return [anyio.run(model.reply, request) for request in requests]


def derived(adapter: Path, base: GgufBase, folder: Path) -> Path:
    """A shipped adapter as a GGUF file for that base."""
    path = folder / f"{adapter.name}.gguf"
    peft_to_gguf(adapter, path, heads=base.shape.heads, kv_heads=base.shape.kv_heads)
    return path


def gap(net: AdaptedLlama, base: GgufBase, prompt: Prompt, said: Reply) -> float:
    """0.0 where torch would have said the same, else the gap at the first token where it would not.

    Where a reply was cut, its text does not say how its last letters were split: its last token is not held against it.
    """
    tokens = Tokens(base.tokenizer())
    opening = [*tokens.turn("system", prompt[0]), *tokens.turn("user", prompt[1]), *tokens.opening("assistant")]
    reply = tokens.text(said.text)
    reply = reply[:-1] if said.finish == "length" else [*reply, tokens.end]
    marks = [False] * len(opening) + [True] * len(reply)
    with torch.no_grad():
        logits, due, _ = net.guessed(torch.tensor([opening + reply]), torch.tensor([marks]))
    chances = logits.log_softmax(-1)
    for row, token in zip(chances, due, strict=True):
        if row.argmax() != token:
            return float(row.max() - row[token])
    return 0.0


def write_folder(net: AdaptedLlama, base: GgufBase, folder: Path) -> Path:
    """The net as a folder of Hugging Face, its adapter added to the weights."""
    folder.mkdir()
    weights = {"model.embed_tokens.weight": net.embedding, "model.norm.weight": net.norm}
    for index, layer in enumerate(net.layers):
        start = f"model.layers.{index}"
        weights[f"{start}.input_layernorm.weight"] = layer.attn_norm
        weights[f"{start}.post_attention_layernorm.weight"] = layer.ffn_norm
        for names, group in zip(GROUPS, layer.groups, strict=True):
            change = torch.block_diag(*(group.scale * up for up in group.up)) @ torch.cat(list(group.down))
            for name, rows in zip(names, (group.weight + change).split(group.rows), strict=True):
                weights[f"{start}.{MODULES[name]}.weight"] = rows
    tensors = {name: tensor.detach().contiguous().clone() for name, tensor in weights.items()}
    save_file(tensors, folder / "model.safetensors")
    shape = base.shape
    config = {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.width,
        "intermediate_size": shape.inner,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "rope_theta": shape.rope_base,
        "rms_norm_eps": shape.epsilon,
        "max_position_embeddings": base.window,
        "tie_word_embeddings": True,
        "torch_dtype": "float32",
        "eos_token_id": Tokens(base.tokenizer()).end,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    base.tokenizer().save(str(folder / "tokenizer.json"))
    return folder


if __name__ == "__main__":
    main()
