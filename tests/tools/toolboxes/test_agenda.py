"""The calendar with its questions as tools that only read."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend import Call, Toolbox
from toolmend.tools.toolboxes.agenda import Agenda
from toolmend.tools.toolboxes.calendar import Entry

DENTIST = Entry("Dentist", dt.date(2026, 11, 24), dt.time(14, 30), 60)


@pytest.mark.parametrize(
    ("tool", "arguments", "value"),
    [
        ("list_calendar_entries", {"date": "2026-11-24"}, ["2026-11-24  14:30  60 min  Dentist"]),
        ("list_calendar_entries", {"date": "2026-11-25", "until": "2026-11-30"}, []),
        ("find_free_times", {"date": "2026-11-24", "minutes": 300}, ["2026-11-24 07:00 to 14:30"]),
        ("ask_calendar", {"question": "How long is the dentist?"},
         "Dentist is 1 hour long: Tuesday, 24 November 2026  14:30  60 min  Dentist"),
    ],
)  # fmt: skip
def test_what_it_is_asked(tool: str, arguments: dict[str, object], value: object) -> None:
    box = Agenda([DENTIST], now=dt.datetime(2026, 11, 22, 13))
    assert box.run_sync(Call(f"action.{tool}", arguments)).value == value


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("ask_calendar", {"question": "Who is Ada?"}, "question: nothing here answers that"),
        ("find_free_times", {"date": "2026-11-24", "until": "2026-11-23"}, "until: should not be before date"),
    ],
)
def test_what_it_refuses(tool: str, arguments: dict[str, object], error: str) -> None:
    assert str(Agenda([DENTIST]).run_sync(Call(f"action.{tool}", arguments)).error).startswith(error)


def test_its_questions_only_read() -> None:
    box = Toolbox.load("agenda")
    assert [spec.name for spec in box.specs if box.tool(spec.full_name).effect == "read"] == [
        "list_calendar_entries",
        "find_free_times",
        "ask_calendar",
    ]
