"""`train_adapter` on a tiny base: it is planned once, goes on, writes a folder that can be talked with. Needs torch."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import platformdirs
import pytest

torch = pytest.importorskip("torch")

from toolmend import Session  # noqa: E402
from toolmend.errors import BadOption  # noqa: E402
from toolmend.messages import Reply, Request  # noqa: E402
from toolmend.training.adapter import teaching  # noqa: E402
from toolmend.training.adapter.courses import MadeTalks  # noqa: E402
from toolmend.training.adapter.exam import take_exam  # noqa: E402
from toolmend.training.adapter.loop import Schedule  # noqa: E402
from toolmend.training.adapter.teaching import AdapterAsked, train_adapter  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture
def asked(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AdapterAsked:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda app: tmp_path / "cache" / app)
    monkeypatch.setattr(teaching, "_TRIAL", 0.0)
    plan = Schedule(0, step=800, warmup=1)
    out = tmp_path / "taught"
    work = tmp_path / "work"
    return AdapterAsked(
        base=str(base), out=out, work=work, course=MadeTalks("tools"), tokens=2000, rank=2, threads=1, rounds=1,
        played=1, exam=1, plan=plan,
    )  # fmt: skip


def stopping(after: int) -> tuple[Callable[[Any], None], Callable[[], bool]]:
    """What hears the steps, and stops after so many."""
    rows: list[Any] = []
    return rows.append, lambda: len(rows) >= after


def test_it_goes_on_and_writes_what_can_be_talked_with(asked: AdapterAsked) -> None:
    said: list[str] = []
    tell, stop = stopping(1)
    assert train_adapter(asked, tell, said.append, stop) is None
    assert not (asked.out / "README.md").exists()
    figures = train_adapter(asked, lambda row: None, said.append, lambda: False)
    assert figures
    assert figures["tokens"] >= 2000
    assert sorted(path.name for path in asked.out.iterdir()) == [
        "README.md", "adapter.gguf", "adapter_config.json", "adapter_model.safetensors", "curve.svg", "toolmend.json"
    ]  # fmt: skip
    assert json.loads((asked.out / "toolmend.json").read_text())["figures"] == figures
    assert Session(f"smol/{asked.out}?threads=1&num_ctx=512", "calendar").strategy.name == "spoken"
    assert len([line for line in said if "are planned" in line]) == 1
    assert len([line for line in said if "replies were mistakes" in line]) == 1


def test_another_rank_needs_another_folder(asked: AdapterAsked) -> None:
    tell, stop = stopping(1)
    train_adapter(asked, tell, lambda text: None, stop)
    with pytest.raises(BadOption, match="holds a training with rank 2, not 4"):
        train_adapter(replace(asked, rank=4), tell, lambda text: None, stop)


class Knowing:
    """Says what is due, or the same wrong call every time."""

    name = "scripted/knowing"

    def __init__(self, replies: list[str] | str) -> None:
        self.replies = replies

    async def reply(self, request: Request, *, on_delta: Any = None) -> Reply:
        return Reply(self.replies if isinstance(self.replies, str) else self.replies.pop(0))


@pytest.mark.parametrize("kind", ["calendar", "tools"])
def test_the_exam_takes_what_is_due_for_right_and_else_nothing(kind: str) -> None:
    talks = list(MadeTalks(kind).exam(6))
    due = [turn.reply for talk in talks for turn in talk.turns if turn.learned]
    right: Any = Knowing(list(due))
    assert take_exam(right, iter(talks), lambda result: None).figures()["right"] == 1.0
    wrong: Any = Knowing('add_nothing(title="x")\nbroken(')
    result = take_exam(wrong, iter(talks), lambda result: None)
    assert (result.right.total(), result.asked.total()) == (0, len(due))
