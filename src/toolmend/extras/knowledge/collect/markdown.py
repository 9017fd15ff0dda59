"""Markdown and plain text: front matter, headings, links, and list entries below a heading of references.

Knows the few marks it needs; what it does not know stays in the text as it was written.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.composer import ComposerError

from toolmend.base.budget import Budget, OverBudget
from toolmend.extras.knowledge import dates
from toolmend.extras.knowledge.address import absolute
from toolmend.extras.knowledge.collect.finish import finished, identifiers, split_names, urls_in
from toolmend.extras.knowledge.collect.item import TEXT_AT_MOST, Item, Writing
from toolmend.extras.knowledge.encoding import decode
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.source import Found, Link, Source

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADER_NODES = 2_000
_LINE = re.compile(r"(?m)^(\w+):[ \t]+(.+?)[ \t]*$")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$")
_LINK = re.compile(r"(!?)\[([^\]\[\n]{0,300}+)\]\(\s*+<?([^)\s>\[]{1,2000}+)>?[^)\n\[]{0,200}+\)")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_ENTRY = re.compile(r"\s*(?:[-*+]|\d+[.)]|\[\d+\]|\[\^\w+\]:)\s+(.+)")


def read(item: Item) -> Source | Outcome:
    """A Markdown or plain text file; front matter (title, author, date, url, kind …) counts as its own header."""
    text, encoding = decode(item.data, item.header)
    front, body = front_matter(text[:TEXT_AT_MOST])
    writing = Writing()
    write(body, writing, item.url)
    if not writing.text.strip():
        return Outcome("no_text", item.name, "nothing but white space in it")
    url = str(front.get("url") or "") or item.url
    return finished(
        Source(
            id="",
            url=url,
            form="markdown" if item.ending != ".txt" else "text",
            text=writing.text,
            title=str(front.get("title") or (writing.headings[0].title if writing.headings else "")),
            site=str(front.get("site") or ""),
            description=str(front.get("description") or ""),
            language=str(front.get("language") or ""),
            authors=tuple(Found(name, "front matter") for name in _names(front.get("author") or front.get("authors"))),
            affiliations=tuple(Found(name, "front matter") for name in _listed(front.get("affiliation"))),
            published=_dates(front.get("date") or front.get("published")),
            modified=_dates(front.get("modified") or front.get("updated")),
            seen=item.seen,
            links=tuple(dict.fromkeys(writing.links)),
            references=tuple(writing.references),
            also=tuple(f"https://doi.org/{doi}" for doi in _listed(front.get("doi"))),
            headings=tuple(writing.headings),
            encoding=encoding,
        ),
        item,
        str(front.get("kind") or front.get("type") or ""),
    )


def front_matter(text: str) -> tuple[dict[str, Any], str]:
    """The header of a file as a mapping, {} if there is none that can be read, and what is below it."""
    found = _FRONT.match(text)
    if not found:
        return {}, text
    try:
        data = _Header(found[1]).get_single_data()
    except (yaml.YAMLError, ValueError, RecursionError, OverBudget):
        # `title: Soup: a history` is no YAML, and yet everybody knows what it says.
        data = dict(_LINE.findall(found[1]))
    if not isinstance(data, dict):
        return {}, text
    return {str(name).lower(): value for name, value in data.items()}, text[found.end() :]


class _Header(yaml.BaseLoader):
    """Texts, lists and mappings, so many at most; an alias may stand for a million of them, and no header needs one."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._budget = Budget("front matter", nodes=_HEADER_NODES)

    def compose_node(self, parent: Any, index: Any) -> Any:
        """The next node. Raises OverBudget, ComposerError."""
        if self.check_event(yaml.AliasEvent):
            raise ComposerError(None, None, "front matter has no aliases", None)
        self._budget.spend("nodes")
        return super().compose_node(parent, index)


def write(text: str, writing: Writing, base: str) -> None:
    """Append Markdown: headings are known as such, links keep their words in the text and their targets beside it."""
    fence = ""
    paragraph: list[str] = []
    for line in [*text.split("\n"), ""]:
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            continue
        heading = None if fence else _HEADING.match(line)
        if fence or (line.strip() and not heading):
            paragraph.append(line.rstrip() if fence else _plain(line, writing, base))
            continue
        _flush(paragraph, writing)
        if heading:
            writing.head(_plain(heading[2], writing, base), len(heading[1]))
    _flush(paragraph, writing)


def _flush(paragraph: list[str], writing: Writing) -> None:
    if not paragraph:
        return
    text = "\n".join(paragraph)
    start = writing.block(text)
    if writing.in_references:
        offset = start - (len(text) - len(text.lstrip()))
        for line in paragraph:
            if entry := _ENTRY.match(line):
                begin = offset + entry.start(1)
                writing.references.append(Found(entry[1], "reference list", begin, begin + len(entry[1])))
            offset += len(line) + 1
    paragraph.clear()


def _plain(line: str, writing: Writing, base: str) -> str:
    where = "reference" if writing.in_references else "body"
    if "](" in line:
        for picture, words, target in _LINK.findall(line):
            if not picture and (url := absolute(base, target)):
                writing.links.append(Link(url, words, where))
        line = _LINK.sub(lambda found: found[2], line)
    for target in [*identifiers(line), *urls_in(line)]:
        writing.links.append(Link(target, "", where))
    return line.rstrip()


def _names(value: Any) -> list[str]:
    return [name for part in _listed(value) for name in split_names(part)]


def _listed(value: Any) -> list[str]:
    return [str(part) for part in (value if isinstance(value, list) else [value]) if part]


def _dates(value: Any) -> tuple[Found, ...]:
    told = dates.iso(str(value or ""))
    return (Found(told, "front matter"),) if told else ()
