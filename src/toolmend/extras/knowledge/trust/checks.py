"""The checks: each looks at one thing and passes, fails, or does not know; each shows what it saw, and where. And the
rules, read from rules.toml, that weigh them: by kind, with caps, lists of places, whole phrases.

Vertical ones ask the source about itself, lateral ones ask others. Knows not how they add up. The version in the file
is part of every score.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Literal

from toolmend.extras.knowledge import dates
from toolmend.extras.knowledge.address import belongs_to, canonical, host_of
from toolmend.extras.knowledge.outside import Others, Outside, Says
from toolmend.extras.knowledge.source import Found, Kind, Source
from toolmend.extras.knowledge.tags import Tag, Terms

_RULES = Path(__file__).parent / "rules.toml"
Verdict = Literal["pass", "fail", "unknown"]
_SHOWN = 3
_PLACES = 20
REPLACED = ("superseded", "it says itself that it is replaced")


@dataclass(frozen=True)
class KindRules:
    """How a kind is judged: the share of each check (all sum to 1), and what an unknown one is taken for."""

    expected: float
    vertical: Mapping[str, float]
    lateral: Mapping[str, float]


@dataclass(frozen=True)
class Rules:
    """A version of the rules."""

    version: str
    half_life: float
    references_wanted: int
    primary_wanted: float
    caps: Mapping[str, float]
    kinds: Mapping[Kind, KindRules]
    standing_endings: tuple[str, ...]
    standing_hosts: tuple[str, ...]
    primary_hosts: tuple[str, ...]
    phrases: Mapping[str, Terms]


@cache
def rules() -> Rules:
    """The rules that ship."""
    data = tomllib.loads(_RULES.read_text(encoding="utf-8"))
    share = float(data["lateral_share"])
    return Rules(
        version=data["version"],
        half_life=float(data["half_life"]),
        references_wanted=data["references_wanted"],
        primary_wanted=data["primary_wanted"],
        caps=data["caps"],
        kinds={
            kind: KindRules(rule["expected"], _shares(rule["vertical"], 1 - share), _shares(rule["lateral"], share))
            for kind, rule in data["kinds"].items()
        },
        standing_endings=tuple(data["standing"]["endings"]),
        standing_hosts=tuple(data["standing"]["hosts"]),
        primary_hosts=tuple(data["primary"]["hosts"]),
        phrases={name: Terms(phrases) for name, phrases in data["phrases"].items()},
    )


def _shares(weights: Mapping[str, float], whole: float) -> dict[str, float]:
    total = sum(weights.values())
    return {name: whole * weight / total for name, weight in weights.items()}


@dataclass(frozen=True)
class Evidence:
    """What was seen: words, where, their span if they are in the text, and a date if it has one."""

    quote: str
    where: str
    start: int | None = None
    end: int | None = None
    date: str = ""


@dataclass(frozen=True)
class Check:
    """A check's verdict, how far it passes (1 wholly, 0 not at all, None unknown), why, and the evidence."""

    verdict: Verdict
    value: float | None
    says: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class CheckContext:
    """Everything a check may look at."""

    source: Source
    rules: Rules
    as_of: date
    others: Others
    tags: tuple[Tag, ...]
    facts: tuple[Outside, ...]


def passed(says: str, evidence: list[Evidence] | None = None, value: float = 1.0) -> Check:
    """A check that passes, wholly or in part."""
    return Check("pass" if value >= 0.5 else "fail", round(value, 3), says, tuple((evidence or [])[:_SHOWN]))


def failed(says: str, evidence: list[Evidence] | None = None) -> Check:
    """A check that fails."""
    return Check("fail", 0.0, says, tuple((evidence or [])[:_SHOWN]))


def unknown(says: str) -> Check:
    """A check that nothing speaks for or against."""
    return Check("unknown", None, says)


def _seen(facts: tuple[Found, ...]) -> list[Evidence]:
    return [Evidence(fact.value, fact.where, fact.start, fact.end) for fact in facts]


def _spans(asked: CheckContext, name: str, within: int | None = None) -> list[Evidence]:
    """Where phrases of the rules stand in the text."""
    found = asked.rules.phrases[name].finditer(asked.source.text, 0, within)
    return [Evidence(match[0], "text", *match.span()) for match in found]


def author(asked: CheckContext) -> Check:
    """Whether somebody signs it. A transcript does not say who speaks: not known; a page without a name: fails."""
    source = asked.source
    if source.authors:
        whole = [found for found in source.authors if len(found.value.split()) >= 2]
        if whole or source.kind == "paper":
            return passed("signed", _seen(tuple(whole) or source.authors))
        return passed("signed by a name of one word", _seen(source.authors), 0.5)
    return unknown("no name came with it") if source.form == "transcript" else failed("nobody signs it")


def affiliation(asked: CheckContext) -> Check:
    """Whether it says who the authors are."""
    source = asked.source
    if source.affiliations:
        return passed("where the authors work", _seen(source.affiliations))
    for found in source.authors[:_PLACES]:
        if re.search(r"(?<!\w)(?:MD|PhD|Ph\.D\.|M\.D\.|Dr\.?|Prof\.?|Professor)(?!\w)", found.value):
            return passed("a title in the name", _seen((found,)))
        if len(found.value.split()) >= 2 and (near := _role(asked, found.value)):
            return passed("the text says who it is", [near])
    return unknown("nothing tells who the authors are")


def _role(asked: CheckContext, name: str) -> Evidence | None:
    """A profession beside a name, within a sentence, or beside who says I."""
    text = asked.source.text
    named = re.finditer(re.escape(name), text)
    myself = re.finditer(r"\bI(?:'m| am|’m)\b|\bI (?=maintain)", text)
    for start, end in [found.span() for places in (named, myself) for found in islice(places, _PLACES)]:
        role = asked.rules.phrases["roles"].search(text, end, min(len(text), end + 120))
        if role and "." not in text[end : role.start()]:
            return Evidence(text[start : role.end()], "text", start, role.end())
    return None


def references(asked: CheckContext) -> Check:
    """How many distinct things it refers to outside its own host; the list it prints and the links in its text."""
    found = distinct_references(asked.source)
    count = max(len(found), asked.source.reference_count or 0)
    wanted = asked.rules.references_wanted
    if not count and (asked.source.kind == "video" or "no_links" in asked.source.notes):
        return unknown("its links did not come with it")
    if not count:
        return failed("refers to nothing")
    return passed(f"refers to {count} other works", found, min(1.0, count / wanted))


def distinct_references(source: Source) -> list[Evidence]:
    """Each thing a source refers to, once: entries of its list, and links to other hosts that no entry has."""
    entries = [
        Evidence(reference.value[:160], reference.where, reference.start, reference.end)
        for reference in source.references
    ]
    own = host_of(source.url)
    listed = " ".join(reference.value for reference in source.references)
    links = {canonical(link.url): link for link in source.links if host_of(link.url) not in ("", own)}
    fresh = [
        Evidence(url, f"link: {link.text}".rstrip(": "))
        for url, link in links.items()
        if not (source.references and link.where == "reference") and url.partition("//")[2] not in listed
    ]
    return entries + fresh


def primary(asked: CheckContext) -> Check:
    """The share of its references that lead to papers, data, standards and authorities."""
    hosts = {canonical(link.url): host_of(canonical(link.url)) for link in asked.source.links}
    out = {url: host for url, host in hosts.items() if host and host != host_of(asked.source.url)}
    if len(out) < 2:
        return unknown("too few references with an address")
    rules = asked.rules
    good = [
        url
        for url, host in out.items()
        if _stands(host, rules) or any(belongs_to(host, domain) for domain in rules.primary_hosts)
    ]
    share = len(good) / len(out)
    value = min(1.0, share / rules.primary_wanted)
    return passed(f"{len(good)} of {len(out)} are primary", [Evidence(url, "link") for url in good], value)


def interests(asked: CheckContext) -> Check:
    """Whether it sells something, or says who paid for it."""
    if sells := _spans(asked, "sells"):
        return failed("it sells something", sells)
    if told := _spans(asked, "interests"):
        return passed("it says who paid, or what is at stake", told)
    return unknown("says nothing about interests")


def corrections(asked: CheckContext) -> Check:
    """Whether it owns up to its mistakes."""
    found = _spans(asked, "corrections")
    return passed("corrections are marked", found) if found else unknown("no correction on it")


def dated(asked: CheckContext) -> Check:
    """Whether it says when it is from."""
    known = _claims(asked)
    if known:
        return passed("dated", _seen(tuple(known)))
    return unknown("no date came with it") if asked.source.form == "transcript" else failed("no date")


def current(asked: CheckContext) -> Check:
    """How far its topic has moved on since: half after each half-life; not at all once something replaces it."""
    replaced = [fact for fact in asked.facts if fact.says == "superseded"]
    if replaced:
        return failed(REPLACED[0], [_from_outside(fact) for fact in replaced])
    if "superseded" in asked.source.notes:
        return failed(REPLACED[0], [Evidence("UpdateIn", "PubMed record")])
    if asked.source.kind in ("official", "reference", "page") and (told := _spans(asked, "replaced", 800)):
        return failed(REPLACED[1], told)
    known = _claims(asked)
    if not known:
        return unknown("no date")
    newest = max(known, key=lambda found: found.value)
    day = dates.day_of(newest.value)
    assert day is not None
    life, topic = (asked.tags[0].half_life, asked.tags[0].topic) if asked.tags else (asked.rules.half_life, "no topic")
    if not life:
        return passed(f"{topic} does not age", _seen((newest,)))
    age = max(0.0, dates.years_between(day, asked.as_of))
    return passed(f"{age:.1f} years old; half-life of {topic}: {life:g} years", _seen((newest,)), 0.5 ** (age / life))


def _claims(asked: CheckContext) -> list[Found]:
    """Dates that can be: not in the future."""
    return [
        found
        for found in (*asked.source.published, *asked.source.modified)
        if (day := dates.day_of(found.value)) is not None and dates.years_between(day, asked.as_of) >= -0.6
    ]


def language(asked: CheckContext) -> Check:
    """Whether it shouts: whole phrases only, and two of them weigh no more than this check does."""
    found = _spans(asked, "overclaims")
    if found:
        return failed("promises and alarms", found)
    return passed("no promises, no alarms") if len(asked.source.text.split()) >= 25 else unknown("too short to tell")


def standing(asked: CheckContext) -> Check:
    """Whether somebody answers for the place: a registry that gives its ending out, an editorial board, an index."""
    host = host_of(asked.source.url)
    if asked.source.form == "pubmed" or host == "pubmed.ncbi.nlm.nih.gov":
        return passed("indexed in PubMed", [Evidence(asked.source.url, "address")])
    if _stands(host, asked.rules):
        return passed("somebody answers for this place", [Evidence(host, "address")])
    return unknown("nobody known answers for this place")


def _stands(host: str, rules: Rules) -> bool:
    return any(host.endswith(f".{end}") for end in rules.standing_endings) or any(
        belongs_to(host, domain) for domain in rules.standing_hosts
    )


def cited(asked: CheckContext) -> Check:
    """Whether independent sources of the library refer to it."""
    found = asked.others.citing(asked.source)
    if not found:
        return unknown("no independent source here refers to it")
    seen = [Evidence(f"{title}: {link.text}".strip(": "), f"source {id}") for id, title, link in found]
    return passed(f"{len(found)} independent sources refer to it", seen, min(1.0, 0.6 + 0.2 * len(found)))


def listed(asked: CheckContext) -> Check:
    """Whether lists of reliable and unreliable places have it."""
    return _said(asked, "reliable", "unreliable", "no list given here has it")


def retraction(asked: CheckContext) -> Check:
    """Whether it was retracted."""
    if "retracted" in asked.source.notes:
        return failed("retracted", [Evidence("Retracted Publication", "PubMed record")])
    found = _said(asked, "not_retracted", "retracted", "nobody looked for a retraction")
    if found.verdict == "unknown" and "no_retraction_on_record" in asked.source.notes:
        return passed(
            "its PubMed record has no retraction", [Evidence("", "PubMed record", date=asked.source.seen[:10])]
        )
    return found


def agreement(asked: CheckContext) -> Check:
    """Whether independent checks confirm or dispute what it says."""
    return _said(asked, "confirmed", "disputed", "no independent check of it is here")


def _said(asked: CheckContext, good: Says, bad: Says, neither: str) -> Check:
    """Two opposite facts from outside: whoever has more on his side; a tie counts half."""
    speaks = [fact for fact in asked.facts if fact.says in (good, bad)]
    if not speaks:
        return unknown(neither)
    share = sum(fact.says == good for fact in speaks) / len(speaks)
    words = ", ".join(dict.fromkeys(f"{fact.says.replace('_', ' ')} ({fact.by})" for fact in speaks))
    return passed(words, [_from_outside(fact) for fact in speaks], share)


def _from_outside(fact: Outside) -> Evidence:
    return Evidence(fact.quote or fact.says, fact.where or fact.by, date=fact.date)


CHECKS: dict[str, Callable[[CheckContext], Check]] = {
    check.__name__: check
    for check in (
        author,
        affiliation,
        references,
        primary,
        interests,
        corrections,
        dated,
        current,
        language,
        standing,
        cited,
        listed,
        retraction,
        agreement,
    )
}
