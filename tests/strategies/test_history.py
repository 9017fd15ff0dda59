"""What was said and done before, as messages."""

import pytest

from toolmend.base.messages import Call, CallResult, Message, ToolSpec
from toolmend.strategies.history import acted, became, brief, reported, spoken, told

TOOLS = (ToolSpec("add", parameters={"type": "object", "properties": {"name": {"type": "string"}}}),)
CALL, DONE = Call("add", {"name": "bat"}, "c1"), CallResult("c1", "there")
SAID = (
    Message("user", "Add a bat"),
    Message("assistant", "A bat it is.", (CALL,), results=(DONE,)),
    Message("user", "Thanks"),
)


def test_words_alone():
    assert spoken(SAID) == (SAID[0], Message("assistant", "A bat it is."), SAID[2])


def test_calls_as_calls_with_their_results():
    assert acted(SAID, TOOLS) == (
        SAID[0],
        Message("assistant", "", (CALL,)),
        Message("tool", "there", call_id="c1"),
        Message("assistant", "A bat it is."),
        SAID[2],
    )


def test_words_with_what_was_done_in_brackets():
    assert reported(SAID, TOOLS)[1] == Message("assistant", "A bat it is.\n[add (name: bat): done]")


@pytest.mark.parametrize(
    "text", ["add('bat')", '{"name": "add", "arguments": {"name": "bat"}}', "```\nadd('bat')\n```"]
)
def test_a_call_that_stands_in_the_text_too_is_not_said_twice(text):
    said = (Message("assistant", text, (CALL,), results=(DONE,)),)
    assert acted(said, TOOLS)[2:] == ()
    assert reported(said, TOOLS) == (Message("assistant", "[add (name: bat): done]"),)


def test_words_around_a_call_stay():
    said = (Message("assistant", "Here: add('bat')", (CALL,), results=(DONE,)),)
    assert acted(said, TOOLS)[-1] == Message("assistant", "Here:")


def test_a_history_without_results_counts_as_done():
    assert reported((Message("assistant", "", (CALL,)),), TOOLS) == (Message("assistant", "[add (name: bat): done]"),)


def test_an_assistant_that_said_and_did_nothing_stays_in_its_place():
    assert acted((Message("assistant", ""),), TOOLS) == (Message("assistant", ""),)


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (CallResult("c", "There."), "There."),
        (CallResult("c"), "Done."),
        (CallResult("c", {"name": "Zoë", "hp": 5}), '{"name": "Zoë", "hp": 5}'),
        (CallResult("c", [1, None]), "[1, null]"),
        (CallResult("c", error="no"), "Error: no"),
        (CallResult("c", "x" * 5_000), "x" * 4_000 + " … (1,000 characters more)"),
    ],
)
def test_results_as_models_are_told(result, text):
    assert told(result) == text


def test_a_tool_that_only_reads_is_told_with_what_it_found():
    look, found = ToolSpec("look", effect="read"), CallResult("c", {"monsters": 3})
    assert brief(Call("look"), found, look) == 'look: {"monsters": 3}'
    assert brief(Call("look"), CallResult("c"), look) == "look: done"
    assert brief(Call("look"), CallResult("c", "x" * 400), look) == f"look: {'x' * 300} … (100 characters more)"
    said = (Message("assistant", "Three.", (Call("look", {}, "c"),), results=(found,)),)
    assert reported(said, (look,))[0].content == 'Three.\n[look: {"monsters": 3}]'


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (CallResult("c", "A bat is there."), "add: A bat is there."),
        (CallResult("c", {"name": "bat"}), "add (name: bat): done"),
        (CallResult("c", ""), "add (name: bat): done"),
        (CallResult("c"), "add (name: bat): done"),
        (CallResult("c", error="full"), "add (name: bat): failed: full"),
    ],
)
def test_what_became_of_a_call_is_told_in_the_tools_own_words(result, text):
    assert became(CALL, result) == text


def test_what_a_reading_tool_found_is_told_as_long_as_there_is_room():
    look, found = ToolSpec("look", effect="read"), CallResult("c", ["x" * 10])
    assert became(Call("look"), found, look) == 'look: ["xxxxxxxxxx"]'
    assert became(Call("look"), found, look, 5) == 'look: ["xxx … (9 characters more)'


def test_a_call_in_a_line():
    call = Call("add", {"name": "bat", "tags": ["a"], "big": True})
    assert brief(call, DONE) == 'add (name: bat, tags: ["a"], big: true): done'
    assert brief(Call("clear"), CallResult("c", error="empty")) == "clear: failed: empty"
