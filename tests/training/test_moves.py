"""What is due after later changes, on literal examples."""

import re
from datetime import date, time, timedelta
from random import Random

import pytest

from toolmend.training.dialogues import Talk
from toolmend.training.meaning import Entry, Meant
from toolmend.training.phrases import Phrases
from toolmend.training.words import Words

FRIDAY = date(2024, 5, 3)
LUNCH = Entry("lunch with Anna", FRIDAY, time(12), 45)
YOGA = Entry("yoga class", date(2024, 6, 7), time(9))

PHRASES = Phrases("phrases.txt moves.txt")


def said_and_due(act, pattern, *entries, seeds=400, **state):
    """The entries due where the request says what the pattern finds; the last of `entries` was made just now."""
    found = set()
    for seed in range(seeds):
        talk = Talk(Random(seed), Words(), PHRASES)
        talk.entries, talk.last = list(entries), Meant(entries[-1])
        for name, value in state.items():
            setattr(talk, name, value)
        said, meant = getattr(talk, act)()
        if re.search(pattern, said):
            found.add(meant.entry)
    return found


@pytest.mark.parametrize(
    ("act", "pattern", "changed"),
    [
        ("_shift_of", r"(an|one|1) hour (later|back)|by (an|one|1) hour$", {"time": time(13)}),
        ("_longer", r"\\b(half an hour|30 min(utes)?) (longer|more)", {"duration": 75}),
        ("_move_days", r"(?i)^(the next day|(a|one|1) day later|the following day)[.,]?$", {"date": date(2024, 5, 4)}),
    ],
)
def test_a_later_change_changes_that_and_nothing_else(act, pattern, changed):
    pattern = pattern.replace("\\\\", "\\")
    found = said_and_due(act, pattern, LUNCH, seeds=3000)
    expected = Entry("lunch with Anna", **{"date": FRIDAY, "time": time(12), "duration": 45, **changed})
    assert expected in found and {e.bare for e in found} == {"lunch with Anna"}


def test_a_weekday_is_the_next_one_after_a_day_whose_weekday_is_known():
    found = said_and_due("_weekday", r"(on |the following )Tuesday", LUNCH, seeds=1500, weekdays={FRIDAY})
    assert {entry.date for entry in found} == {date(2024, 5, 7)}


def test_the_weekday_before_is_the_last_one_before():
    found = said_and_due(
        "_weekday", r"(the |previous )Tuesday before|the previous Tuesday", LUNCH, seeds=3000, weekdays={FRIDAY}
    )
    assert {entry.date for entry in found} == {date(2024, 4, 30)}


def test_an_hour_before_counts_from_the_beginning():
    found = said_and_due(
        "_near", r"(?<![hH]alf )(?<!of )\b(an|one|1) hour (before|ahead of|earlier than) that", LUNCH, seeds=3000
    )
    assert {(entry.date, entry.time) for entry in found} == {(FRIDAY, time(11))}


def test_a_word_put_right_stands_where_the_wrong_one_stood():
    for seed in range(300):
        talk = Talk(Random(seed), Words(), PHRASES)
        talk.entries, talk.last = [LUNCH], Meant(LUNCH)
        _, meant = talk._word()
        one, small, two = meant.entry.bare.split()
        assert small == "with" and (one == "lunch") is not (two == "Anna")


def test_another_kind_of_event_keeps_the_person():
    found = said_and_due("_head", r"^(It's|That's) not lunch", LUNCH, seeds=500)
    assert found and all(entry.bare.endswith(" with Anna") and entry.bare != LUNCH.bare for entry in found)


def test_what_is_revived_is_an_entry_that_was_cancelled():
    assert said_and_due("_revive", "", YOGA, seeds=50, gone=[LUNCH]) == {LUNCH}


@pytest.mark.parametrize(
    ("act", "asked"),
    [("_without_both", "On which day and at what time?"), ("_question", "I can only add and remove calendar entries.")],
)
def test_what_cannot_be_done_is_answered_in_words(act, asked):
    talk = Talk(Random(1), Words(), PHRASES)
    talk.entries, talk.last = [YOGA], Meant(YOGA)
    assert str(getattr(talk, act)()[1]) == asked


def test_a_change_without_its_value_is_made_when_the_value_is_said():
    for seed in range(60):
        talk = Talk(Random(seed), Words(), PHRASES)
        talk.entries, talk.last = [LUNCH], Meant(LUNCH)
        _, asked = talk._vague()
        assert str(asked).endswith("?")
        _, meant = talk._answer()
        assert meant.entry.bare == LUNCH.bare and meant.entry != LUNCH and talk.entries == [meant.entry]


def test_an_entry_is_named_by_a_word_only_when_no_other_has_it():
    other = Entry("lunch with Ben", FRIDAY + timedelta(days=1), time(13))
    talk = Talk(Random(0), Words(), PHRASES)
    talk.entries = [LUNCH, other]
    named = set()
    for seed in range(500):
        talk.random = Random(seed)
        named.add(talk._the(LUNCH))
    assert "the Anna one" in named and not named & {"the lunch", "the lunch one", "my lunch"}
