"""What is to be mended, and what its request says of a call."""

from __future__ import annotations

import datetime as dt

from toolmend.base.messages import Call
from toolmend.session.mend import MendCase
from toolmend.tools.toolboxes import Calendar

DENTIST = Call("action.add_calendar_entry", {"title": "Dentist", "date": "2026-03-10", "time": "10:00"})


def test_a_day_in_the_request_for_a_change_is_counted_from_now() -> None:
    now = dt.datetime(2026, 3, 4, 9)
    case = MendCase("No.", (DENTIST,), Calendar().specs, "Move it to tomorrow", now=now)
    assert case.as_change(DENTIST).edits == {0: {"date": "2026-03-05"}}
