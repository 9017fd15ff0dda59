"""`train_adapter` on a tiny base: it is planned once, goes on, writes a folder that can be talked with. Needs torch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import platformdirs
import pytest

torch = pytest.importorskip("torch")

from toolmend import Session  # noqa: E402
from toolmend.base.errors import BadOption, ModelError  # noqa: E402
from toolmend.models.gguf.peft import halves  # noqa: E402
from toolmend.training.adapter import teaching  # noqa: E402
from toolmend.training.adapter.courses import WrittenCourse  # noqa: E402
from toolmend.training.adapter.loop import Schedule  # noqa: E402
from toolmend.training.adapter.own_mistakes import OwnReply, read_mistakes  # noqa: E402
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
        base=str(base), out=out, work=work, course=WrittenCourse("tools"), tokens=2000, rank=2, threads=1,
        rounds=1, played=2, plan=plan,
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
    told = f"{figures['word_for_word']} of {figures['replies']} replies of talks kept back come out word for word."
    assert told in (asked.out / "README.md").read_text().splitlines()
    assert Session(f"smol/{asked.out}?threads=1&num_ctx=512", "calendar").strategy.name == "spoken"
    assert len([line for line in said if "are planned" in line]) == 1
    assert len([line for line in said if "replies were mistakes" in line]) == 1


def test_a_short_training_draws_few_replies_or_none(asked: AdapterAsked, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(teaching, "drawn", answered)
    train_adapter(replace(asked, played=None), lambda row: None, said.append, lambda: False)
    assert not any("drawing replies" in text for text in said)


def test_a_full_memory_beside_the_steps_is_one_line(asked: AdapterAsked, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: Any) -> Iterator[OwnReply]:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(teaching, "drawn", full)
    with pytest.raises(ModelError, match=r"^the GPU's memory is full; free some of it, or use the cores"):
        train_adapter(asked, lambda row: None, lambda text: None, lambda: False)
    monkeypatch.setattr(teaching, "drawn", answered)
    assert train_adapter(asked, lambda row: None, lambda text: None, lambda: False)


def test_another_rank_needs_another_folder(asked: AdapterAsked) -> None:
    tell, stop = stopping(1)
    train_adapter(asked, tell, lambda text: None, stop)
    with pytest.raises(BadOption, match="holds a training with rank 2, not 4"):
        train_adapter(replace(asked, rank=4), tell, lambda text: None, stop)


def answered(net: Any, tokens: Any, picked: Mapping[str, Sequence[int]], seed: int, stop: Any) -> Iterator[OwnReply]:
    """The same words to every first turn."""
    return (OwnReply(about, number, 0, f"Sure, {seed}.") for about, numbers in picked.items() for number in numbers)


def test_mistakes_are_there_whole_or_drawn_anew_to_the_same(
    asked: AdapterAsked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teaching, "drawn", answered)
    monkeypatch.setattr(
        teaching, "trial", lambda base, rank, rows, device: ("float32", 1000.0)
    )  # the faster one may change
    asked = replace(asked, played=12)
    train_adapter(asked, lambda row: None, lambda text: None, lambda: False)
    mistakes = (asked.work / "mistakes-1.jsonl").read_bytes()
    again = replace(asked, out=asked.out.with_name("again"), work=asked.work.with_name("again.work"))
    file = again.work / "mistakes-1.jsonl"
    steps: list[Any] = []
    while not (again.out / "README.md").exists():  # stopped after each step, killed before its mistakes were kept
        file.unlink(missing_ok=True)
        tell, stop = stopping(1)
        train_adapter(again, tell, steps.append, stop)
    assert len(read_mistakes(file)) > 4
    assert file.read_bytes() == mistakes
    once, twice = halves(asked.out), halves(again.out)
    assert {key: values.tobytes() for key, values in twice.items()} == {
        key: values.tobytes() for key, values in once.items()
    }
