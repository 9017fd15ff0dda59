"""Wrong replies and what is said about them."""

from datetime import date, time
from random import Random

import pytest

from toolmend.reading import read_python
from toolmend.toolboxes import Calendar
from toolmend.training.meaning import Entry, Meant
from toolmend.training.phrases import Phrases
from toolmend.training.slips import complaint, slip
from toolmend.training.words import Words

COMPLAINTS = Phrases("complaints.txt")
ANNA = Entry("lunch with Anna", date(2023, 5, 3), time(12, 30), 45)
OTHERS = [Entry("yoga class", date(2024, 1, 9), time(18)), Entry("dinner with Tom", date(2023, 5, 3), time(19), 120)]
LEAP = Entry("sync", date(2024, 2, 29), time(0, 0), 30)
DUE = [Meant(ANNA), Meant(ANNA, remove=True), Meant(LEAP), Meant(LEAP, remove=True)]
SPECS = Calendar().specs


def slips(meant, others=OTHERS, count=400):
    return [slip(meant, others, Random(seed), Words()) for seed in range(count)]


@pytest.mark.parametrize("others", [[], OTHERS], ids=["alone", "among others"])
@pytest.mark.parametrize("meant", DUE, ids=str)
def test_every_slip_differs_from_the_due_call(meant, others):
    assert all(made.reply.strip() != str(meant) for made in slips(meant, others))


@pytest.mark.parametrize("meant", DUE, ids=str)
def test_no_slip_reads_as_the_due_call_alone_but_for_what_is_said_beside_it(meant):
    due = read_python(str(meant), SPECS).calls
    same = {made.topic for made in slips(meant) if read_python(made.reply, SPECS).calls == due}
    assert same <= {"chatter", "syntax"}


def test_every_topic_has_complaints_of_level_2(dialogues):
    topics = {made.topic for meant in DUE for made in slips(meant)}
    assert topics == {
        "api", "chatter", "date", "date format", "duration", "duration format", "extra argument", "extra call",
        "missing", "no call", "syntax", "time", "time format", "title", "which", "year",
    }  # fmt: skip
    assert all(f"{topic} 2" in COMPLAINTS.lines for topic in topics)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("meant", DUE, ids=str)
def test_every_slip_can_be_complained_about(meant, level):
    for seed, made in enumerate(slips(meant, count=150)):
        said = complaint(made, level, meant, Random(seed), COMPLAINTS)
        assert said and "{" not in said


@pytest.mark.parametrize("level", [0, 1, 2])
def test_below_level_3_no_value_is_given_away(level):
    for seed, made in enumerate(slips(Meant(ANNA))):
        said = complaint(made, level, Meant(ANNA), Random(seed), COMPLAINTS).lower()
        assert not any(value in said for value in ("2023", "may", "12", "half past", "45", "anna", "lunch")), said


def test_no_complaint_holds_a_literal_in_the_calls_notation():
    for seed, made in enumerate(slips(Meant(ANNA), count=800)):
        said = complaint(made, 3, Meant(ANNA), Random(seed), COMPLAINTS)
        assert not any(value in said for value in ("2023-05-03", "12:30", "45", "Lunch with Anna")), said


@pytest.mark.parametrize("seed", range(5))
def test_the_same_seed_makes_the_same_slip(seed):
    assert slip(DUE[0], OTHERS, Random(seed), Words()) == slip(DUE[0], OTHERS, Random(seed), Words())
