"""Figures are those that commands print: pages against commands, and README's headlines against docs/figures.md."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
FIGURES = runpy.run_path(str(ROOT / "docs" / "figures.py"))
MEASURED = (ROOT / "README.md").read_text(encoding="utf-8").partition("## What was measured\n")[2].partition("\n## ")[0]
PARTS = {part.partition("**")[0]: part for part in re.split(r"^\*\*(?=[A-Z])", MEASURED, flags=re.MULTILINE)[1:]}
TABLE = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
_LINES = [line.strip("| ").split(" | ") for line in TABLE.splitlines() if line.startswith("| ")]
ROWS = {row[0]: row for row in _LINES[1:]}
PUBLISHED = "".join(
    path.read_text(encoding="utf-8") for path in ROOT.glob("src/toolmend/evals/suites/shipped/published/*.json")
)
PERCENT = re.compile(r"(?P<number>[−+]?\d+(?:\.\d+)?)\s%(?:\*\*)?(?P<interval>\s\([−+]?\d+[–…])?")


@pytest.mark.parametrize(
    "shown", [shown for shown in FIGURES["SHOWN"] if not shown.plays], ids=lambda shown: shown.command
)
def test_pages_show_what_their_commands_print(shown: Any) -> None:
    text = (ROOT / shown.page).read_text(encoding="utf-8")
    assert (
        FIGURES["missing"](FIGURES["block"](text, shown.command), FIGURES["printed"](shown.command, shown.parts)) == []
    )


@pytest.mark.parametrize("shown", FIGURES["SHOWN"], ids=lambda shown: shown.command)
def test_each_command_has_a_block_on_its_page(shown: Any) -> None:
    assert FIGURES["block"]((ROOT / shown.page).read_text(encoding="utf-8"), shown.command)


def test_a_figure_that_changed_is_seen() -> None:
    page = "`toolmend x` prints\n\n```\na   9 %\nb 7 %\n…\n```\n"
    assert FIGURES["missing"](FIGURES["block"](page, "toolmend x"), "a 9 %\nb 8 %\nc 1 %\n") == ["b 7 %"]


def test_published_figures_stand_in_blocks_that_commands_print() -> None:
    """Prose beside them says none: two adapters on, it would still say it."""
    text = (ROOT / "docs" / "published.md").read_text(encoding="utf-8")
    prose = "".join(text.split("```\n")[::2])
    assert PERCENT.findall(prose) == []


def test_an_interval_that_changed_is_seen() -> None:
    assert FIGURES["missing"]("net fix -2…+28\n …\n", "net fix +0…+44\n") == ["net fix -2…+28"]


def test_a_line_that_changed_is_renewed_by_its_first_word() -> None:
    shown = "head\na  9 %\nb 7 %\nIt says\nmore.\n"
    now = "title\nhead\na  8 %\nb 7 %\nIt says more.\nNext:\n"
    assert FIGURES["missing"](shown, now) == ["a  9 %"]
    assert FIGURES["renewed"](shown, now, "", some=True) == "head\na  8 %\nb 7 %\nIt says\nmore.\n"


def test_what_is_shown_whole_is_renewed_whole_and_what_leaves_out_not_at_all() -> None:
    assert FIGURES["renewed"]("a 9 %\n", "a 8 %\nb\n", "    ", some=False) == "    a 8 %\n    b\n"
    assert FIGURES["renewed"]("a 9 %\n…\n", "a 8 %\nb\n", "", some=False) == "a 9 %\n…\n"


def test_parts_of_what_is_printed() -> None:
    text = (
        "tea · run 0123456789ab · finished\n\n1 Cups\n   \n a   2°\n   \n\n2 Pots\n b\n\n3 Spoons\n c\n° few\nnote: d\n"
    )
    assert FIGURES["parted"](text, ("tea ·", "1 Cups")) == "tea · finished\n\n1 Cups\n a   2°\n\n° few\n"
    assert FIGURES["parted"](text, ("2 Pots",)) == "2 Pots\n b\n"
    assert FIGURES["parted"](text, ()) == text


def test_a_line_that_the_page_breaks_is_as_shown() -> None:
    assert FIGURES["missing"]("a 9 %\nIt says\nmore.\n", "a 9 %\nIt says more.\n") == []
    assert FIGURES["missing"]("a 9 %\nIt says\nless.\n", "a 9 %\nIt says more.\n") == ["It says", "less."]


PRINTS = re.compile(r"toolmend (?:run|judge|know|train|study) |python benchmarks/\w|make (?:crash|soak|bench)")
PAGES = [
    path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in ("log.md", "measures.md", "security.md")
]


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_no_page_claims_what_is_half_true(page: Path) -> None:
    """Of sets that were scored again and again, and whose figures chose rules (the audit of 2026-11-28)."""
    text = " ".join(page.read_text(encoding="utf-8").split())
    claims = r"nobody has looked at|no failure of theirs|before anything was tuned|nothing was tuned on"
    assert re.findall(claims, text) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_with_figures_names_what_prints_them(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"\d\s%", text)) < 3 or PRINTS.search(text)


def test_every_headline_has_a_row_and_every_row_a_headline() -> None:
    assert sorted(PARTS) == sorted(ROWS)


@pytest.mark.parametrize("title", ROWS)
def test_a_headline_names_its_command_how_many_and_how_sure(title: str) -> None:
    _, command, _, many, _, log = ROWS[title]
    figures = list(PERCENT.finditer(PARTS[title].replace("95 % intervals", "")))
    sure = {match["number"] for match in figures if match["interval"]}
    assert command in PARTS[title]
    assert any(number in PARTS[title] for number in re.findall(r"\d+", many)) or "n=" in PARTS[title]
    assert [
        match["number"] for match in figures if match["number"] not in sure and f'"{match["number"]}"' not in PUBLISHED
    ] == []
    assert f"## {log}\n" in (ROOT / "docs" / "log.md").read_text(encoding="utf-8")


# What a figure would mislead without, and which must stand in its paragraph or table (the audit of 2026-11-22).
BESIDE = [
    ("README.md", "`toolmend run calendar --headline`", "both were trained on"),
    ("README.md", "`toolmend run calendar --headline`", "76 % (60–90) when told the right value"),
    ("README.md", "FunctionGemma, twice the size", "`smol/tools` was trained on made-up tools"),
    ("README.md", "40 dialogues of another writer", "scored an eighth time for `smol/calendar`, and so worn"),
    ("docs/published.md", "its 9 of 9", "**specialist, trained on this API**"),
    ("docs/published.md", "its 9 of 9", "told less, or told the right value, it mends fewer"),
    ("docs/published.md", "thirty everyday dialogues", "scored with each generation"),
    ("docs/knowledge.md", "| evidence recall |", "**the questions as first written**"),
    ("docs/knowledge.md", "64 of the 65 questions", "that column's test half was tuned on"),
    ("docs/memory.md", "| memory | 0.94", "all lines at once, no reader"),
    ("docs/log.md", "on the 20 requests of `growth`", "`growth` was trained towards"),
    ("src/toolmend/models/builtin/presets/small/README.md", "70.5 %", "60 % held-out wordings"),
]


@pytest.mark.parametrize(("page", "figure", "needed"), BESIDE)
def test_a_figure_stands_beside_what_it_needs(page: str, figure: str, needed: str) -> None:
    parts = (ROOT / page).read_text(encoding="utf-8").split("\n\n")
    assert [needed in " ".join(part.split()) for part in parts if figure in " ".join(part.split())] == [True]
