"""Saved web pages: trafilatura finds the article, lxml the facts around it (meta, JSON-LD, links).

Needs the extra `knowledge`. Fetches nothing; scripts are never run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from toolmend.base.errors import MissingExtra, lacking
from toolmend.extras.knowledge import dates
from toolmend.extras.knowledge.address import absolute, canonical
from toolmend.extras.knowledge.collect.finish import finished, identifiers, split_names
from toolmend.extras.knowledge.collect.item import TEXT_AT_MOST, Item, Writing
from toolmend.extras.knowledge.encoding import cleaned, decode
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.source import Found, Link, Source

_GONE = re.compile(
    r"\b(?:40[34]|410|50[0234])\b.{0,40}\b(?:not found|forbidden|gone|error|unavailable)|"
    r"page (?:not found|does not exist|(?:can(?:no|')t|could not) be found)|"
    r"^(?:error )?(?:404|410|403|50[023])\b|access denied|just a moment\.\.\.",
    re.IGNORECASE,
)
_ERROR_WORDS = 120
_AUTHORS = ("citation_author", "dc.creator", "author", "article:author", "parsely-author", "byl")
_PUBLISHED = ("citation_publication_date", "article:published_time", "dc.date", "date", "datepublished", "pubdate")
_CHANGED = ("article:modified_time", "og:updated_time", "last-modified", "datemodified")
_JSON_LD = "json-ld:"


def read(item: Item) -> Source | Outcome:
    """The article of an HTML page with what it says about itself."""
    try:
        from lxml import html
        from lxml.etree import LxmlError
        from trafilatura import bare_extraction
    except ImportError as error:
        raise MissingExtra("reading web pages", "knowledge", lacking(error)) from error
    decoded, encoding = decode(item.data, item.header)
    try:
        tree = html.document_fromstring(decoded.encode(), parser=html.HTMLParser(encoding="utf-8", huge_tree=False))
        about = _About(_facts(tree))
        found = bare_extraction(
            decoded, url=item.url or None, with_metadata=True, include_links=True, include_comments=False
        )
    except (LxmlError, ValueError, AssertionError, RecursionError, TypeError, AttributeError) as error:
        return Outcome("unreadable", item.name, f"not a page that can be read ({type(error).__name__})")
    title = about.first("citation_title", "og:title", "title") or (getattr(found, "title", None) or "")
    base = ("" if item.fetched else about.first("canonical")) or item.url
    writing = Writing()
    if (body := getattr(found, "body", None)) is not None:
        _write(body, writing, base)
    text = cleaned(writing.text)[:TEXT_AT_MOST]
    if len(text.split()) < _ERROR_WORDS and (_GONE.search(title) or _GONE.search(text[:300])):
        return Outcome("error_page", item.name, f"it says {(title or text[:60]).strip()!r}: ask for the address again")
    if not text.strip():
        return Outcome("no_text", item.name, "no article in this page: perhaps a script writes it")
    url = base if item.url.startswith("file:") and base.startswith("http") else item.url
    language = tree.get("lang") or about.first("og:locale", "content-language")
    dois = [found.value.removeprefix("doi:").strip() for found in about.all("citation_doi")]
    canonicals = [canonical(found.value) for found in about.all("canonical")[:1]]
    source = Source(
        id="",
        url=url,
        form="page",
        text=text,
        title=cleaned(title),
        description=about.first("og:description", "description"),
        site=about.first("og:site_name"),
        language=language[:2].lower() if re.match(r"[A-Za-z]{2}\b", language) else "",
        authors=tuple(
            Found(name, fact.where)
            for fact in about.all(*_AUTHORS, "json-ld:author")
            for name in split_names(fact.value)
        ),
        affiliations=tuple(about.all("citation_author_institution")),
        published=tuple(about.dates(*_PUBLISHED, "json-ld:datePublished")),
        modified=tuple(about.dates(*_CHANGED, "json-ld:dateModified")),
        seen=item.seen,
        links=tuple(dict.fromkeys(writing.links)),
        references=(*writing.references, *about.all("citation_reference")),
        also=(*(f"https://doi.org/{doi}" for doi in dois), *canonicals),
        headings=tuple(writing.headings),
        encoding=encoding,
    )
    return finished(source, item, about.first("json-ld:@type"))


class _About:
    """What a page says about itself outside its article, by name."""

    def __init__(self, facts: Iterable[tuple[str, str]]) -> None:
        self._facts = [(name, value) for name, value in facts if value]

    def first(self, *names: str) -> str:
        """The first fact of the first of these names that has one."""
        return next((found.value for found in self.all(*names)), "")

    def all(self, *names: str) -> list[Found]:
        """All facts of these names."""
        return [
            Found(value, name if name.startswith(_JSON_LD) else f"meta:{name}")
            for wanted in names
            for name, value in self._facts
            if name == wanted
        ]

    def dates(self, *names: str) -> Iterator[Found]:
        """Those of them that are dates."""
        for fact in self.all(*names):
            if told := dates.iso(fact.value):
                yield Found(told, fact.where)


def _facts(tree: Any) -> Iterator[tuple[str, str]]:
    """Names and what they say: meta elements, the canonical link, the title, JSON-LD."""
    for meta in tree.iter("meta"):
        name = meta.get("name") or meta.get("property") or meta.get("itemprop") or ""
        yield f"{name.lower()}", cleaned(meta.get("content") or "").strip()
    for link in tree.iter("link"):
        if (link.get("rel") or "").lower() == "canonical":
            yield "canonical", (link.get("href") or "").strip()
    for title in islice(tree.iter("title"), 1):
        yield "title", " ".join(title.text_content().split())
    for script in tree.iter("script"):
        for node in _json_ld(script):
            for name in ("@type", "author", "datePublished", "dateModified"):
                told = node.get(name)
                for value in told if isinstance(told, list) else [told]:
                    said = value.get("name") if isinstance(value, dict) else value
                    if isinstance(said, str) and said != "WebSite":
                        yield f"{_JSON_LD}{name}", cleaned(said)


def _json_ld(script: Any) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-LD script; what is no JSON is none."""
    if (script.get("type") or "").lower() != "application/ld+json":
        return
    try:
        data = json.loads(script.text_content())
    except (ValueError, RecursionError):
        return
    queue = [data]
    for _ in range(200):
        if not queue:
            return
        node = queue.pop(0)
        if isinstance(node, list):
            queue += node
        elif isinstance(node, dict):
            yield node
            queue += [node["@graph"]] if "@graph" in node else []


def _write(body: Any, writing: Writing, base: str) -> None:
    """The article's blocks as text, with headings, links and the entries of its list of references."""
    for block in body:
        if not isinstance(block.tag, str):
            continue
        if block.tag == "head":
            level = (block.get("rend") or "h2").lstrip("h")
            writing.head("".join(block.itertext()), int(level) if level.isdigit() else 2)
        elif block.tag in ("list", "table"):
            for row in block:
                cells = [_inline(cell, writing, base) for cell in row] if block.tag == "table" else []
                text = " | ".join(cells) if cells else _inline(row, writing, base)
                _put(text, writing, "\n")
        elif block.tag == "quote":
            writing.block("".join(block.itertext()))
        else:
            _put(_inline(block, writing, base), writing, "\n\n")


def _put(text: str, writing: Writing, gap: str) -> None:
    start = writing.block(text, gap)
    if writing.in_references and len(text) > 12:
        writing.references.append(Found(text[:500], "reference list", start, start + len(text)))


def _inline(block: Any, writing: Writing, base: str) -> str:
    """A block's words on one line; its links are kept."""
    for ref in block.iter("ref"):
        if target := absolute(base, ref.get("target") or ""):
            where = "reference" if writing.in_references else "body"
            writing.links.append(Link(target, " ".join("".join(ref.itertext()).split())[:200], where))
    text = " ".join("".join(block.itertext()).split())
    for target in identifiers(text):
        writing.links.append(Link(target, "", "reference" if writing.in_references else "body"))
    return text
