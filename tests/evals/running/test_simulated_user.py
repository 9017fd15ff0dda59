"""The simulated user."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Call
from toolmend.base.mistakes import Kind, Mistake
from toolmend.evals.running.simulated_user import User
from toolmend.tools.toolboxes import Calendar

ADD = "action.add_calendar_entry"
TIME = Mistake(Kind.WRONG_VALUE, "time", ADD, "17:00", "05:00")
LACKING = Mistake(Kind.MISSING_ARGUMENT, "time", ADD, "17:00")
CHATTER = Mistake(Kind.CHATTER, got="Sure!")
NO_CALL = Mistake(Kind.NO_CALL, None, ADD, ADD)


@pytest.fixture
def user() -> User:
    return User(Calendar().specs, seed=1)


@pytest.mark.parametrize(
    ("mistakes", "recoverable", "level"),
    [([TIME], True, 2), ([TIME], False, 3), ([LACKING], False, 3), ([CHATTER], False, 2), ([NO_CALL, TIME], False, 2)],
)
def test_the_headline_gives_a_value_away_only_where_the_talk_has_none(
    user: User, mistakes: list[Mistake], recoverable: bool, level: int
) -> None:
    assert user.headline(mistakes, recoverable=recoverable) == level


def test_it_names_the_mistake_a_person_names_first(user: User) -> None:
    assert user.correct([CHATTER, TIME], 2, 0).mistake == TIME


def test_try_again_names_nothing(user: User) -> None:
    correction = user.correct([TIME], 0, 0)
    assert (correction.level, correction.mistake) == (0, None)


def test_the_same_seed_says_the_same(user: User) -> None:
    assert user.correct([TIME], 2, 3) == User(Calendar().specs, seed=1).correct([TIME], 2, 3)


def test_wordings_vary_within_a_talk_and_between_seeds(user: User) -> None:
    said = {user.correct([TIME], 2, turn).text for turn in range(12)}
    assert len(said) > 1
    assert [user.correct([TIME], 2, turn) for turn in range(12)] != [
        User(Calendar().specs, seed=2).correct([TIME], 2, turn) for turn in range(12)
    ]


def test_a_reminder_ends_everything_that_is_said(user: User) -> None:
    reminded = User(user.specs, user.seed, "Answer with a call.")
    assert reminded.say("Add a lunch") == "Add a lunch Answer with a call."
    assert reminded.correct([TIME], 2, 0).text == f"{user.correct([TIME], 2, 0).text} Answer with a call."
    assert reminded.doubt(Call(ADD), 0).text == f"{user.doubt(Call(ADD), 0).text} Answer with a call."


def test_without_a_reminder_nothing_is_added(user: User) -> None:
    assert user.say("Add a lunch") == "Add a lunch"
