"""What memory finds and answers after the stories of the suite `memory`, beside three other ways.

    python benchmarks/memory.py [dev|test|FILE.yaml …]      without a name both halves

Evidence recall@5 and right answers with 95 % intervals (bootstrap over stories), tokens shown, milliseconds (median).
"""

from __future__ import annotations

import sys

from toolmend.evals.studies.memory_recall import WAYS, Found, figures, play
from toolmend.evals.studies.memory_stories import HALVES, KINDS, stories


def main(halves: list[str]) -> None:
    for half in halves:
        found = play(stories(half))
        asked = next(iter(found.values()))
        print(f"\n{half}: {len({each.story for each in asked})} stories, {len(asked)} questions\n")
        print(f"{'way':<12}{'evidence@5':>22}{'right':>22}{'tokens':>8}{'ms':>7}")
        for name in WAYS:
            print(row(name, found[name]))
        print(f"\n{'right, by kind':<16}" + "".join(f"{name:>12}" for name in WAYS))
        for kind in KINDS:
            shares = [[each.right for each in found[name] if each.kind == kind] for name in WAYS]
            print(f"{kind:<16}" + "".join(f"{sum(each):>9}/{len(each):<2}" for each in shares))
        unanswerable = [[each.right for each in found[name] if each.question.answer is None] for name in WAYS]
        print(f"{'not in memory':<16}" + "".join(f"{sum(each):>9}/{len(each):<2}" for each in unanswerable))


def row(name: str, found: list[Found]) -> str:
    made = figures(found)
    shares = [(made.evidence, made.evidence_interval), (made.right, made.right_interval)]
    told = "".join(f"{f'{share:.2f} ({low:.2f}–{high:.2f})':>22}" for share, (low, high) in shares)
    return f"{name:<12}{told}{made.tokens:>8.0f}{made.milliseconds:>7.1f}"


if __name__ == "__main__":
    main(sys.argv[1:] or list(HALVES))
