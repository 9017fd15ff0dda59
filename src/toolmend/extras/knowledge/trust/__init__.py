"""How far a source may be trusted, with the reasons: a pure function of a source, of others, and of a day.

By the rules of rules.toml. Nothing is stored: new rules, or another day, and the same sources are judged anew.
The published collector's own rules stand beside, to compare with (seed.py).
"""

from toolmend.extras.knowledge.outside import Others
from toolmend.extras.knowledge.trust.checks import Check, rules
from toolmend.extras.knowledge.trust.score import Trust, judge
from toolmend.extras.knowledge.trust.seed import SeedScore, seed_score

__all__ = ["Check", "Others", "SeedScore", "Trust", "judge", "rules", "seed_score"]
