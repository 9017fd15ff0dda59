"""Scores against labels: the rules were set on the odd numbers, the even ones were looked at last."""

from __future__ import annotations

from dataclasses import replace

from extras.knowledge.labels import AS_OF, correlation, judged, labelled
from toolmend.extras.knowledge import Others, judge
from toolmend.extras.knowledge.trust import rules

ROWS = labelled()


def test_there_are_enough_labelled_sources() -> None:
    assert len(ROWS) >= 60
    assert len({row.source.id for row in ROWS}) == len(ROWS)


def test_scores_follow_labels() -> None:
    trusts = judged(ROWS)
    assert correlation(ROWS, trusts) >= 0.8
    assert correlation(ROWS, trusts, 1) >= 0.8
    assert correlation(ROWS, trusts, 0) >= 0.8


def test_scores_follow_labels_without_the_phrases() -> None:
    """The texts shout in words that the rules know, as one person wrote both: without those words it must hold, too."""
    blind = {
        kind: replace(
            each, vertical={name: w for name, w in each.vertical.items() if name not in ("language", "interests")}
        )
        for kind, each in rules().kinds.items()
    }
    others = Others.of([row.source for row in ROWS], [fact for row in ROWS for fact in row.outside])
    trusts = [judge(row.source, AS_OF, others, replace(rules(), kinds=blind)) for row in ROWS]
    assert correlation(ROWS, trusts) >= 0.75


def test_every_score_lies_in_its_interval() -> None:
    assert all(0 <= each.low <= each.score <= each.high <= 1 for each in judged(ROWS))


def test_hard_cases_stay_below_their_caps() -> None:
    capped = {name: each.score for each in judged(ROWS) for name in each.caps}
    assert capped["retracted"] <= 0.1
    assert capped["listed_unreliable"] <= 0.3
    assert capped["undated_unsigned"] <= 0.5
    assert capped["superseded"] <= 0.4
