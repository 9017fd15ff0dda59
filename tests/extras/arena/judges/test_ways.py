"""What a judge's answer says, and that nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.extras.arena.judges.ways import JudgeVerdict, Likert, Ranking, Way
from toolmend.registry import judges


@pytest.mark.parametrize(
    ("text", "outcome", "values", "problem"),
    [
        ("1\nThe first is far better.", "first", (1,), ""),
        ("4", "first", (4,), ""),
        ("5", "second", (5,), ""),
        ("\n\n  **8**  \nbecause", "second", (8,), ""),
        ("Rating: 7", "second", (7,), ""),
        ("My final rating is 2.", "first", (2,), ""),
        ("6/8", "second", (6,), ""),
        ("3.0", "first", (3,), ""),
        ("0", None, (0,), "out_of_range"),  # as GPT-4 did when it was asked to correct itself
        ("9", None, (9,), "out_of_range"),
        ("-1", None, (-1,), "out_of_range"),
        ("4.5", None, (4.5,), "out_of_range"),
        ("7/10", None, (), "unreadable"),
        ("7 8", None, (), "unreadable"),
        ("1. Assistant 2 is better", None, (), "unreadable"),
        ("I prefer 7", None, (), "unreadable"),
        ("Let me think.\n7", None, (), "unreadable"),
        (".5", None, (), "unreadable"),
        ("", None, (), "unreadable"),
        ("** **\n", None, (), "unreadable"),
    ],
)
def test_likert(text: str, outcome: str | None, values: tuple[float, ...], problem: str) -> None:
    assert Likert().read(text) == JudgeVerdict(outcome, values, problem)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "outcome"), [("3", "first"), ("4", "tie"), ("5", "tie"), ("6", "second")])
def test_likert_with_a_band(text: str, outcome: str) -> None:
    assert Likert().read(text, band=True).outcome == outcome


@pytest.mark.parametrize(
    ("text", "outcome", "problem"),
    [
        ("1", "first", ""),
        ("Assistant 2", "second", ""),
        ("Assistant 2 is better.\nIt is.", "second", ""),
        ("Answer: 1", "first", ""),
        ("TIE", "tie", ""),
        ("Both bad", "both_bad", ""),
        ("3", None, "out_of_range"),
        ("neither", None, "unreadable"),
        ("1 or 2", None, "unreadable"),
    ],
)
def test_ranking(text: str, outcome: str | None, problem: str) -> None:
    verdict = Ranking().read(text, band=True)
    assert (verdict.outcome, verdict.problem) == (outcome, problem)


@given(st.sampled_from([Likert(), Ranking()]), st.text() | st.text("0123456789 .,-/\n*both adtie"), st.booleans())
def test_any_text_is_read_and_either_says_something_or_has_a_problem(way: Way, text: str, band: bool) -> None:
    verdict = way.read(text, band=band)
    assert (verdict.outcome is None) == bool(verdict.problem)


@given(st.text())
def test_no_likert_without_its_digit(text: str) -> None:
    verdict = Likert().read(text)
    assert verdict.outcome is None or any(char.isdigit() for char in text)


def test_every_way_has_its_name() -> None:
    assert [judges.get(name)().name for name in judges.names()] == ["likert", "ranking"]
