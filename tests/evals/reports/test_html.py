"""The HTML file: nothing from outside, nothing foreign is markup, and the conversations are all in it."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

import pytest

from toolmend.base.mistakes import Mark
from toolmend.evals.reports.html import pack, unpack, write_html
from toolmend.evals.reports.report import played_suite
from toolmend.evals.reports.talk import talk
from toolmend.evals.store import Sample, sample_key

Found = Any
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Page(HTMLParser):
    """Its elements with their attributes, and the text of scripts and styles, as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.elements, self.raw, self._open = text, [], [], ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open = tag
        if tag in ("script", "style"):
            self.raw.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self._open in ("script", "style"):
            tag, attributes, text = self.raw.pop()
            self.raw.append((tag, attributes, text + data))

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """Every conversation."""
        packed = [text for _, attributes, text in self.raw if attributes.get("class") == "block"]
        return [each for text in packed for each in unpack(text)]

    @property
    def index(self) -> Any:
        return next(unpack(text) for _, attributes, text in self.raw if attributes.get("id") == "index")

    @property
    def links(self) -> list[dict[str, list[str]]]:
        found = [attributes["href"] for tag, attributes in self.elements if tag == "a"]
        return [parse_qs(href[1:]) for href in found]


def written(found: Found, *, report: bool = True, chosen: str = "") -> Page:
    file = io.StringIO()
    suite = played_suite(found.run, []) if report else None
    write_html(file, found.run, found.samples, found.report if report else None, suite=suite, chosen=chosen)
    return Page(file.getvalue())


@pytest.fixture(scope="module")
def page(calendar_run: Found) -> Page:
    return written(calendar_run)


# nothing from outside ------------------------------------------------------------------------------------------------


def test_no_element_asks_for_anything(page: Page) -> None:
    asking = {"src", "srcset", "action", "data", "poster", "background", "xlink:href", "style"}
    assert [(tag, each) for tag, each in page.elements if asking & set(each)] == []
    hrefs = [each["href"] for _, each in page.elements if "href" in each]
    assert [href for href in hrefs if not (href or "").startswith("#")] == []
    assert {tag for tag, _ in page.elements} & {"link", "iframe", "img", "object", "embed", "base"} == set()


def test_no_address_stands_in_it(page: Page) -> None:
    assert re.findall(r"https?:|//\w+\.\w|url\(|@import|XMLHttpRequest|\bimport\(", page.text) == []


def test_the_policy_lets_nothing_in_but_its_own_script_and_style(page: Page) -> None:
    policy = next(each["content"] for _, each in page.elements if each.get("http-equiv") == "Content-Security-Policy")
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["default-src"] == parts["base-uri"] == parts["form-action"] == "'none'"
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        (text,) = [text for kind, attributes, text in page.raw if kind == tag and not attributes]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert parts[name] == f"'sha256-{digest}'"


# nothing foreign is markup -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("report", [True, False])
def test_foreign_words_are_no_elements(foreign_run: Found, page: Page, report: bool, markup: str) -> None:
    made = written(foreign_run, report=report, chosen=markup)
    assert {tag for tag, _ in made.elements} <= {tag for tag, _ in page.elements}
    assert [attributes for tag, attributes, _ in made.raw if tag == "script"] == [
        {"type": "text/plain", "class": "block"},
        {"type": "text/plain", "id": "index"},
        {},
    ]
    assert "alert(" not in made.raw[-1][2]
    assert not any(name.startswith("on") for _, attributes in made.elements for name in attributes)


def test_the_script_makes_no_markup(page: Page) -> None:
    script = page.raw[-1][2]
    assert re.findall(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(|new Function", script) == []


def test_foreign_words_come_out_as_they_were(foreign_run: Found, markup: str) -> None:
    made = written(foreign_run)
    assert made.blocks[0]["turns"][0]["lines"][0] == ["said", markup]
    assert made.index["who"] == [[markup, "oneline"]]


def test_any_text_can_be_packed() -> None:
    text = "\ud800 \x00 </script> \u2028 🥦"
    assert unpack(pack([text])) == [text]
    assert re.fullmatch("[A-Za-z0-9+/=]+", pack([text]))


# everything is in it -------------------------------------------------------------------------------------------------


def test_every_conversation_is_in_it(page: Page, calendar_run: Found) -> None:
    assert page.blocks == [talk(sample) for sample in calendar_run.samples]


def test_the_index_knows_each_sample(page: Page, calendar_run: Found) -> None:
    index, rows = page.index, page.index["rows"]
    keys = [
        sample_key(index["cases"][case], *index["who"][who], attempt, index["arms"][arm])
        for case, who, attempt, arm in zip(*(rows[name] for name in ("case", "who", "attempt", "arm")), strict=True)
    ]
    assert keys == [sample.key for sample in calendar_run.samples]
    assert index["who"] == [[row["model"], row["strategy"]] for row in calendar_run.report["contestants"]]


def test_marks_have_the_letters_the_script_knows(page: Page, calendar_run: Found) -> None:
    known = dict(re.findall(r'(\w): "(\w+)"', re.search(r"const LETTERS = \{(.*)\}", page.raw[-1][2])[1]))  # type: ignore[index]
    assert set(known.values()) == set(Mark)
    told = [[known[letter] for letter in turn] for turn in page.index["rows"]["marks"][0].split()]
    assert told == [list(marked.marks) for marked in calendar_run.samples[0].marked]


def test_every_figure_leads_to_conversations(page: Page) -> None:
    index = page.index
    there = {
        (facet, who, kind if facet in ("mistake", "4.3", "unmet") else "")
        for who, pieces in zip(index["rows"]["who"], index["rows"]["pieces"], strict=True)
        for facet, kind, _ in (index["counted"][number] for number in pieces[1::2])
    }
    links = {(link["show"][0], int(link["who"][0]), link.get("kind", [""])[0]) for link in page.links if "who" in link}
    assert len(links) > 50
    fixes = {(facet, who, "") if facet.startswith("fix") else (facet, who, kind) for facet, who, kind in links}
    assert {link for link in fixes if link not in there and link[0] not in ("all", "error")} == set()


def test_every_table_and_plot_is_there_without_a_script(page: Page) -> None:
    titles = ("Who fixes what when told", "fix@1 by kind of mistake", "4.1 Reliability", "5 Recap", "Cost", "Net fix")
    assert [title for title in titles if title not in page.text] == []
    drawn = [tag for tag, _ in page.elements]
    assert drawn.count("title") == drawn.count("desc") + 1
    assert drawn.count("circle") >= 4


def test_the_same_run_is_the_same_file(page: Page, calendar_run: Found) -> None:
    assert written(calendar_run).text == page.text


def test_chosen_conversations_have_no_rates(calendar_run: Found) -> None:
    made = written(calendar_run, report=False, chosen="mark fixed")
    assert "Conversations of this run with mark fixed." in made.text
    assert [tag for tag, _ in made.elements if tag in ("table", "svg")] == []
    assert len(made.blocks) == len(calendar_run.samples)


def test_samples_are_read_one_by_one(calendar_run: Found) -> None:
    file, seen = io.StringIO(), []

    def passing() -> Any:
        for sample in calendar_run.samples * 3:
            seen.append(file.getvalue().count('class="block"'))
            yield sample

    write_html(file, calendar_run.run, passing())
    assert seen[-1] == (len(seen) - 1) // 50


# in a browser --------------------------------------------------------------------------------------------------------


def dumped(page: Page, folder: Path, fragment: str) -> str:
    """The page as a browser has it after its script opened something."""
    path = folder / "report.html"
    path.write_text(page.text, encoding="utf-8")
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"]
    command.append(f"{path.as_uri()}#{fragment}")
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
def test_a_browser_lists_what_a_figure_counts(page: Page, calendar_run: Found, tmp_path: Path) -> None:
    rate = calendar_run.report["contestants"][0]["fix_at_1"]
    told = f"{rate['hits']} fixed, {rate['trials'] - rate['hits']} not fixed"
    assert told in dumped(page, tmp_path, "show=fix_at_1&who=0")


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
def test_a_browser_shows_foreign_words_as_text(foreign_run: Found, tmp_path: Path) -> None:
    sample: Sample = foreign_run.samples[0]
    shown = dumped(written(foreign_run), tmp_path, f"sample={quote(sample.key, safe='')}&turn=0")
    assert "&lt;img src=x onerror=alert(2)&gt;" in shown
    assert "\\x1b[31m" in shown
    assert "<img" not in shown.replace("&lt;img", "")
