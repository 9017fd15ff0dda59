"""What is said about wrong replies."""

from datetime import date, time
from random import Random

import pytest

from simulated import topics
from toolmend.training.meaning import Entry, Meant
from toolmend.training.phrases import Phrases
from toolmend.training.slips import Slip, complaint

COMPLAINTS = Phrases("complaints.txt")
ANNA = Entry("lunch with Anna", date(2023, 5, 3), time(12, 30), 45)
LEAP = Entry("sync", date(2024, 2, 29), time(0, 0), 30)
DUE = [Meant(ANNA), Meant(ANNA, remove=True), Meant(LEAP), Meant(LEAP, remove=True)]


def complaints(level, meant=DUE[0], count=100):
    return [
        complaint(Slip("", topic, "title"), level, meant, Random(seed), COMPLAINTS)
        for topic in topics()
        for seed in range(count)
    ]


def test_these_are_the_topics():
    assert topics() == [
        "api", "chatter", "date", "date format", "duration", "duration format", "extra argument", "extra call",
        "missing", "no call", "syntax", "time", "time format", "title", "which", "year",
    ]  # fmt: skip


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("meant", DUE, ids=str)
def test_every_topic_can_be_complained_about(meant, level):
    assert all(said and "{" not in said for said in complaints(level, meant, 20))


@pytest.mark.parametrize("level", [0, 1, 2])
def test_below_level_3_no_value_is_given_away(level):
    values = ("2023", "may", "12", "half past", "45", "anna", "lunch")
    assert [said for said in complaints(level) if any(value in said.lower() for value in values)] == []


def test_no_complaint_holds_a_literal_in_the_calls_notation():
    values = ("2023-05-03", "12:30", "45", "Lunch with Anna")
    assert [said for said in complaints(3, count=200) if any(value in said for value in values)] == []


def test_the_same_seed_says_the_same():
    assert complaints(3, count=5) == complaints(3, count=5)
