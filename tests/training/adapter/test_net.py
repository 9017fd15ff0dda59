"""The net with an adapter: its attention is torch's, its loss is that of the marked tokens. Needs torch."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch.nn import functional  # noqa: E402

from toolmend.training.adapter.base import GgufBase  # noqa: E402
from toolmend.training.adapter.net import AdaptedLlama, attended  # noqa: E402


@pytest.fixture
def net(base: Path) -> AdaptedLlama:
    torch.manual_seed(1)
    return GgufBase(base).net(rank=2, alpha=4.0, dtype=torch.float32)


def test_attention_is_that_of_torch() -> None:
    torch.manual_seed(0)
    q, k, v = torch.randn(2, 7, 6, 8), torch.randn(2, 7, 3, 8), torch.randn(2, 7, 3, 8)
    fused = functional.scaled_dot_product_attention(
        q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True, enable_gqa=True
    )
    torch.testing.assert_close(attended(q, k, v), fused.transpose(1, 2).reshape(14, 48))


def test_only_marked_tokens_count(net: AdaptedLlama) -> None:
    tokens = torch.tensor([[5, 6, 7, 8, 9], [9, 8, 7, 0, 0]])
    learned = torch.tensor([[False, False, True, False, True], [False, False, True, False, False]])
    loss, count = net.loss(tokens, learned)
    logits = net.hidden(tokens).view(2, 5, -1) @ net.embedding.t()
    chances = torch.log_softmax(logits, dim=-1)
    assert count == 3
    torch.testing.assert_close(loss, -(chances[0, 1, 7] + chances[0, 3, 9] + chances[1, 1, 7]))


def test_padding_changes_nothing(net: AdaptedLlama) -> None:
    marks = torch.tensor([[False, True, True]])
    short, _ = net.loss(torch.tensor([[5, 6, 7]]), marks)
    padded, _ = net.loss(torch.tensor([[5, 6, 7, 0, 0]]), functional.pad(marks, (0, 2)))
    torch.testing.assert_close(short, padded)


def test_a_fresh_adapter_changes_nothing(net: AdaptedLlama) -> None:
    tokens = torch.tensor([[5, 6, 7, 8]])
    before = net.hidden(tokens)
    with torch.no_grad():
        for name, values in net.named_parameters():
            if ".down." in name:
                values.mul_(3)
    torch.testing.assert_close(net.hidden(tokens), before)


def test_gradients_are_those_of_plain_products(net: AdaptedLlama) -> None:
    linear = net.layers[0].groups[0]
    with torch.no_grad():
        for up in linear.up:
            up.normal_()
    x = torch.randn(3, linear.weight.shape[1], requires_grad=True)
    ways = zip(linear.rows, linear.down, linear.up, strict=True)
    parts = [linear.scale * (x @ down.t()) @ up.t() for _, down, up in ways]
    plain = x @ linear.weight.t() + torch.cat(parts, dim=1)
    torch.testing.assert_close(linear(x), plain)
    wanted = [x, *linear.down, *linear.up]
    weights = torch.randn_like(plain)
    ours = torch.autograd.grad((linear(x) * weights).sum(), wanted)
    torch.testing.assert_close(ours, torch.autograd.grad((plain * weights).sum(), wanted))
