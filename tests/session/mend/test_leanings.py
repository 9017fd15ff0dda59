"""What is learned of a person's corrections, and how it ranks the candidates of the next one."""

from dataclasses import replace

import pytest
from tests.session.mend.test_mender import DINNER, case, drive, how, made, told

from toolmend.session.mend import Mender
from toolmend.session.mend.asking import picks
from toolmend.session.mend.leanings import Leaning, Leanings

HOUR = "another reading of the same words"
MEANT = Leaning("add", "time", HOUR, True)
AHEAD = [
    Leaning("add", "date", "the words give another value", False),
    Leaning("add", "title", "a slip of a word that was said", False),
]
WRONG = "That's wrong."


def mender(*repairs: Leaning, kept: list[Leaning] | None = None) -> Mender:
    known = Mender()
    known.leanings = Leanings(repairs, kept.append if kept is not None else None)
    return known


def test_a_choice_is_learned_and_what_was_ahead_of_it_was_not_meant():
    kept: list[Leaning] = []
    ladder = mender(kept=kept)
    assert told(drive(ladder, case(WRONG))).startswith("Which is right? 1: date 2026-03-05. 2: title")
    assert made(drive(ladder, case("3"))) == [{**DINNER.arguments, "time": "19:00"}]
    assert kept == [*AHEAD, MEANT]


def test_a_value_that_is_said_is_learned_where_it_had_been_a_candidate():
    kept: list[Leaning] = []
    drive(mender(kept=kept), case("No, seven in the evening."))
    drive(mender(kept=kept), case("I meant two hours."))
    assert kept == [MEANT]


def test_what_was_chosen_is_offered_first_the_next_time():
    steps = drive(mender(*AHEAD, MEANT), case(WRONG))
    assert told(steps).startswith("Which is right? 1: time 19:00. 2: date 2026-03-05. 3: title")


def test_what_is_meant_again_and_again_is_taken_without_a_question():
    steps = drive(mender(*2 * [*AHEAD, MEANT]), case(WRONG))
    assert (how(steps), made(steps)) == (["candidate"], [{**DINNER.arguments, "time": "19:00"}])


def test_what_was_taken_and_then_corrected_was_not_meant():
    kept: list[Leaning] = []
    ladder = mender(kept=kept)
    guessed = made(drive(ladder, case("The time is wrong.")))
    assert guessed == [{**DINNER.arguments, "time": "19:00"}]
    drive(ladder, case("No, at 8 pm.", replace(DINNER, arguments=guessed[0], id="c2")))
    assert kept == [Leaning("add", "time", HOUR, False)]


def test_other_tools_and_arguments_are_not_concerned():
    others = [Leaning("remove", "time", HOUR, True), Leaning("add", "start", HOUR, True)]
    assert told(drive(mender(*3 * others), case(WRONG))).startswith("Which is right? 1: date 2026-03-05. 2: title")


def test_nothing_is_learned_where_nobody_keeps_it():
    ladder = mender()
    for _ in range(3):
        drive(ladder, case(WRONG))
        drive(ladder, case("3"))
    assert told(drive(ladder, case(WRONG))).startswith("Which is right? 1: date 2026-03-05. 2: title")


def test_a_weight_is_moved_at_most_fourfold():
    [first, *_] = mender(*50 * [MEANT]).leanings.ranked(case(WRONG), [(0, "time")])
    assert (first.why, first.weight) == (HOUR, 20.0)


@pytest.mark.parametrize(("text", "picked"), [("2", True), ("the second one", True), ("yes", True), ("at 2", False)])
def test_a_pick_has_no_words_to_learn_from(text: str, picked: bool):
    assert picks(text) is picked
