"""What takes several things away is shown as a list and asked about once, whatever a policy allows."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend.models.scripted import Scripted
from toolmend.session import ApprovalRequest, Approvals, Policy, Session, Verdict
from toolmend.session.careful import CAREFUL, Careful
from toolmend.tools.toolboxes import Calendar
from toolmend.tools.toolboxes.calendar import Entry

ALL = 'remove_calendar_entry(entry="everything")'


def calendar() -> Calendar:
    rows = [("Dentist", 1, 9), ("Yoga", 1, 18), ("Lunch", 3, 12)]
    entries = [Entry(title, dt.date(2026, 12, day), dt.time(hour)) for title, day, hour in rows]
    return Calendar(entries, now=dt.datetime(2026, 11, 28, 10))


class Person:
    """Somebody who answers every question alike, and what they were asked."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict, self.asked = verdict, list[ApprovalRequest]()

    async def answer(self, question: ApprovalRequest) -> Verdict:
        self.asked.append(question)
        return self.verdict


def told(
    verdict: Verdict, policy: Policy = CAREFUL, reply: str = ALL, said: str = "Cancel everything on Tuesday"
) -> tuple[Person, Calendar]:
    """After what was said, asked about as `chat` does."""
    person, box = Person(verdict), calendar()
    careful = Careful(person.answer, lambda: session)
    careful.allow("action.remove_calendar_entry")
    ask = careful.ask if policy is CAREFUL else person.answer
    approvals = Approvals(policy, ask, look=careful.look)
    session = Session(Scripted([reply]), box, "spoken", approve=approvals, sink=careful.hear, review=careful.review)
    session.say(said)
    return person, box


@pytest.mark.parametrize("policy", [CAREFUL, Policy()])
def test_one_question_lists_them_all_though_everything_is_allowed(policy: Policy) -> None:
    person, box = told(Verdict(True), policy)
    [question] = person.asked
    assert question.doubts[0] == "all 2 of these go: Dentist, 2026-12-01, 09:00; Yoga, 2026-12-01, 18:00"
    assert question.preview.splitlines() == [
        "- 2026-12-01 09:00  30 min  Dentist",
        "- 2026-12-01 18:00  30 min  Yoga",
    ]
    assert [entry.title for entry in box.entries] == ["Lunch"]


def test_a_no_keeps_them_all() -> None:
    person, box = told(Verdict(False, "not the yoga"))
    assert (len(person.asked), len(box.entries)) == (1, 3)


def test_where_nobody_answers_each_waits_and_none_goes() -> None:
    person, box = told(Verdict(False, by="nobody"))
    assert (len(person.asked), len(box.entries)) == (2, 3)


def test_one_thing_is_removed_as_before() -> None:
    person, box = told(Verdict(True), reply='remove_calendar_entry(entry="the dentist")', said="Cancel the dentist")
    assert (person.asked, len(box.entries)) == ([], 2)


def test_whoever_has_nobody_to_ask_does_what_the_policy_says() -> None:
    box = calendar()
    Session(Scripted([ALL]), box, "spoken", approve="write=allow").say("Cancel everything on Tuesday")
    assert [entry.title for entry in box.entries] == ["Lunch"]


def test_a_model_that_writes_the_calls_itself_is_held_to_it() -> None:
    lines = [
        f'action.remove_calendar_entry("{t}", "2026-12-01", "{h}:00")' for t, h in (("Dentist", "09"), ("Yoga", 18))
    ]
    person, box = Person(Verdict(False)), calendar()
    session = Session(Scripted(["\n".join(lines)]), box, "oneline", approve=Approvals(Policy(), person.answer))
    session.say("Cancel everything on Tuesday")
    assert (len(person.asked), len(box.entries)) == (1, 3)


def test_a_change_of_several_is_one_question_too() -> None:
    person, box = Person(Verdict(True)), Calendar(now=dt.datetime(2026, 11, 28, 10))
    add = 'add_calendar_entry(title="{}", date="1 December", time="{}")'
    lines = [add.format("Dentist", "9 am"), add.format("Yoga", "6 pm"), 'change(of="everything", time="an hour later")']
    approvals = Approvals(Policy(), person.answer)
    session = Session(Scripted(lines), box, "spoken", approve=approvals)
    session.say("Dentist on 1 December at 9 am")
    session.say("Yoga on 1 December at 6 pm")
    session.say("Push everything on 1 December back by an hour")
    [question] = person.asked
    [told] = question.doubts
    assert told.startswith("all 2 of these change, and become: Dentist, 2026-12-01, 10:00; Yoga, 2026-12-01, 19:00")
    assert [f"{entry.time:%H:%M}" for entry in box.entries] == ["10:00", "19:00"]


def test_all_that_is_left_of_all_is_asked_about() -> None:
    person, _ = told(Verdict(True), said="Cancel everything on Thursday")
    assert [question.doubts[0] for question in person.asked] == ["of all only this goes: Lunch, 2026-12-03, 12:00"]
