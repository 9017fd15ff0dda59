"""Replies drawn from a net: almost cold they are the likeliest tokens, one after the other. Needs torch."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from toolmend.training.adapter import sampling  # noqa: E402
from toolmend.training.adapter.base import GgufBase  # noqa: E402
from toolmend.training.adapter.net import AdaptedLlama  # noqa: E402
from toolmend.training.adapter.rows import Row  # noqa: E402
from toolmend.training.adapter.sampling import Sampler, reply_begins  # noqa: E402

COLD = 1e-6
ROWS = [
    Row((3, 40, 50, 60, 70, 20, 80, 90, 12), (False,) * 3 + (True,) * 2 + (False,) * 2 + (True,) * 2),
    Row((9, 8, 7, 66, 5, 4, 30, 200, 100, 41, 17, 99), (False,) * 6 + (True,) * 3 + (False,) + (True,) * 2),
    Row((5, 6, 7, 120), (False,) * 3 + (True,)),
]


@pytest.fixture
def net(base: Path) -> AdaptedLlama:
    """With an adapter that changes what is said."""
    torch.manual_seed(1)
    made = GgufBase(base).net(rank=2, alpha=4.0, dtype=torch.float32)
    with torch.no_grad():
        for name, values in made.named_parameters():
            if ".up." in name:
                values.normal_(std=0.2)
    return made


def likeliest(net: AdaptedLlama, tokens: tuple[int, ...], count: int) -> list[int]:
    """So many tokens, each the likeliest after all before it."""
    said = list(tokens)
    with torch.no_grad():
        for _ in range(count):
            said.append(int((net.hidden(torch.tensor([said]))[-1] @ net.embedding.t()).argmax()))
    return said[len(tokens) :]


def test_learned_replies_begin_where_their_marks_do() -> None:
    assert [reply_begins(row) for row in ROWS] == [[3, 7], [6, 10], [3]]


def test_cold_it_says_what_is_likeliest_up_to_the_end_in_every_turn_of_every_talk(
    net: AdaptedLlama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "LONGEST", 8)
    rows = [*ROWS, ROWS[0]]
    spots = [(place, number, begin) for place, row in enumerate(rows) for number, begin in enumerate(reply_begins(row))]
    said = {(place, number): likeliest(net, rows[place].tokens[:begin], 8) for place, number, begin in spots}
    for end in {tokens[count] for tokens in said.values() for count in (0, 2, 5)}:
        due = {spot: tuple(tokens[: tokens.index(end)]) for spot, tokens in said.items() if end in tokens}
        drawn = Sampler(net, end, temperature=COLD, seed=1).replies(rows)
        assert {(place, number): tokens for place, number, tokens in drawn} == due


def test_talks_in_several_goes_are_the_same(net: AdaptedLlama, monkeypatch: pytest.MonkeyPatch) -> None:
    end = likeliest(net, ROWS[0].tokens[:3], 3)[-1]
    at_once = sorted(Sampler(net, end, temperature=COLD, seed=1).replies(ROWS))
    monkeypatch.setattr(sampling, "_AT_ONCE", 1)
    assert sorted(Sampler(net, end, temperature=COLD, seed=1).replies(ROWS)) == at_once


def test_a_seed_draws_the_same_and_another_something_else(net: AdaptedLlama) -> None:
    end = likeliest(net, ROWS[2].tokens[:3], 1)[0]
    one, again, other = (list(Sampler(net, end, temperature=9.0, seed=seed).replies(ROWS * 9)) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_what_teaches_nothing_is_not_drawn_for(net: AdaptedLlama) -> None:
    assert list(Sampler(net, 1, temperature=1.0, seed=1).replies([Row((3, 4), (False, False))])) == []
