"""What every collector leaves to one place: dates in the address, names of authors, language, notes,
and what kind of thing a source is, by its form, its host and what its page says of itself (data/kinds.toml)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from toolmend.extras.knowledge import dates
from toolmend.extras.knowledge.address import belongs_to, canonical, host_of, source_id
from toolmend.extras.knowledge.collect.item import Item
from toolmend.extras.knowledge.encoding import cleaned
from toolmend.extras.knowledge.source import CLAIMED, KINDS, Found, Kind, Source

_DOI = re.compile(r"(?:doi:\s*|doi\.org/)(10\.\d{4,9}/[^\s\"<>{},;]+)", re.IGNORECASE)
_ARXIV = re.compile(r"\barXiv:\s?(\d{4}\.\d{4,5})(?!\d)", re.IGNORECASE)
_PUBLISHED = re.compile(r"(?m)^[ \t]*(?:Published|Posted|Date)(?: on)?[:\s]+(\S[^\n]{5,30})$")
_SPLIT_URL = re.compile(r"https?://[^\s<>\"'{}|\\^`]+")
_NUMBERED = re.compile(
    r"(?m)^\s*\[(\d{1,3})\]\s+(\S[^\n]{8,400})|(?<=\s)\[(\d{1,3})\]\s+((?:[A-Z“\"]|https?:)[^\[\n]{8,400}?)(?=\s\[\d|\n|$)"
)
_REFERENCES_LINE = re.compile(r"(?mi)^[ \t#]*(?:references|bibliography|works cited)[ \t#:]*$")
_REFERENCES_INLINE = re.compile(r"\bReferences\b[ #:]*(?=\[1\] )")
_NOBODY = frozenset(
    "admin administrator anonymous author desk editor editorial marketing newsroom staff team unknown user guest "
    "webmaster none editorial-team".split()
)
_NAME = r"[A-ZÀ-Þ][\w'’.-]*(?:[ \t]+(?:de|van|von|der|den|la|le|da|di|bin|al|[A-ZÀ-Þ][\w'’.-]*)){1,4}"
_BYLINE = re.compile(
    rf"^[ \t]*(?i:written by|posted by|authors?:|by:?)[ \t]+"
    rf"({_NAME}(?:(?:,?[ \t]+and[ \t]+|,[ \t]*|[ \t]*&[ \t]*){_NAME})*)"
    r"[ \t]*(?=$|[|·•—–(,.]|\d|[ \t]on[ \t])",
    re.MULTILINE,
)
_FOLLOWED = re.compile(r"^(?P<name>[^\n]{2,60})\n[\w.-]{2,40}\nFollow$", re.MULTILINE)
_HEAD = 3000
_KINDS = Path(__file__).parents[1] / "data" / "kinds.toml"


def finished(source: Source, item: Item, said: str = "") -> Source:
    """A source with its id, and with what any text can tell. `said` is the type its page gives itself."""
    source = _as_fetched(source, item) if item.fetched else source
    url = canonical(source.url)
    published = [*source.published, *_from_url(url), *(_shown(source.text) if source.form != "transcript" else [])]
    authors = [*source.authors, *(bylines(source.text) if source.form != "transcript" else [])]
    made = replace(
        source,
        id=source_id(url),
        url=url,
        authors=_once(authors),
        published=_once(published),
        modified=_once(source.modified),
        references=_once([*source.references, *_numbered(source.text)]) if not source.references else source.references,
        also=tuple(dict.fromkeys(other for other in map(canonical, source.also) if other and other != url)),
        language=source.language or language_of(source.text),
        title=" ".join(cleaned(source.title).split()),
        description=cleaned(source.description),
    )
    kind, why = kind_of(made, said)
    return replace(made, kind=kind, kind_from=why)


def _as_fetched(source: Source, item: Item) -> Source:
    """A source that is who it was fetched from; who it says it is stays in `raw` (`Source.claimed`)."""
    claims = dict.fromkeys(map(canonical, (source.url, *source.also)))
    own = canonical(item.url)
    claimed = tuple((CLAIMED, url) for url in claims if url and url != own)
    return replace(source, url=item.url, also=(), seen=item.seen, raw=claimed)


def language_of(text: str) -> str:
    """The two letters of the language a text is in; "" if it is short, or the detector is not there."""
    sample = " ".join(text[:4000].split())
    if len(sample) < 40:
        return ""
    try:
        import py3langid

        return str(py3langid.classify(sample)[0])
    except (ImportError, OSError):  # it unpacks its model into the folder for temporary files, which may be full
        return ""


def identifiers(text: str) -> list[str]:
    """The addresses of the DOIs and of the arXiv papers that a text names by number."""
    dois = [f"https://doi.org/{found.rstrip('.,;)').lower()}" for found in dict.fromkeys(_DOI.findall(text))]
    return dois + [f"https://arxiv.org/abs/{found}" for found in dict.fromkeys(_ARXIV.findall(text))]


def urls_in(text: str) -> list[str]:
    """The web addresses written out in a text."""
    return list(dict.fromkeys(found.rstrip(".,;:)]") for found in _SPLIT_URL.findall(text)))


def _shown(text: str) -> list[Found]:
    """The day that the beginning of a page shows as that of its publication."""
    shown = _PUBLISHED.search(text[:2000])
    told = dates.iso(shown[1]) if shown else ""
    return [Found(told, "page", *shown.span(1))] if shown and told else []


def _from_url(url: str) -> list[Found]:
    told = dates.in_url(url)
    return [Found(told, "url")] if told else []


def _numbered(text: str) -> list[Found]:
    """The entries `[1] …` of the list of references at the end of a text, each number once."""
    heads = [*_REFERENCES_LINE.finditer(text), *_REFERENCES_INLINE.finditer(text)]
    if not heads:
        return []
    begin = max(head.end() for head in heads)
    found: dict[str, Found] = {}
    for entry in _NUMBERED.finditer(text, begin - 1 if begin else 0):
        number, group = (entry[1], 2) if entry[1] else (entry[3], 4)
        if number not in found:
            found[number] = Found(entry[group].strip(), "reference list", entry.start(group), entry.end(group))
    return list(found.values())


def _once(facts: Iterable[Found]) -> tuple[Found, ...]:
    """Facts without those that say the same at the same place."""
    return tuple(dict.fromkeys(fact for fact in facts if fact.value))


def split_names(text: str) -> list[str]:
    """`Ann Lee, Bo Wu and Cy Doe` as three; `Lee, Ann and Wu, Bo` as two, first names first; nobody is left out."""
    pieces = [piece for piece in re.split(r"\s+and\s+|\s*[;&]\s*|\n", " ".join(text.split("\t"))) if piece.strip()]
    names: list[str] = []
    for piece in pieces:
        parts = [part.strip() for part in piece.split(",") if part.strip()]
        turned = len(parts) == 2 and (len(pieces) > 1 or ";" in text) and " " not in parts[0]
        names += [f"{parts[1]} {parts[0]}"] if turned else parts
    return [name for name in dict.fromkeys(" ".join(name.split()) for name in names) if not is_nobody(name)]


def is_nobody(name: str) -> bool:
    """Whether a name is none: empty, `admin`, `Editorial Team`, an address, a number."""
    words = re.findall(r"[\w-]+", name.lower())
    return not words or all(word in _NOBODY for word in words) or "://" in name or name.replace(" ", "").isdigit()


def bylines(text: str) -> list[Found]:
    """The authors that the beginning of a text names: "By Ann Lee", or names with their handle and a Follow button."""
    head = text[:_HEAD]
    found = []
    for line in _BYLINE.finditer(head):
        for name in split_names(line[1]):
            at = head.find(name, line.start(1))
            found.append(Found(name, "byline", at, at + len(name)) if at >= 0 else Found(name, "byline"))
    for line in _FOLLOWED.finditer(head):
        if not is_nobody(line["name"]):
            found.append(Found(line["name"].strip(), "byline", *line.span("name")))
    return found


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(_KINDS.read_text(encoding="utf-8"))


def kind_of(source: Source, said: str = "") -> tuple[Kind, str]:
    """The kind and what told it. `said` is a type the page gives itself: `NewsArticle`, or one of our own kinds."""
    for kind in KINDS:
        if said == kind:
            return kind, "its own header"
    if source.form == "pubmed":
        return "paper", "a PubMed record"
    if source.form == "transcript":
        return "video", "a transcript"
    host = host_of(source.url)
    for kind in KINDS:
        if domain := next((name for name in _tables()["hosts"].get(kind, ()) if belongs_to(host, name)), ""):
            return kind, f"host {domain}"
    if said in _tables()["types"]:
        return _tables()["types"][said], f"type {said}"
    return _by_address(source, host)


def _by_address(source: Source, host: str) -> tuple[Kind, str]:
    if any(link.startswith("https://doi.org/") for link in (*source.also, *source.claimed)) and source.form == "pdf":
        return "paper", "a PDF with a DOI"
    if re.search(r"\.(gov|mil|int)$|\.gov\.[a-z]{2}$|\.(?:gouv|gob|admin)\.[a-z]{2}$", host):
        return "official", f"host {host}"
    if re.match(r"(docs?|developer|reference|wiki|man|manual)\.", host):
        return "reference", f"host {host}"
    names = {word.lower() for author in source.authors for word in re.findall(r"\w{4,}", author.value)}
    blog = host.startswith("blog.") or re.search(r"/(?:blogs?|posts?)(?:/|$)", source.url)
    flat = host.replace("-", "").replace(".", "")
    if any(name in flat for name in names) or any(belongs_to(host, page) for page in _tables()["own_pages"]):
        return "expert_blog", f"the pages of one person at {host}"
    if blog:
        scholarly = re.search(r"\.edu$|\.(?:ac|edu)\.[a-z]{2}$", host)
        return ("expert_blog" if scholarly else "company_blog"), f"a blog at {host}"
    return "page", "nothing tells more"
