"""Checks to a score: what is known, weighed; what is not known, as an interval; and hard caps over all of it.

A pure function of the source, of others, of the rules and of a day. Reads no clock and no database.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from toolmend.extras.knowledge.outside import Others
from toolmend.extras.knowledge.source import Kind, Source
from toolmend.extras.knowledge.tags import tags_of
from toolmend.extras.knowledge.trust.checks import CHECKS, REPLACED, Check, CheckContext, Rules, rules

NOBODY = Others()


@dataclass(frozen=True)
class Judged:
    """A check with its name, its half ("vertical" or "lateral") and its share in the whole."""

    name: str
    half: str
    weight: float
    check: Check


@dataclass(frozen=True)
class Trust:
    """The score of a source, between 0 and 1, and everything it comes from.

    `low` and `high` are what it would be if every unknown check failed or passed; `coverage` is the share of the
    weights that is known, `outside` the same of what others say.
    """

    id: str
    kind: Kind
    score: float
    low: float
    high: float
    coverage: float
    outside: float
    caps: tuple[str, ...]
    checks: tuple[Judged, ...]
    rules: str
    as_of: str

    def as_dict(self, *, explain: bool = False) -> dict[str, Any]:
        """Fit for JSON; with `explain` every check and its evidence."""
        short: dict[str, Any] = {
            "id": self.id,
            "trust_score": self.score,
            "low": self.low,
            "high": self.high,
            "coverage": self.coverage,
            "kind": self.kind,
            "caps": list(self.caps),
            "rules": self.rules,
            "as_of": self.as_of,
        }
        if explain:
            short["outside_evidence"] = self.outside
            short["checks"] = [
                {"check": part.name, "half": part.half, "weight": round(part.weight, 3), **asdict(part.check)}
                for part in self.checks
            ]
        return short


def judge(source: Source, as_of: date, others: Others = NOBODY, by: Rules | None = None) -> Trust:
    """How far a source may be trusted on a day, given what others say.

    The score is the known checks' weighed mean, drawn to what is expected of its kind by the share that is unknown; it
    lies between `low` and `high`, and below every cap that holds.
    """
    ruled = by or rules()
    kind = ruled.kinds[source.kind]
    asked = CheckContext(source, ruled, as_of, others, tags_of(source), tuple(others.facts(source)))
    halves = (("vertical", kind.vertical), ("lateral", kind.lateral))
    judged = [
        Judged(name, half, weight, CHECKS[name](asked)) for half, weights in halves for name, weight in weights.items()
    ]
    known = sum(part.weight for part in judged if part.check.value is not None)
    low = sum(part.weight * part.check.value for part in judged if part.check.value is not None)
    high, score = low + (1 - known), low + (1 - known) * kind.expected
    outside = sum(part.weight for part in judged if part.half == "lateral" and part.check.value is not None)
    caps = _caps({part.name: part.check for part in judged}, asked)
    bound = min([1.0, *(ruled.caps[name] for name in caps)])
    return Trust(
        id=source.id,
        kind=source.kind,
        score=round(min(score, bound), 2),
        low=round(min(low, bound), 2),
        high=round(min(high, bound), 2),
        coverage=round(known, 2),
        outside=round(outside / sum(kind.lateral.values()), 2),
        caps=tuple(caps),
        checks=tuple(judged),
        rules=ruled.version,
        as_of=as_of.isoformat(),
    )


def _caps(checks: dict[str, Check], asked: CheckContext) -> list[str]:
    """The caps that hold, whether or not the kind has the check."""
    found = []
    if "retracted" in asked.source.notes or any(fact.says == "retracted" for fact in asked.facts):
        found.append("retracted")
    if checks["listed"].verdict == "fail":
        found.append("listed_unreliable")
    if CHECKS["current"](asked).says in REPLACED:
        found.append("superseded")
    unsigned = all(CHECKS[name](asked).verdict == "fail" for name in ("author", "dated"))
    if unsigned and checks["standing"].verdict != "pass":
        found.append("undated_unsigned")
    return found
