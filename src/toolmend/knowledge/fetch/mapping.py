"""Addresses to the addresses that are asked, and answers to items: the Content-Type decides which collector reads.

Things with an interface for programs are asked there. Knows no network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from toolmend.knowledge.address import canonical
from toolmend.knowledge.collect import Item
from toolmend.knowledge.fetch.fetched import Fetched, Refused

_PUBMED = re.compile(r"https://pubmed\.ncbi\.nlm\.nih\.gov/(\d{1,9})")
_EFETCH = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi?db=pubmed&id={}&retmode=xml&tool=toolmend"
_ENDINGS = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "application/x-pdf": ".pdf",
    "text/markdown": ".md",
    "text/x-markdown": ".md",
    "text/vtt": ".vtt",
    "application/x-subrip": ".srt",
    "application/x-ipynb+json": ".ipynb",
    "application/xml": ".xml",
    "text/xml": ".xml",
    "application/gzip": ".gz",
    "application/x-gzip": ".gz",
    "application/zip": ".zip",
}
# Types that say little: the ending of the address says more, if it is one of these.
_VAGUE = {
    "text/plain": (".txt", {".md", ".markdown", ".rst", ".vtt", ".srt", ".txt"}),
    "application/json": (".json", {".json", ".json3", ".ipynb"}),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """The address to ask, and whether its robots.txt counts: an interface made for programs is not crawled."""

    url: str
    robots: bool = True


def asked(url: str) -> Asked:
    """What to ask for an address. Raises Refused for what has nothing to ask for."""
    known = canonical(url)
    if found := _PUBMED.fullmatch(known):
        return Asked(_EFETCH.format(found[1]), robots=False)
    if known.startswith("https://www.youtube.com/watch?"):
        says = "no address gives its transcript to programs: save the captions as json3 or VTT, and "
        raise Refused("not_fetched", f"{says}`toolmend know add FILE --url {known}`")
    return Asked(url)


def check(header: str) -> None:
    """Raises Refused for a Content-Type that no collector reads."""
    kind = _kind(header)
    if kind.partition("/")[0] in ("image", "audio", "video", "font"):
        raise Refused(
            "unknown_form", f"{kind[:60]} is no page, PDF, transcript, PubMed XML, Markdown, notebook or text"
        )


def item(fetched: Fetched) -> Item:
    """What was fetched as a file, named so that its type decides who reads it."""
    try:
        path = unquote(urlsplit(fetched.url).path)
    except ValueError:  # an address that only a foreign fetcher understands
        path = ""
    kind, last = _kind(fetched.header), PurePosixPath(path)
    ending = _ENDINGS.get(kind, "")
    if kind in _VAGUE:
        plain, others = _VAGUE[kind]
        ending = last.suffix.lower() if last.suffix.lower() in others else plain
    name = (last.stem or "page") + (ending or last.suffix)
    return Item(fetched.data, name, fetched.url, fetched.header, fetched.at, fetched=True)


def _kind(header: str) -> str:
    return header.partition(";")[0].strip().lower()
