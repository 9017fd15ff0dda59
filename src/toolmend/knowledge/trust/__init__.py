"""How far a source may be trusted, with the reasons: a pure function of a source, of others, and of a day.

`judge` by the rules of rules.toml, `seed_score` by those of the published collector. Nothing is stored: new rules, or
another day, and the same sources are judged anew.
"""

from toolmend.knowledge.trust.checks import Check, Evidence
from toolmend.knowledge.trust.others import Others
from toolmend.knowledge.trust.rules import Rules, rules
from toolmend.knowledge.trust.score import Trust, judge
from toolmend.knowledge.trust.seed import SeedScore, seed_chunks, seed_id, seed_score

__all__ = [
    "Check",
    "Evidence",
    "Others",
    "Rules",
    "SeedScore",
    "Trust",
    "judge",
    "rules",
    "seed_chunks",
    "seed_id",
    "seed_score",
]
