"""Lines: one JSON form both ways, and what does not fit said with its place, its file and number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolmend.base.errors import BadFile
from toolmend.tools import Toolbox
from toolmend.training.datasets.lines import (
    Chat,
    ChatMessage,
    Hindsight,
    HindsightAttempt,
    Line,
    from_json,
    load,
    to_json,
    tool_json,
)

ASKED = (ChatMessage("system", "Be brief."), ChatMessage("user", "Tea?"))
TOOLS = tuple(map(tool_json, Toolbox.load("calendar").specs))
CHAT = Chat("1", TOOLS, (*ASKED, ChatMessage("assistant", "No.", learn=False)), {"talk": "t", "events": [1]})
HINDSIGHT = Hindsight("2", (), ASKED, (HindsightAttempt("a", "bad", "wrong"), HindsightAttempt("b", "good")))


@pytest.mark.parametrize("line", [CHAT, HINDSIGHT])
def test_both_ways(line: Line) -> None:
    assert from_json(json.loads(json.dumps(to_json(line))), type(line)) == line


def test_the_form() -> None:
    assert to_json(HINDSIGHT) == {
        "id": "2", "tools": [],
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Tea?"}],
        "attempts": [{"content": "a", "quality": "bad", "wrong": "wrong"}, {"content": "b", "quality": "good"}],
    }  # fmt: skip
    assert to_json(CHAT)["messages"][-1] == {"role": "assistant", "content": "No.", "learn": False}
    assert to_json(CHAT)["from"] == {"talk": "t", "events": [1]}
    assert to_json(CHAT)["tools"][0]["function"]["name"] == "action.add_calendar_entry"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"id": 7}, "id: "),
        ({"messages": []}, "messages: "),
        ({"messages": [{"role": "tool", "content": "x"}]}, r"messages\[0\]\.role: "),
        ({"messages": [{"role": "user"}]}, r"messages\[0\]\.content: "),
        ({"messages": [{"role": "user", "content": None}]}, r"messages\[0\]\.content: "),
        ({"attempts": [{"content": "a", "quality": "bad"}]}, "attempts: .*at least two"),
        (
            {"attempts": [{"content": "a", "quality": "good"}, {"content": "b", "quality": "bad"}]},
            "the last of quality",
        ),
        ({"attempts": [{"content": "a", "quality": "fine"}] * 2}, r"attempts\[0\]\.quality: "),
        ({"from": 3}, "from: "),
    ],
)
def test_what_does_not_fit_is_said_with_its_place(change: dict[str, Any], place: str) -> None:
    with pytest.raises(ValueError, match=place):
        from_json({**to_json(HINDSIGHT), **change}, Hindsight)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A train part with one good line, a blank one, a broken one and a good one."""
    (tmp_path / "train").mkdir()
    good = json.dumps(to_json(CHAT))
    (tmp_path / "train" / "chat.jsonl").write_text(f"{good}\n\n{{broken\n{good}\n", encoding="utf-8")
    return tmp_path


def test_a_broken_line_has_its_number(folder: Path) -> None:
    with pytest.raises(BadFile, match=r"train/chat\.jsonl:3: Expecting property name"):
        load(folder)


def test_lines_that_are_read(folder: Path) -> None:
    path = folder / "train" / "chat.jsonl"
    path.write_text(path.read_text().replace("{broken\n", ""))
    assert load(folder).chat == (CHAT, CHAT)
    assert load(folder).hindsight == ()


def test_bytes_that_are_no_text(folder: Path) -> None:
    (folder / "train" / "chat.jsonl").write_bytes(b"\xff\n")
    with pytest.raises(BadFile, match=r"chat\.jsonl:1: 'utf-8' codec"):
        load(folder)


def test_a_line_of_another_kind(folder: Path) -> None:
    (folder / "train" / "chat.jsonl").rename(folder / "train" / "hindsight.jsonl")
    with pytest.raises(BadFile, match=r"hindsight\.jsonl:1: attempts: Field required"):
        load(folder)


def test_a_part_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"train: there is no such part of a data folder"):
        load(tmp_path)


SHAREGPT = {"conversations": [{"from": "human", "value": "Tea?"}, {"from": "gpt", "value": "Yes."}]}
OPENAI = {"messages": [{"role": "user", "content": "Tea?"}, {"role": "assistant", "content": "Yes."}]}


@pytest.mark.parametrize("row", [SHAREGPT, OPENAI], ids=["ShareGPT", "OpenAI"])
def test_chats_of_others_are_read(row: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "talks.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    [chat] = load(tmp_path / "talks.jsonl").chat
    assert (chat.id, chat.messages) == ("talks-1", (ChatMessage("user", "Tea?"), ChatMessage("assistant", "Yes.")))


def test_a_broken_chat_of_others_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "talks.jsonl"
    path.write_text(json.dumps(OPENAI) + "\n" + json.dumps({"messages": [{"role": "x"}]}), encoding="utf-8")
    with pytest.raises(BadFile, match=r"talks\.jsonl:2: messages\[0\]: 'x' is no role"):
        load(path)
