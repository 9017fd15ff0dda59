"""What a sentence can mean for a text: its name for a thing, what is left of it, another name in the old one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.session.mend.titles import named_in, renamed, texts_in


@pytest.mark.parametrize(
    ("request_", "old", "first"),
    [
        ("then the actual show, 9 pm, 2.5 hrs, call it Basement Night", "soundcheck with Darius", "Basement Night"),
        ("they renamed it lol. its Attic Night now", "lol. its Attic Night", "Attic Night"),
        ("Tamsin's out sick, Oleg takes over. Same slot.", "Q3 numbers with Tamsin", "Q3 numbers with Oleg"),
        ("fringe trim friday 17 january 2025", "trim friday", "fringe trim"),
        ("It is 2025. Month-end close at 16:30, two hours.", "close", "Month-end close"),
        ("2359, countdown. One minute!", "Jingle recording", "countdown"),
        ("Then I sleep from half past seven that morning until 2 pm.", "tea break", "sleep"),
        ("and one with mona two hours after", "podcast taping with lenny", "podcast taping with mona"),
        ("um july nineteenth four p m football final with the grandkids", "july nineteenth football final with the "
         "grandkids", "football final with the grandkids"),
    ],
)  # fmt: skip
def test_the_surest_text_stands_first(request_, old, first):
    assert texts_in(request_, old)[0] == first


@pytest.mark.parametrize(
    ("request_", "old"),
    [("Add a meeting with Fred on Nov 11 at 5PM", "meeting with Fred"), ("put the gala back on the 13th", "gala")],
)
def test_a_text_that_is_all_there_is_has_no_rival_of_its_own_words(request_, old):
    assert old not in texts_in(request_, old)


def test_what_a_thing_is_called_outright():
    assert named_in("the show, call it Basement Night") == "Basement Night"
    assert named_in("the show at nine") == ""


def test_a_single_letter_is_no_text():
    assert texts_in("x at 9 pm", "old one") == ()


def test_two_new_names_exchange_nobody():
    assert renamed("Anna and Bert come", "Dinner with Carla") == ""


@given(st.text(max_size=80), st.text(max_size=30))
def test_nothing_that_is_said_raises(request_, old):
    assert old not in texts_in(request_, old)
