"""The exam by computed calls: what is due is right, whatever its case and order, and else nothing."""

from __future__ import annotations

from typing import Any

from toolmend.base.messages import Reply, Request
from toolmend.training.teach.exam import take_exam
from toolmend.training.teach.kit import Kit
from toolmend.training.teach.talk import TaughtTalk


class Knowing:
    """Says what is due, or the same wrong call every time."""

    name = "scripted/knowing"

    def __init__(self, replies: list[str] | str) -> None:
        self.replies = replies

    async def reply(self, request: Request, *, on_delta: Any = None) -> Reply:
        return Reply(self.replies if isinstance(self.replies, str) else self.replies.pop(0))


def taken(kit: Kit, replies: list[str] | str) -> Any:
    model: Any = Knowing(replies)
    return take_exam(kit, 6, model, lambda text: None, lambda: False)


def due(kit: Kit) -> list[str]:
    talks = [TaughtTalk(kit, seed, held_out=True).play() for seed in range(6)]
    return [turn.reply for turns in talks for turn in turns if turn.learned]


def test_what_is_due_is_right(kit: Kit) -> None:
    figures, card = taken(kit, due(kit))
    assert (figures["right"], figures["n"]) == (1.0, len(due(kit)))
    assert card[0] == f"Exam: 100.0 % of {len(due(kit))} turns of held-out talks come to the calls due."


def test_a_wrong_call_is_never_right_and_the_first_misses_are_told(kit: Kit) -> None:
    figures, card = taken(kit, 'add_nothing(title="x")\nbroken(')
    assert figures["right"] == 0.0
    assert sum(line.startswith("- *") for line in card) == min(12, figures["n"])


def test_stopped_there_is_no_exam(kit: Kit) -> None:
    model: Any = Knowing("")
    assert take_exam(kit, 6, model, lambda text: None, lambda: True) is None
