"""Which collector reads an item, and what an item unpacks to. Knows all collectors, and nothing of libraries."""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import IO

from toolmend.budget import Budget, OverBudget
from toolmend.errors import MissingExtra
from toolmend.knowledge.collect import markdown, notebook, page, pdf, pubmed, seed, transcript
from toolmend.knowledge.collect.item import BYTES_AT_MOST, Item
from toolmend.knowledge.outcome import Outcome
from toolmend.knowledge.outside import Outside, outside_facts
from toolmend.knowledge.source import Source

Collected = Source | Outcome | Outside

_TEXT_ENDINGS = frozenset({".md", ".markdown", ".txt", ".rst", ".text", ""})
_PAGE_ENDINGS = frozenset({".html", ".htm", ".xhtml"})
_MARKUP = re.compile(rb"\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_PUBMED = re.compile(rb"<Pubmed(?:ArticleSet|Article)\b")
_CUES = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:WEBVTT|(?:\d+\s+)?\d{1,2}:\d\d:\d\d[.,]\d{3}\s*-->)")
_MEMBERS_AT_MOST = 2000
_DEPTH = 2


def read(item: Item) -> Iterator[Collected]:
    """Everything in an item: one thing for most, several for an archive, a set of records, the published JSON.

    What is packed in it is read on one budget, however deep. Raises MissingExtra, and nothing else.
    """
    yield from _read(item, Budget("unpacked, it", bytes=BYTES_AT_MOST, nodes=_MEMBERS_AT_MOST), 0)


def _read(item: Item, budget: Budget, depth: int) -> Iterator[Collected]:
    try:
        if len(item.data) > BYTES_AT_MOST:
            yield Outcome("too_large", item.name, f"more than {BYTES_AT_MOST // 1_000_000} MB")
        elif item.data[:2] == b"\x1f\x8b" or item.data[:4] == b"PK\x03\x04":
            yield from _packed(item, budget, depth)
        elif not item.data.strip(b"\0 \t\r\n"):
            yield Outcome("no_text", item.name, "an empty file")
        else:
            yield from _plain(item)
    except OverBudget as error:
        if depth:
            raise  # the archive around it is what is too much
        yield Outcome("bomb", item.name, str(error))
    except MissingExtra:
        raise
    except Exception as error:  # whatever these bytes lead a parser to: the next item may be read
        yield Outcome("unreadable", item.name, f"damaged, or not what its name says ({type(error).__name__})")


def _plain(item: Item) -> Iterator[Collected]:
    head = item.data[:2000]
    bare = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    kind = item.header.partition(";")[0].strip().lower()
    if bare.startswith(b"%PDF-"):
        yield pdf.read(item)
    elif _PUBMED.search(head):
        yield from pubmed.read(item)
    elif _MARKUP.match(bare) or item.ending in _PAGE_ENDINGS or kind in ("text/html", "application/xhtml+xml"):
        yield page.read(item)
    elif _CUES.match(head) or item.ending in (".vtt", ".srt", ".json3"):
        yield transcript.read(item)
    elif bare[:1] == b"{" and (known := _json(item)) is not None:
        yield from known
    elif item.ending in _TEXT_ENDINGS or kind in ("text/plain", "text/markdown"):
        yield markdown.read(item) if b"\0" not in head or head[:2] in (b"\xff\xfe", b"\xfe\xff") else _unknown(item)
    else:
        yield _unknown(item)


def _json(item: Item) -> Iterator[Collected] | None:
    """What a JSON file of a known form holds; None for a text that only begins like one."""
    try:
        data = json.loads(item.data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        named = item.ending in (".json", ".ipynb", ".json3")
        return iter([Outcome("unreadable", item.name, f"no JSON ({type(error).__name__})")]) if named else None
    if seed.looks_like(data):
        return iter(seed.read(data, item))
    if "cells" in data:
        return iter([notebook.read(data, item)])
    if "events" in data:
        return iter([transcript.read(item)])
    if "outside" in data and item.fetched:
        says = "facts from outside are taken from files of one's own only: save it, read it, add the file"
        return iter([Outcome("unreadable", item.name, says)])
    if "outside" in data:
        return outside_facts(data["outside"], item.name)
    return None if item.ending in _TEXT_ENDINGS else iter([_unknown(item)])


def _unknown(item: Item) -> Outcome:
    ending = f"{item.ending} is" if item.ending else "this is"
    return Outcome(
        "unknown_form", item.name, f"{ending} no page, PDF, transcript, PubMed XML, Markdown, notebook or text"
    )


def _packed(item: Item, budget: Budget, depth: int) -> Iterator[Collected]:
    """The members of an archive; archives in archives once."""
    if depth >= _DEPTH:
        yield Outcome("bomb", item.name, f"archives more than {_DEPTH} deep")
        return
    try:
        yield from (_gunzipped if item.data[:2] == b"\x1f\x8b" else _unzipped)(item, budget, depth)
    except (OverBudget, MissingExtra):
        raise
    except Exception as error:  # zipfile, gzip and what they unpack with know no common error
        yield Outcome("unreadable", item.name, f"a damaged archive ({type(error).__name__})")


def _gunzipped(item: Item, budget: Budget, depth: int) -> Iterator[Collected]:
    with gzip.GzipFile(fileobj=io.BytesIO(item.data)) as file:
        data = _taken(file, budget)
    name = re.sub(r"\.gz$", "", item.name, flags=re.IGNORECASE)
    yield from _read(replace(item, data=data, name=name), budget, depth + 1)


def _unzipped(item: Item, budget: Budget, depth: int) -> Iterator[Collected]:
    with zipfile.ZipFile(io.BytesIO(item.data)) as archive:
        for member in archive.infolist():
            budget.spend("nodes")
            if member.is_dir():
                continue
            name = f"{item.name}/{member.filename}"
            try:
                with archive.open(member) as file:
                    data = _taken(file, budget)
            except OverBudget:
                raise
            except Exception as error:  # one member that is damaged or packed in an unknown way leaves the others
                yield Outcome("unreadable", name, f"cannot be unpacked ({type(error).__name__})")
                continue
            url = item.part(member.filename, f"{item.url}/{member.filename}")
            yield from _read(replace(item, data=data, name=name, url=url), budget, depth + 1)


def _taken(file: IO[bytes] | gzip.GzipFile, budget: Budget) -> bytes:
    """What a packed file holds, read no further than may be spent."""
    data = file.read(budget.left("bytes") + 1)
    budget.spend("bytes", len(data))
    return data
