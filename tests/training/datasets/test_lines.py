"""Lines: one JSON form both ways, and what does not fit said with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.messages import ToolSpec
from toolmend.training.datasets.lines import (
    Attempt,
    Chat,
    Hindsight,
    Pair,
    Said,
    chat_from,
    hindsight_from,
    pair_from,
    to_json,
)

TOOL = ToolSpec("add", "Adds.", {"type": "object", "properties": {"title": {"type": "string"}}}, "action")
ASKED = (Said("system", "Be brief."), Said("user", "Add tea."))


def test_a_chat_as_json() -> None:
    chat = Chat("1", (), (*ASKED, Said("assistant", "no", learn=False)), {"run": "r"})
    assert to_json(chat) == {
        "id": "1",
        "tools": [],
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Add tea."},
            {"role": "assistant", "content": "no", "learn": False},
        ],
        "from": {"run": "r"},
    }


def test_a_chat_both_ways() -> None:
    chat = Chat("1", (TOOL,), (*ASKED, Said("assistant", "It is in.")), {"run": "r", "events": [3]})
    assert chat_from(json.loads(json.dumps(to_json(chat)))) == chat


def test_a_pair_both_ways() -> None:
    pair = Pair("1", (TOOL,), ASKED, (Said("assistant", "a"),), (Said("assistant", "b"),), "The title.", {})
    assert pair_from(json.loads(json.dumps(to_json(pair)))) == pair


def test_hindsight_both_ways() -> None:
    line = Hindsight("1", (), ASKED, (Attempt("b", "bad", "The title."), Attempt("a")), {})
    assert hindsight_from(json.loads(json.dumps(to_json(line)))) == line


GOOD: dict[str, Any] = {"id": "1", "tools": [], "messages": [{"role": "user", "content": "Add tea."}]}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"id": 1}, "id: must be text, is int"),
        ({"messages": []}, "messages: there is none"),
        ({"messages": "Add tea."}, "messages: must be a list, is str"),
        ({"messages": [{"role": "user"}]}, "messages[0].content: is missing"),
        (
            {"messages": [{"role": "bot", "content": ""}]},
            "messages[0].role: 'bot' is none of system, user, assistant",
        ),
        (
            {"messages": [{"role": "user", "content": "", "tool_calls": [{}]}]},
            "messages[0].tool_calls: calls are text in these data; `toolmend data build` writes them so",
        ),
        ({"messages": [{"role": "user", "content": "", "learn": 1}]}, "messages[0].learn: must be true or false, is 1"),
        ({"tools": [{"type": "function"}]}, "tools[0].function: is missing"),
        ({"from": []}, "from: must be an object, is list"),
    ],
)
def test_what_does_not_fit_is_said(change: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=r".*") as error:
        chat_from({**GOOD, **change})
    assert str(error.value) == what


def test_a_line_that_is_no_object() -> None:
    with pytest.raises(ValueError, match="id: looked for in list, not in an object"):
        chat_from([])


def test_the_last_attempt_is_good() -> None:
    attempts = [{"content": "a", "quality": "good"}, {"content": "b", "quality": "bad"}]
    with pytest.raises(ValueError, match="at least two are needed, the last of quality 'good'"):
        hindsight_from({**GOOD, "attempts": attempts})


def test_a_chosen_reply_is_the_assistants() -> None:
    said = [{"role": "user", "content": ""}]
    with pytest.raises(ValueError, match=r"chosen\[0\].role: must be 'assistant', is 'user'"):
        pair_from({**GOOD, "chosen": said, "rejected": said})


@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    chat = Chat("1", (), (Said("user", text), Said("assistant", text)))
    assert chat_from(json.loads(json.dumps(to_json(chat)))) == chat


NAMES = st.sampled_from("id tools messages role content tool_calls function from".split())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner)
)


@given(JSON)
def test_other_json_is_a_value_error_or_a_chat(data: Any) -> None:
    try:
        assert isinstance(chat_from(data), Chat)
    except ValueError as error:
        assert str(error)
