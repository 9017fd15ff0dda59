"""The course of people's talks: beside written ones, some kept back by their words, the same by a seed. Needs torch."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from toolmend.base.errors import BadOption
from toolmend.training.adapter.base import GgufBase
from toolmend.training.adapter.rows import Tokens
from toolmend.training.adapter.turn import Turn
from toolmend.training.people.course import PeopleCourse, people_course
from toolmend.training.people.talk_lines import PeopleTalk, write_talks

BESIDE = "calendar"


@pytest.fixture
def tokens(base: Path) -> Tokens:
    return Tokens(GgufBase(base).tokenizer())


def talk(number: int) -> PeopleTalk:
    turn = Turn(f"cat {number} ate", f'feed(cat="{number}")', True, "people")
    return PeopleTalk(("feed(cat)", "weigh(cat)"), (turn, turn))


def course_of(folder: Path, count: int) -> PeopleCourse:
    path = folder / f"{count}.jsonl"
    write_talks(path, {"set": "ours"}, [talk(number) for number in range(count)])
    return people_course([path], BESIDE)


def said(course: PeopleCourse) -> set[str]:
    return {turn.said.casefold() for seed in range(400) for turn in course.talk(seed).turns}


def test_what_is_kept_back_is_never_taught(tmp_path: Path, tokens: Tokens) -> None:
    course = course_of(tmp_path, 200)
    taught = {f"cat {number} ate" for number in range(200)} & said(course)
    kept = len(course.kept_back(tokens)) - len(course.written.kept_back(tokens))
    assert (len(taught), kept) == (196, 4)


def test_a_row_of_two_is_a_written_one(tmp_path: Path, tokens: Tokens) -> None:
    course = course_of(tmp_path, 60)
    assert [course.row(2 * seed + 1, tokens) for seed in range(3)] == [
        course.written.row(seed, tokens) for seed in range(3)
    ]
    assert course.row(2, tokens) == course_of(tmp_path, 60).row(2, tokens)


def test_other_talks_are_another_course(tmp_path: Path) -> None:
    assert course_of(tmp_path, 60).name != course_of(tmp_path, 61).name


def test_too_few_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"3\.jsonl: 3 talks; at least 16 are needed"):
        course_of(tmp_path, 3)
