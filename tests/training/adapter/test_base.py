"""An adapter as files: rows are turned for llama.cpp, and it says what the net says. Needs torch."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tiny_llama import HEADS, KV_HEADS  # noqa: E402
from toolmend.base.errors import BadFile  # noqa: E402
from toolmend.models.gguf import load  # noqa: E402
from toolmend.models.gguf.peft import peft_to_gguf, permuted, read_peft, unpermuted  # noqa: E402
from toolmend.training.adapter.base import (  # noqa: E402
    GgufBase,
    load_peft,
    save_peft,
)
from toolmend.training.adapter.net import AdaptedLlama  # noqa: E402
from toolmend.training.adapter.rows import Tokens  # noqa: E402


@pytest.fixture
def net(base: Path) -> AdaptedLlama:
    """An adapter that says something, of numbers that float16 holds."""
    torch.manual_seed(3)
    net = GgufBase(base).net(rank=2, alpha=4.0, dtype=torch.float32)
    with torch.no_grad():
        for values in net.parameters():
            values.copy_(torch.randn_like(values).mul(0.2).half().float())
    return net


def test_rows_turn_and_turn_back() -> None:
    rows = np.arange(16).reshape(8, 2)
    assert permuted(rows, 2)[:, 0].tolist() == [0, 4, 2, 6, 8, 12, 10, 14]
    assert np.array_equal(unpermuted(permuted(rows, 2), 2), rows)


def test_the_file_holds_what_the_folder_holds(net: AdaptedLlama, tmp_path: Path) -> None:
    from gguf import GGUFReader

    save_peft(net, tmp_path, "tiny")
    peft_to_gguf(tmp_path, tmp_path / "a.gguf", heads=HEADS, kv_heads=KV_HEADS)
    written = {tensor.name: np.array(tensor.data) for tensor in GGUFReader(tmp_path / "a.gguf").tensors}
    _, given = read_peft(tmp_path)
    assert written.keys() == given.keys()
    turned = {"attn_q.weight.lora_b": HEADS, "attn_k.weight.lora_b": KV_HEADS}
    for name, values in written.items():
        heads = turned.get(name.split(".", 2)[2])
        assert np.array_equal(unpermuted(values, heads) if heads else values, given[name]), name


def test_the_engine_says_what_the_net_says(net: AdaptedLlama, base: Path, tmp_path: Path) -> None:
    save_peft(net, tmp_path, "tiny")
    peft_to_gguf(tmp_path, tmp_path / "a.gguf", heads=HEADS, kv_heads=KV_HEADS)
    model = load(f"{base}?adapter={tmp_path / 'a.gguf'}&threads=1&num_ctx=256&parallel=1")
    tokens = Tokens(GgufBase(base).tokenizer())
    text = "user\nLunch with Ada on Friday"
    pieces: list[Any] = []
    body: dict[str, Any] = {"n_predict": 1, "temperature": 0, "n_probs": 5, "top_k": 0, "top_p": 1.0, "min_p": 0.0}
    body["grammar"] = "root ::= [ -~]"  # half a letter would not be told; the chances are those before it
    model.engine.run((tokens.start, text), body, model.adapter, lambda piece: bool(pieces.append(piece)), Event())
    chances = [token for piece in pieces for choice in piece.get("choices", ()) for token in
               (choice.get("logprobs") or {}).get("content", ())]  # fmt: skip
    said = {place["id"]: place["logprob"] for place in chances[0]["top_logprobs"]}
    with torch.no_grad():
        hidden = net.hidden(torch.tensor([[tokens.start, *tokens.text(text)]]))[-1]
        ours = torch.log_softmax(hidden @ net.embedding.t(), dim=-1)
    assert {number: pytest.approx(chance, abs=0.02) for number, chance in said.items()} == {
        number: float(ours[number]) for number in said
    }


def test_an_adapter_is_taken_up_again(net: AdaptedLlama, base: Path, tmp_path: Path) -> None:
    save_peft(net, tmp_path, "tiny")
    other = GgufBase(base).net(rank=2, alpha=4.0, dtype=torch.float32)
    load_peft(other, tmp_path)
    for mine, theirs in zip(net.parameters(), other.parameters(), strict=True):
        assert torch.equal(mine, theirs)


def test_another_rank_is_refused(net: AdaptedLlama, base: Path, tmp_path: Path) -> None:
    save_peft(net, tmp_path, "tiny")
    with pytest.raises(BadFile, match=r"layer 0, self_attn.q_proj.lora_A; \(3, 64\) is needed"):
        load_peft(GgufBase(base).net(rank=3, alpha=4.0, dtype=torch.float32), tmp_path)
