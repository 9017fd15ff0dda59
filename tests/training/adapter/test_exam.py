"""Replies kept back that a net would give word for word. Needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from toolmend.training.adapter import exam  # noqa: E402
from toolmend.training.adapter.base import GgufBase  # noqa: E402
from toolmend.training.adapter.exam import Held, replies_given  # noqa: E402
from toolmend.training.adapter.rows import Row  # noqa: E402

LEARNED = (5, 6, 7, 9)


@pytest.fixture(scope="module")
def net(base: Path) -> Any:
    torch.manual_seed(1)
    return GgufBase(base).net(rank=2, alpha=4.0, dtype=torch.float32)


def row(net: Any, wrong: int | None = None) -> Row:
    """Twelve tokens with two learned replies, each token the likeliest but the `wrong` one."""
    tokens = [3, 40, 50, 60, 70, 0, 0, 0, 80, 0, 90, 100]
    for place in LEARNED:
        with torch.no_grad():
            logits = net.hidden(torch.tensor([tokens[:place]]))[-1] @ net.embedding.t()
        best = int(logits.argmax())
        tokens[place] = (best + 1) % 259 if place == wrong else best
    return Row(tuple(tokens), tuple(place in LEARNED for place in range(12)))


def test_a_reply_is_given_if_each_token_is_the_likeliest(net: Any) -> None:
    assert replies_given(net, [row(net), row(net)]) == (4, 4)


@pytest.mark.parametrize("wrong", [5, 6, 9])
def test_one_other_token_and_it_is_not(net: Any, wrong: int) -> None:
    assert replies_given(net, [row(net, wrong), row(net)]) == (3, 4)


def test_all_right_twice_is_enough_and_fewer_than_at_first_is_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([(3, 4), (4, 4), (4, 4), (2, 4)])
    monkeypatch.setattr(exam, "replies_given", lambda net, rows: next(looks))
    told: list[Mapping[str, Any]] = []
    watch = Held(None, (), told.append, 60.0)  # type: ignore[arg-type]
    states = []
    for tokens in (10, 20, 30, 40):
        watch.look(tokens)
        states.append((watch.enough, watch.worse))
    assert states == [(False, False), (False, False), (True, False), (False, True)]
    assert told[-1] == {"tokens": 40, "right": 0.5, "before": 0.75, "n": 4}
