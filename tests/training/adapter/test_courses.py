"""The course of written talks: what each kind is about, what is kept back, and where a model's own mistakes stand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from toolmend.training.adapter.base import GgufBase
from toolmend.training.adapter.courses import WrittenCourse
from toolmend.training.adapter.own_mistakes import OwnReply
from toolmend.training.adapter.rows import Tokens
from toolmend.training.adapter.written_talks import written_talks

OWN = OwnReply("calendar", 0, 0, "I can only add and remove calendar entries.")


def about_calendar(course: WrittenCourse, seeds: range) -> float:
    return sum(not course.talk(seed).tools for seed in seeds) / len(seeds)


@pytest.mark.parametrize(("name", "least", "most"), [("calendar", 1.0, 1.0), ("tools", 0.05, 0.12), ("both", 0.5, 0.6)])
def test_talks_are_about_what_is_taught(name: str, least: float, most: float) -> None:
    assert least <= about_calendar(WrittenCourse(name), range(300)) <= most


def test_every_third_talk_has_a_mistake_of_its_own() -> None:
    course = WrittenCourse("calendar").after([OWN])
    said = [[turn.reply for turn in course.talk(seed).turns if not turn.learned] for seed in range(30)]
    assert all(OWN.reply in wrong for wrong in said[::3])
    assert not any(OWN.reply in wrong for place, wrong in enumerate(said) if place % 3)


def test_a_seed_is_the_same_talk() -> None:
    course = WrittenCourse("both", (OWN,))
    assert [course.talk(seed) for seed in range(12)] == [course.talk(seed) for seed in range(12)]


def test_what_is_picked_is_bounded_and_changes_with_the_round() -> None:
    course = WrittenCourse("both")
    first, second = course.picked(40, 1), course.picked(40, 2)
    assert set(first) == {"calendar", "tools"}
    assert sum(map(len, first.values())) == 40
    assert first != second
    assert course.picked(40, 1) == first


def test_what_is_kept_back_is_never_picked_or_taught(base: Path) -> None:
    kinds = ("calendar", "tools")
    kept = {turn.said for kind in kinds for talk in written_talks(f"kept_{kind}") for turn in talk.turns}
    taught = {turn.said for kind in kinds for talk in written_talks(kind) for turn in talk.turns}
    assert {said for said in kept & taught if len(said.split()) > 4} == set()
    tokens = Tokens(GgufBase(base).tokenizer())
    alone, both = (len(WrittenCourse(name).kept_back(tokens)) for name in ("calendar", "both"))
    assert 0 < alone < both
