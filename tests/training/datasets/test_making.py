"""Lines made of talks: what is learned, what is chosen, what is said to be wrong."""

from __future__ import annotations

import pytest

from toolmend.base.events import Corrected, Tried
from toolmend.base.mistakes import Correction, Mark
from toolmend.language.corrections import wordings
from toolmend.reading import read_python
from toolmend.tools import Toolbox
from toolmend.training.datasets.lines import Chat, ChatMessage, Hindsight, to_json
from toolmend.training.datasets.making import GROUNDLESS, Maker, answered
from toolmend.training.datasets.talks import AssistantTurn, StoredTalk

from .conftest import WRONG_TIME, line, talk, turn

MAKER = Maker("0")
REQUEST = "Add a lunch on May 3 2024 at noon."


def of(kind: type, talk: StoredTalk, maker: Maker = MAKER) -> list[Chat | Hindsight]:
    return [each for each in maker.lines(talk) if isinstance(each, kind)]


def test_wrong_replies_are_history_only(lunch: StoredTalk) -> None:
    chat = MAKER.chat(lunch)
    assert [(said.role, said.content, said.learn) for said in chat.messages] == [
        ("system", "Be brief.", True),
        ("user", REQUEST, True),
        ("assistant", line("13:00"), False),
        ("user", "The time is wrong.", True),
        ("assistant", line(), True),
    ]


def test_where_a_line_is_from(lunch: StoredTalk) -> None:
    assert MAKER.chat(lunch).source == {
        "talk": lunch.id,
        "run": "run1",
        "suite": "tiny",
        "case": "quick/lunch",
        "attempt": 0,
        "model": "m",
        "strategy": "oneline",
        "events": [10],
        "toolmend": "0",
    }


def test_hindsight_from_worse_to_better(lunch: StoredTalk) -> None:
    sequence = next(each for each in of(Hindsight, lunch) if "arm" not in each.source)
    assert sequence.messages == (ChatMessage("system", "Be brief."), ChatMessage("user", REQUEST))
    assert sequence.source["events"] == [1, 10]
    assert to_json(sequence)["attempts"] == [
        {"content": line("13:00"), "quality": "bad", "wrong": "The time is wrong."},
        {"content": line(), "quality": "good"},
    ]


def test_a_right_branch_gives_lines_of_its_own(lunch: StoredTalk) -> None:
    lines = [each for each in MAKER.lines(lunch) if each.source.get("arm") == "level 3"]
    assert [type(each) for each in lines] == [Chat, Hindsight]
    assert [said.learn for said in lines[0].messages if said.role == "assistant"] == [False, True]
    assert lines[0].messages[-2].content == "It is at noon."


def test_a_wrong_branch_gives_none(lunch: StoredTalk) -> None:
    assert [each for each in MAKER.lines(lunch) if each.source.get("arm") == "level 1"] == []


def test_giving_in_is_the_worse_reply() -> None:
    events = turn(0, REQUEST, "12:00", right=True)
    doubt = Correction("The time is wrong.", 2)
    events.append(Tried(0, "false", doubt, line("13:00"), (Mark.REGRESSED,), (WRONG_TIME,)))
    [sequence] = of(Hindsight, talk(events))
    assert isinstance(sequence, Hindsight)
    assert sequence.messages[-1].content == "The time is wrong."
    assert [(one.content, one.wrong) for one in sequence.attempts] == [(line("13:00"), GROUNDLESS), (line(), "")]


def test_nothing_right_nothing_made() -> None:
    assert list(MAKER.lines(talk(turn(0, REQUEST, "13:00", right=False)))) == []


def test_three_tries_one_sequence() -> None:
    events = [
        *turn(0, "a", "13:00", right=False),
        *turn(1, "That is wrong.", "14:00", right=False, amends=0),
        *turn(2, "It is at noon.", "12:00", right=True, amends=1),
    ]
    [sequence] = of(Hindsight, talk(events))
    assert isinstance(sequence, Hindsight)
    assert [attempt.quality for attempt in sequence.attempts] == ["bad", "bad", "good"]


def test_another_request_is_no_correction() -> None:
    events = [*turn(0, "a", "13:00", right=False), *turn(1, "b", "12:00", right=True, step=1)]
    assert [type(each) for each in MAKER.lines(talk(events))] == [Chat]


def test_a_correction_that_names_nothing_is_put_in_words() -> None:
    events = [*turn(0, "a", "13:00", right=False), *turn(1, "Wrong!", "12:00", right=True, amends=0)]
    events.insert(6, Corrected(1, Correction("Wrong!", 1, WRONG_TIME), 0))
    [sequence] = of(Hindsight, talk(events))
    assert isinstance(sequence, Hindsight)
    assert sequence.attempts[0].wrong in wordings(WRONG_TIME, 2)


def test_a_persons_correction_says_what_was_wrong() -> None:
    events = [*turn(0, "Add lunch", "13:00"), *turn(1, "No, at noon", "12:00", amends=0)]
    [sequence] = of(Hindsight, talk(events))
    assert isinstance(sequence, Hindsight)
    assert [said.content for said in sequence.messages] == ["Be brief.", "Add lunch"]
    assert sequence.attempts[0].wrong == "No, at noon"


def test_lines_have_ids_of_their_own(lunch: StoredTalk) -> None:
    ids = [each.id for each in MAKER.lines(lunch)]
    assert len(set(ids)) == len(ids) == 4


PLAIN = 'action.remove_calendar_entry("Lunch", "2024-05-03", "12:00")'


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (PLAIN, PLAIN),
        (f"Sure! {PLAIN}", 'action.remove_calendar_entry("Lunch", date="2024-05-03", time="12:00")'),
    ],
)
def test_plain_calls_stay_as_they_are(said: str, kept: str) -> None:
    tools = Toolbox.load("calendar").specs
    reply = AssistantTurn(said, read_python(said, tools).calls, right=True)
    assert answered(reply, tools) == ChatMessage("assistant", kept)
