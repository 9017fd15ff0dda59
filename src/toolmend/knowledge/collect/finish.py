"""What every collector leaves to one place: dates in the address, names below the title, language, kind, notes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from toolmend.knowledge import dates, people
from toolmend.knowledge.address import canonical, source_id
from toolmend.knowledge.collect.item import Item
from toolmend.knowledge.encoding import cleaned, lossy_spans
from toolmend.knowledge.kind import kind_of
from toolmend.knowledge.source import CLAIMED, Found, Source

_DOI = re.compile(r"(?:doi:\s*|doi\.org/)(10\.\d{4,9}/[^\s\"<>{},;]+)", re.IGNORECASE)
_ARXIV = re.compile(r"\barXiv:\s?(\d{4}\.\d{4,5})(?!\d)", re.IGNORECASE)
_PUBLISHED = re.compile(r"(?m)^[ \t]*(?:Published|Posted|Date)(?: on)?[:\s]+(\S[^\n]{5,30})$")
_SPLIT_URL = re.compile(r"https?://[^\s<>\"'{}|\\^`]+")
_NUMBERED = re.compile(
    r"(?m)^\s*\[(\d{1,3})\]\s+(\S[^\n]{8,400})|(?<=\s)\[(\d{1,3})\]\s+((?:[A-Z“\"]|https?:)[^\[\n]{8,400}?)(?=\s\[\d|\n|$)"
)
_REFERENCES_LINE = re.compile(r"(?mi)^[ \t#]*(?:references|bibliography|works cited)[ \t#:]*$")
_REFERENCES_INLINE = re.compile(r"\bReferences\b[ #:]*(?=\[1\] )")


def finished(source: Source, item: Item, said: str = "") -> Source:
    """A source with its id, and with what any text can tell. `said` is the type its page gives itself."""
    source = _as_fetched(source, item) if item.fetched else source
    url = canonical(source.url)
    published = [*source.published, *_from_url(url), *(_shown(source.text) if source.form != "transcript" else [])]
    authors = [*source.authors, *(people.bylines(source.text) if source.form != "transcript" else [])]
    notes = [*source.notes, *(["lossy_text"] if lossy_spans(source.text) else [])]
    made = replace(
        source,
        id=source_id(url),
        url=url,
        authors=_once(authors),
        published=_once(published),
        modified=_once(source.modified),
        references=_once([*source.references, *_numbered(source.text)]) if not source.references else source.references,
        also=tuple(dict.fromkeys(each for each in map(canonical, source.also) if each and each != url)),
        language=source.language or language_of(source.text),
        title=" ".join(cleaned(source.title).split()),
        description=cleaned(source.description),
        notes=tuple(dict.fromkeys(notes)),
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
