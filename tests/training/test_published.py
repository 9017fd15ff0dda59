"""Whole dialogues: the same by seed, and nothing in training that the exam or the published experiment asks."""

import re

import pytest

from simulated import simulated
from toolmend.training.phrases import published
from toolmend.training.words import sections

PROMPTS = [
    "Add a meeting with Fred on Nov 11 at 5PM",
    "The current year is 2024.",
    "I'm going to a rock concert in the evening of the same day at 8pm. Add a calendar entry for that.",
    "Set the duration to 3 hours.",
    "Add a meeting with Paul on the next day at 8am. 1/2h.",
    "Cancel the meeting with Fred.",
]


def said(dialogues):
    return [text for talk in dialogues for _, text, _ in talk]


def in_words(text):
    return re.findall(r"[a-z0-9']+", text.lower())


@pytest.mark.parametrize("held_out", [False, True])
def test_the_same_seed_is_the_same_dialogue(held_out):
    assert simulated(5, held_out=held_out) == simulated(5, held_out=held_out)


def test_seeds_and_distributions_differ():
    assert len({repr(simulated(seed, held_out=part)) for seed in range(50) for part in (False, True)}) == 100


def test_no_word_kept_for_the_exam_is_in_training(dialogues):
    texts = "\n".join(f"{text}\n{meant}" for talk in dialogues for _, text, meant in talk).lower()
    kept = {
        entry.strip().lower()
        for name, lines in sections("words.txt").items()
        if name.endswith("held-out")
        for line in lines
        for entry in line.split(",")
        if entry.strip()
    } - {
        "tasting",
        "museum",
        "the exhibition",
    }  # in training too, inside "wine tasting", "museum visit", "art exhibition"
    assert len(kept) > 70
    assert [entry for entry in sorted(kept) if re.search(rf"(?<![a-z]){re.escape(entry)}(?![a-z])", texts)] == []


def fixed_parts(line):
    """The longest run of a held-out line's words that no choice or slot can change."""
    plain = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\{\w+\}", "\n", line)
    return max(plain.split("\n"), key=len).strip(" .,!?").lower()


@pytest.mark.parametrize("file", ["phrases.txt", "complaints.txt"])
def test_no_wording_kept_for_the_exam_is_in_training(dialogues, held_out, file):
    lines = [line[1:].strip() for lines in sections(file).values() for line in lines if line.startswith("~")]
    files = (file, "tool_talks.txt")
    known = "\n".join(
        line for name in files for lines in sections(name).values() for line in lines if not line.startswith("~")
    ).lower()
    kept = [part for line in lines if len(part := fixed_parts(line)) > 13 and part not in known]
    training, exam = "\n".join(said(dialogues)).lower(), "\n".join(said(held_out)).lower()
    assert [part for part in kept if part in training] == []
    assert sum(part in exam for part in kept) > len(kept) / 2


def test_no_six_words_in_a_row_of_the_published_prompts_are_ever_said(dialogues, held_out):
    runs = {tuple(in_words(p)[i : i + 6]) for p in PROMPTS for i in range(len(in_words(p)) - 5)}
    whole = {tuple(in_words(prompt)) for prompt in PROMPTS}
    for text in said([*dialogues, *held_out]):
        words = in_words(text)
        assert tuple(words) not in whole, text
        assert not {tuple(words[i : i + 6]) for i in range(len(words) - 5)} & runs, text


def test_nobody_meets_fred_or_paul_or_goes_to_a_rock_concert(dialogues, held_out):
    texts = "\n".join(f"{text}\n{meant}" for talk in [*dialogues, *held_out] for _, text, meant in talk).lower()
    assert not re.search(r"\b(fred|paul|rock concert)\b", texts)


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
