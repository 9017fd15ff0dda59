"""A data folder as a course: what stands in a row, and what of it is learned. Needs torch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from toolmend.base.errors import BadOption
from toolmend.training.adapter.base import GgufBase
from toolmend.training.adapter.courses import data_course, hindsight_talk
from toolmend.training.adapter.rows import Row, Tokens
from toolmend.training.datasets.lines import Chat, ChatMessage, Hindsight, HindsightAttempt, Line, to_json

ASKED = (ChatMessage("user", "x"),)
ATTEMPTS = (HindsightAttempt("ba", quality="bad", wrong="no"), HindsightAttempt("ab", "good"))


@pytest.fixture
def tokens(base: Path) -> Tokens:
    return Tokens(GgufBase(base).tokenizer())


def write(folder: Path, file: str, lines: list[Line]) -> None:
    (folder / "train").mkdir(exist_ok=True)
    (folder / "train" / f"{file}.jsonl").write_text("".join(json.dumps(to_json(line)) + "\n" for line in lines))


def chats(reply: ChatMessage, count: int = 16) -> list[Line]:
    return [Chat(f"{number}", (), (*ASKED, reply)) for number in range(count)]


def learned(row: Row | None, tokens: Tokens) -> str:
    assert row
    return tokens.decode([token for token, mark in zip(row.tokens, row.learned, strict=True) if mark])


def test_right_replies_are_learned(tmp_path: Path, tokens: Tokens) -> None:
    write(tmp_path, "chat", chats(ChatMessage("assistant", "ab")))
    course = data_course(tmp_path, "sft")
    assert learned(course.row(20, tokens), tokens).startswith("ab")
    assert (list(course.kept_back(tokens)), course.name[:4]) == ([], "sft ")


def test_in_hindsight_the_last_answer_is_learned(tmp_path: Path, tokens: Tokens) -> None:
    write(tmp_path, "chat", [])
    write(tmp_path, "hindsight", [Hindsight(f"{number}", (), ASKED, ATTEMPTS) for number in range(16)])
    course = data_course(tmp_path, "hindsight")
    assert {learned(course.row(seed, tokens), tokens)[:2] for seed in range(16)} == {"ab"}


def test_every_other_sequence_has_markers_of_quality() -> None:
    talks = [hindsight_talk(Hindsight(f"{number}", (), ASKED, ATTEMPTS)) for number in range(40)]
    said = {tuple(message.content for message in talk) for talk in talks}
    assert said == {("x", "ba", "no", "ab"), ("x A worse answer:", "ba", "no A better answer:", "ab")}


def test_a_talk_in_which_nothing_fits_gives_way(tmp_path: Path, tokens: Tokens) -> None:
    long = Chat("long", (), (ChatMessage("user", "c" * 900), ChatMessage("assistant", "ba")))
    write(tmp_path, "chat", [long, *chats(ChatMessage("assistant", "ab"), 15)])
    course = data_course(tmp_path, "sft")
    assert all(learned(course.row(seed, tokens), tokens).startswith("ab") for seed in range(16))


def test_too_little_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "chat", chats(ChatMessage("assistant", "ab"), 3))
    with pytest.raises(BadOption, match="has 3 lines; sft needs at least 16"):
        data_course(tmp_path, "sft")
