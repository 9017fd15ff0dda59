"""Mistakes that a model made in a simulated talk come back with a complaint and what mends them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from toolmend.errors import BadFile
from toolmend.messages import Reply, Request
from toolmend.training.adapter.talks import Turn

pytest.importorskip("torch")
from toolmend.training.adapter.courses import TALKS, MadeTalks, collect, read_mistakes

WRONG = 'add_calendar_entry(title="dentist", date="tomorrow", time="5 pm")'


class Stubborn:
    """Makes the same call whatever is said."""

    name = "scripted/stubborn"

    async def reply(self, request: Request, *, on_delta: Any = None) -> Reply:
        return Reply(WRONG)


@pytest.mark.parametrize("kind", TALKS)
def test_what_is_collected_gives_the_same_talk_again(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "mistakes.jsonl"
    model: Any = Stubborn()
    asked, wrong = collect(model, range(8), file, kind, lambda: False)
    assert asked >= wrong > 4
    for (seed, _), replies in read_mistakes(file).items():
        turns = MadeTalks(kind, {(seed, kind): replies}).mistaken(0).play()
        mistakes = [place for place, turn in enumerate(turns) if not turn.learned and turn.reply == replies.get(place)]
        assert mistakes
        assert {turns[place].reply for place in mistakes} == {WRONG}
        assert all(turns[place + 1].learned and turns[place + 1].reply != WRONG for place in mistakes)


def test_every_lesson_has_a_mistake_in_it(tmp_path: Path) -> None:
    model: Any = Stubborn()
    for kind in TALKS:
        collect(model, range(6), tmp_path / "both.jsonl", kind, lambda: False)
    course = MadeTalks("both", read_mistakes(tmp_path / "both.jsonl"))
    for seed in range(6):
        turns = course.mistaken(seed).play()
        assert [turn.reply for turn in turns if not turn.learned][:1] == [WRONG]


def test_right_replies_are_no_mistakes() -> None:
    due: list[Turn] = []
    plain = TALKS["calendar"](5, own=lambda turns, said: "").play()

    def right(turns: Sequence[Turn], said: str) -> str:
        due.append(plain[len(turns)])
        return plain[len(turns)].reply

    assert TALKS["calendar"](5, own=right).play() == plain
    assert due


def test_no_file_is_no_mistakes_and_a_broken_line_is_named(tmp_path: Path) -> None:
    assert read_mistakes(tmp_path / "none.jsonl") == {}
    (tmp_path / "broken.jsonl").write_text('{"kind": "tools"}\n')
    with pytest.raises(BadFile, match="line 1 is no mistake"):
        read_mistakes(tmp_path / "broken.jsonl")
