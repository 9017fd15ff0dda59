"""Rows of chats as others write them. The talks are this file's own."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.reading.chat_rows import chat_row

TEA = (("user", "Tea?", True), ("assistant", "Yes.", True))
TOOL = {"type": "function", "function": {"name": "tea", "parameters": {}}}
CALL = {"id": "1", "type": "function", "function": {"name": "tea", "arguments": '{"cups": 2}'}}


@pytest.mark.parametrize(
    ("row", "messages"),
    [
        ({"conversations": [{"from": "human", "value": "Tea?"}, {"from": "gpt", "value": "Yes."}]}, TEA),
        ({"messages": [{"role": "user", "content": "Tea?"}, {"role": "assistant", "content": "Yes."}]}, TEA),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "Tea?"}]},
                       {"role": "assistant", "content": "Yes."}]}, TEA),
        ({"prompt": "Tea?", "completion": "Yes."}, TEA),
        ({"prompt": [{"role": "user", "content": "Tea?"}],
          "completion": [{"role": "assistant", "content": "Yes."}]}, TEA),
        ({"system": "Be brief.", "conversations": [{"from": "human", "value": "Tea?"}]},
         (("system", "Be brief.", True), ("user", "Tea?", True))),
        ({"messages": [{"role": "assistant", "content": "No.", "weight": 0}]}, (("assistant", "No.", False),)),
        ({"messages": [{"role": "assistant", "content": None, "tool_calls": [CALL]},
                       {"role": "tool", "content": "ok"}]},
         (("assistant", "tea(cups=2)", True), ("user", "ok", True))),
    ],
)  # fmt: skip
def test_a_talk(row: dict[str, Any], messages: tuple[Any, ...]) -> None:
    made = chat_row(row)
    assert made is not None and made.messages == messages


@pytest.mark.parametrize("tools", [[TOOL], [TOOL["function"]], '[{"name": "tea", "parameters": {}}]'])
def test_tools(tools: Any) -> None:
    made = chat_row({"messages": [{"role": "user", "content": "Tea?"}], "tools": tools})
    assert made is not None and made.tools == (TOOL,)


@pytest.mark.parametrize("row", [{"text": "Tea?"}, {"messages": []}, [1], {"prompt": "Tea?"}])
def test_what_is_no_talk(row: Any) -> None:
    assert chat_row(row) is None


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"messages": [{"role": "wizard", "content": "x"}]}, r"messages\[0\]: 'wizard' is no role"),
        ({"conversations": [{"from": "gpt", "value": 7}]}, r"conversations\[0\]: its content should be text, got '7'"),
        ({"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{"}}]}]},
         r"messages\[0\]: a call that cannot be read"),
    ],
)  # fmt: skip
def test_a_broken_talk_is_named(row: Any, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        chat_row(row)
