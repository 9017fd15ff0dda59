"""The published collector: its file as sources, and its rules, as they were: the same ids, chunks, scores, reasons.

Kept to compare with, faults and all (docs/knowledge.md lists them). Its lists of health hosts, abusive phrases and
disclaimers are not public; only what its six sources show of them is here. Its chunks overlap by fifty words; together
they are the whole text, whose beginning `raw_text` has with line breaks. Its extraction dropped the links.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from toolmend.extras.knowledge import dates
from toolmend.extras.knowledge.address import host_of
from toolmend.extras.knowledge.collect.finish import finished, identifiers, split_names, urls_in
from toolmend.extras.knowledge.collect.item import Item
from toolmend.extras.knowledge.encoding import cleaned
from toolmend.extras.knowledge.source import Found, Link, Source

WORDS, OVERLAP = 500, 50
_EMPTY = "\ue000"
WEIGHTS = {
    "author_credibility": 0.30,
    "citation_count": 0.20,
    "domain_authority": 0.20,
    "recency": 0.20,
    "disclaimer": 0.10,
}
_ABUSE_COST = 0.08
_ABUSE = {"promotional_language": ("promo", "affiliate", "sponsored", "discount"), "aggressive_claims": ("guaranteed",)}
_MARKS = (r"\[[0-9]+\]", r"et al\.", r"\([0-9]{4}\)", r"references? ?:", r"doi[: ]|//doi\.org", r"pmid[: ]|//pubmed")
_DISCLAIMERS = ("disclaimer", "not medical advice")
_INSTITUTIONS = ("university", "institute", "hospital", "lab")
_TITLES = ("md", "phd", "dr ", "prof")


@dataclass(frozen=True)
class SeedScore:
    """A score by those rules: its id there, the components, the flags, and the reason in its own words."""

    id: str
    score: float
    components: dict[str, float]
    flags: tuple[str, ...]
    reason: str


def seed_id(url: str) -> str:
    """The first 12 hexadecimal digits of the SHA-256 of the address in small letters, without its last slash."""
    return hashlib.sha256(url.lower().rstrip("/").encode()).hexdigest()[:12]


def seed_chunks(text: str) -> list[str]:
    """Five hundred words each, fifty of them again in the next; line breaks are lost.

    Exactly two blanks between words are an empty word: its output has one, where a sign nobody sees was dropped later.
    """
    words = [word.strip(_EMPTY) for word in re.sub(r"(?<=\S)  (?=\S)", f" {_EMPTY} ", text).split()]
    step = WORDS - OVERLAP
    last = max(0, -(-(len(words) - WORDS) // step))
    return [" ".join(words[at * step : at * step + WORDS]) for at in range(last + 1)]


def seed_score(source: Source) -> SeedScore:
    """What the published collector would say; ages count to the moment at which the source was seen."""
    raw = dict(source.raw)
    url = raw.get("source_url") or source.url
    name = raw.get("author", "") if raw else ", ".join(found.value for found in source.authors)
    text = " ".join(source.text.split())
    count = max(sum(len(re.findall(mark, text, re.IGNORECASE)) for mark in _MARKS), source.reference_count or 0)
    recency, age_flags = _recency(source, raw)
    components = {
        "author_credibility": _author(name.strip().lower()),
        "citation_count": min(count / 10, 1.0) if count else 0.05,
        "domain_authority": _domain(source, url),
        "recency": recency,
        "disclaimer": 0.80 if any(each in text.lower() for each in _DISCLAIMERS) else 0.20,
    }
    abuse = [flag for flag, words in _ABUSE.items() if any(word in text.lower() for word in words)]
    flags = ["missing_author"] * (not name.strip()) + ["no_citations"] * (not count) + age_flags + abuse
    total = sum(WEIGHTS[part] * value for part, value in components.items()) - _ABUSE_COST * len(abuse)
    score = max(0.0, min(1.0, round(total, 2)))
    return SeedScore(seed_id(url), score, components, tuple(flags), _reason(components, flags, abuse))


def _author(name: str) -> float:
    if name in ("", "unknown", "anonymous"):
        return 0.60
    if "," in name or " and " in name or ";" in name:
        return 0.75
    if any(word in name for word in _INSTITUTIONS):
        return 0.95
    if any(word in name for word in _TITLES):
        return 0.85
    return 0.60 if len(name.split()) >= 2 else 0.35


def _domain(source: Source, url: str) -> float:
    host = host_of(url)
    if source.kind == "paper" and "pubmed" in host:
        return 1.0
    if source.kind == "video":
        return 0.45
    if re.search(r"\.(?:edu|gov)$|\.ac\.[a-z]{2}$", host):
        return 0.90
    return 0.35 if "medium.com" in host or "wordpress.com" in host else 0.30


def _recency(source: Source, raw: dict[str, str]) -> tuple[float, list[str]]:
    told = raw.get("published_date", "") if raw else next((found.value for found in source.published), "")
    day = dates.day_of(dates.iso(told))
    if day is None or not source.seen:
        return 0.50, ["missing_date"]
    days = (datetime.fromisoformat(source.seen.replace("Z", "+00:00")).date() - day).days
    if days < 0:
        return 0.90, []
    for most, value in ((365, 0.95), (730, 0.80), (1825, 0.55)):
        if days <= most:
            return value, []
    return 0.25, ["outdated_content"]


def _reason(components: dict[str, float], flags: list[str], abuse: list[str]) -> str:
    author, domain, recency = (components[part] for part in ("author_credibility", "domain_authority", "recency"))
    parts = [
        ("strong author", author >= 0.8),
        ("weak or missing author", author < 0.4),
        ("high-authority domain", domain >= 0.8),
        ("low-authority domain", domain < 0.4),
        ("citations present", components["citation_count"] >= 0.5),
        ("no visible citations", "no_citations" in flags),
        ("content is outdated", "outdated_content" in flags),
        ("recent content", recency >= 0.8),
        (f"abuse signals detected: {', '.join(abuse)}", bool(abuse)),
    ]
    return " ".join(f"{words}." for words, holds in parts if holds)


_KINDS = {"youtube": "video", "pubmed": "paper"}
_RAW = ("source_id", "source_url", "source_type", "author", "published_date", "scraped_at", "citations_count", "region")


def published(path: Path) -> list[Source]:
    """Every source of the collector's file."""
    entries = json.loads(path.read_text(encoding="utf-8"))["sources"]
    return [_source(entry, f"{path.as_uri()}#{number}") for number, entry in enumerate(entries)]


def _source(entry: dict[str, Any], url: str) -> Source:
    text = _whole(entry)
    given = {name: str(entry.get(name) or "") for name in _RAW}
    published = dates.iso(given["published_date"])
    site = entry.get("journal")
    count = entry.get("citations_count")
    return finished(
        Source(
            id="",
            url=given["source_url"],
            form="seed",
            text=text,
            title=str(entry.get("title") or ""),
            description=str(entry.get("description") or ""),
            site=str(site or ""),
            language=str(entry.get("language") or ""),
            authors=tuple(Found(name, "seed:author") for name in split_names(given["author"])),
            published=(Found(published, "seed:published_date"),) if published else (),
            seen=given["scraped_at"],
            links=tuple(Link(url) for url in [*identifiers(text), *urls_in(text)]),
            reference_count=count if isinstance(count, int) and count > 0 else None,
            notes=("no_links",),
            raw=tuple(given.items()),
        ),
        Item(b"", "published.json", url),
        _KINDS.get(given["source_type"], ""),
    )


def _whole(entry: dict[str, Any]) -> str:
    """The words of the chunks, with the line breaks of `raw_text` as far as it goes."""
    chunks = [str(each) for each in entry.get("content_chunks") or []]
    words = [word for number, chunk in enumerate(chunks) for word in chunk.split(" ")[OVERLAP if number else 0 :]]
    head = re.sub(r"[^\S\n]+", " ", str(entry.get("raw_text") or ""))
    at = used = 0
    for word in words:
        found = head.find(word, at)
        if not word or found < 0 or head[at:found].strip() or found + len(word) >= len(head):
            break
        at, used = found + len(word), used + 1
    return cleaned(head[:at] + " " * (at > 0 and used < len(words)) + " ".join(words[used:]))
