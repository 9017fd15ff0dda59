"""A faulty copy becomes what the sentence has; what was said otherwise stays."""

import pytest

from toolmend.resolve.recopied import recopied, without_article


@pytest.mark.parametrize(
    ("copy", "sentence", "said"),
    [
        ("Missippi river", "turtles in the Mississippi river in 2020", "Mississippi river"),
        ("Yellowland National Park", "growth of forest in Yellowstone National Park", "Yellowstone National Park"),
        ("Cavern Room", "a spider in the cavernous room", "Cavern Room"),
        ("the car", "my vehicle is old", "the car"),
        ("Anna", "Hanna or Joanna", "Anna"),
    ],
)
def test_copies(copy, sentence, said):
    assert recopied(copy, sentence) == said


def test_an_article_that_was_copied_goes():
    assert without_article("the Amazon rainforest", "rain in the Amazon rainforest") == "Amazon rainforest"
    assert without_article("The Hobbit", "read The Hobbit") == "The Hobbit"
