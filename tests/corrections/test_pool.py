"""Wordings out of a file: which are taken, which are refused, and what is said to a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolmend.corrections import answer_for, correction_for, false_correction, open_pool, read_pool, wordings
from toolmend.errors import BadFile
from toolmend.messages import Call
from toolmend.mistakes import Kind, Mistake

TIME = Mistake(Kind.WRONG_VALUE, "time", "action.add_calendar_entry", "17:00", "05:00")
ROWS = (
    {"level": 1, "text": "Bad."},
    {"level": 2, "text": "Bad {arg}."},
    {"level": 3, "text": "{Argument} is {value}!"},
    {"level": 3, "text": "Starts at {value}!", "of": "time"},
    {"level": 3, "text": "Lasts {value}!", "of": "length"},
    {"level": 9, "text": "Really {argument}?"},
)


def pool_of(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_the_open_half_has_at_least_150_wordings():
    assert sum(len(lines) for lines in open_pool().lines.values()) >= 150


def test_a_wording_is_taken_as_it_is_typed(tmp_path: Path):
    pool = read_pool(pool_of(tmp_path / "w.jsonl", *ROWS))
    assert [correction_for(TIME, level, 1, pool=pool).text for level in (1, 2)] == ["Bad.", "Bad time."]
    assert set(wordings(TIME, 3, pool=pool)) >= {"Time is five in the afternoon!", "Starts at five in the afternoon!"}
    assert not any("Lasts" in said for said in wordings(TIME, 3, pool=pool))


def test_no_wording_gives_the_value_away():
    assert not any("17:00" in said for said in wordings(TIME, 3, pool=open_pool()))


def test_a_mistake_that_is_no_value_has_its_own_sentences():
    syntax = Mistake(Kind.SYNTAX)
    assert wordings(syntax, 2, pool=open_pool()) == wordings(syntax, 2)


def test_try_again_stays_what_it_is():
    assert wordings(TIME, 0, pool=open_pool()) == wordings(TIME, 0)


def test_another_level_is_a_doubt(tmp_path: Path):
    pool = read_pool(pool_of(tmp_path / "w.jsonl", *ROWS))
    assert false_correction(1, Call("add", {"time": "17:00"}), pool=pool).text == "Really time?"


def test_a_question_is_answered():
    missing = Mistake(Kind.MISSING_ARGUMENT, "time", "action.add_calendar_entry", "17:00")
    said = {answer_for(missing, 3, seed, open_pool()).text for seed in range(200)}
    assert {"five in the afternoon", "It's five in the afternoon."} <= said
    assert answer_for(missing, 0, 1, open_pool()).level == 0


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"level": 1}, "a wording is an object with level and text"),
        ({"level": 2, "text": "The {thing}"}, "the slot {thing} is not known"),
        ({"level": 3, "text": "x", "of": "colour"}, "of is 'colour'"),
    ],
)
def test_a_line_that_is_no_wording_is_named(tmp_path: Path, row: object, problem: str):
    with pytest.raises(BadFile, match=f"w.jsonl:2.*{problem}"):
        read_pool(pool_of(tmp_path / "w.jsonl", ROWS[0], row))
