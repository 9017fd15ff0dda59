"""Sentences with choices and slots."""

from random import Random

import pytest

from toolmend.training.phrases import Phrases, expand, first_upper


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("plain", {"plain"}),
        ("(a|b) c", {"a c", "b c"}),
        ("a[ b]", {"a", "a b"}),
        ("(a|b (c|d))", {"a", "b c", "b d"}),
        ("a[. (B|C)]", {"a", "a. B", "a. C"}),
        ("(x|) y", {"x y", " y"}),
        ("(not a choice)", {"(not a choice)"}),
    ],
)
def test_every_choice_can_be_made(line, sentences):
    assert {expand(line, Random(seed)) for seed in range(200)} == sentences


@pytest.mark.parametrize("file", ["tool_talks.txt", "complaints.txt"])
def test_every_line_can_be_said_and_every_choice_is_resolved(file):
    phrases = Phrases(file, held_out_share=0.5)
    for section in phrases.lines:
        for seed in range(60):
            said = phrases.say(Random(seed), section, lambda slot: f"<{slot}>")
            assert said == " ".join(said.split()) != ""
            assert not set("()[]{}|~") & set(said), said


@pytest.mark.parametrize("file", ["tool_talks.txt", "complaints.txt"])
def test_every_section_can_be_said_in_training(file):
    assert [name for name, (known, _) in Phrases(file).lines.items() if not known] == []


@pytest.mark.parametrize("file", ["tool_talks.txt", "complaints.txt"])
def test_no_line_is_both_for_training_and_held_out(file):
    for known, held_out in Phrases(file).lines.values():
        assert not set(known) & set(held_out)


def test_training_never_takes_a_held_out_line():
    phrases = Phrases("tool_talks.txt")
    object.__setattr__(phrases, "lines", {"x": (["known"], ["held out"])})
    assert {phrases.say(Random(seed), "x", str) for seed in range(200)} == {"known"}


def test_the_exam_takes_held_out_lines_as_often_as_told():
    phrases = Phrases("tool_talks.txt", held_out_share=0.6)
    object.__setattr__(phrases, "lines", {"x": (["known"], ["held out"])})
    taken = [phrases.say(Random(seed), "x", str) for seed in range(2000)].count("held out")
    assert 1100 < taken < 1300


def test_slots_are_filled_and_blanks_mended():
    phrases = Phrases("tool_talks.txt")
    object.__setattr__(phrases, "lines", {"x": (["Add  {a} {when} , please ?"], [])})
    assert phrases.say(Random(0), "x", {"a": "a lunch", "when": ""}.__getitem__) == "Add a lunch, please?"


@pytest.mark.parametrize(("text", "upper"), [("the day", "The day"), ("", ""), ("5pm", "5pm"), ("Anna", "Anna")])
def test_first_letters(text, upper):
    assert first_upper(text) == upper
