"""How long a calendar thinks about a question: a thousand entries and a rule of ten years.

python benchmarks/calendar_questions.py
"""

from __future__ import annotations

import datetime as dt
import random
import tempfile
import time
from pathlib import Path
from statistics import median

import toolmend.tools.toolboxes.calendar_day
import toolmend.tools.toolboxes.recurring_talk  # noqa: F401
from toolmend.tools.toolboxes import Calendar
from toolmend.tools.toolboxes.homes import home_of

ASKED = (
    "What's on Tuesday?",
    "Am I free on Wednesday afternoon?",
    "When am I free for an hour next week?",
    "What's next?",
)
RULE = (
    "BEGIN:VEVENT\r\nUID:r\r\nDTSTART:20220105T180000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;UNTIL=20320105T000000Z\r\n"
)


def main() -> None:
    """Load, ask, print milliseconds."""
    pick = random.Random(0)
    rows = ["BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n", RULE, "SUMMARY:Yoga\r\nEND:VEVENT\r\n"]
    for number in range(1000):
        day, hour = dt.date(2022, 1, 1) + dt.timedelta(days=pick.randrange(3650)), pick.randrange(8, 20)
        start = f"DTSTART;TZID=Europe/Berlin:{day:%Y%m%d}T{hour:02}0000"
        rows.append(
            f"BEGIN:VEVENT\r\nUID:{number}\r\n{start}\r\nDURATION:PT1H\r\nSUMMARY:Entry {number}\r\nEND:VEVENT\r\n"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "big.ics")
        path.write_text("".join([*rows, "END:VCALENDAR\r\n"]), newline="")
        box = Calendar(now=dt.datetime(2026, 11, 28, 13))
        begun = time.perf_counter()
        home_of(str(path)).load(box)
        print(f"load {1000 * (time.perf_counter() - begun):.0f} ms")
        for text in ASKED:
            spans = []
            for _ in range(20):
                begun = time.perf_counter()
                box.answered(text)
                spans.append(1000 * (time.perf_counter() - begun))
            print(f"{text}  first {spans[0]:.1f} ms, median {median(spans):.1f} ms, longest {max(spans):.1f} ms")


if __name__ == "__main__":
    main()
