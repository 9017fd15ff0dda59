"""Kinds of mistakes, marks and corrections."""

import pytest

from toolmend.base.mistakes import Kind, Mark, Mistake, glyphs


def test_every_kind_of_measures_has_its_word():
    assert sorted(Kind) == [
        "chatter", "extra_call", "missing_argument", "missing_call", "no_call", "repeated_call", "syntax",
        "unknown_argument", "unknown_tool", "unwanted_call", "wrong_format", "wrong_state", "wrong_tool", "wrong_type",
        "wrong_value",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("mistake", "text"),
    [(Mistake(Kind.WRONG_VALUE, "time"), "wrong_value(time)"), (Mistake(Kind.CHATTER), "chatter")],
)
def test_a_mistake_prints_with_its_argument(mistake, text):
    assert str(mistake) == text


def test_the_same_kind_and_argument_are_the_same_mistake():
    one, other = Mistake(Kind.WRONG_VALUE, "time", got="5PM"), Mistake(Kind.WRONG_VALUE, "time", got="6PM")
    assert one.key == other.key == ("wrong_value", "time")
    assert one.key != Mistake(Kind.WRONG_VALUE, "date").key


def test_every_mark_is_stored_as_its_word():
    assert list(Mark) == ["correct", "mistake", "garbage", "fixed", "recurring", "regressed"]


@pytest.mark.parametrize(
    ("marks", "shown"),
    [
        ([], ""),
        ([Mark.CORRECT], "✔"),
        ([Mark.FIXED, Mark.MISTAKE], "🥦 🍄"),
        ([Mark.GARBAGE], "🔥"),
        ([Mark.GARBAGE, Mark.GARBAGE], "🔥🔥"),
        ([Mark.RECURRING, Mark.REGRESSED], "(🍄) ↩"),
    ],
)
def test_marks_as_the_blog_shows_them(marks, shown):
    assert glyphs(marks) == shown
