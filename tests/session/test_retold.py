"""A talk told again: the world is as it was, corrections go on, and no function is run twice."""

from __future__ import annotations

from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.session.retold import Told, retell, told_of
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar

TEA = 'action.add_calendar_entry("Tea", date="2031-05-06", time="15:00", duration=30)'


def test_a_calendar_is_as_it_was_and_a_correction_goes_on() -> None:
    first = Session(Scripted([TEA]), "calendar")
    first.say("Tea on May 6 2031 at three")
    first.correct("At four.")
    told = told_of(first)
    assert [(turn.text, turn.amends) for turn in told] == [("Tea on May 6 2031 at three", None), ("At four.", 0)]
    again = Session(Scripted(["Hm."]), Calendar())
    retell(again, told)
    assert str(again.tools) == "2031-05-06 16:00  30 min  Tea"
    again.correct("At five.")
    assert str(again.tools) == "2031-05-06 17:00  30 min  Tea"
    again.undo()
    again.undo()
    assert str(again.tools) == "2031-05-06 15:00  30 min  Tea"


def test_what_functions_did_is_done_and_cannot_be_undone() -> None:
    mails: list[str] = []

    def mail(who: str) -> str:
        mails.append(who)
        return f"mailed {who}"

    session = Session(Scripted(["Hm."]), Toolbox.of(mail))
    retell(session, [Told("Mail Ada", 'mail("Ada")', None, ("mailed Ada",))])
    assert (mails, session.answers[0].results[0].value) == ([], "mailed Ada")
    answer = session.correct("No, Bob")
    assert (mails, answer.kept, answer.undone) == ([], ("c1",), ())


def test_what_a_turn_amends_is_found_out_where_nobody_said_it() -> None:
    session = Session(Scripted(["Hm."]), Calendar())
    retell(session, [Told("Tea on May 6 2031 at three", TEA, -1), Told("no, at four", TEA.replace("15", "16"), -1)])
    assert str(session.tools) == "2031-05-06 16:00  30 min  Tea"
