"""Complaints about calls as such are told from each other, and from everything else."""

import pytest

from toolmend.language.corrections.as_such import said_as_such


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Where is the API call?", "due"),
        ("Write the call as code, please.", "due"),
        ("No API call is needed here.", "needless"),
        ("I didn't ask you to do anything.", "needless"),
        ("You shouldn’t call anything now.", "needless"),
        ("You made the same call twice.", "twice"),
        ("Once is enough.", "twice"),
        ("There is one API call too many.", "too many"),
        ("That is more than I asked for.", "too many"),
        ("One API call is missing.", "too few"),
        ("You forgot one of the calls.", "too few"),
        ("Wrong API call.", "another tool"),
        ("You called the wrong function.", "another tool"),
    ],
)
def test_what_is_said_of_the_calls_as_such(sentence, verdict):
    assert said_as_such(sentence) == verdict


@pytest.mark.parametrize(
    "sentence", ["That's wrong.", "Try again.", "The time is wrong.", "Call Anna at five.", "Too many parameters.", ""]
)
def test_other_sentences_say_nothing_of_that(sentence):
    assert said_as_such(sentence) == ""


def test_a_long_story_is_no_complaint():
    assert said_as_such("I called the tool shed and " + "they told me about another function " * 4) == ""
