"""The Python in the documentation runs: plain blocks as programs, blocks with prompts as doctests.

The blocks of one page share their names, from the first to the last, and run in an empty folder. A block whose fence
names a file (```yaml title="party.yaml"; in README.md ```yaml party.yaml) is written there for the blocks after it.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), *ROOT.glob("README.md"), *ROOT.glob("CONTRIBUTING.md")]
BLOCK = re.compile(
    r"^```(?P<kind>\w+)(?: (?:title=\")?(?P<file>[\w.]+)\"?)?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def blocks(page: Path) -> list[tuple[int, str, str]]:
    """Line number, file named or "", and text of each block that runs or is a file."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start("text")), match["file"] or "", match["text"])
        for match in BLOCK.finditer(text)
        if match["kind"] == "python" or match["file"]
    ]


def run_block(source: str, names: dict[str, Any], page: Path, line: int) -> None:
    """Run one block; a failed example of a doctest fails the test with what it printed."""
    if ">>> " not in source:
        exec(compile("\n" * line + source, str(page), "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(source, names, page.name, str(page), line)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert not report, "".join(report)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, Any] = {"__name__": "example"}
    for line, file, source in blocks(page):
        if file:
            (tmp_path / file).write_text(source, encoding="utf-8")
        else:
            run_block(source, names, page, line)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "README.md"], ids=lambda page: page.name)
def test_fences_are_such_as_the_site_knows(page: Path) -> None:
    fences = re.findall(r"^ *```(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert [fence for fence in fences if not re.fullmatch(r'(\w+( title="[\w.]+")?)?', fence)] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "README.md"], ids=lambda page: page.name)
def test_pages_link_to_no_page_that_the_site_has_not(page: Path) -> None:
    pages = [target for target in LINK.findall(page.read_text(encoding="utf-8")) if target.endswith(".md")]
    assert [each for each in pages if not (page.parent / each).resolve().is_relative_to(ROOT / "docs")] == []


def test_words_of_the_glossary_live_where_it_says() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    files = re.findall(r"^\| .+ \| `(\S+)` \|$", glossary, re.MULTILINE)
    assert len(files) >= 25
    assert [file for file in files if not (ROOT / "src" / "toolmend" / file).is_file()] == []
