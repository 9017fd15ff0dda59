"""`toolmend grade`: lines in, marks out, one line of complaint with file and line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]

TOOLS = [{"name": "set", "parameters": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}}]


def line(reply: str) -> str:
    return json.dumps({"tools": TOOLS, "reply": reply, "expected": [{"tool": "set", "arguments": {"x": 1}}]}) + "\n"


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    path = tmp_path / "replies.jsonl"
    path.write_text(line("set(1)") + "\n" + line("set(2)") + line("set(1)  # there"))
    return path


def test_as_text(invoke: Invoke, replies: Path) -> None:
    result = invoke("grade", replies)
    assert result.exit_code == 0
    assert result.stdout == (
        "   1  ✔\n"
        "   3  🍄  wrong_value(x): should be 1, is 2\n"
        "   4  ✔  (forgiven: comment)\n"
        "3 replies, 2 correct, 1 mistake\n"
    )


def test_as_json_a_line_each(invoke: Invoke, replies: Path) -> None:
    rows = [json.loads(row) for row in invoke("grade", replies, "--format", "json").stdout.splitlines()]
    assert [(row["line"], row["mark"]) for row in rows] == [(1, "correct"), (3, "mistake"), (4, "correct")]


def test_standard_input(invoke: Invoke) -> None:
    assert invoke("grade", "-", stdin=line("set(1)")).stdout == "   1  ✔\n1 reply, 1 correct\n"


@pytest.mark.parametrize("bad", ["{", "[]", '{"tools": []}', "\x00", "nonsense"])
def test_a_bad_line_is_named_and_the_rest_goes_on(invoke: Invoke, replies: Path, bad: str) -> None:
    replies.write_text(line("set(1)") + bad + "\n" + line("set(1)"))
    result = invoke("grade", replies, "--format", "json")
    assert result.exit_code == 2
    told = result.stderr.splitlines()
    assert told[0].startswith(f"toolmend: {replies}:2: ")
    assert told[1:] == [f"toolmend: 1 line of {replies} could not be graded"]
    assert [json.loads(row).get("mark") for row in result.stdout.splitlines()] == ["correct", None, "correct"]


def test_bytes_that_are_no_text(invoke: Invoke, replies: Path) -> None:
    replies.write_bytes(line("set(1)").encode() + b"\xff\n")
    assert invoke("grade", replies).stderr.startswith(f"toolmend: {replies}:2: not UTF-8 text")


def test_a_file_that_is_not_there(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("grade", tmp_path / "none.jsonl")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "none.jsonl: cannot be read (No such file or directory)" in result.stderr


def test_a_folder(invoke: Invoke, tmp_path: Path) -> None:
    assert "cannot be read (Is a directory)" in invoke("grade", tmp_path).stderr


def test_a_file_with_a_byte_order_mark(invoke: Invoke, replies: Path) -> None:
    replies.write_text(line("set(1)"), encoding="utf-8-sig")
    assert invoke("grade", replies).exit_code == 0


def test_the_rules_of_another_judge(invoke: Invoke, replies: Path) -> None:
    replies.write_text(line("set(1)") + line("set(x=1)"))
    rows = invoke("grade", replies, "--rules", "bfcl", "--format", "json").stdout.splitlines()
    assert [json.loads(row)["mark"] for row in rows] == ["mistake", "correct"]  # positional arguments are not seen


def test_foreign_types_are_told_once(invoke: Invoke, replies: Path) -> None:
    replies.write_text((line("set(1)") + line("set(1)")).replace('"object"', '"dict"'))
    told = invoke("grade", replies).stderr.splitlines()
    assert told == [f"toolmend: {replies}:1: types that are no JSON Schema's are read as such: dict"]


def test_the_published_talk_of_a_suite(invoke: Invoke) -> None:
    result = invoke("grade", "--suite", "calendar")
    assert result.stdout.splitlines()[1] == "   2  🥦      ↳ The current year is 2024."
    assert result.stdout.splitlines()[6] == "6 replies of expected output, by the rules of the post; left:"
    assert "Keras chatbot arena blog" in result.stderr
    assert "2024-12-05" in result.stderr


def test_neither_replies_nor_a_suite(invoke: Invoke) -> None:
    assert invoke("grade").exit_code == 2
