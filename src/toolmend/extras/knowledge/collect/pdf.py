"""PDF files by pypdf: the text of each page, and the document's own title, author and dates. Pictures are not read.

Needs the extra `knowledge`. A damaged file is an outcome; one that unpacks without end is stopped.
"""

from __future__ import annotations

import io
import logging
from typing import Any

from toolmend.base.errors import MissingExtra, lacking
from toolmend.extras.knowledge import dates
from toolmend.extras.knowledge.collect.finish import finished, identifiers, split_names, urls_in
from toolmend.extras.knowledge.collect.item import TEXT_AT_MOST, Item, Writing
from toolmend.extras.knowledge.collect.pdf_text import page_text, undivided
from toolmend.extras.knowledge.encoding import cleaned
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.source import Found, Link, Source

_PAGES_AT_MOST = 2000
_HEAD = 6000


def read(item: Item) -> Source | Outcome:
    """The text of a PDF, page after page."""
    try:
        import pypdf
        from pypdf.errors import FileNotDecryptedError, LimitReachedError
    except ImportError as error:
        raise MissingExtra("reading PDF files", "knowledge", lacking(error)) from error
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    writing = Writing()
    try:
        start = max(0, item.data.find(b"%PDF-"))  # what stands before it shifts every place that the file names
        reader = pypdf.PdfReader(io.BytesIO(item.data[start:]))
        about = {str(name): str(value) for name, value in (reader.metadata or {}).items() if value is not None}
        for number, page in enumerate(reader.pages):
            if number >= _PAGES_AT_MOST or writing.length > TEXT_AT_MOST:
                break
            writing.block(undivided(cleaned(page_text(page))))
    except LimitReachedError as error:
        return Outcome("bomb", item.name, f"unpacks to more than a PDF should ({error})")
    except FileNotDecryptedError:
        return Outcome("unreadable", item.name, "it has a password")
    except Exception as error:  # a damaged PDF makes pypdf raise whatever its bytes lead to
        return Outcome("unreadable", item.name, f"a damaged PDF ({type(error).__name__}: {error})"[:200])
    if len(writing.text.split()) < 5:
        return Outcome("no_text", item.name, "a PDF of pictures: run it through text recognition first")
    return finished(_source(item, writing, about), item)


def _source(item: Item, writing: Writing, about: dict[str, Any]) -> Source:
    text = writing.text[:TEXT_AT_MOST]
    first = text[:_HEAD]
    targets = dict.fromkeys([*identifiers(text), *urls_in(text)])
    return Source(
        id="",
        url=item.url,
        form="pdf",
        text=text,
        title=cleaned(about.get("/Title", "")) or first.strip().partition("\n")[0][:200],
        authors=tuple(Found(name, "pdf:Author") for name in split_names(cleaned(about.get("/Author", "")))),
        published=_dates(about, "/CreationDate"),
        modified=_dates(about, "/ModDate"),
        seen=item.seen,
        links=tuple(Link(url) for url in targets),
        also=tuple(identifiers(first)[:1]),
    )


def _dates(about: dict[str, Any], name: str) -> tuple[Found, ...]:
    """`D:20230403…` as a day."""
    told = dates.iso(about.get(name, "").removeprefix("D:")[:8])
    return (Found(told, f"pdf:{name[1:]}"),) if told else ()
