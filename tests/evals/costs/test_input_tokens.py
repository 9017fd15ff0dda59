"""Counting what strategies read: one way of counting, the tools once a request, shared beginnings with caching."""

from __future__ import annotations

from input_tokens import measured, ratio, tokens, written
from toolmend.base.messages import Call, Message, Request, ToolSpec
from toolmend.evals.suites.suite import Suite


def test_a_token_is_a_word_a_number_or_a_run_of_signs() -> None:
    assert [tokens(text) for text in ("", "Hello", "Hello world", "hp: 50", '{"a": [1, 2]}')] == [0, 1, 2, 3, 8]


def test_a_request_is_written_as_it_is_sent_tools_first() -> None:
    calls = (Call("add", {"x": 1}, "c1"),)
    messages = (Message("user", "Hi"), Message("assistant", "", calls), Message("tool", "Done.", call_id="c1"))
    lines = written(Request(messages, (ToolSpec("add", "Adds."),))).splitlines()
    assert ['"name": "add"' in line for line in lines] == [True, False, True, False]
    assert [line.partition(":")[0] for line in lines] == ['{"type"', '{"role"', '{"role"', '{"role"']


def test_turns_are_counted_as_they_run(calendar: Suite) -> None:
    native, oneline = measured(calendar, "native"), measured(calendar, "oneline")
    assert {each.requests for each in native} == {2} and {each.requests for each in oneline} == {1}
    assert native[0].fresh < native[0].tokens  # the second round begins as the first did
    assert native[1].fresh < native[0].fresh  # and a second turn with the same tools
    assert ratio(oneline, native, lambda each: each.tokens) < 1
