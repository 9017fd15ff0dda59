"""What may stand under MODULE:NAME, and one line for what may not."""

from __future__ import annotations

import sys
import threading
import types
from typing import Any

import pytest

from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.messages import Call
from toolmend.tools import Tool, Toolbox, tool


def double(number: int) -> int:
    "Twice the number."
    return 2 * number


class Counter(Toolbox):
    """A world of one number."""

    def __init__(self, start: int = 0) -> None:
        self.count = start

    @tool
    def step(self) -> int:
        "One more."
        self.count += 1
        return self.count

    def snapshot(self) -> Any:
        return self.count

    def restore(self, state: Any) -> None:
        self.count = state


class Needy(Counter):
    def __init__(self, path: str, *, mode: str, size: int = 3) -> None:
        super().__init__(size)


class Locked(Counter):
    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


def boxing() -> Toolbox:
    return Toolbox.of(double)


def listing() -> list[Any]:
    return [double]


def broken() -> Toolbox:
    raise OSError("no disk")


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    made = types.ModuleType("somebodys_tools")
    monkeypatch.setitem(sys.modules, "somebodys_tools", made)
    return made


def loaded(module: types.ModuleType, found: Any) -> Toolbox:
    module.box = found  # type: ignore[attr-defined]
    return Toolbox.load("somebodys_tools:box")


@pytest.mark.parametrize(
    "found",
    [Toolbox.of(double), boxing, [double], (double,), tool(double), Tool.of(double), listing],
    ids="instance maker list tuple marked Tool listing".split(),
)
def test_what_may_be_named(module: types.ModuleType, found: Any) -> None:
    assert [spec.full_name for spec in loaded(module, found).specs] == ["double"]


def test_a_world_that_was_named_is_a_new_one_each_time(module: types.ModuleType) -> None:
    named = Counter(5)
    named.run_sync(Call("step", id="c1"))
    first, second = loaded(module, named), loaded(module, named)
    assert [box.run_sync(Call("step", id="c1")).value for box in (first, first, second)] == [7, 8, 7]
    first.undo_sync("c1")
    assert named.count == 6


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Needy, "missing 1 required positional argument: 'path'; name an instance, a function that makes one"),
        (lambda number: number, "missing 1 required positional argument: 'number'; name an instance, "),
        (broken, "cannot be made: OSError: no disk"),
        (Locked(), "cannot be copied (cannot pickle '_thread.lock' object); name its class, or a function that"),
        (3, "gives a int, no Toolbox"),
        (dict, "gives a dict, no Toolbox"),
        (sys, "gives a module, no Toolbox"),
        ([3], "a tool needs a name that can be written as a call, not ''"),
    ],
)
def test_what_may_not(module: types.ModuleType, found: Any, said: str) -> None:
    with pytest.raises(BadOption) as caught:
        loaded(module, found)
    assert str(caught.value).startswith("'somebodys_tools:box'")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no_such_tools:Box", "No module named 'no_such_tools' (neither installed nor in the current folder)"),
        ("my/tools:Box", "without folders or .py"),
    ],
)
def test_a_module_that_is_none(name: str, said: str) -> None:
    with pytest.raises(BadOption) as caught:
        Toolbox.load(name)
    assert said in str(caught.value)


def test_a_name_that_is_not_in_the_module(module: types.ModuleType) -> None:
    module.Box = Counter  # type: ignore[attr-defined]
    with pytest.raises(UnknownName, match=r"unknown name in somebodys_tools 'Bax' \(did you mean Box\?\)"):
        Toolbox.load("somebodys_tools:Bax")


def test_what_a_module_itself_fails_to_import_is_no_fault_of_the_name(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_a_tool.py").write_text("import not_there_at_all\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BadOption) as caught:
        Toolbox.load("half_a_tool:Box")
    assert str(caught.value) == "cannot load 'half_a_tool:Box': ModuleNotFoundError: No module named 'not_there_at_all'"
