"""The report on a terminal, narrow and wide."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from rich.console import Console

from toolmend.base.messages import Request
from toolmend.evals.reports.report import build_report
from toolmend.evals.reports.text import print_report
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import Suite, read_suite
from toolmend.models.scripted import Scripted

ADD = "action.add_calendar_entry"


def sorry(request: Request) -> str:
    """The first request right, then an apology, then a call with an apology beside it."""
    right = f'{ADD}("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
    return (right, "I apologize.", f"I apologize.\n{right}")[(len(request.messages) - 2) // 2 % 3]


def printed(report: dict[str, Any], width: int, notation: str = "both") -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None, emoji=False)
    print_report(report, console, notation)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def made(store: Store, suite: Suite, *models: Scripted, **options: Any) -> dict[str, Any]:
    return build_report(store, anyio.run(run, Plan.make(suite, models, ["oneline"], **options), store).id)


@pytest.fixture
def report(store: Store, calendar: Suite) -> dict[str, Any]:
    """Two contestants at the shipped suite."""
    names = ("scripted/sorry", "scripted/other")
    return made(store, calendar, *(Scripted(sorry, name) for name in names), attempts=1)


@pytest.mark.parametrize("width", [60, 100])
def test_it_fits_and_shows_the_glyphs(report: dict[str, Any], width: int) -> None:
    text = printed(report, width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert [glyph for glyph in ("✓", "✔", "🥦", "🍄", "🔥") if glyph not in text] == []


@pytest.mark.parametrize("width", [60, 100])
def test_it_has_every_table(report: dict[str, Any], width: int) -> None:
    text = " ".join(printed(report, width).split())
    headings = ("4.1 Reliability", "4.2 The complete chat", "4.3 Mistakes that others made", "5 Recap", "Who fixes")
    assert [heading for heading in (*headings, "fix@1 by kind of mistake", "Cost") if heading not in text] == []


def test_published_rows_are_labelled(report: dict[str, Any]) -> None:
    text = printed(report, 100, "blog")
    assert text.count("✔ a valid call, ✔ 🍄 one that had to be corrected") == 1
    assert text.count("Below the line: Published, 2024-12-05: Keras chatbot arena blog.") == 3
    assert "Gemma 2 9B-instr" in text


def test_who_was_trained_on_the_api_is_said_beside_published_rows(store: Store, calendar: Suite) -> None:
    names = ("builtin/small", "smol/tools?seed=1", "gguf/smollm2", "scripted/other")
    found = made(store, calendar, *(Scripted(sorry, name) for name in names), attempts=1)
    said = "blog. builtin/small, smol/tools: specialist, trained on this API; the published"
    assert printed(found, 160, "blog").count(said) == 3
    assert "specialist" not in printed(found, 160, "own")


def test_without_such_a_model_nobody_is_called_a_specialist(report: dict[str, Any]) -> None:
    assert "specialist" not in printed(report, 160)


def test_own_rates_only(report: dict[str, Any]) -> None:
    text = printed(report, 100, "own")
    assert "Who fixes what when told" in text
    assert "Gemma 2 9B-instr" not in text


def test_published_notation_only(report: dict[str, Any]) -> None:
    assert "Who fixes what when told" not in printed(report, 100, "blog")


def test_a_run_without_samples_can_be_shown() -> None:
    run = {"suite": "lunch", "id": "abc", "samples": 0, "status": "open"}
    assert "lunch · run abc · 0 samples · open" in printed({"run": run, "contestants": [], "notes": ["none yet"]}, 100)


def test_names_and_words_are_shown_as_they_are(store: Store, suite_file: Callable[..., Path]) -> None:
    text = (
        "suite: a[bold]b\ntools: calendar\nnotation: blog\n"
        "experiments: {complete: {cases: [one], corrections: 0, branches: []}}\n"
        "cases: {one: [{steps: [{say: 'Lunch [/] or [red]dinner :bug:', expect: none}]}]}\n"
    )
    text = printed(made(store, read_suite(suite_file(text)), Scripted(["…"], "scripted/x[dim]y")), 100)
    for words in ("a[bold]b", "Lunch [/] or [red]dinner :bug:", "scripted/x[dim]y · oneline", "scripted/x[dim]y  "):
        assert words in text


def test_who_answered_nothing_has_dashes(store: Store, suite_file: Callable[..., Path]) -> None:
    found = made(store, read_suite(suite_file()), Scripted([f'{ADD}("Lunch", "2024-05-03", "12:00")']))
    line = next(line for line in printed(found, 100, "own").splitlines() if "scripted/canned" in line)
    assert line.split()[1:] == ["100", "%", "–", "–", "–", "–", "0", "%", "100", "%"]
