"""What need not be given and was not said is left out; what is said stays."""

from __future__ import annotations

import pytest

from toolmend.messages import ToolSpec
from toolmend.resolve.unsaid import borne_out

LEND = ToolSpec(
    "lend_tool",
    "",
    {
        "type": "object",
        "properties": {
            "tool": {"type": "string"},
            "who": {"type": "string"},
            "kind": {"type": "string", "enum": ["power_tool", "hand_tool"]},
            "rush": {"type": "boolean", "description": "Whether it is urgent."},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        "required": ["tool", "who"],
    },
)


@pytest.mark.parametrize(
    ("sentence", "words", "kept"),
    [
        ("the saw goes to Ada", {"tool": "saw", "who": "Ada", "kind": "hand_tool"}, {"tool", "who"}),
        (
            "the saw, a hand tool, goes to Ada",
            {"tool": "saw", "who": "Ada", "kind": "hand_tool"},
            {"tool", "who", "kind"},
        ),
        ("the saw goes to Ada", {"tool": "saw", "who": "Ada", "rush": "yes"}, {"tool", "who"}),
        ("urgent: the saw to Ada", {"tool": "saw", "who": "Ada", "rush": "yes"}, {"tool", "who", "rush"}),
        ("the saw goes to Ada Byron", {"tool": "saw", "who": "Ada Byron", "note": "Byron"}, {"tool", "who"}),
        ("the saw to Ada, it is blunt", {"tool": "saw", "who": "Ada", "note": "it is blunt"}, {"tool", "who", "note"}),
    ],
)
def test_only_what_the_sentence_bears_out_is_kept(sentence: str, words: dict[str, str], kept: set[str]) -> None:
    assert set(borne_out(LEND, words, sentence)) == kept


def test_what_must_be_given_is_kept_whatever_was_said() -> None:
    assert borne_out(LEND, {"tool": "drill", "who": "Bo"}, "the usual for him") == {"tool": "drill", "who": "Bo"}


def test_the_one_member_that_is_said_takes_the_place_of_another() -> None:
    words = {"tool": "drill", "who": "Bo", "kind": "hand_tool"}
    assert borne_out(LEND, words, "a drill for Bo, a power tool")["kind"] == "power_tool"


def test_a_word_of_the_tools_own_name_is_no_text() -> None:
    assert set(borne_out(LEND, {"tool": "saw", "who": "Ada", "note": "lend"}, "lend Ada the saw")) == {"tool", "who"}
