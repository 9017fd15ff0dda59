"""Words nobody has met, and the list they are made of."""

from random import Random

import pytest

from toolmend.training.words import made_up, sections


def test_made_up_words_are_lower_case_letters():
    words = [made_up(Random(seed)) for seed in range(2000)]
    assert all(word.isalpha() and word.islower() and word.isascii() and len(word) <= 20 for word in words)


def test_made_up_words_are_many():
    assert len({made_up(Random(seed)) for seed in range(2000)}) > 1500


@pytest.mark.parametrize("name", ["fred", "paul", "rock concert"])
def test_the_published_names_are_on_no_list(name):
    listed = {
        word.strip().lower() for lines in sections("words.txt").values() for line in lines for word in line.split(",")
    }
    assert name not in listed
