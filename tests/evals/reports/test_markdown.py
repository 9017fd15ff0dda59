"""The report as Markdown: tables that hold together whatever stands in them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.evals.reports.markdown import code, escape, fenced, to_markdown

Found = Any


def test_every_table_is_there_with_its_intervals(calendar_run: Found) -> None:
    text = to_markdown(calendar_run.report)
    for heading in (
        "**4.1 Reliability**",
        "**5 Recap**",
        "**Who fixes what when told**",
        "**Cost**",
        "**Whole dialogues**",
    ):
        assert text.count(heading) == 1
    rate = calendar_run.report["contestants"][0]["fix_at_1"]
    shown = f"{100 * rate['value']:.0f} % ({100 * rate['low']:.0f}–{100 * rate['high']:.0f} n={rate['trials']})"
    assert "| `scripted/sorry` | " in text
    assert shown in text


def test_published_rows_are_told_apart(calendar_run: Found) -> None:
    text = to_markdown(calendar_run.report, "blog")
    assert "| *`Gemma 2 9B-instr`* | ✓ ✓ ✓ ✓ ✓ |" in text
    assert text.count("In italics: Published, 2024-12-05: Keras chatbot arena blog.") == 3
    assert "Who fixes" not in text
    assert "Gemma" not in to_markdown(calendar_run.report, "own")


def test_foreign_words_stand_in_code(foreign_run: Found, markup: str) -> None:
    text = to_markdown(foreign_run.report)
    assert code(markup).startswith("``</script>")
    assert text.count("``</script><script>") == text.count("</script><script>") > 5
    assert "\x1b" not in text


def test_rows_have_as_many_cells_as_their_heading(foreign_run: Found) -> None:
    columns = 0
    for line in to_markdown(foreign_run.report).splitlines():
        cells = line.replace("\\|", "").count("|")
        columns = cells if not columns or not cells else columns
        assert cells in (0, columns), line
        columns = columns if cells else 0


def test_notes_are_quoted(foreign_run: Found) -> None:
    report = {**foreign_run.report, "notes": ["said to @all: <b>"]}
    assert "> said to \\@all: \\<b\\>\n" in to_markdown(report)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("`a", "`` `a ``"),
        ("a|b", "`a\\|b`"),
        ("a\n b", "`a b`"),
        ("\x1b[m", "`\\x1b[m`"),
        ("", ""),
    ],
)
def test_code(text: str, expected: str) -> None:
    assert code(text) == expected


@given(st.text())
def test_no_text_ends_its_block(text: str) -> None:
    opening, *inside, closing = fenced(text).split("\n")
    fence = opening.removesuffix("text")
    assert closing == fence
    assert not any(fence in line for line in inside)


def test_escape() -> None:
    assert escape("1 < 2 *and* @you") == "1 \\< 2 \\*and\\* \\@you"
