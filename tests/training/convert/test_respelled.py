"""A tokenizer.json that spells: the same ids and the same text as ours, for any text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolmend.models import builtin
from toolmend.models.builtin.preset import Preset
from toolmend.training.convert.respelled import respelled

TOKENS = Preset.read(builtin.PRESETS / "small").tokens()
RESPELLED = respelled(TOKENS.tokenizer, TOKENS.spelling)
PIECES = [
    *TOKENS.spelling.shorthands,
    *"a Z 5 \" ' é İ ſ ß 日 _ , \n \x01 \x06 \x0e".split(" "),
    " ",
    "  ",
    "BAR",
    "aB",
    "<|",
]
TALK = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)


@given(st.text(max_size=40) | TALK)
@example('", ", date="ABc (HTMLx 5PM')
@example("<|user|>")
def test_ids_are_ours(text):
    # A special token's name is one to the `tokenizers` library wherever it stands; the chat template takes it apart.
    text = text.replace("|>", "|")
    assert RESPELLED.encode(text, add_special_tokens=False).ids == TOKENS.encode(text)


@given(st.lists(st.integers(5, TOKENS.tokenizer.get_vocab_size() - 1), max_size=12))
def test_the_text_of_any_ids_is_ours(ids):
    assert RESPELLED.decode(ids) == TOKENS.decode(ids)


@pytest.mark.parametrize("text", ["Meeting with Fred at 5PM", 'action.add_calendar_entry("Lunch", date="2023-05-03")'])
def test_real_text_comes_back(text):
    assert RESPELLED.decode(RESPELLED.encode(text).ids) == text
