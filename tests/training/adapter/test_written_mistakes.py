"""A model's wrong reply in a written talk: the topic of the complaint, and what mends it."""

from __future__ import annotations

from random import Random

import pytest

from toolmend.training.adapter.turn import Turn
from toolmend.training.adapter.written_mistakes import COMPLAINTS, DOUBTED, MENDED, mistaken, same_words
from toolmend.training.adapter.written_talks import HandTalk
from toolmend.training.phrases import Phrases, published

DUE = 'lend(what="saw", who="Ada", days="3")'
WALK = 'add_calendar_entry(title="walk", date="Friday", time="5 pm")'
TOOLS = ("lend(what, who, days?: int, note?)  # Lend a thing", "take_back(what)  # It is here again")


def talk(*due: str, tools: tuple[str, ...] = TOOLS) -> HandTalk:
    """What is due, and thanks."""
    turns = [Turn("Ada takes the saw for 3 days", "\n".join(due), True, "written")]
    return HandTalk(tools, (*turns, Turn("Thanks!", "You're welcome.", True, "written")))


def lesson(reply: str, *due: str, seed: int = 0, tools: tuple[str, ...] = TOOLS) -> tuple[Turn, ...]:
    """The turns that stand in the stead of the first; none where nothing is taught."""
    made = mistaken(talk(*due or (DUE,), tools=tools), 0, reply, Random(seed))
    return made.turns[:-1] if made else ()


def complaints(reply: str, *due: str, tools: tuple[str, ...] = TOOLS) -> set[str]:
    return {lesson(reply, *due, seed=seed, tools=tools)[1].said.lower() for seed in range(120)}


@pytest.mark.parametrize(
    ("reply", "mended"),
    [
        ('lend(what="saw", who="Ben", days="3")', 'change(who="Ada")'),
        ('lend(what="saw", who="Ben", days="4")', 'change(who="Ada", days="3")'),
        ('lend(what="saw", who="Ada")', 'change(days="3")'),
        ('lend(what="saw", who="?", days="3")', 'change(who="Ada")'),
        ('lend(what="saw", who="Ada", days="3", note="sharp")', DUE),
        ('lend(what="drill", who="Ada", days="3", note="sharp")', DUE),
        ('take_back(what="saw")', DUE),
        (f'{DUE}\ntake_back(what="saw")', DUE),
        ("All right.", DUE),
    ],
    ids=[
        "wrong",
        "two wrong",
        "forgotten",
        "asked needlessly",
        "invented",
        "both",
        "wrong tool",
        "too much",
        "chatter",
    ],
)
def test_what_is_wrong_is_shown_complained_about_and_mended(reply: str, mended: str) -> None:
    wrong, fix = lesson(reply)
    assert (wrong.said, wrong.reply, wrong.learned) == ("Ada takes the saw for 3 days", reply, False)
    assert (fix.reply, fix.learned, fix.op) == (mended, True, MENDED)


def test_of_two_calls_the_last_is_changed_and_one_too_few_is_said_anew() -> None:
    second = 'take_back(what="drill")'
    assert lesson(f'{DUE}\ntake_back(what="saw")', DUE, second)[1].reply == 'change(what="drill")'
    assert lesson(DUE, DUE, second)[1].reply == f"{DUE}\n{second}"
    assert lesson(f'lend(what="axe", who="Ada", days="3")\n{second}', DUE, second)[1].reply == f"{DUE}\n{second}"


def test_a_call_where_words_are_due_is_taken_back() -> None:
    assert lesson('take_back(what="saw")', "Sorry, I can't do that.")[1].reply == "Sorry, I can't do that."


def test_a_complaint_says_that_it_is_wrong_or_names_the_argument_or_gives_its_words() -> None:
    said = complaints('lend(what="saw", who="Ben", days="3")')
    assert any("who" in text.split() for text in said)
    assert any("ada" in text.split() for text in said)
    assert any(not {"who", "ada"} & set(text.split()) for text in said)


def test_complaints_about_the_calendar_are_in_its_own_words() -> None:
    said = complaints('add_calendar_entry(title="walk", date="Friday", time="6 pm")', WALK, tools=())
    assert any("hour" in text for text in said)
    other = complaints('change(of="the lunch", time="6 pm")', 'change(of="the walk", time="6 pm")', tools=())
    assert any("that event" in text for text in other)


@pytest.mark.parametrize(
    ("reply", "due"),
    [
        ('lend(what="the saw", who="Ada", days="three")', DUE),
        ('add_calendar_entry(title="a walk", date="on Friday", time="17:00")', WALK),
        ('lend(what="saw", who="Ada’s", days="3")', DUE),
    ],
)
def test_other_words_for_the_same_are_no_mistake(reply: str, due: str) -> None:
    ops = {lesson(reply, due, seed=seed, tools=() if "calendar" in due else TOOLS)[1].op for seed in range(20)}
    assert ops == {DOUBTED}


def test_a_right_call_is_doubted_without_ground_and_stays() -> None:
    for seed in range(60):
        right, doubt = lesson(DUE, seed=seed)
        assert (right.reply, right.learned) == (DUE, True)
        assert (doubt.reply, doubt.learned, doubt.op) == ("change()", True, DOUBTED)


@pytest.mark.parametrize(
    ("reply", "due"),
    [
        ("lend(what=", DUE),
        ("Gladly.", "You're welcome."),
        ('change(who="Ada")', 'change(who="Ada")'),
        ("undo()", "undo()"),
        ('lend(what="saw", who="?")', 'lend(what="saw", who="?")'),
        (f'{DUE}\ntake_back(what="saw")', f'{DUE}\ntake_back(what="saw")'),
    ],
    ids=["broken", "other words", "a right change", "a right undo", "a right question", "two right calls"],
)
def test_what_teaches_nothing_is_left(reply: str, due: str) -> None:
    assert lesson(reply, *due.splitlines()) == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("5 pm", "17:00", True), ("half an hour", "30 minutes", True), ("the red one", "red one", True),
        ("twelve", "12", True), ("May 3", "3rd of May", True), ("5 pm", "6 pm", False), ("red", "blue", False),
        ("?", "red", False), (None, "red", False), (None, None, True), (["a"], ["a"], True),
    ],
)  # fmt: skip
def test_words_that_come_to_the_same_are_the_same(one: object, other: object, same: bool) -> None:
    assert same_words(one, other) is same


def test_no_complaint_says_what_was_published() -> None:
    complaints, random = Phrases(COMPLAINTS), Random(1)
    said = [complaints.say(random, section, str) for section in complaints.lines for _ in range(60)]
    assert [text for text in said if published(text)] == []
