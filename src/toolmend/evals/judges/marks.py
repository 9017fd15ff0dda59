"""Automatic marks against votes: where two answers are marked differently, how often does the better-marked side win?

A vote on a step is compared by the first reply to it (right, or not); one on a whole conversation by the mean over its
steps, of 1 where the first reply was right, a half where a later one was, else 0. Grades nothing, counts votes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from toolmend.errors import BadOption
from toolmend.evals.judges.habits import Share, share
from toolmend.evals.metrics.outcomes import Outcome
from toolmend.ratings import Votes
from toolmend.ratings.votes import A, B

_TURN = re.compile(r"(?:step (\d+))?(?:(?:^| )attempt (\d+))?")


@dataclass(frozen=True, slots=True)
class Against:
    """Marks against votes. `better` is the share of decided votes for the side marked better, in comparisons whose
    marks differ; `undecided` are the votes there for neither side. `ties` is the share of votes for neither side where
    the marks are alike. `unmatched` votes are about no stored sample."""

    better: Share
    undecided: int
    ties: Share
    unmatched: int


def marks_against_votes(votes: Votes, outcomes: Iterable[Outcome]) -> Against:
    """Count it. A vote names a stored sample by its prompt (the case), its contestants and its turn.

    Raises BadOption where no vote does.
    """
    if votes.prompt is None:
        raise BadOption("votes without a column `prompt` say nothing of which case they are about")
    stored = {(each.contestant, each.case, each.attempt): each for each in outcomes if each.ok}
    better: list[tuple[str, bool]] = []
    alike: list[tuple[str, bool]] = []
    undecided = unmatched = 0
    for at in range(len(votes)):
        prompt = votes.prompt.names[votes.prompt.codes[at]] if votes.prompt.codes[at] >= 0 else ""
        turn = votes.turn.names[votes.turn.codes[at]] if votes.turn is not None and votes.turn.codes[at] >= 0 else ""
        a, b = (_score(stored, votes.names[int(side[at])], prompt, turn) for side in (votes.a, votes.b))
        decided = int(votes.winner[at]) in (A, B)
        if a is None or b is None:
            unmatched += 1
        elif a == b:
            alike.append((prompt, not decided))
        elif decided:
            better.append((prompt, (a > b) == (int(votes.winner[at]) == A)))
        else:
            undecided += 1
    if unmatched == len(votes):
        raise BadOption(_none(votes, stored))
    shares = [share([hit for _, hit in each], [prompt for prompt, _ in each]) for each in (better, alike)]
    return Against(shares[0], undecided, shares[1], unmatched)


def _score(stored: Mapping[tuple[str, str, int], Outcome], name: str, case: str, turn: str) -> float | None:
    """How well a sample is marked; None where there is no such sample or step."""
    found = _TURN.fullmatch(turn)
    if found is None:
        return None
    outcome = stored.get((name, case, int(found[2] or 0)))
    if outcome is None or not outcome.steps:
        return None
    if found[1] is None:
        return sum(step.score for step in outcome.steps.values()) / len(outcome.steps)
    step = outcome.steps.get(int(found[1]))
    return None if step is None else float(step.right[0])


def _none(votes: Votes, stored: Mapping[tuple[str, str, int], Outcome]) -> str:
    names, cases = sorted({key[0] for key in stored})[:3], sorted({key[1] for key in stored})[:3]
    return (
        f"no vote is about this run: votes name {', '.join(votes.names[:3])}, the run has {', '.join(names)}; "
        f"a vote's prompt is a case ({', '.join(cases)}, …), its turn `step 0`, `step 0 attempt 1` or nothing"
    )
