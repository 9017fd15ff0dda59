"""Teaching from end to end over a tiny base: what is proposed, what is begun with, what is written. Needs torch."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from tiny_llama import write_base, write_peft
from toolmend import Session
from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.training.teach import teach as module
from toolmend.training.teach.examples import examples_file
from toolmend.training.teach.kit import Kit
from toolmend.training.teach.teach import begin_of, prepared, proposed, teach

TOOLS = """
from toolmend import tool

@tool
def move(crates: int, shelf: str) -> str:
    "Move crates to a shelf."
    return ""
"""


@pytest.fixture
def tools(tmp_path: Path) -> str:
    path = tmp_path / "my_tools.py"
    path.write_text(TOOLS, encoding="utf-8")
    return str(path)


def test_examples_lie_beside_the_tools(tmp_path: Path) -> None:
    assert examples_file(str(tmp_path / "my_tools.py")) == tmp_path / "my_tools_examples.txt"
    assert [str(examples_file(tools)) for tools in ("shop", "depot.tools:box")] == [
        "shop_examples.txt", "depot.tools.box_examples.txt"
    ]  # fmt: skip


def test_what_is_proposed_can_be_taught(tools: str, tmp_path: Path) -> None:
    text = proposed(tools)
    assert len([line for line in text.splitlines() if " => move(" in line]) == 10
    (tmp_path / "e.txt").write_text(text, encoding="utf-8")
    kit = prepared(tools, tmp_path / "e.txt")
    assert len(kit.tools[0].wordings) > 5
    assert kit.notes == ()


def test_an_adapter_to_begin_with_is_named(tmp_path: Path) -> None:
    assert begin_of("none") == (None, "smollm2", 16)
    folder, base, rank = begin_of("smol/calendar")
    assert (folder and folder.name, base, rank) == ("calendar", "smollm2", 16)
    with pytest.raises(UnknownName, match=r"unknown adapter 'smol/tulls'"):
        begin_of("smol/tulls")
    with pytest.raises(BadFile):
        begin_of(f"smol/{tmp_path}")


@pytest.fixture
def taught(kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Teach from a random adapter over a tiny base."""
    pytest.importorskip("torch")
    from toolmend.training.adapter import teaching

    monkeypatch.setattr(platformdirs, "user_cache_path", lambda app: tmp_path / "cache" / app)
    monkeypatch.setattr(teaching, "_TRIAL", 0.0)
    monkeypatch.setattr(module, "_EXAM", 1)
    base = write_base(tmp_path / "tiny.gguf")
    begin = write_peft(tmp_path / "begin", base)

    def go(steps: int, **more: Any) -> Any:
        told: list[Any] = []
        how = {"start": f"smol/{begin}", "minutes": 0.02, "threads": 1, "say": lambda text: None, **more}
        stop = lambda: len([row for row in told if "loss" in row]) >= steps  # noqa: E731
        return teach(kit, "depot", tmp_path / "out", tmp_path / "work", tell=told.append, stop=stop, **how), told

    return go


@pytest.mark.slow
def test_what_is_taught_can_be_talked_with(taught: Callable[..., Any], tmp_path: Path) -> None:
    figures, told = taught(10**6)
    out = tmp_path / "out"
    assert json.loads((out / "toolmend.json").read_text())["figures"] == figures
    assert [row for row in told if "before" in row]
    assert Session(f"smol/{out}?threads=1&num_ctx=512", "shop").strategy.name == "spoken"


@pytest.mark.slow
def test_stopped_it_writes_what_it_has(taught: Callable[..., Any], tmp_path: Path) -> None:
    figures, _ = taught(1)
    assert figures.keys() == {"right", "before", "n", "tokens"}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "adapter.gguf", "adapter_config.json", "adapter_model.safetensors", "curve.svg", "toolmend.json"
    ]  # fmt: skip


@pytest.mark.slow
def test_what_does_worse_does_not_take_its_own_place(
    taught: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from toolmend.training.adapter import exam

    out = write_peft(tmp_path / "out", tmp_path / "tiny.gguf")
    before = (out / "adapter_model.safetensors").read_bytes()
    looks = iter([3, 2, 2, 2])
    monkeypatch.setattr(exam, "replies_given", lambda net, rows: (next(looks), 4))
    figures, _ = taught(1, start=f"smol/{out}")
    assert figures == {"right": 0.5, "before": 0.75, "n": 4, "kept": False}
    assert (out / "adapter_model.safetensors").read_bytes() == before


def test_a_folder_that_holds_something_else_is_refused(kit: Kit, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(BadOption, match="is there and is no adapter"):
        teach(kit, "depot", tmp_path, tmp_path / "work", start="none", minutes=1, threads=1,
              tell=print, say=print, stop=lambda: True)  # fmt: skip
