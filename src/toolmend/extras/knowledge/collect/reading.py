"""Which collector reads an item: told by its bytes first, by its type and its ending second. Knows no library."""

from __future__ import annotations

import json
import re

from toolmend.base.errors import MissingExtra
from toolmend.extras.knowledge.collect import chats, markdown, page, pdf, seed, transcript
from toolmend.extras.knowledge.collect.item import BYTES_AT_MOST, Item
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.outside import Outside, outside_facts
from toolmend.extras.knowledge.source import Source

Collected = Source | Outcome | Outside

_TEXT_ENDINGS = frozenset({".md", ".markdown", ".txt", ".rst", ".text", ""})
_PAGE_ENDINGS = frozenset({".html", ".htm", ".xhtml"})
_MARKUP = re.compile(rb"\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_CUES = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:WEBVTT|(?:\d+\s+)?\d{1,2}:\d\d:\d\d[.,]\d{3}\s*-->)")


_PDF_WITHIN = 1024  # readers look so far for its mark (PDF 1.7, Annex H, note 13)


def read(item: Item) -> list[Collected]:
    """Everything in an item: one thing for most, several for facts and collected sources. Raises MissingExtra alone."""
    try:
        if len(item.data) > BYTES_AT_MOST:
            return [Outcome("too_large", item.name, f"more than {BYTES_AT_MOST // 1_000_000} MB")]
        if not item.data.strip(b"\0 \t\r\n"):
            return [Outcome("no_text", item.name, "an empty file")]
        return _listed(item) or [_read(item)]
    except MissingExtra:
        raise
    except Exception as error:  # whatever these bytes lead a parser to: the next item may be read
        return [Outcome("unreadable", item.name, f"damaged, or not what its name says ({type(error).__name__})")]


def _read(item: Item) -> Source | Outcome:
    head = item.data[:2000]
    bare = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    kind = item.header.partition(";")[0].strip().lower()
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return pdf.read(item)
    if _MARKUP.match(bare) or item.ending in _PAGE_ENDINGS or kind in ("text/html", "application/xhtml+xml"):
        return page.read(item)
    if _CUES.match(head) or item.ending in (".vtt", ".srt"):
        return transcript.read(item)
    if item.ending == ".jsonl":
        return chats.read(item)
    plain = b"\0" not in head or head[:2] in (b"\xff\xfe", b"\xfe\xff")
    if plain and (item.ending in _TEXT_ENDINGS or kind in ("text/plain", "text/markdown", "text/x-markdown")):
        return markdown.read(item)
    ending = f"{item.ending} is" if item.ending else "this is"
    return Outcome("unknown_form", item.name, f"{ending} no page, PDF, transcript, Markdown or text")


def _listed(item: Item) -> list[Collected]:
    """The facts from outside, or the collected sources, that a JSON file holds, whatever its ending; [] for anything
    else. Of others they are not taken: each would say who it is."""
    if item.data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"{":
        return []
    try:
        data = json.loads(item.data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        named = item.ending == ".json"
        return [Outcome("unreadable", item.name, f"no JSON ({type(error).__name__})")] if named else []
    collected = seed.looks_like(data)
    if not collected and "outside" not in data:
        return []
    if item.fetched:
        what = "collected sources" if collected else "facts from outside"
        says = f"{what} are taken from files of one's own only: save it, read it, add the file"
        return [Outcome("unreadable", item.name, says)]
    return list(seed.read(data, item) if collected else outside_facts(data["outside"], item.name))
