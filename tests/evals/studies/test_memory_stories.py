"""The stories of the suite `memory`: well-formed, of every kind, two halves apart; and what is measured of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolmend.errors import BadFile, UnknownName
from toolmend.evals.studies.memory_recall import by_bm25, by_memory, figures, play
from toolmend.evals.studies.memory_stories import KINDS, PREFERENCE, Story, stories

ONE = """
suite: own
stories:
  - id: tea
    kind: update
    talks:
      2026-01-01:
        - a user: The tea is green.
      2026-01-02:
        - b user: The tea is black.
        - c correct: cook.tea minutes 3 5
        - d correct: cook.tea minutes 3 5
        - e correct: cook.tea minutes 3 5
        - confirm: all
        - f user: The sugar is in the tin.
        - forget: sugar
    ask:
      - {q: "How is the tea?", a: black, not: [green], from: [b]}
      - {q: "How many minutes is tea by default?", a: "5", from: preference}
      - {q: "Where is the sugar?", a: nothing}
"""


def test_there_are_enough_of_every_kind() -> None:
    every = [*stories("dev"), *stories("test")]
    assert len(every) == 44
    assert {kind: sum(each.kind == kind for each in every) for kind in KINDS} == {
        "update": 10,
        "forget": 8,
        "preference": 8,
        "who": 10,
        "unanswerable": 8,
    }
    asked = [question for story in every for question in story.questions]
    assert (len(asked), sum(each.answer is None for each in asked)) == (95, 25)


def test_the_halves_share_no_story_and_no_line() -> None:
    said = [
        {line.words for story in stories(half) for _, lines in story.talks for line in lines}
        for half in ("dev", "test")
    ]
    assert {words for words in said[0] & said[1] if words != "all"} == set()
    assert {story.id for story in stories("dev")} & {story.id for story in stories("test")} == set()


@pytest.fixture
def own(tmp_path: Path) -> tuple[Story, ...]:
    (tmp_path / "own.yaml").write_text(ONE, encoding="utf-8")
    return stories(str(tmp_path / "own.yaml"))


def test_a_story_is_lived_through_and_asked(own: tuple[Story, ...]) -> None:
    found = play(own, {"memory": by_memory(), "bm25": by_bm25()})
    assert [(each.right, each.has_evidence) for each in found["memory"]] == [(True, True), (True, True), (True, True)]
    assert found["memory"][0].labels[:2] == ("b", "a")
    assert found["memory"][1].labels[0] == PREFERENCE
    assert found["memory"][2].memories == ()
    made = figures(found["memory"])
    assert (made.questions, made.evidence, made.right) == (3, 1.0, 1.0)
    assert not found["bm25"][0].right


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("kind: update", "kind: dream", r"own.yaml:5: kind 'dream'; known: update"),
        ("from: [b]", "from: [z]", r"no line is labelled z"),
        ("- b user", "- a user", r"two lines have the same label"),
        ("- f user", "- user", r"'user': a line begins with its label"),
        ("ask:", "asks:", r"key 'asks' is not known here"),
        ("stories:", "tales:", r"no list of `stories` in it"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    (tmp_path / "own.yaml").write_text(ONE.replace(old, new), encoding="utf-8")
    with pytest.raises(BadFile, match=says):
        stories(str(tmp_path / "own.yaml"))


def test_unknown_halves_are_refused() -> None:
    with pytest.raises(UnknownName, match="known: dev, test"):
        stories("third")
