"""Names and titles: what is drawn, what is made up, and what is kept for the exam."""

from random import Random

import pytest

from toolmend.training.words import NameSource, made_up, sections, titled


@pytest.mark.parametrize(
    ("phrase", "title"),
    [
        ("meeting with Anna", "Meeting with Anna"),
        ("Tom's birthday party", "Tom's Birthday Party"),
        ("catch-up about the budget", "Catch-Up about the Budget"),
        ("the opera", "The Opera"),
        ("1-on-1", "1-On-1"),
        ("dinner at Blu Park", "Dinner at Blu Park"),
        ("", ""),
    ],
)
def test_how_titles_are_written(phrase, title):
    assert titled(phrase) == title


def test_made_up_words_are_lower_case_letters():
    words = [made_up(Random(seed)) for seed in range(2000)]
    assert all(word.isalpha() and word.islower() and word.isascii() and len(word) <= 20 for word in words)


def test_made_up_words_are_many():
    assert len({made_up(Random(seed)) for seed in range(2000)}) > 1500


@pytest.mark.parametrize("section", ["people", "surnames", "meetings", "events", "topics", "places"])
def test_no_entry_is_both_for_training_and_held_out(section):
    lists = {
        name: {word.strip().lower() for line in lines for word in line.split(",")} - {""}
        for name, lines in sections("words.txt").items()
    }
    assert lists[section] and lists[f"{section} held-out"]
    assert not lists[section] & lists[f"{section} held-out"]


@pytest.mark.parametrize("name", ["fred", "paul", "rock concert"])
def test_the_published_names_are_on_no_list(name):
    listed = {
        word.strip().lower() for lines in sections("words.txt").values() for line in lines for word in line.split(",")
    }
    assert name not in listed


@pytest.mark.parametrize("method", ["person", "event", "title"])
def test_the_same_seed_draws_the_same(method):
    draw = getattr(NameSource(), method)
    assert [draw(Random(seed)) for seed in range(50)] == [draw(Random(seed)) for seed in range(50)]


@pytest.mark.parametrize("held_out", [False, True])
def test_titles_fit_between_quotes(held_out):
    titles = [NameSource(held_out).title(Random(seed)) for seed in range(2000)]
    assert not any(character in title for title in titles for character in '"\\\n')
    assert all(title == " ".join(title.split()) != "" for title in titles)


def test_without_made_up_words_a_held_out_source_gives_held_out_ones():
    people = {NameSource(held_out=True).pick(Random(seed), "people") for seed in range(500)}
    listed = {word.strip() for line in sections("words.txt")["people held-out"] for word in line.split(",")}
    assert people == listed - {""}
