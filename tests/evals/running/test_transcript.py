"""Talks from files: the published one earns its published marks, and corrections find the mistake they are about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.events import Marked
from toolmend.base.mistakes import glyphs
from toolmend.evals.benchmarks.calendar_blog import tables
from toolmend.evals.benchmarks.published import published_data
from toolmend.evals.running.transcript import WrittenTalk, published_talk, read_talk, replay
from toolmend.evals.suites.suite import Case, Suite
from toolmend.grading import grade
from toolmend.tools.toolboxes import Calendar

ADD = 'action.add_calendar_entry("Meeting with Fred", date="{}", time="{}", duration=30)'
FRED = "Add a meeting with Fred on Nov 11 at 5PM"


def marks(suite: Suite, *turns: tuple[str, str]) -> list[str]:
    sample, _ = anyio.run(replay, WrittenTalk({}, turns), suite)
    return [glyphs(event.marks) for event in sample.marked]


def test_the_published_talk_earns_the_published_marks_of_the_best_model(calendar: Suite) -> None:
    sample, world = anyio.run(replay, read_talk(published_talk("calendar")), calendar)
    lines = tables(calendar, [sample]).complete
    best = published_data("calendar")["complete"]["Gemma 2 9B-instr"]
    assert [[mark.value for mark in line.marks] for line in lines] == [line["marks"] for line in best]
    assert [line.correction for line in lines] == [line["correction"] for line in best]
    assert str(world) == "2024-11-11 20:00  180 min  Rock Concert\n2024-11-12 08:00  30 min  Meeting with Paul"


def test_the_published_talk_says_where_it_stands_and_since_when() -> None:
    assert {"source", "date", "who"} == set(read_talk(published_talk("calendar")).about)


def test_a_correction_is_about_the_argument_that_it_blames(calendar: Suite) -> None:
    bad = ADD.format("11/11/2023", "15:00")
    mended = marks(calendar, (FRED, bad), ("The time is wrong.", ADD.format("11/11/2023", "17:00")))
    other = marks(calendar, (FRED, bad), ("The time is wrong.", ADD.format("2023-11-11", "15:00")))
    assert mended == ["🍄 🍄", "🥦 🍄"]
    assert other == ["🍄 (🍄)", "(🍄)"]


def test_a_reply_may_have_several_lines_and_a_request_may_be_left_out(tmp_path: Path, calendar: Suite) -> None:
    path = tmp_path / "talk.txt"
    path.write_text(
        f"# who: me\n> {FRED}\nSure!\n\n{ADD.format('2023-11-11', '17:00')}\n> Cancel the meeting with Fred.\n"
    )
    talk = read_talk(path)
    assert talk.turns[0][1].splitlines()[0] == "Sure!"
    assert marks(calendar, *talk.turns) == ["🍄", "🔥"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "no line begins with"), ("hello\n> hi\n", "talk.txt:1: is before the first line"), (None, "cannot be read")],
)
def test_a_file_that_is_no_talk(tmp_path: Path, text: str | None, said: str) -> None:
    path = tmp_path / "talk.txt"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BadFile, match=said):
        read_talk(path)


@pytest.mark.parametrize("said", [["Hello"], ["Hello", FRED]])
def test_a_talk_of_something_else(calendar: Suite, said: list[str]) -> None:
    with pytest.raises(BadOption, match="request of"):
        marks(calendar, *[(each, "") for each in said])


def test_a_suite_without_a_published_talk() -> None:
    with pytest.raises(BadFile, match="no talk was published with suite 'dungeon'"):
        published_talk("dungeon")


def test_the_same_reply_has_the_same_marks_alone_in_a_run_and_in_a_talk(
    calendar: Suite, played: Callable[..., Any]
) -> None:
    first, fixing = calendar.experiments[0], calendar.experiments[2]
    for case in fixing.cases:
        step = case.steps[-1]
        assert step.given
        alone = grade(step.given, step.expected, Calendar().specs).marks
        (in_a_run,) = played([step.given], Case("", "", (replace(step, given=None, amends=None),)), first).of(Marked)
        assert [glyphs(alone)] == [glyphs(in_a_run.marks)] == marks(calendar, (step.say, step.given))
