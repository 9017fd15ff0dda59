"""Votes written are the votes that `toolmend rank` reads."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

from toolmend.extras.arena.judges.ballots import Ballot, judged, of_votes, write_ballots
from toolmend.extras.arena.judges.judgements import ORDERS, Judgement
from toolmend.extras.arena.judges.merging import merge
from toolmend.extras.arena.judges.ways import Ranking
from toolmend.extras.arena.ratings import read_votes


def written(*ballots: Ballot) -> str:
    stream = io.StringIO()
    write_ballots(ballots, stream)
    return stream.getvalue()


def test_a_judges_votes() -> None:
    one = Judgement("m", "ab", "x", "y", "2", "p", "step 0", "code", 3, 9)
    judgements = [one, replace(one, order="ba", text="1")]
    lost = [Judgement("n", order, "x", "y", "?") for order in ORDERS]
    ballots = judged(merge([*judgements, *lost], Ranking()), "a judge, with a comma")
    assert written(*ballots) == (
        'a,b,winner,prompt,rater,turn,category,length_a,length_b\nx,y,b,p,"a judge, with a comma",step 0,code,3,9\n'
    )


def test_columns_that_say_nothing_are_left_out() -> None:
    assert written(Ballot("x", "y", "tie")) == "a,b,winner\nx,y,tie\n"


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    ballots = [
        Ballot("x", "y", "a", 0.25, "p", "ann", "step 0", "code"),
        Ballot("y", "x", "both_bad", 1.0, "q", "ben"),
    ]
    path = tmp_path / "v.csv"
    path.write_text(written(*ballots), encoding="utf-8")
    assert of_votes(read_votes(path)) == ballots
    assert [each.weight for each in of_votes(read_votes(path), 0.5)] == [0.125, 0.5]
