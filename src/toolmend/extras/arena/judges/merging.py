"""Two answers of a judge, one for each order, become one vote, or none.

    both name the same side      that side won                 agreed
    both say tie, or both bad    that                          agreed
    the two name both sides      a tie                         flipped
    one names a side only        a tie                         halved
    one says nothing             no vote                       incomplete

An answer says nothing if it cannot be read, is out of range, or the question was cut to fit the model. Answers that
disagree are a tie as in MT-bench (Zheng et al. 2023, section 3.4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from toolmend.extras.arena.judges.judgements import Judgement, Order
from toolmend.extras.arena.judges.ways import JudgeVerdict, Outcome, Way

State = Literal["agreed", "flipped", "halved", "incomplete"]
Winner = Literal["a", "b", "tie", "both_bad"]

_SIDES: dict[tuple[Order, Outcome], Winner] = {
    ("ab", "first"): "a",
    ("ab", "second"): "b",
    ("ba", "first"): "b",
    ("ba", "second"): "a",
}


@dataclass(frozen=True, slots=True)
class ReadJudgement:
    """One judgement and what it says; `winner` is None where it says nothing."""

    judgement: Judgement
    verdict: JudgeVerdict
    winner: Winner | None


@dataclass(frozen=True, slots=True)
class Merged:
    """Both orders of one match. `winner` is None where there is no vote. `any` is one of the judgements."""

    any: Judgement
    state: State
    winner: Winner | None
    reads: tuple[ReadJudgement, ...]


def read(judgement: Judgement, way: Way, *, band: bool = False) -> ReadJudgement:
    """What a judgement says of its match."""
    verdict = way.read(judgement.text, band=band)
    if judgement.truncated:
        verdict = JudgeVerdict(None, (), "truncated")
    if verdict.outcome is None or verdict.outcome in ("tie", "both_bad"):
        return ReadJudgement(judgement, verdict, verdict.outcome)
    return ReadJudgement(judgement, verdict, _SIDES[judgement.order, verdict.outcome])


def merge(judgements: Iterable[Judgement], way: Way, *, band: bool = False) -> tuple[Merged, ...]:
    """The matches in the order of their first judgement. Of two judgements of one order the first counts."""
    by_pair: dict[str, dict[Order, Judgement]] = {}
    for judgement in judgements:
        if not judgement.error:
            by_pair.setdefault(judgement.pair, {}).setdefault(judgement.order, judgement)
    return tuple(
        _merged(tuple(read(judgement, way, band=band) for judgement in orders.values())) for orders in by_pair.values()
    )


def _merged(reads: tuple[ReadJudgement, ...]) -> Merged:
    first, winners = reads[0].judgement, [judged.winner for judged in reads]
    if len(winners) < 2 or None in winners:
        return Merged(first, "incomplete", None, reads)
    if winners[0] == winners[1]:
        return Merged(first, "agreed", winners[0], reads)
    return Merged(first, "flipped" if set(winners) == {"a", "b"} else "halved", "tie", reads)
