"""Texts and talks as ids, and back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.models.builtin.tokens import ASSISTANT, BEGIN, END, SPECIAL, USER


def test_the_first_five_ids_are_special(tokens):
    assert [tokens.tokenizer.id_to_token(number) for number in range(5)] == list(SPECIAL)


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Cf"))))
@settings(deadline=None, max_examples=200)
def test_any_text_comes_back(tokens, text):
    assert tokens.decode(tokens.encode(text)) == text


@pytest.mark.parametrize("text", ["two\nlines\n\n", " leading", "trailing ", "tab\tbed", "👩‍👩‍👧 naïve Zoë", "", "   "])
def test_odd_texts_come_back(tokens, text):
    assert tokens.decode(tokens.encode(text)) == text


@pytest.mark.parametrize("name", SPECIAL)
def test_the_name_of_a_special_token_is_a_text_like_any_other(tokens, name):
    ids = tokens.encode(f"say {name} now")
    assert min(ids) >= len(SPECIAL)
    assert tokens.decode(ids) == f"say {name} now"


@pytest.mark.parametrize("text", ["\ud800", "bad \udcff byte", "\x00\x01\x0e"])
def test_what_no_tokenizer_takes_becomes_replacements(tokens, text):
    assert "\ufffd" in tokens.decode(tokens.encode(text))


def test_special_ids_are_left_out_of_texts(tokens):
    assert tokens.decode([BEGIN, *tokens.encode("hi"), END, USER]) == "hi"


def test_a_talk_ends_where_the_reply_begins(tokens):
    assert tokens.prompt([("user", "hi"), ("assistant", "yes"), ("user", "no")]) == [
        BEGIN, USER, *tokens.encode("hi"), ASSISTANT, *tokens.encode("yes"), END, USER, *tokens.encode("no"), ASSISTANT,
    ]  # fmt: skip


def test_system_and_tool_text_are_left_out(tokens):
    talk = [("system", "be brief"), ("user", "hi"), ("tool", "done")]
    assert tokens.prompt(talk) == tokens.prompt([("user", "hi")])
