"""What is judged: files of pairs with their keys, and the answers of stored runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.events import Asked, Called, Event, Finished, Marked, Replied
from toolmend.base.messages import Call, CallResult
from toolmend.evals.store import Run, RunConfig, Sample, StoredContestant
from toolmend.extras.arena.judges.matches import JudgedPair, couples_of, read_matches, run_matches

Make = Callable[..., Sample]

MODELS = ("ollama/one:7b", "ollama/two:7b", "ollama/three:7b")
NAMES = tuple(f"{model} · oneline" for model in MODELS)
RUN = Run(
    "aaaaaaaaaaaa", RunConfig("s", contestants=tuple(StoredContestant(model, "oneline") for model in MODELS)), "t"
)
LINE = {"pair": "f1", "request": "Add it", "earlier": ["Hello"], "left": {"reply": "Done"}, "right": {"reply": "No"}}
KEY = {"pair": "f1", "left": "x", "right": "y", "case": "main/lunch", "attempt": 0, "step": 1}


def write(path: Path, *lines: Any) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_pairs_with_their_key(tmp_path: Path) -> None:
    pairs, key = write(tmp_path / "p", LINE), write(tmp_path / "k", {"schema": 1, "a": "x"}, KEY)
    assert read_matches(pairs, key) == (
        JudgedPair("f1", "x", "y", "Add it", "Done", "No", ("Hello",), "main/lunch", "step 1", "main"),
    )


def test_pairs_of_ones_own_name_their_contestants(tmp_path: Path) -> None:
    call = {"tool": "action.add", "arguments": {"title": "Té", "n": 1}}
    left = {"reply": "Done", "calls": [call], "contestant": "x"}
    line = {"request": "Add", "left": left, "right": {"contestant": "y"}, "prompt": "p", "category": "code"}
    [match] = read_matches(write(tmp_path / "p", line))
    assert match.shown_a == 'What the assistant did:\naction.add(title="Té", n=1)\nWhat it wrote:\nDone'
    assert (match.shown_b, match.a, match.prompt, match.category) == ("(nothing)", "x", "p", "code")


def test_without_a_prompt_the_request_is_one(tmp_path: Path) -> None:
    sides = [{"reply": str(n), "contestant": name} for n, name in enumerate("xyz")]
    lines = [{"request": "Add", "left": sides[0], "right": side} for side in sides[1:]]
    one, other = read_matches(write(tmp_path / "p", *lines))
    assert (one.prompt == other.prompt, one.id == other.id) == (True, False)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([LINE], ":1: pair f1 does not say whose its sides are"),
        ([{**LINE, "left": {"contestant": "x"}, "right": {"contestant": "x"}}], ":1: pair f1 has 'x' on both sides"),
        ([{"pair": "f1"}], ":1: no pair"),
        ([[]], ":1: a line is one JSON object"),
        ([], "holds no pair"),
    ],
)
def test_what_is_no_pair(tmp_path: Path, lines: list[Any], why: str) -> None:
    with pytest.raises(BadFile, match=why):
        read_matches(write(tmp_path / "p", *lines))


def test_a_pair_twice(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=":2: pair f1 stands there twice"):
        read_matches(write(tmp_path / "p", LINE, LINE), write(tmp_path / "k", KEY))


# runs ----------------------------------------------------------------------------------------------------------------


def turn(number: int, text: str) -> list[Event]:
    call = Call("add", {"n": number}, str(number))
    return [
        Asked(number, f"ask {number}"),
        Replied(number, text, model="m"),
        Called(number, call, CallResult(str(number))),
        Marked(number, (), (), True, number),
    ]


@pytest.fixture
def samples(sample: Make) -> list[Sample]:
    """Each contestant's words at one step; the second and third alike."""
    words = {MODELS[0]: "I am Qwen", MODELS[1]: "same", MODELS[2]: "same"}
    return [
        sample([*turn(0, words[model]), *turn(1, "then"), Finished()], case="main/a", model=model) for model in MODELS
    ]


def test_every_two_contestants_of_a_run(samples: list[Sample]) -> None:
    matches = run_matches(RUN, samples, couples_of(RUN, None, None), 50, 1)
    assert sorted(tuple(sorted((match.a, match.b))) for match in matches) == sorted(
        tuple(sorted((NAMES[0], other))) for other in NAMES[1:]
    )
    assert len({match.id for match in matches}) == 2
    shown = {match.shown_a if match.a == NAMES[0] else match.shown_b for match in matches}
    assert shown == {"What the assistant did:\nadd(n=0)\nWhat it wrote:\nI am [model]"}
    assert {(match.prompt, match.turn, match.category) for match in matches} == {("main/a", "step 0", "main")}


def test_nothing_to_judge(samples: list[Sample]) -> None:
    with pytest.raises(BadOption, match="nothing to"):
        run_matches(RUN, samples, [(NAMES[1], NAMES[2])], 50, 1)


def test_couples() -> None:
    assert len(couples_of(RUN, None, None)) == 3
    assert couples_of(RUN, "two", None) == [(NAMES[0], NAMES[1]), (NAMES[1], NAMES[2])]
    assert couples_of(RUN, "three", "one:") == [(NAMES[2], NAMES[0])]
    with pytest.raises(BadOption, match="'o' may be any of"):
        couples_of(RUN, "o", "one:")
