"""A week with README's calendar: what is said each day, what the model makes of it, and what stands in the end."""

from __future__ import annotations

import datetime as dt

from toolmend.models.scripted import Scripted
from toolmend.session import ApprovalRequest, Approvals, Session, Verdict
from toolmend.session.careful import CAREFUL, Careful
from toolmend.tools.toolboxes import Calendar

# The day, what was said (made up for this test), and the reply of a small model, as smol/calendar says it; that of a
# new entry by its title, day, time and length.
WEEK = [
    ("2026-11-28", "Lunch with Ada tomorrow at noon", "+ Lunch with Ada | tomorrow | noon"),
    ("2026-11-28", "Dentist on Tuesday at 9:30 am", "+ Dentist | Tuesday | 9:30 am"),
    ("2026-11-28", "Rehearsal on December 12 at 12:45", "+ Rehearsal | December 12 | 12:45"),
    ("2026-11-28", "Check-up on Thursday at 8:15 am", "+ Check-up | Thursday | 8:15 am"),
    ("2026-11-28", "Move the rehearsal to the day after", 'change(of="the rehearsal", date="the day after")'),
    ("2026-11-29", "Shopping on the 10th at 3 pm for two hours", "+ Shopping | the 10th | 3 pm | two hours"),
    ("2026-11-29", '"Coffee with Tom on Friday at 11"', "+ Coffee with Tom | Friday | 11"),
    ("2026-11-29", "Make it half an hour later", 'change(time="half an hour later")'),
    ("2026-11-29", "Wrong direction with the time.", "+ Wrong direction | Friday | 11"),
    ("2026-11-29", "1", 'change(time="1")'),
    ("2026-11-30", "Swimming today at 7 in the evening", "+ Swimming | today | 7 in the evening"),
    ("2026-11-30", "Again on Wednesday", 'again(date="Wednesday")'),
    ("2026-11-30", "Parcel on Wednesday at 17:00", "+ Parcel | Wednesday | 17:00"),
    ("2026-11-30", "Cancel everything on Wednesday", 'remove_calendar_entry(entry="everything")'),
    ("2026-12-01", "Flight on 14 January at 6:40 am", "+ Flight | 14 January | 6:40 am"),
    ("2026-12-01", "Hotel that day at 3 pm", "+ Hotel | that day | 3 pm"),
    ("2026-12-01", "Museum on Saturday at 11", "+ Museum | Saturday | 11"),
    ("2026-12-01", "5 December", 'change(date="5 December")'),
    (
        "2026-12-02",
        "Cancel all lunches but Friday's",
        'remove_calendar_entry(entry="all lunches")\nchange(date="Friday")',
    ),
    (
        "2026-12-02",
        "Dinner on Saturday at half past seven in the evening",
        "+ Dinner | Saturday | half past seven in the evening",
    ),
    ("2026-12-02", "Delete the check-up on Friday", 'remove_calendar_entry(entry="the check-up on Friday")'),
    ("2026-12-03", "Cancel everything with Eva", 'remove_calendar_entry(entry="everything")'),
    ("2026-12-03", "Train on 23 December at 12:45", "+ Train | 23 December | 12:45"),
    ("2026-12-03", "Back on the 27th at 10:45", 'undo(of="Back on the 27th")'),
]
STANDS = """\
2026-11-29 12:00  30 min  Lunch with Ada
2026-11-30 19:00  30 min  Swimming
2026-12-01 09:30  30 min  Dentist
2026-12-03 08:15  30 min  Check-up
2026-12-04 10:30  30 min  Coffee with Tom
2026-12-05 11:00  30 min  Museum
2026-12-05 19:30  30 min  Dinner
2026-12-10 15:00  120 min  Shopping
2026-12-13 12:45  30 min  Rehearsal
2026-12-23 12:45  30 min  Train
2027-01-14 06:40  30 min  Flight
2027-01-14 15:00  30 min  Hotel"""


def spoken(reply: str) -> str:
    """The reply in its notation."""
    if not reply.startswith("+ "):
        return reply
    words = zip(("title", "date", "time", "duration"), reply[2:].split(" | "), strict=False)
    given = [f'{name}="{told}"' for name, told in words]
    return f"add_calendar_entry({', '.join(given)})"


def test_nothing_is_written_wrong_in_a_week_of_requests() -> None:
    box, asked = Calendar(now=dt.datetime(2026, 11, 28, 9)), list[ApprovalRequest]()
    answers = {said.strip('"'): spoken(reply) for _, said, reply in WEEK}
    model = Scripted(lambda request: answers[request.messages[-1].content])

    async def answer(question: ApprovalRequest) -> Verdict:
        asked.append(question)
        return Verdict(True)

    careful = Careful(answer, lambda: session)
    approvals = Approvals(CAREFUL, careful.ask, look=careful.look)
    session = Session(model, box, "spoken", approve=approvals, sink=careful.hear, review=careful.review)
    for day, said, _ in WEEK:
        box.now = dt.datetime.fromisoformat(f"{day}T09:00")
        session.say(said)
    assert str(box) == STANDS
    lists = [question.doubts[0] for question in asked if question.doubts and "these go" in question.doubts[0]]
    assert lists == ["all 2 of these go: Swimming, 2026-12-02, 19:00; Parcel, 2026-12-02, 17:00"]
