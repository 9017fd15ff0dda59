"""Which argument a person's words blame: rather none than one that was right."""

from collections import Counter
from random import Random

import pytest

from toolmend.language.corrections.blame import blamed
from toolmend.language.corrections.names import label
from toolmend.language.corrections.pool import sentences
from toolmend.training.phrases import Phrases

CALENDAR = ("title", "date", "time", "duration")


@pytest.mark.parametrize(
    ("said", "argument"),
    [
        ("The date is wrong.", "date"),
        ("no, wrong day", "date"),
        ("The year isn’t right", "date"),
        ("Check the time again.", "time"),
        ("It's not the right hour!", "time"),
        ("that time is off", "time"),
        ("You got the length wrong", "duration"),
        ("That's not how long it takes.", "duration"),
        ("There is a mistake in the name", "title"),
        ("Everything is fine but the title", "title"),
        ("Good, but the duration is wrong", "duration"),
        ("Are you sure about the date?", "date"),
        ("Fix the length to half an hour", "duration"),
    ],
)
def test_one_argument_is_blamed(said, argument):
    assert blamed(said, CALENDAR) == argument


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Try again.",
        "One more time, please.",
        "That's wrong, try another time",
        "This time you got it wrong",
        "Wrong. It takes an hour.",
        "The date is fine.",
        "The date is right, the time isn't",
        "The date and the time are wrong",
        "Keep the date, you got it wrong",
        "Not the date, the time!",
        "There is no such function name",
        "Check the name of the function",
        "Make it half past three",
        "Is that what I said?",
        "wrongdate",
    ],
)
def test_nothing_is_blamed_where_it_is_not_clear(said):
    assert blamed(said, CALENDAR) is None


def test_readable_names_of_other_tools_are_known():
    assert blamed("The start time is wrong", ("start_time", "endTime")) == "start_time"
    assert blamed("Wrong amount", ("quantity", "item")) == "quantity"
    assert blamed("The date is wrong", ("place", "item")) is None


@pytest.mark.parametrize("argument", CALENDAR)
def test_the_simulated_users_words_are_understood(argument):
    for line in sentences(2, "wrong_value"):
        said = line.format(argument=label(argument), Argument=label(argument).capitalize(), **{"is": "is"})
        assert blamed(said, CALENDAR) == argument, said


def test_complaints_of_other_writers_never_blame_another_argument():
    complaints, random, found = Phrases("complaints.txt", 0.0), Random(1), Counter()
    for argument in CALENDAR:
        for _ in range(300):
            found[argument, blamed(complaints.say(random, f"{argument} 2", str), CALENDAR)] += 1
    assert {named for (argument, named) in found if named != argument} == {None}
    assert all(found[argument, argument] > 120 for argument in CALENDAR)


def test_complaints_without_a_name_blame_nothing():
    complaints, random = Phrases("complaints.txt", 0.0), Random(2)
    said = [complaints.say(random, section, str) for section in ("wrong 1", "which") * 400]
    assert [each for each in said if blamed(each, CALENDAR)] == []
