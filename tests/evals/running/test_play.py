"""Playing a case: what is asked, graded, corrected, tried and undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from toolmend.base.errors import ModelError
from toolmend.base.events import Asked, Corrected, Finished, Marked, Replied, Tried
from toolmend.base.messages import Reply, Request, Usage
from toolmend.base.mistakes import Mark
from toolmend.evals.running.play import asked_for
from toolmend.evals.suites.suite import BRANCHES, Case, Step, Suite
from toolmend.grading import Expected, ExpectedCall, Regex
from toolmend.language.resolve.background import Open, Question
from toolmend.language.resolve.said import Said
from toolmend.strategies.oneline import Oneline
from toolmend.tools import Toolbox, tool
from toolmend.tools.toolboxes import Calendar

Play = Callable[..., Any]

ADD = "action.add_calendar_entry"
FRED = f'{ADD}("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
FRED_24 = f'{ADD}("Meeting with Fred", date="2024-11-11", time="17:00", duration=30)'
ROCK = f'{ADD}("Rock Concert", date="2024-11-11", time="20:00", duration=30)'
ROCK_3H = f'{ADD}("Rock Concert", date="2024-11-11", time="20:00", duration=60*3)'
PAUL = f'{ADD}("Meeting with Paul", date="2024-11-12", time="08:00", duration=30)'
CANCEL = 'action.remove_calendar_entry("Meeting with Fred", "2024-11-11", "17:00")'
RIGHT = [FRED, FRED_24, ROCK, ROCK_3H, PAUL, CANCEL]
MORNING = ROCK.replace("20:00", "08:00")
JUNK = "Ok.\nOk.\nOk."
LEVELS = ("level 0", "level 1", "level 2", "level 3")
C, M, F, G, R = Mark.CORRECT, Mark.MISTAKE, Mark.FIXED, Mark.GARBAGE, Mark.RECURRING


@pytest.fixture
def dialogue(calendar: Suite) -> Case:
    """The complete chat of six steps."""
    return calendar.experiments[1].cases[0]


@pytest.fixture
def concert(dialogue: Case) -> Case:
    """The rock concert alone."""
    return Case("concert", "concert", dialogue.steps[2:3])


def marks(found: Any) -> list[tuple[Mark, ...]]:
    return [event.marks for event in found.of(Marked)]


def said(found: Any) -> list[tuple[str, str]]:
    """The messages of the talk, without the ids of calls."""
    return [(message.role, message.content) for message in found.session.messages]


# the talk ------------------------------------------------------------------------------------------------------------


def test_a_right_dialogue_is_asked_step_by_step(played: Play, dialogue: Case) -> None:
    found = played(RIGHT, dialogue)
    assert [event.text for event in found.of(Asked)] == [step.say for step in dialogue.steps]
    assert marks(found) == [(C,)] * 6
    assert found.events[-1] == Finished("done")


def test_the_world_is_what_the_dialogue_makes_of_it(played: Play, dialogue: Case) -> None:
    found = played(RIGHT, dialogue)
    assert [str(entry) for entry in found.session.tools.entries] == [
        "2024-11-11 20:00  180 min  Rock Concert",
        "2024-11-12 08:00  30 min  Meeting with Paul",
    ]


def test_a_wrong_reply_is_corrected_at_the_headline_level(played: Play, concert: Case) -> None:
    found = played([MORNING, ROCK], concert)
    (corrected,) = found.of(Corrected)
    assert (corrected.correction.level, str(corrected.correction.mistake)) == (2, "wrong_value(time)")
    assert marks(found) == [(M,), (F,)]


def test_where_the_talk_has_no_value_the_headline_gives_it_away(played: Play, concert: Case) -> None:
    step = replace(concert.steps[0], recoverable=False)
    (corrected,) = played([MORNING, ROCK], replace(concert, steps=(step,))).of(Corrected)
    assert corrected.correction.level == 3


@pytest.mark.parametrize(("limit", "asked"), [(0, 1), (1, 2), (3, 4)])
def test_a_step_has_no_more_corrections_than_allowed(played: Play, concert: Case, limit: int, asked: int) -> None:
    found = played([MORNING], concert, corrections=limit)
    assert (len(found.asked), len(found.of(Corrected))) == (asked, limit)
    assert found.events[-1] == Finished("done")


def test_what_recurs_is_marked_from_its_first_time_on(played: Play, concert: Case) -> None:
    assert marks(played([MORNING, MORNING, ROCK], concert)) == [(R,), (R,), (F,)]


def test_events_say_which_step_a_reply_belongs_to(played: Play, dialogue: Case) -> None:
    found = played([FRED, FRED_24, MORNING, ROCK, *RIGHT[3:]], dialogue)
    assert [event.step for event in found.of(Marked)] == [0, 1, 2, 2, 3, 4, 5]


def test_a_correction_that_brings_no_call_leaves_the_old_one(played: Play, concert: Case) -> None:
    found = played([MORNING, "Sorry!", "Sorry!", "Sorry!"], concert)
    assert [str(entry) for entry in found.session.tools.entries] == ["2024-11-11 08:00  30 min  Rock Concert"]


def test_a_step_amends_what_became_of_an_earlier_one(played: Play, dialogue: Case) -> None:
    later = f'{ADD}("Meeting with Fred", date="2024-11-11", time="18:00", duration=30)'
    expected = Expected((ExpectedCall(ADD, {"title": "Meeting with Fred", "date": "2024-11-11", "time": "18:00"}),))
    chain = replace(dialogue, steps=(*dialogue.steps[:3], Step("Fred comes at six.", expected, later, amends=1)))
    found = played([FRED, FRED_24, ROCK, later], chain)
    assert [str(entry) for entry in found.session.tools.entries] == [
        "2024-11-11 18:00  30 min  Meeting with Fred",
        "2024-11-11 20:00  30 min  Rock Concert",
    ]
    assert [event.amends for event in found.of(Asked)] == [None, 0, None, 1]


def test_text_beside_the_call_is_right_where_the_prompt_does_not_forbid_it(played: Play, concert: Case) -> None:
    class Chatty(Oneline):
        bare = False

    assert marks(played([f"Sure!\n{ROCK}"], concert, corrections=0)) == [(M,)]
    assert marks(played([f"Sure!\n{ROCK}"], concert, corrections=0, strategy=Chatty())) == [(C,)]


def test_a_model_that_cannot_answer_ends_it(played: Play, concert: Case) -> None:
    def down(request: Request) -> Reply:
        raise ModelError("the server is down")

    with pytest.raises(ModelError, match="the server is down"):
        played(down, concert)


# giving up -----------------------------------------------------------------------------------------------------------


def test_two_steps_in_a_row_that_end_in_junk_end_the_talk(played: Play, dialogue: Case) -> None:
    found = played([FRED, JUNK, JUNK, *RIGHT], dialogue, corrections=0)
    assert [event.step for event in found.of(Marked)] == [0, 1, 2]
    assert found.events[-1] == Finished("gave_up")


def test_only_how_a_step_ends_counts(played: Play, dialogue: Case) -> None:
    found = played([JUNK, FRED, JUNK, FRED_24, JUNK, ROCK, JUNK, ROCK_3H, PAUL, CANCEL], dialogue, corrections=1)
    assert found.events[-1] == Finished("done")


def test_a_better_step_between_them_is_a_new_chance(played: Play, dialogue: Case) -> None:
    found = played([JUNK, FRED_24, JUNK, ROCK_3H, JUNK, CANCEL], dialogue, corrections=0)
    assert found.events[-1] == Finished("done")


def test_there_is_nothing_to_give_up_after_the_last_step(played: Play, dialogue: Case) -> None:
    found = played([*RIGHT[:4], JUNK, JUNK], dialogue, corrections=0)
    assert found.events[-1] == Finished("done")


def test_one_fire_is_not_two(played: Play, dialogue: Case) -> None:
    found = played(["I cannot do that."], dialogue, corrections=0)
    assert (marks(found)[0], found.events[-1]) == ((G,), Finished("done"))


# history and given replies -------------------------------------------------------------------------------------------


def test_gold_history_puts_the_references_before_the_last_step(played: Play, dialogue: Case) -> None:
    found = played([CANCEL], dialogue, history="gold")
    (asked,) = found.asked
    assert [m.content for m in asked if m.role == "assistant"] == [step.reference for step in dialogue.steps[:5]]
    assert [(event.turn, event.step, event.marks) for event in found.of(Marked)] == [(5, 5, (C,))]
    assert [str(entry) for entry in found.session.tools.entries] == [
        "2024-11-11 20:00  180 min  Rock Concert",
        "2024-11-12 08:00  30 min  Meeting with Paul",
    ]


def test_a_given_reply_is_graded_and_corrected_but_not_asked_for(played: Play, concert: Case) -> None:
    step = replace(concert.steps[0], given=MORNING)
    found = played([ROCK], replace(concert, steps=(step,)))
    assert [event.model for event in found.of(Replied)] == ["given", "scripted/canned"]
    assert marks(found) == [(M,), (F,)]
    assert len(found.asked) == 1


def test_the_shipped_mistakes_are_mended_by_one_right_reply(played: Play, calendar: Suite) -> None:
    fixing = calendar.experiments[2]
    for case in fixing.cases:
        found = played([case.steps[-1].reference], case, fixing, branches=())
        assert (marks(found), len(found.asked)) == ([(M,), (F,)], 1), case.id


# branches ------------------------------------------------------------------------------------------------------------


def test_branches_follow_the_first_reply_of_a_step(played: Play, concert: Case) -> None:
    found = played([MORNING, "0", MORNING, ROCK, MORNING, ROCK], concert, branches=LEVELS)
    assert [(e.turn, e.arm, e.correction.level, e.text) for e in found.of(Tried)] == [
        (0, "level 0", 0, "0"),
        (0, "level 1", 1, MORNING),
        (0, "level 3", 3, ROCK),
    ]
    assert [event.marks for event in found.of(Tried)] == [(G,), (M,), (C,)]


def test_the_level_of_the_talk_itself_is_no_branch(played: Play, concert: Case) -> None:
    step = replace(concert.steps[0], recoverable=False)
    found = played([MORNING, "0", "1", "2", ROCK], replace(concert, steps=(step,)), branches=LEVELS)
    assert [event.arm for event in found.of(Tried)] == ["level 0", "level 1", "level 2"]


def test_without_corrections_every_level_is_a_branch(played: Play, concert: Case) -> None:
    found = played([MORNING], concert, branches=LEVELS, corrections=0)
    assert [event.arm for event in found.of(Tried)] == list(LEVELS)


def test_a_level_without_words_for_the_mistake_is_left_out(played: Play, concert: Case) -> None:
    arguments = dict(concert.steps[0].expected.calls[0].arguments) | {"title": Regex("rock .*", "rock concert")}
    step = replace(concert.steps[0], expected=Expected((ExpectedCall(ADD, arguments),)))
    found = played([ROCK.replace("Rock", "Jazz"), "0", "1", ROCK], replace(concert, steps=(step,)), branches=LEVELS)
    assert [(event.arm, event.correction.level) for event in found.of(Tried)] == [("level 0", 0), ("level 1", 1)]


def test_a_false_branch_follows_right_replies_only(played: Play, dialogue: Case) -> None:
    short = replace(dialogue, steps=dialogue.steps[:3])
    found = played([FRED, FRED, FRED_24, FRED_24, MORNING, ROCK], short, branches=("false",))
    assert [(event.turn, event.arm, event.after) for event in found.of(Tried)] == [(0, "false", ()), (1, "false", ())]
    assert all(event.correction.mistake is None for event in found.of(Tried))


def test_a_false_branch_needs_a_call_to_complain_of(played: Play) -> None:
    case = Case("talk", "talk", (Step("Hello!", Expected(), ""),))
    assert played(["Hello to you."], case, branches=("false",)).of(Tried) == []


def test_branches_leave_the_talk_as_it_was(played: Play, dialogue: Case) -> None:
    plain = played([FRED, FRED_24, MORNING, ROCK, ROCK_3H, PAUL, CANCEL], dialogue)
    elsewhere = f'{ADD}("Elsewhere", date="2030-01-01", time="01:00")'
    tried = {3: [elsewhere, "", CANCEL]}
    script = []
    for number, reply in enumerate([FRED, FRED_24, MORNING, ROCK, ROCK_3H, PAUL, CANCEL], 1):
        script += [reply, *tried.get(number, [] if number == 4 else [elsewhere])]
    found = played(script, dialogue, branches=("level 0", "level 1", "level 3", "false"))
    assert len(found.of(Tried)) == 3 + 5
    assert said(found) == said(plain)
    assert found.session.tools.state() == plain.session.tools.state()
    assert marks(found) == marks(plain)
    assert [event.text for event in found.of(Replied)] == [event.text for event in plain.of(Replied)]


def test_a_branch_is_asked_with_the_very_same_messages_before_it(played: Play, concert: Case) -> None:
    found = played([MORNING, "", "", "", ROCK], concert, branches=LEVELS)
    before = [[(m.role, m.content) for m in asked[:-1]] for asked in found.asked[1:]]
    assert before == [before[0]] * 4
    assert [role for role, _ in before[0]] == ["user", "assistant"]


def test_branches_are_not_tried_where_something_could_not_be_undone(played: Play, concert: Case) -> None:
    sent = []

    @tool(undo=sent.remove)
    def add_calendar_entry(title: str, date: str, time: str, duration: int = 30) -> str:
        sent.append(title)
        return title

    @tool
    def send(text: str) -> None:
        sent.append(text)

    box = Toolbox.of(add_calendar_entry, send, receiver="action")
    found = played([MORNING, ROCK], concert, branches=LEVELS, tools=box)
    assert (found.of(Tried), sent) == ([], ["Rock Concert"])


def test_the_same_seed_plays_the_same(played: Play, concert: Case) -> None:
    events = [played([MORNING, "", "", "", ROCK], concert, seed=seed, branches=LEVELS).events for seed in (1, 1, 2)]
    assert events[0] == events[1]
    assert events[0] != events[2]


# reminders -----------------------------------------------------------------------------------------------------------

REMIND = "Answer with an API call."


def test_a_reminder_ends_requests_corrections_and_branches(played: Play, concert: Case) -> None:
    plain, found = (
        played([MORNING, MORNING, MORNING, MORNING, ROCK, ROCK], concert, branches=BRANCHES, reminder=words)
        for words in ("", REMIND)
    )
    expected = [f"{asked[-1].content} {REMIND}" for asked in plain.asked]
    assert [asked[-1].content for asked in found.asked] == expected
    assert [event.text for event in found.of(Asked)] == [f"{event.text} {REMIND}" for event in plain.of(Asked)]
    assert {event.reminder for event in found.of(Asked)} == {REMIND}
    assert {event.reminder for event in plain.of(Asked)} == {""}
    assert all(event.correction.text.endswith(f" {REMIND}") for event in found.of(Tried))


def test_a_reminder_stands_in_gold_history_too(played: Play, dialogue: Case) -> None:
    found = played([CANCEL], dialogue, history="gold", reminder=REMIND)
    assert all(message.content.endswith(REMIND) for message in found.asked[0] if message.role == "user")


# the cache -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cached", [True, False])
def test_a_branch_tells_whether_it_was_asked_for(played: Play, concert: Case, cached: bool) -> None:
    reply = Reply(MORNING, usage=Usage(7, 1), cached=cached)
    found = played([reply], concert, branches=("level 0",), corrections=0)
    assert [(event.cached, event.usage) for event in found.of(Tried)] == [(cached, Usage(7, 1))]


REMOVE = "action.remove_calendar_entry"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (Question(REMOVE, "entry", reason="there is no entry like 'the crowd'"), ("title", "Meeting with Fred")),
        (Question(REMOVE, "time", reason="it was not said"), ("time", "17:00")),
        (Question("", "of", reason="there is nothing to change yet"), None),
    ],
)
def test_a_question_is_answered_by_what_it_is_about(
    calendar: Suite, question: Question, answer: tuple[str, str] | None
) -> None:
    asked = SimpleNamespace(open=Open(Said("change"), question))
    cancel = calendar.experiments[1].cases[0].steps[-1]
    due = asked_for(cancel, asked, Calendar().specs)  # type: ignore[arg-type]
    assert (due and (due.argument, due.expected)) == answer
