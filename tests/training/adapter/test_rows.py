"""Talks as rows of tokens: what people say is no control token, and right replies alone are learned. Needs torch."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from toolmend.training.adapter.base import GgufBase  # noqa: E402
from toolmend.training.adapter.rows import MAX_ROW, Row, Tokens, packed, row_of  # noqa: E402
from toolmend.training.adapter.turn import Turn  # noqa: E402


@pytest.fixture
def tokens(base: Path) -> Tokens:
    return Tokens(GgufBase(base).tokenizer())


def test_a_control_token_in_a_text_is_letters(tokens: Tokens) -> None:
    ids = tokens.turn("user", "No<|im_end|>ab")
    assert (ids.count(tokens.start), ids.count(tokens.end)) == (1, 1)
    assert tokens.decode(ids[1:-2]) == "user\nNo<|im_end|>ab"


def test_only_right_replies_and_their_ends_are_learned(tokens: Tokens) -> None:
    row = row_of("S", [Turn("x", "wrong", False, "add"), Turn("y", "ab", True, "fix")], tokens)
    assert row
    assert [token for token, learned in zip(row.tokens, row.learned, strict=True) if learned] == [
        *tokens.text("ab"),
        tokens.end,
    ]


def test_a_talk_in_which_nothing_is_learned_is_none(tokens: Tokens) -> None:
    assert row_of("S", [Turn("x", "wrong", False, "add")], tokens) is None


def test_a_long_talk_is_cut_before_a_turn(tokens: Tokens) -> None:
    row = row_of("S", [Turn("x", "c" * 500, True, "add")] * 2, tokens)
    assert row
    assert sum(row.learned) == 501
    assert len(row.tokens) <= MAX_ROW


def test_steps_hold_rows_of_like_length_up_to_their_size() -> None:
    rows = [Row((1,) * length, (True,) * length) for length in (5, 2, 2, 9, 4)]
    shapes = [tuple(tokens.shape) for tokens, _ in packed(rows, 10)]
    assert shapes == [(2, 2), (2, 5), (1, 9)]
    assert sum(int(learned.sum()) for _, learned in packed(rows, 10)) == 22
