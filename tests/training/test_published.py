"""What repeats the published experiment is known."""

import pytest

from toolmend.training.phrases import published

PROMPTS = [
    "Add a meeting with Fred on Nov 11 at 5PM",
    "The current year is 2024.",
    "I'm going to a rock concert in the evening of the same day at 8pm. Add a calendar entry for that.",
    "Set the duration to 3 hours.",
    "Add a meeting with Paul on the next day at 8am. 1/2h.",
    "Cancel the meeting with Fred.",
]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_published_prompts_are_known(prompt):
    assert published(prompt)
    assert published(prompt.upper().rstrip("."))


@pytest.mark.parametrize(
    "text", ["", "Add a meeting with Anna on Nov 11 at 5PM", "Set the duration to 2 hours.", "The year is 2024."]
)
def test_what_only_resembles_them_is_not(text):
    assert not published(text)


def test_a_prompt_inside_a_longer_sentence_is_known_by_six_words_in_a_row():
    assert published("Please add a meeting with Paul on the next day at 9am")
