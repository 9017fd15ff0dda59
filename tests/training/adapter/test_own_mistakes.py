"""Mistakes of a net in written talks: drawn by a seed, kept whole, read back by line."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

torch = pytest.importorskip("torch")

from toolmend.base.errors import BadFile  # noqa: E402
from toolmend.training.adapter.base import GgufBase  # noqa: E402
from toolmend.training.adapter.own_mistakes import (  # noqa: E402
    OwnReply,
    drawn,
    keep_mistakes,
    lessons_of,
    read_mistakes,
)  # fmt: skip
from toolmend.training.adapter.rows import Tokens  # noqa: E402
from toolmend.training.adapter.written_mistakes import DOUBTED, MENDED  # noqa: E402
from toolmend.training.adapter.written_talks import written_talks  # noqa: E402


def replies(wrong: int, right: int) -> list[OwnReply]:
    """So many replies that are no calls where some are due, and so many that are right."""
    first = [(number, talk.turns[0]) for number, talk in enumerate(written_talks("tools")) if talk.turns[0].learned]
    plain = [(number, turn) for number, turn in first if turn.reply.count("=") == 1 and "?" not in turn.reply]
    return [
        *(OwnReply("tools", number, 0, "Sure.") for number, _ in plain[:wrong]),
        *(OwnReply("tools", number, 0, turn.reply) for number, turn in plain[wrong : wrong + right]),
    ]


def test_mistakes_are_lessons_and_a_third_as_many_right_replies_are_doubted() -> None:
    lessons, wrong = lessons_of(replies(9, 30), Random(1))
    kinds = [lesson.turns[1].op for one in lessons if (lesson := one.lesson(Random(1)))]
    assert wrong == 9
    assert (kinds.count(MENDED), kinds.count(DOUBTED)) == (9, 3)


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    kept = [*replies(4, 0), OwnReply("tools", replies(1, 0)[0].talk, 0, "“Línea”\u2028two")]
    keep_mistakes(tmp_path / "mistakes.jsonl", kept)
    assert read_mistakes(tmp_path / "mistakes.jsonl") == tuple(kept)


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b'{"about": "tools", "talk": 0, "place": 0}',
        b'{"about": "gardens", "talk": 0, "place": 0, "reply": "Sure."}',
        b'{"about": "tools", "talk": 99999, "place": 0, "reply": "Sure."}',
        b'{"about": "tools", "talk": 0, "place": -1, "reply": "Sure."}',
        b'{"about": "tools", "talk": 0, "place": 0, "reply": "\xff"}',
        b'{"kind": "tools", "seed": 4, "replies": {"0": "feed()"}}',
    ],
)
def test_a_line_that_is_none_is_named(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "mistakes.jsonl"
    keep_mistakes(file, replies(1, 0))
    file.write_bytes(file.read_bytes() + line + b"\n")
    with pytest.raises(BadFile, match=r"mistakes\.jsonl:2: no reply to a written talk .*; remove the file"):
        read_mistakes(file)


def test_a_seed_draws_the_same_for_the_turns_that_are_learned(base: Path) -> None:
    torch.manual_seed(1)
    read = GgufBase(base)
    net, tokens = read.net(rank=2, alpha=4.0, dtype=torch.float32), Tokens(read.tokenizer())
    short = [number for number, talk in enumerate(written_talks("tools")) if len(talk.tools) == 1][:3]
    with torch.no_grad():
        opening = [*tokens.turn("system", written_talks("tools")[short[0]].system), *tokens.opening("assistant")]
        tokens.end = int((net.hidden(torch.tensor([opening]))[-1] @ net.embedding.t()).argmax())  # often said
    first, again = (list(drawn(net, tokens, {"tools": short}, 5, lambda: False)) for _ in range(2))
    assert first == again
    assert first and all(written_talks("tools")[one.talk].turns[one.place].learned for one in first)
    assert list(drawn(net, tokens, {"tools": short}, 5, lambda: True)) == []
