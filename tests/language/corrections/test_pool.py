"""Wordings out of a file: which are taken, which are refused, and what is said to a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolmend.base.errors import BadFile
from toolmend.base.messages import Call
from toolmend.base.mistakes import Kind, Mistake
from toolmend.language.corrections import answer_for, correction_for, false_correction, open_pool, read_pool, wordings
from toolmend.language.corrections.pool import AS_SUCH, DOUBT

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


PUT_AWAY = Path(__file__).parents[3] / "benchmarks" / "putaway" / "correction_wordings.jsonl"


def test_there_are_300_wordings_and_half_of_them_are_put_away():
    open_half, put_away = (
        sum(len(lines) for lines in pool.lines.values()) for pool in (open_pool(), read_pool(PUT_AWAY))
    )
    assert open_half + put_away >= 300
    assert put_away >= open_half


def test_both_halves_have_wordings_of_every_kind():
    kinds = {(1, ""), (2, ""), (3, ""), (DOUBT, ""), *((2, kind) for kind in AS_SUCH)}
    assert [sorted(kinds - set(pool.lines)) for pool in (open_pool(), read_pool(PUT_AWAY))] == [[], []]


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


def test_another_level_is_a_doubt_beside_the_complaints(tmp_path: Path):
    pool = read_pool(pool_of(tmp_path / "w.jsonl", *ROWS))
    said = {false_correction(seed, Call("add", {"time": "17:00"}), pool=pool).text for seed in range(30)}
    assert said == {"Really time?", "Bad time."}


def test_a_mistake_of_the_call_as_such_is_said_in_the_pool_s_words_too(tmp_path: Path):
    pool = read_pool(pool_of(tmp_path / "w.jsonl", *ROWS, {"level": 2, "text": "twice!!", "of": "repeated_call"}))
    repeated = Mistake(Kind.REPEATED_CALL, tool="add")
    assert wordings(repeated, 2, pool=pool) == (*wordings(repeated, 2), "twice!!")
    assert "twice!!" not in wordings(Mistake(Kind.EXTRA_CALL, tool="add"), 2, pool=pool)


def test_the_wrong_value_is_said_in_words(tmp_path: Path):
    pool = read_pool(pool_of(tmp_path / "w.jsonl", {"level": 3, "text": "{value}, not {wrong}", "for": ["time"]}))
    assert wordings(TIME, 3, pool=pool)[0] == "five in the afternoon, not five in the morning"


def test_a_value_that_was_left_out_has_wordings_of_its_own():
    missing = Mistake(Kind.MISSING_ARGUMENT, "time", "action.add_calendar_entry", "17:00")
    assert "add five in the afternoon as the time" in wordings(missing, 3, pool=open_pool())


def test_a_question_is_answered():
    missing = Mistake(Kind.MISSING_ARGUMENT, "time", "action.add_calendar_entry", "17:00")
    said = {answer_for(missing, 3, seed, open_pool()).text for seed in range(200)}
    assert {"five in the afternoon", "It's five in the afternoon."} <= said
    assert answer_for(missing, 0, 1, open_pool()).level == 0


def test_a_question_is_answered_with_the_pool_s_own_words_where_nothing_is_known(tmp_path: Path):
    pool = read_pool(pool_of(tmp_path / "w.jsonl", *ROWS, {"level": 0, "text": "Once more!"}))
    assert answer_for(TIME, 0, 1, pool).text == "Once more!"


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
