"""A new request beats a question that waits, a question writes nothing, and nothing is made once that is to recur.

Sentences of our own, as tables.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal

import pytest

from toolmend.base.messages import Request
from toolmend.language.resolve.background import Open, Question
from toolmend.language.resolve.said import Said
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.session.mend.asked import is_question
from toolmend.session.mend.own_request import own_request
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar


def set_volume(level: int) -> str:
    """Set the volume of the speaker."""
    return str(level)


def add_task(title: str, day: dt.date, time: dt.time) -> str:
    """Add a task to the list."""
    return title


def remove_task(title: str) -> str:
    """Remove a task from the list."""
    return title


def lights(room: Literal["bath", "kitchen"], on: bool) -> str:
    """Switch the lights."""
    return room


def get_tasks(day: str = "") -> list[str]:
    """The tasks of a day."""
    return ["bins"]


SATURDAY = dt.datetime(2026, 11, 28, 13, 30)
HOME = (set_volume, add_task, remove_task, lights, get_tasks)


def asked(question: str, reply: str) -> tuple[Session, list[Request]]:
    """A talk in which a call waits for an answer, and what its model is asked."""
    requests: list[Request] = []

    def script(request: Request) -> str:
        requests.append(request)
        return question if len(requests) == 1 else reply

    session = Session(Scripted(script), Toolbox.of(*HOME), "spoken")
    session.say({"set": "Change the volume", "add": "Add the bins to the list", "lig": "Lights, please"}[question[:3]])
    assert session.answers[-1].open is not None
    return session, requests


VOLUME, DAY = 'set_volume(level="?")', 'add_task(title="bins", day="?", time="?")'
ANSWERS = [
    (VOLUME, "8", {"level": 8}),
    (VOLUME, "a hundred and five", {"level": 105}),
    (VOLUME, "Set it to eight, please", {"level": 8}),
    (VOLUME, "twenty five percent", {"level": 25}),
    (VOLUME, "I think around eight", {"level": 8}),
    (VOLUME, "The volume should be 8", {"level": 8}),
    (VOLUME, "Set the volume to 8", {"level": 8}),
    (VOLUME, "8, because the neighbours are asleep", {"level": 8}),
    (VOLUME, "make it 11", {"level": 11}),
    (VOLUME, "let's say nine", {"level": 9}),
]


@pytest.mark.parametrize(("question", "said", "values"), ANSWERS, ids=[row[1] for row in ANSWERS])
def test_an_answer_completes_the_call_that_waits(question: str, said: str, values: dict[str, object]) -> None:
    session, _ = asked(question, "hm")
    [call] = session.say(said).standing
    assert dict(call.arguments) == values


REQUESTS = [
    (VOLUME, "Defrost the freezer on Monday at 8"),
    (VOLUME, "Add milk to the list for Monday at 8 am"),
    (VOLUME, "Please remind me on Monday at 8 am about the thing"),
    (VOLUME, "Dentist on Monday at 8 with Doctor Kim"),
    (VOLUME, "Mum's birthday party is on Monday at 8"),
    (VOLUME, "Can you put the thing on the list, Monday at 8 am?"),
    (DAY, "Remove the bins and the glass from the list"),
    (DAY, "Lights on in the kitchen"),
    (VOLUME, "Order 20 litres of heating oil"),
    (VOLUME, "What's on the list on Monday?"),
    (VOLUME, "no wait, add the thing for Monday at 8 am"),
]


@pytest.mark.parametrize(("question", "said"), REQUESTS, ids=[row[1] for row in REQUESTS])
def test_a_new_request_is_no_answer(question: str, said: str) -> None:
    session, requests = asked(question, "get_tasks()")
    answer = session.say(said)
    assert [call.tool for call in answer.standing] == ["get_tasks"]
    assert [message.content for message in requests[-1].messages[1:]] == [said]  # the question is of no interest


@pytest.mark.parametrize("said", ["Book club", "Call Mum", "Planting bulbs", "Put-in party", "Light show", "Order"])
def test_a_title_may_look_like_a_request(said: str) -> None:
    waiting = Open(Said("add_task", {"title": "?"}), Question("add_task", "title"))
    assert not own_request(said, waiting, Toolbox.of(*HOME).specs)


LUNCH = 'action.add_calendar_entry("Lunch", date="2026-12-02", time="12:00")'
GONE = LUNCH.replace("add", "remove")
QUESTIONS = [
    "do I have time on Wednesday afternoon?",
    "what's next?",
    "Whats next",
    "is there anything after lunch",
    "How long is lunch on Wednesday?",
    "Can you tell me when lunch is?",
    "show me what Wednesday looks like",
    "Am I busy on Wednesday?",
    "anything planned for Wednesday?",
    "Who's coming to lunch?",
    "Hey, when is the next lunch?",
    "Will I be free at noon?",
]


@pytest.mark.parametrize("said", QUESTIONS)
@pytest.mark.parametrize("reply", [LUNCH, GONE])
def test_a_question_writes_nothing_whatever_a_model_makes_of_it(said: str, reply: str) -> None:
    box = Calendar(now=SATURDAY)
    box.add_calendar_entry("Lunch", dt.date(2026, 12, 2), dt.time(12))
    before = box.state()
    answer = Session(Scripted([reply]), box, "oneline").request(said)
    assert (box.state(), answer.calls) == (before, ())
    assert answer.text.startswith("That was a question")


@pytest.mark.parametrize("said", QUESTIONS)
@pytest.mark.parametrize("strategy", ["oneline", "spoken"])
def test_a_question_after_a_call_is_no_correction_of_it(said: str, strategy: str) -> None:
    box, change = Calendar(now=SATURDAY), 'change(time="14:00")' if strategy == "spoken" else GONE
    session = Session(Scripted([LUNCH, change, change]), box, strategy)
    session.request("Lunch on Wednesday at noon")
    before = box.state()
    answer = session.say(said)
    assert (box.state(), answer.amends, answer.calls, session.offers) == (before, None, (), ())


DOUBTING = ["Isn't it at one?", "Wasn't that at one?", "Shouldn't it be at one?", "Is it not at one?", "How about one?"]


@pytest.mark.parametrize("said", DOUBTING)
def test_what_doubts_a_value_is_no_question(said: str) -> None:
    assert not is_question(said)


WISHES = [
    "can you add lunch on Wednesday at noon?",
    "how about lunch on Wednesday at noon?",
    "Is it possible to have lunch on Wednesday at noon?",
    "would you put lunch on Wednesday at noon?",
    "When the week begins, add lunch on Wednesday at noon",
    "have lunch on Wednesday at noon",
    "Will you add lunch on Wednesday at noon?",
    "why don't we have lunch on Wednesday at noon?",
    "Do lunch on Wednesday at noon",
    "What a week! Lunch on Wednesday at noon, please",
    "If nothing is on, lunch on Wednesday at noon",
]


@pytest.mark.parametrize("said", WISHES)
def test_a_request_that_is_put_as_a_question_is_done(said: str) -> None:
    session = Session(Scripted([LUNCH]), Calendar(now=SATURDAY), "oneline")
    assert len(session.request(said).standing) == 1


REPEATED = [
    ("Team meeting every Wednesday at noon", "every Wednesday"),
    ("Lunch on Wednesdays at noon", "on Wednesdays"),
    ("every other Wednesday lunch at noon", "every other Wednesday"),
    ("Lunch each day at 12", "each day"),
    ("Lunch daily at noon", "daily"),
    ("Lunch at noon, weekly", "weekly"),
    ("Gym twice a week from Wednesday", "twice a week"),
    ("Lunch at noon on weekdays", "on weekdays"),
    ("A recurring lunch on Wednesday at noon", "recurring"),
    ("Lunch every 3 days at noon", "every 3 days"),
    ("Lunch on the first, every month", "every month"),
]


@pytest.mark.parametrize(("said", "words"), REPEATED)
def test_what_is_to_be_again_and_again_is_not_made_once(said: str, words: str) -> None:
    box = Calendar(now=SATURDAY)
    answer = Session(Scripted([LUNCH]), box, "oneline").request(said)
    assert box.entries == []
    assert answer.text.startswith(f"“{words}”: these tools do a thing once")


@pytest.mark.parametrize(
    "said",
    [
        "Lunch with everyone on Wednesday at noon",
        'Add "Every day a hero" on Wednesday at noon',
        "Weekly sync on Wednesday at noon",
        "Daily standup tomorrow at noon",
        "Lunch on Wednesday at noon, like everybody",
        "Lunch on Wednesday at noon, for Ada can't do Fridays",
        "There is no lunch on weekdays before noon, so lunch on Wednesday at noon",
        "Which means lunch on Wednesday at noon",
    ],
)
def test_what_is_meant_once_is_made(said: str) -> None:
    assert len(Session(Scripted([LUNCH]), Calendar(now=SATURDAY), "oneline").request(said).standing) == 1


def test_days_that_are_told_one_by_one_are_made_one_by_one() -> None:
    session = Session(Scripted([f"{LUNCH}\n{LUNCH.replace('12-02', '12-09')}"]), Calendar(now=SATURDAY), "oneline")
    said = "Lunch every Wednesday until the 9th at noon, that is 2026-12-02 and 2026-12-09"
    assert len(session.request(said).standing) == 2


def test_a_tool_that_knows_repeating_is_called() -> None:
    def add_alarm(time: dt.time, repeat: str = "never") -> str:
        """Set an alarm."""
        return repeat

    session = Session(Scripted(['add_alarm("07:00", repeat="daily")']), Toolbox.of(add_alarm), "oneline")
    assert len(session.request("Wake me every day at seven").standing) == 1


def test_a_correction_cannot_make_it_recur_either_and_what_was_there_stands() -> None:
    box = Calendar(now=SATURDAY)
    session = Session(Scripted([LUNCH, LUNCH.replace("Lunch", "Brunch")]), box, "oneline")
    session.request("Lunch on Wednesday at noon")
    answer = session.correct("I meant brunch every Wednesday")
    assert "“every Wednesday”" in answer.text
    assert [entry.title for entry in box.entries] == ["Lunch"]
