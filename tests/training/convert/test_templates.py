"""Chat templates: the prompt that embedded models get, spelled where the tokenizer cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2.sandbox import ImmutableSandboxedEnvironment

from toolmend.models.builtin.spelling import Spelling
from toolmend.training.convert.modelfile import modelfile
from toolmend.training.convert.templates import go, jinja

SPELLING = Spelling(('"a(', '", date="', '", "'))
ENVIRONMENT = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
SPELLED = ENVIRONMENT.from_string(jinja(SPELLING))
PIECES = [
    '"a(',
    '", date="',
    '", "',
    "BAR",
    "aB",
    "ABc",
    "<|",
    "é",
    " ",
    "  ",
    "5PM",
    "x",
    "Z",
    "\n",
    "\x01",
    "\x0e",
    "'s",
]


def test_a_conversation():
    turns = [
        {"role": "system", "content": "You are a calendar."},
        {"role": "user", "content": "hi <|eot_id|>"},
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": "Cancel it"},
    ]
    made = ENVIRONMENT.from_string(jinja()).render(messages=turns, add_generation_prompt=True)
    assert made == (
        "<|begin_of_text|><|user|>hi <\u200b|eot_id|><|assistant|>ok<|eot_id|><|user|>Cancel it<|assistant|>"
    )


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=20))
def test_the_spelling_template_spells(text):
    text = text.replace("\x00", "")
    made = SPELLED.render(messages=[{"role": "user", "content": text}], add_generation_prompt=True)
    spelled = SPELLING.encode(text.replace("<|", "<\u200b|"))
    assert made == f"<|begin_of_text|><|user|>{spelled}<|assistant|>"


def test_a_template_for_go_writes_no_raw_control_character():
    assert not [each for each in go(SPELLING) if ord(each) < 32]


@pytest.mark.parametrize(
    "line", ["FROM ./model.gguf", 'PARAMETER stop "<|eot_id|>"', "PARAMETER num_ctx 96", "PARAMETER temperature 0"]
)
def test_a_modelfile(trained, line):
    text = modelfile(trained)
    assert line in text.splitlines()
    assert text.count('"""') == 4
