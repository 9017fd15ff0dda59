"""Reasons, fillers and slips of the finger leave what a call needs as it was."""

from random import Random

import pytest

from toolmend.training import manner


def test_a_reason_stands_before_or_after_the_request():
    said = {manner.reasoned("Move it to 5pm", "my boss called", Random(seed)) for seed in range(200)}
    assert "My boss called. Move it to 5pm" in said and "Move it to 5pm because my boss called" in said


def test_a_question_keeps_its_mark_before_the_reason():
    for seed in range(100):
        said = manner.reasoned("Can you move it?", "my boss called", Random(seed))
        assert "an you move it?" in said


@pytest.mark.parametrize(
    ("text", "small"),
    [("Move it", "move it"), ("Anna's party", "Anna's party"), ("I need it", "I need it"), ("Is it?", "Is it?")],
)
def test_only_words_that_begin_sentences_lose_their_capital(text, small):
    assert manner.lower_first(text) == small


def test_slips_of_the_finger_leave_names_and_figures_alone():
    for seed in range(300):
        said = manner.mistyped("please move lunch with Zephyrine to 17:45 on 2024-05-03", Random(seed))
        assert "Zephyrine" in said and "17:45" in said and "2024-05-03" in said


def test_short_forms_are_whole_words():
    said = {manner.shortened("could you put lunch with Andy in", Random(seed)) for seed in range(50)}
    assert said == {
        "could you put lunch with Andy in",
        "could u put lunch with Andy in",
        "could you put lunch w/ Andy in",
    }
