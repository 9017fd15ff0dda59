"""PubMed records in XML, as efetch gives them: abstract with its parts, authors with where they work, references out.

A retraction, and what a record corrects or is corrected by, is kept as a note. References are those the paper cites,
not how often it is cited.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from xml.parsers.expat import ExpatError, ParserCreate

from toolmend.budget import OverBudget
from toolmend.knowledge import dates
from toolmend.knowledge.collect.finish import finished
from toolmend.knowledge.collect.item import Item, Writing
from toolmend.knowledge.encoding import cleaned
from toolmend.knowledge.outcome import Outcome
from toolmend.knowledge.source import Found, Link, Source

_PUBMED = "https://eutils.ncbi.nlm.nih.gov/"
_RETRACTED = "retracted"
_OF_RECORD = {"RetractionIn": _RETRACTED, "ExpressionOfConcernIn": "concern", "UpdateIn": "superseded"}


def read(item: Item) -> list[Source | Outcome]:
    """Every record of an efetch answer. One that declares entities of its own is refused."""
    if item.fetched and not item.url.startswith(_PUBMED):
        says = "records of PubMed are taken from PubMed, or from a file of one's own: save it, read it, add the file"
        return [Outcome("unreadable", item.name, says)]
    try:
        _without_entities(item.data)
        root = ET.fromstring(item.data)
    except OverBudget as error:
        return [Outcome("bomb", item.name, str(error))]
    except (ET.ParseError, ExpatError, ValueError, LookupError, RecursionError) as error:
        return [Outcome("unreadable", item.name, f"no XML ({error})")]
    records = list(root.iter("PubmedArticle"))
    if not records:
        return [Outcome("unreadable", item.name, "no PubmedArticle in it; save it with efetch, retmode=xml")]
    return [_record(each, item) for each in records]


def _without_entities(data: bytes) -> None:
    """Raise OverBudget for entities of one's own, in whatever encoding: a few may stand for gigabytes."""

    def declared(*_about: object) -> None:
        raise OverBudget("XML with entities of its own; PubMed writes none", "nodes")

    parser = ParserCreate()
    parser.EntityDeclHandler = declared
    parser.Parse(data, True)


def _record(record: ET.Element, item: Item) -> Source | Outcome:
    number = _text(record.find(".//MedlineCitation/PMID"))
    title = _text(record.find(".//ArticleTitle"))
    writing = Writing()
    for part in record.iterfind(".//Abstract/AbstractText"):
        if label := part.get("Label"):
            writing.head(label.title(), 2)
        writing.block(_text(part))
    if not number.isdigit() or not (writing.text.strip() or title):
        return Outcome("no_text", item.name, "a record without number or abstract")
    if not writing.text.strip():
        writing.block(title)
    types = {_text(each) for each in record.iterfind(".//PublicationType")}
    notes = [_RETRACTED] if "Retracted Publication" in types else []
    notes += [
        note for each in record.iterfind(".//CommentsCorrections") if (note := _OF_RECORD.get(each.get("RefType", "")))
    ]
    notes += ["no_retraction_on_record"] if _RETRACTED not in notes else []
    references = [
        Found(cleaned(_text(each)) or "?", "PubMed record") for each in record.iterfind(".//ReferenceList//Citation")
    ]
    return finished(
        Source(
            id="",
            url=f"https://pubmed.ncbi.nlm.nih.gov/{number}",
            form="pubmed",
            text=writing.text,
            title=title,
            site=_text(record.find(".//Journal/Title")),
            language=_LANGUAGES.get(_text(record.find(".//Language")), ""),
            authors=tuple(_authors(record)),
            affiliations=tuple(
                Found(_text(each), "PubMed record") for each in record.iterfind(".//AffiliationInfo/Affiliation")
            ),
            published=tuple(_dates(record)),
            seen=item.seen,
            links=tuple(_links(record)),
            references=tuple(references),
            reference_count=len(references) or None,
            also=tuple(
                f"https://doi.org/{_text(each)}"
                for each in record.iterfind("PubmedData/ArticleIdList/ArticleId[@IdType='doi']")
            ),
            headings=tuple(writing.headings),
            notes=tuple(dict.fromkeys(notes)),
        ),
        item,
    )


_LANGUAGES = {"eng": "en", "ger": "de", "fre": "fr", "spa": "es", "chi": "zh", "jpn": "ja", "rus": "ru", "ita": "it"}


def _text(element: ET.Element | None) -> str:
    return "" if element is None else cleaned(" ".join("".join(element.itertext()).split()))


def _authors(record: ET.Element) -> Iterator[Found]:
    for author in record.iterfind(".//AuthorList/Author"):
        name = (
            _text(author.find("CollectiveName")) or f"{_text(author.find('ForeName'))} {_text(author.find('LastName'))}"
        )
        if name.strip():
            yield Found(name.strip(), "PubMed record")


def _dates(record: ET.Element) -> Iterator[Found]:
    for path in (".//Article/ArticleDate", ".//JournalIssue/PubDate"):
        if (element := record.find(path)) is not None:
            told = dates.iso(
                " ".join(filter(None, (_text(element.find(part)) for part in ("Year", "Month", "Day")))).replace(
                    " ", "-"
                )
            )
            if told := told or dates.iso(_text(element)):
                yield Found(told, f"PubMed {element.tag}")


def _links(record: ET.Element) -> Iterator[Link]:
    for reference in record.iterfind(".//ReferenceList//ArticleId"):
        if reference.get("IdType") == "pubmed":
            yield Link(f"https://pubmed.ncbi.nlm.nih.gov/{_text(reference)}", "", "reference")
        elif reference.get("IdType") == "doi":
            yield Link(f"https://doi.org/{_text(reference).lower()}", "", "reference")
