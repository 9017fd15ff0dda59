"""What a small model reads of a request, and the calls that its answers stand for."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.errors import BadFile
from toolmend.messages import Call, Message, Request, ToolSpec
from toolmend.models.builtin.brief import Brief, calls_of, headed, signature, written
from toolmend.models.builtin.model import BuiltinModel

BOOK = ToolSpec(
    "book",
    "Book a room.\nIt is free then.",
    {
        "type": "object",
        "properties": {
            "room": {"type": "string"},
            "date": {"type": "string", "format": "date"},
            "kind": {"type": "string", "enum": ["big", "small"], "default": "big"},
            "people": {"type": "integer", "default": 2},
            "guests": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}], "default": None},
        },
        "required": ["room", "date"],
    },
    receiver="rooms",
)
BRIEF = Brief({"You are a helper.": "[line]", "Write one line.": ""}, ("The state:",))
CALL = Call("rooms.book", {"room": 'Ann\'s "hall"', "date": "2025-01-02", "people": 3, "guests": ["Ö", "b"]})


def test_a_tool_in_one_line():
    assert signature(BOOK) == (
        "rooms.book(room, date=\"YYYY-MM-DD\", kind='big'|'small', people=2, guests=[...])  -- Book a room."
    )


def test_what_every_prompt_says_is_left_out():
    text = "You are a helper.\n\nf(x)\n\nThe state:\na\nb\n\nWrite one line.\n  more "
    assert BRIEF.shortened(text) == "[line]\nf(x)\nmore"


def test_results_stand_on_the_users_side_and_neighbours_are_one_turn():
    messages = (
        Message("system", "You are a helper."),
        Message("user", "one"),
        Message("user", "two"),
        Message("assistant", "", (CALL,)),
        Message("tool", "x" * 500, call_id="c1"),
        Message("user", "three"),
    )
    head, turns = BRIEF.read(Request(messages, (BOOK,)))
    assert head == f"[line]\n[native]\n{signature(BOOK)}"
    assert [role for role, _ in turns] == ["user", "assistant", "user"]
    assert turns[0][1] == "one\ntwo"
    assert turns[2][1] == f"-> {'x' * 200}\nthree"
    assert headed(head, turns)[0] == ("user", f"{head}\none\ntwo")


def test_a_call_reads_back():
    text = written(CALL, (BOOK,))
    assert text == 'rooms.book("Ann\'s \\"hall\\"", date="2025-01-02", people=3, guests=["Ö", "b"])'
    assert calls_of(text, (BOOK,)) == (CALL,)
    assert calls_of(f"{text}\n{text}", (BOOK,)) == (CALL, CALL)


@pytest.mark.parametrize("text", ["", "Done.", "book(", "rooms.take(1)", "Sure:\nbook(1)", "book(room=x)", "book(*a)"])
def test_anything_else_is_no_call(text):
    assert calls_of(text, (BOOK,)) == ()


@given(st.text(alphabet=st.sampled_from('book(room="\\d\n1is2),=\x00')) | st.text())
def test_no_text_raises(text):
    assert all(call.tool == "rooms.book" for call in calls_of(text, (BOOK,)))


def test_a_preset_without_prompts_reads_no_system_text():
    assert Brief.of({}, Path("toolmend.json")) is None


@pytest.mark.parametrize(
    "given", [[], {"phrases": {}}, {"phrases": {"a": 1}, "skipped": []}, {"phrases": {}, "skipped": [""]}]
)
def test_broken_prompts_are_refused(given):
    with pytest.raises(BadFile, match="prompts"):
        Brief.of({"prompts": given}, Path("toolmend.json"))


def test_a_model_that_reads_tools_calls_them(speaker):
    text = 'book("a", date="2025-01-02")'
    plain = speaker(text)
    about = {"prompts": {"phrases": {}, "skipped": []}}
    preset = SimpleNamespace(**{**vars(plain.preset), "about": about, "window": 400})
    model = BuiltinModel("builtin/speaker", preset)
    assert model.abilities.native_tools and model.abilities.system and model.abilities.toolboxes is None
    reply = model.reply_now(Request((Message("user", "hi"),), (BOOK,)))
    assert reply.calls == (Call("rooms.book", {"room": "a", "date": "2025-01-02"}),)
    assert reply.text == ""
    assert model.reply_now(Request((Message("user", "hi"),))).text == text
