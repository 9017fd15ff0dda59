"""What two orders come to."""

from __future__ import annotations

import pytest

from toolmend.extras.arena.judges.judgements import Judgement
from toolmend.extras.arena.judges.merging import merge
from toolmend.extras.arena.judges.ways import Likert, Ranking


def both(ab: str, ba: str) -> list[Judgement]:
    return [Judgement("p", "ab", "x", "y", ab), Judgement("p", "ba", "x", "y", ba)]


@pytest.mark.parametrize(
    ("ab", "ba", "state", "winner"),
    [
        ("1", "2", "agreed", "a"),
        ("2", "1", "agreed", "b"),
        ("1", "1", "flipped", "tie"),
        ("2", "2", "flipped", "tie"),
        ("tie", "tie", "agreed", "tie"),
        ("both bad", "both bad", "agreed", "both_bad"),
        ("1", "tie", "halved", "tie"),
        ("tie", "both bad", "halved", "tie"),
        ("1", "what?", "incomplete", None),
        ("3", "3", "incomplete", None),
    ],
)
def test_two_answers(ab: str, ba: str, state: str, winner: str | None) -> None:
    [kept] = merge(both(ab, ba), Ranking())
    assert (kept.state, kept.winner) == (state, winner)


def test_a_band_makes_ties_of_what_is_close() -> None:
    judgements = both("4", "5")
    assert [each.winner for band in (False, True) for each in merge(judgements, Likert(), band=band)] == ["a", "tie"]


def test_one_order_is_no_vote() -> None:
    [found] = merge(both("1", "2")[:1], Ranking())
    assert (found.state, found.winner) == ("incomplete", None)


def test_errors_say_nothing_and_the_first_of_two_counts() -> None:
    judgements = [Judgement("p", "ab", "x", "y", error="no server"), *both("1", "2"), *both("2", "1")]
    assert [each.winner for each in merge(judgements, Ranking())] == ["a"]


def test_a_question_that_was_cut_says_nothing() -> None:
    judgements = [Judgement("p", "ab", "x", "y", "1", truncated=True), both("1", "2")[1]]
    [found] = merge(judgements, Ranking())
    assert (found.winner, found.reads[0].verdict.problem) == (None, "truncated")
