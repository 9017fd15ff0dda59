"""The published collector's own rules, as they were: the same ids, chunks, scores and reasons from the same sources.

Kept to compare with, faults and all (docs/knowledge.md lists them). Its lists of health hosts, abusive phrases and
disclaimers are not public; only what its six sources show of them is here.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from toolmend.extras.knowledge import dates
from toolmend.extras.knowledge.address import host_of
from toolmend.extras.knowledge.source import Source

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
    """A score by those rules: id and number of chunks there, components, flags, and the reason in its own words.

    `topics` and `published`, the score, are what its file said, where it came in one ("" and None otherwise).
    """

    id: str
    score: float
    components: dict[str, float]
    flags: tuple[str, ...]
    reason: str
    chunks: int
    topics: str
    published: float | None

    def as_dict(self, *, explain: bool = False) -> dict[str, Any]:
        """Fit for JSON; with `explain` its parts. `published_score` is what its file said, None without one."""
        short: dict[str, Any] = {"seed_id": self.id, "trust_score": self.score, "published_score": self.published}
        parts: dict[str, Any] = {"components": self.components, "risk_flags": list(self.flags)}
        parts |= {"scoring_reason": self.reason, "chunks": self.chunks, "topic_tags": self.topics}
        return {**short, "rules": "seed", **(parts if explain else {})}


def seed_id(url: str) -> str:
    """The first 12 hexadecimal digits of the SHA-256 of the address in small letters, without its last slash."""
    return hashlib.sha256(url.lower().rstrip("/").encode(errors="surrogatepass")).hexdigest()[:12]


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
        "disclaimer": 0.80 if any(phrase in text.lower() for phrase in _DISCLAIMERS) else 0.20,
    }
    abuse = [flag for flag, words in _ABUSE.items() if any(word in text.lower() for word in words)]
    flags = ["missing_author"] * (not name.strip()) + ["no_citations"] * (not count) + age_flags + abuse
    total = sum(WEIGHTS[part] * value for part, value in components.items()) - _ABUSE_COST * len(abuse)
    score = max(0.0, min(1.0, round(total, 2)))
    told = float(raw["trust_score"]) if re.fullmatch(r"[01](?:\.\d+)?", raw.get("trust_score", "")) else None
    return SeedScore(
        id=seed_id(url),
        score=score,
        components=components,
        flags=tuple(flags),
        reason=_reason(components, flags, abuse),
        chunks=len(seed_chunks(source.text)),
        topics=raw.get("topic_tags", ""),
        published=told,
    )


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
    day, seen = dates.day_of(dates.iso(told)), dates.day_of(dates.iso(source.seen[:10]))
    if day is None or seen is None:
        return 0.50, ["missing_date"]
    days = (seen - day).days
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
