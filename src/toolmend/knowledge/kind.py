"""What kind of thing a source is, by its form, its host and what its page says of itself. Judges nothing.

The tables are data/kinds.toml.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from toolmend.knowledge.address import belongs_to, host_of
from toolmend.knowledge.source import KINDS, Kind, Source

_DATA = Path(__file__).parent / "data" / "kinds.toml"


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))


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
        if domain := next((each for each in _tables()["hosts"].get(kind, ()) if belongs_to(host, each)), ""):
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
    names = {word.lower() for each in source.authors for word in re.findall(r"\w{4,}", each.value)}
    blog = host.startswith("blog.") or re.search(r"/(?:blogs?|posts?)(?:/|$)", source.url)
    flat = host.replace("-", "").replace(".", "")
    if any(name in flat for name in names) or any(belongs_to(host, each) for each in _tables()["own_pages"]):
        return "expert_blog", f"the pages of one person at {host}"
    if blog:
        scholarly = re.search(r"\.edu$|\.(?:ac|edu)\.[a-z]{2}$", host)
        return ("expert_blog" if scholarly else "company_blog"), f"a blog at {host}"
    return "page", "nothing tells more"
