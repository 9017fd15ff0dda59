"""Replies as CSV: one row each, as other programs read it, and nothing a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest

from toolmend.evals.reports.csv_ import COLUMNS, write_csv
from toolmend.events import Asked, Event, Marked, Replied, Tried
from toolmend.mistakes import Mark
from toolmend.store import Run, RunConfig, Sample

Found = Any
PAGE = Path(__file__).parents[3] / "docs" / "report.md"


def rows(*samples: Sample) -> list[dict[str, str]]:
    file = io.StringIO(newline="")
    write_csv(file, Run("r1", RunConfig("lunch"), "2025"), samples)
    return list(csv.DictReader(io.StringIO(file.getvalue(), newline="")))


def test_the_columns_are_documented() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## CSV\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    assert [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)] == list(COLUMNS)


def test_a_row_for_each_reply_and_branch(calendar_run: Found) -> None:
    events = [event for sample in calendar_run.samples for event in sample.events]
    found = rows(*calendar_run.samples)
    assert len(found) == sum(isinstance(event, Replied | Tried) for event in events)
    assert [row["text"] for row in found if row["role"] == "branch"] == [e.text for e in events if isinstance(e, Tried)]


def test_a_conversation(corrected: tuple[Event, ...]) -> None:
    first, branch, second = rows(Sample("main/a", "m", "s", 2, seed=7, events=corrected))
    same = {"run": "r1", "suite": "lunch", "case": "main/a", "model": "m", "strategy": "s", "attempt": "2", "seed": "7"}
    same |= {"step": "0", "said": "…", "text": "…", "valid_call": "True", "status": "ok", "detail": ""}
    wrong = {"marks": "mistake", "mistakes": "wrong_value(title)"}
    none = {"level": "", "named": "", "amends": ""}
    assert first == {
        **same, **wrong, **none, "arm": "corrected", "turn": "0", "role": "main",
        "input_tokens": "3", "output_tokens": "4", "seconds": "0.5", "exchange": "ab12",
    }  # fmt: skip
    assert branch == {
        **same, **wrong, **none, "arm": "level 0", "turn": "0", "role": "branch", "amends": "0", "level": "0",
        "input_tokens": "5", "output_tokens": "6", "seconds": "0.25", "exchange": "",
    }  # fmt: skip
    assert second == {
        **same, "marks": "fixed", "mistakes": "", "arm": "corrected", "turn": "1", "role": "main", "amends": "0",
        "level": "2", "named": "wrong_value(title)",
        "input_tokens": "0", "output_tokens": "0", "seconds": "0.0", "exchange": "",
    }  # fmt: skip


def test_what_could_not_be_run_has_a_row_without_a_reply() -> None:
    (row,) = rows(Sample("main/a", "m", "s", status="error", detail="down"))
    assert (row["status"], row["detail"], row["role"], row["text"]) == ("error", "down", "", "")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-5", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_no_text_is_a_formula(text: str) -> None:
    events = (Asked(0, text), Replied(0, text), Marked(0, (Mark.CORRECT,)))
    (row,) = rows(Sample(text, text, "s", events=events))
    assert {row[name] for name in ("case", "model", "said", "text")} == {f"'{text}"}
    assert row["turn"] == "0"


@pytest.mark.parametrize("text", ['a "quoted", word', "two\r\nlines", "1 = 1", "", "🥦"])
def test_other_text_stays_as_it_is(text: str) -> None:
    (row,) = rows(Sample("main/a", "m", "s", events=(Replied(0, text),)))
    assert row["text"] == text


def test_samples_are_read_one_by_one() -> None:
    file, seen = io.StringIO(newline=""), []

    def passing() -> Any:
        for number in range(3):
            seen.append(file.getvalue().count("\r\n"))
            yield Sample("main/a", "m", "s", number, events=(Replied(0, "x"),))

    write_csv(file, Run("r1", RunConfig("lunch"), "2025"), passing())
    assert seen == [1, 2, 3]
