"""Who is asked before a call runs, and who is not."""

from __future__ import annotations

from toolmend.base.messages import Call
from toolmend.models.scripted import Scripted
from toolmend.session import ApprovalRequest, Approvals, Session, Verdict
from toolmend.session.careful import CAREFUL, Careful
from toolmend.tools import Toolbox, tool
from toolmend.tools.toolboxes import Calendar


class Door:
    """A talk whose person answers every question alike."""

    def __init__(self, box: Toolbox, *replies: str, allowed: bool = True, mend: bool = False) -> None:
        self.asked: list[ApprovalRequest] = []
        self.allowed = allowed
        self.careful = Careful(self._answer, lambda: self.session)
        approvals = Approvals(CAREFUL, self.careful.ask)
        self.session = Session(
            Scripted(replies),
            box,
            "oneline",
            approve=approvals,
            sink=self.careful.hear,
            review=self.careful.review,
            mend=mend,
        )

    async def _answer(self, question: ApprovalRequest) -> Verdict:
        self.asked.append(question)
        return Verdict(self.allowed)


def mail(who: str) -> str:
    return who


@tool(effect="read")
def inbox(who: str) -> str:
    return who


def test_what_can_be_taken_back_and_was_said_just_runs() -> None:
    door = Door(Calendar(), 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")')
    door.session.request("Lunch on 2024-05-03 at noon")
    assert (door.asked, len(door.session.standing)) == ([], 1)


def test_what_cannot_be_taken_back_is_asked_about() -> None:
    door = Door(Toolbox.of(mail), 'mail("Ada")', allowed=False)
    answer = door.session.request("Mail Ada")
    assert [question.call.tool for question in door.asked] == ["mail"]
    assert answer.results[0].error is not None


def test_what_reads_is_not_asked_about() -> None:
    door = Door(Toolbox.of(inbox), 'inbox("Bob")')
    door.session.request("What did Ada write?")
    assert door.asked == []


def test_always_holds_for_what_was_said_only() -> None:
    door = Door(Toolbox.of(mail), 'mail("Ada")', 'mail("Bob")')
    door.careful.allow("mail")
    door.session.request("Mail Ada")
    assert door.asked == []
    door.session.request("Mail Cid")
    assert door.asked[0].doubts == ("who 'Bob': was not said",)


def test_a_wrong_removal_is_asked_about_and_a_no_leaves_the_world() -> None:
    box = Calendar()
    add = 'action.add_calendar_entry("Call Mum", date="2024-05-03", time="12:00")'
    door = Door(box, add, add.replace("add", "remove"), allowed=False)
    door.session.request("Call Mum on 2024-05-03 at noon")
    door.session.request("Cancel the call with the accountant")
    assert door.asked[0].doubts[0] == "title 'Call Mum' was not said: Mum"
    assert [entry.title for entry in box.entries] == ["Call Mum"]


def test_what_a_correction_is_held_against() -> None:
    door = Door(Toolbox.of(mail), 'mail("Ada")', 'mail("Bob")')
    door.session.request("Mail Ada")
    answer = door.session.correct("No, Bob")
    assert door.careful.heard(answer.calls[0], answer.turn).text == "No, Bob\nMail Ada"


def test_what_an_edit_by_the_model_is_held_against() -> None:
    door = Door(Toolbox.of(mail), 'mail("Ada")', "Hm.")
    door.session.request("Mail Ada")
    door.session.request("Bob rather")
    assert door.careful.heard(Call("mail", {"who": "Bob"}, "c2", "c1"), 1).text == "Bob rather\nMail Ada"


def test_a_correction_of_what_cannot_be_taken_back_is_asked_about_and_made_beside_it() -> None:
    sent: list[str] = []

    def pay(amount: int) -> None:
        sent.append(str(amount))

    door = Door(Toolbox.of(pay), "pay(20)", mend=True)
    door.session.request("Pay 20")
    answer = door.session.correct("No, 21")
    assert sent == ["20", "21"]
    assert [call.arguments for call in answer.standing] == [{"amount": 21}]
    assert [question.call.arguments["amount"] for question in door.asked] == [20, 21]


def test_an_answer_that_is_picked_is_no_value_and_not_doubted() -> None:
    call = 'action.add_calendar_entry("Dinner", date="2026-03-06", time="07:00")'
    door = Door(Calendar(), call, mend=True)
    door.session.request("Dinner on 2026-03-06, at seven or at nine")
    assert "3: time 21:00." in door.session.correct("The time is wrong.").text
    door.session.correct("3")
    assert (door.asked, [each.arguments["time"] for each in door.session.standing]) == ([], ["21:00"])


def test_what_the_tool_itself_would_refuse_is_not_asked_about_and_the_tool_says_why() -> None:
    door = Door(Calendar(), 'action.remove_calendar_entry("Lunch", "2024-05-03", "12:00")')
    answer = door.session.request("Remove Lunch on 2024-05-03 at 12:00")
    assert door.asked == []
    assert answer.results[0].error == "there is no 'Lunch' on 2024-05-03 at 12:00; that day is empty"


def test_what_is_doubtful_is_asked_about_although_it_could_be_undone() -> None:
    call = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
    door = Door(Calendar(), call, allowed=False)
    door.session.request("Lunch on 2024-05-03")
    assert [question.doubts for question in door.asked] == [("time '12:00': was not said",)]
    assert door.session.standing == []


def test_a_word_that_was_said_to_a_question_counts() -> None:
    call = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
    door = Door(Calendar(), "On which day?", call)
    door.session.request("Lunch at noon")
    door.session.request("on 2024-05-03")
    assert (door.asked, len(door.session.standing)) == ([], 1)
