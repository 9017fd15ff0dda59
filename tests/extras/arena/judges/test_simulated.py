"""The published study made up again: its procedure from the votes to the ratings, the judge's faults found."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from label_study import Study, likert, published_study

from toolmend.extras.arena.judges.ballots import judged as ballots_of
from toolmend.extras.arena.judges.calibration import calibrate
from toolmend.extras.arena.judges.habits import habits
from toolmend.extras.arena.judges.judgements import Judgement
from toolmend.extras.arena.judges.merging import merge
from toolmend.extras.arena.judges.ways import Likert
from toolmend.extras.arena.ratings import Votes, fit, published_tables

Asked = Callable[..., tuple[Study, list[Judgement]]]

PEOPLE, GPT4 = (
    {row.contestant.lower(): row for row in table.rows}
    for id_ in ("human_no_ties", "gpt4_no_ties")
    for table in published_tables()
    if table.id == id_
)


def test_people_follow_their_published_table() -> None:
    found = fit(published_study(seed=1).people, ties="drop", level=0.999)
    for row in found.rows:
        published = PEOPLE[row.contestant.lower()]
        assert published.low is not None and published.high is not None
        assert published.low < row.rating < published.high
    assert [row.contestant for row in found.rows] == ["Vicuna-13B", "Koala-13B", "Oasst-12B", "Dolly-12B"]


def test_ties_are_as_many_as_published() -> None:
    people = [published_study(seed=seed).people for seed in range(20)]
    tied = total = 0
    for votes in people:
        pair = {votes.names.index("Koala-13B"), votes.names.index("Vicuna-13B")}
        here = [at for at in range(len(votes)) if {int(votes.a[at]), int(votes.b[at])} == pair]
        total += len(here)
        tied += sum(int(votes.winner[at]) == 2 for at in here)
    assert total == 20 * 327
    assert tied / total == pytest.approx(96 / 327, abs=0.02)


@pytest.mark.parametrize(
    ("leaning", "label"), [(9, 1), (2.5, 2), (1.5, 3), (0.5, 4), (-0.5, 5), (-1.5, 6), (-2.5, 7), (-9, 8)]
)
def test_the_scale(leaning: float, label: int) -> None:
    assert likert(leaning, 1.0) == label


def test_a_fair_judge_gets_its_published_ratings(asked: Asked) -> None:
    _, judgements = asked(prompts=40, seed=3)
    merged = merge(judgements, Likert())
    found = habits(merged)
    assert (found.matches, found.flips.k, found.first.k * 2) == (240, 0, found.first.n)
    ballots = ballots_of(merged, "judge")
    columns = zip(*((each.a, each.b, each.winner, each.prompt) for each in ballots), strict=True)
    a, b, winner, prompt = columns
    for row in fit(Votes.of(a, b, winner, prompt=prompt), cluster="prompt", level=0.999).rows:
        assert row.low < GPT4[row.contestant.lower()].rating < row.high


def test_a_position_is_found_and_costs_agreement(asked: Asked) -> None:
    shares, correlations = [], []
    for position in (0.0, 4.0):
        study, judgements = asked(prompts=40, seed=4, position=position)
        merged = merge(judgements, Likert())
        ballots = ballots_of(merged, "judge")
        a, b, winner, prompt = zip(*((each.a, each.b, each.winner, each.prompt) for each in ballots), strict=True)
        shares.append(habits(merged).first)
        correlations.append(calibrate(study.people, Votes.of(a, b, winner, prompt=prompt), rounds=50).judge.correlation)
    assert shares[0].value == 0.5
    assert shares[1].low > 0.7
    assert correlations[1].value is not None and correlations[0].value is not None
    assert correlations[1].value < correlations[0].value


def test_length_is_found(asked: Asked) -> None:
    plain, long = (habits(merge(asked(prompts=40, seed=5, length=length)[1], Likert())).longer for length in (0.0, 0.8))
    assert long.low > plain.high
