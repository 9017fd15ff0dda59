"""A conversation as small plain data: nothing that happened is left out."""

from __future__ import annotations

from typing import Any

from toolmend.base.events import Asked, Called, Event, Finished, Read, Refused, Replied, Undone
from toolmend.base.messages import Call, CallResult
from toolmend.evals.reports.talk import talk, words
from toolmend.evals.store import Sample

CALL = Call("f", {"x": "a", "n": 1}, id="c1")


def test_a_correction_with_its_branch(corrected: tuple[Event, ...]) -> None:
    first, second = talk(Sample("main/a", "m", "s", events=corrected))["turns"]
    about = {"by": "…", "tokens": [3, 4], "seconds": 0.5, "exchange": "ab12", "notes": ["not honoured: …"]}
    wrong = ["wrong_value(title)", "'…'", "'…'"]
    assert first == {
        "turn": 0,
        "lines": [["said", "…"], ["reply", "…", about]],
        "tried": [{"arm": "level 0", "said": "…", "text": "…", "marks": ["mistake"], "mistakes": [wrong]}],
        "marks": ["mistake"],
        "mistakes": [wrong],
    }
    assert second == {
        "turn": 1,
        "lines": [["said", "…"], ["reply", "…", {"by": "…"}]],
        "amends": 0,
        "level": 2,
        "named": "wrong_value(title)",
        "marks": ["fixed"],
    }


def test_what_was_told_instead_of_the_reply_and_where_values_came_from() -> None:
    call = Call("f", {"time": "12:00"}, "c1", said={"time": "noon"})
    events = (
        Read(0, (call,), told="f('12:00')"),
        Read(1, rest="At what time?", problem="no_call", told="At what time?"),
    )
    first, second = talk(Sample("main/a", "m", "s", events=events))["turns"]
    assert first["lines"] == [["read", 'f(time="12:00"); time 12:00 ← "noon"']]
    assert second["lines"] == [["read", "told: At what time?; no call: no_call"]]


def test_lines_stand_in_the_order_of_what_happened() -> None:
    events = (
        Asked(0, "do it"),
        Replied(0, "f(…)", finish="length", truncated=True, cached=True, reasoning="hm"),
        Read(0, (CALL,), ("fence",), "", "half of it"),
        Called(0, CALL, CallResult("c1", coerced=("n: '1' -> 1",))),
        Asked(1, "no"),
        Undone(1, ("c1",)),
        Called(1, CALL, CallResult("c1", error="no such day")),
        Refused(1, CALL, "denied"),
        Undone(1, ("c1",), redone=True),
        Finished("gave_up", "twice"),
    )
    found = talk(Sample("main/a", "m", "s", events=events))
    notes = ["ended: length", "the request was cut to fit", "from the cache"]
    assert [turn["lines"] for turn in found["turns"]] == [
        [
            ["said", "do it"],
            ["reply", "f(…)", {"reasoning": "hm", "notes": notes}],
            ["read", "leniently: fence; no call: half of it"],
            ["ran", "f (n: '1' -> 1)"],
        ],
        [
            ["said", "no"],
            ["undone", 'f(x="a", n=1)'],
            ["error", "no such day"],
            ["error", 'refused: f(x="a", n=1): denied'],
            ["redone", 'f(x="a", n=1)'],
        ],
    ]
    assert (found["end"], found["why"]) == ("gave_up", "twice")


def test_what_could_not_be_run() -> None:
    sample = Sample("main/a", "m", "s", status="error", detail="down", seed=3, started="2025-05-03", seconds=1.23456)
    assert talk(sample) == {"turns": [], "seed": 3, "started": "2025-05-03", "seconds": 1.235, "error": "down"}


def test_words_are_those_of_the_whole_conversation(foreign_run: Any, markup: str) -> None:
    good, error = foreign_run.samples
    assert words(good).count(markup) == 6  # said and replied in two turns and a branch
    assert repr(markup) in words(good)  # and what was found wrong
    assert words(error) == markup
