"""Votes on blind pairs as lines: which side is chosen, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolmend.errors import BadFile, BadOption
from toolmend.training.datasets.lines import Hindsight, Line, Pair
from toolmend.training.datasets.sources import Intake
from toolmend.training.datasets.votes import Ballot, lines


def side(time: str, reply: str = "Done.") -> dict[str, Any]:
    arguments = {"title": "Lunch", "date": "2024-05-03", "time": time}
    return {"reply": reply, "calls": [{"tool": "action.add_calendar_entry", "arguments": arguments}]}


PAIRS = [
    {"pair": "p1", "earlier": ["Hi"], "request": "Add lunch", "left": side("12:00"), "right": side("13:00")},
    {"pair": "p2", "earlier": [], "request": "Add tea", "left": side("15:00"), "right": side("15:00", "Ok.")},
]
KEY = [
    {"schema": 1, "suite": "calendar", "id": "run1", "a": "x", "b": "y"},
    {"schema": 1, "pair": "p1", "left": "y", "right": "x", "case": "c", "attempt": 0, "step": 1},
    {"schema": 1, "pair": "p2", "left": "x", "right": "y", "case": "d", "attempt": 0, "step": 0},
]


@pytest.fixture
def ballot(tmp_path: Path) -> Ballot:
    """Both files and the key; the votes are each test's own."""
    for name, rows in (("pairs", PAIRS), ("key", KEY)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Ballot(tmp_path / "votes.csv", tmp_path / "pairs.jsonl", tmp_path / "key.jsonl")


def made(ballot: Ballot, votes: str, *, skip_bad: bool = False) -> tuple[list[Line], dict[str, int]]:
    ballot.votes.write_text(votes)
    intake = Intake()
    return list(lines(ballot, "oneline", "0", intake, skip_bad=skip_bad)), dict(intake.left_out)


def test_the_better_side_is_chosen(ballot: Ballot) -> None:
    [pair, sequence], left_out = made(ballot, "pair,winner\np1,left\np1,left\np1,right\n")
    assert isinstance(pair, Pair)
    assert isinstance(sequence, Hindsight)
    assert pair.chosen[0].content == 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
    assert pair.rejected[0].content == 'action.add_calendar_entry("Lunch", date="2024-05-03", time="13:00")'
    assert [said.content for said in pair.messages[1:]] == ["Hi", "Add lunch"]
    assert [(attempt.quality, attempt.wrong) for attempt in sequence.attempts] == [
        ("bad", "People liked the other answer better."),
        ("good", ""),
    ]
    assert left_out == {"votes: pair without a vote": 1}


def test_where_a_vote_is_from(ballot: Ballot) -> None:
    [pair, _], _ = made(ballot, "pair,winner,weight\np1,right,2\np1,tie,1\n")
    assert pair.source == {
        "talk": "8f434346648f6b96",
        "run": "run1",
        "suite": "calendar",
        "case": "c",
        "attempt": 0,
        "step": 1,
        "chosen": "x",
        "rejected": "y",
        "pair": "p1",
        "votes": {"right": 2.0, "tie": 1.0},
        "pairs": "pairs.jsonl",
        "toolmend": "0",
    }


def test_a_is_the_side_that_the_key_says(ballot: Ballot) -> None:
    [pair, _], _ = made(ballot, "a,b,winner,prompt\nx,y,a,p1\n")
    assert pair.source["chosen"] == "x"


def test_sides_that_differ_in_words_only(ballot: Ballot) -> None:
    [pair, _], _ = made(ballot, "pair,winner\np2,b\n")
    assert isinstance(pair, Pair)
    assert (pair.chosen[0].content, pair.rejected[0].content) == ("Ok.", "Done.")


@pytest.mark.parametrize("winner", ["tie", "both_bad", "left\np1,right"])
def test_no_better_side_no_line(ballot: Ballot, winner: str) -> None:
    found, left_out = made(ballot, f"pair,winner\np1,{winner}\n")
    assert (found, left_out["votes: no side better"]) == ([], 1)


def test_votes_on_other_pairs_are_counted(ballot: Ballot) -> None:
    assert made(ballot, "pair,winner\np9,left\n")[1]["votes: on an unknown pair"] == 1


@pytest.mark.parametrize(
    ("votes", "what"),
    [
        ("pair,who\n", r"votes.csv:1: must have the columns pair \(or prompt\) and winner"),
        ("pair,winner\np1,left\np1,me\n", r"votes.csv:3: winner is 'me', none of left, a, right, b, tie, both_bad"),
        ("pair,winner\np1\n", r"votes.csv:2: has more or fewer cells than there are columns"),
        ("pair,winner,weight\np1,a,much\n", r"votes.csv:2: could not convert string to float: 'much'"),
        ("pair,winner,weight\np1,a,inf\n", r"votes.csv:2: weight is inf, no number from 0"),
    ],
)
def test_a_broken_vote_has_its_line(ballot: Ballot, votes: str, what: str) -> None:
    with pytest.raises(BadFile, match=what):
        made(ballot, votes)


def test_broken_lines_are_skipped_and_counted(ballot: Ballot) -> None:
    with ballot.pairs.open("a") as stream:
        stream.write('{"pair": "p3"}\n')
    found, left_out = made(ballot, "pair,winner\np1,left\np1,me\n", skip_bad=True)
    assert len(found) == 2
    assert (left_out["broken line in votes.csv"], left_out["broken line in pairs.jsonl"]) == (1, 1)


def test_a_broken_pair_has_its_line(ballot: Ballot) -> None:
    ballot.pairs.write_text('{"pair": "p3", "request": "a", "left": {"reply": "x"}, "right": {}}\n')
    with pytest.raises(BadFile, match=r"pairs.jsonl:1: no blind pair"):
        made(ballot, "pair,winner\n")


def test_somebody_must_say_which_toolbox(ballot: Ballot) -> None:
    with pytest.raises(BadOption, match=r"of which toolbox are the pairs of pairs\.jsonl"):
        made(Ballot(ballot.votes, ballot.pairs), "pair,winner\n")
    assert made(Ballot(ballot.votes, ballot.pairs, tools="calendar"), "pair,winner\np1,a\n")[0]
