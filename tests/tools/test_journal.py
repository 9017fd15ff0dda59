"""Undo and redo: by a tool's own undo function, and by the snapshots of a world."""

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.errors import ToolError, UnknownName
from toolmend.base.messages import Call
from toolmend.tools import Toolbox, tool


class Stack(Toolbox):
    """A world that has snapshots and no undo functions. What `push` gives depends on what is there."""

    def __init__(self) -> None:
        self.items: list[str] = []

    @tool
    def push(self, item: str) -> str:
        """Put it on top."""
        self.items.append(f"{len(self.items)}{item}")
        return self.items[-1]

    @tool
    def pop(self) -> str:
        """Take the top away."""
        if not self.items:
            raise ToolError("the stack is empty")
        return self.items.pop()

    @tool(effect="read")
    def top(self) -> str:
        """Look at the top."""
        return self.items[-1]

    def snapshot(self) -> tuple[str, ...]:
        return tuple(self.items)

    def restore(self, state: tuple[str, ...]) -> None:
        self.items = list(state)


class Lamp(Toolbox):
    """No snapshots; `on` names its undo, `burn` has none."""

    def __init__(self) -> None:
        self.lit = 0

    @tool(undo="_off")
    async def on(self, by: int = 1) -> int:
        """Brighter."""
        await anyio.sleep(0)
        self.lit += by
        return by

    async def _off(self, by: int) -> None:
        if by > self.lit:
            raise ZeroDivisionError("too dark")
        self.lit -= by

    @tool(effect="danger")
    def burn(self) -> None:
        """For ever."""

    @tool(effect="read")
    def look(self) -> int:
        """How bright."""
        return self.lit


def pushed(*items: str) -> Stack:
    stack = Stack()
    for number, item in enumerate(items, 1):
        stack.run_sync(Call("pop") if item == "-" else Call("push", {"item": item}, f"c{number}"))
    return stack


def test_the_last_call() -> None:
    stack = pushed("a", "b")
    stack.undo_sync("c2")
    assert stack.items == ["0a"]


def test_an_older_call_as_if_it_had_never_been() -> None:
    stack = pushed("a", "b", "c")
    stack.undo_sync("c2")
    assert stack.items == ["0a", "1c"]


def test_redo_puts_it_back_in_its_place() -> None:
    stack = pushed("a", "b", "c")
    stack.undo_sync("c2")
    stack.redo_sync("c2")
    assert stack.items == ["0a", "1b", "2c"]


def test_a_call_that_a_later_one_builds_on() -> None:
    stack = pushed("a", "-")
    with pytest.raises(ToolError, match=r"^pop \(call ''\) builds on it; undo that first: the stack is empty$"):
        stack.undo_sync("c1")
    assert stack.items == []


def test_a_change_from_outside_is_not_wiped_out() -> None:
    stack = pushed("a")
    stack.items.append("from outside")
    with pytest.raises(ToolError, match=r"^call 'c1': the world was changed in another way since"):
        stack.undo_sync("c1")
    assert stack.items == ["0a", "from outside"]


def test_undoing_twice_is_an_error() -> None:
    stack = pushed("a")
    stack.undo_sync("c1")
    with pytest.raises(ToolError, match=r"^call 'c1' \(push\) is already undone$"):
        stack.undo_sync("c1")


def test_redoing_what_was_not_undone_is_an_error() -> None:
    with pytest.raises(ToolError, match=r"^call 'c1' \(push\) was not undone$"):
        pushed("a").redo_sync("c1")


def test_a_call_that_failed_has_nothing_to_undo() -> None:
    stack = Stack()
    stack.run_sync(Call("pop", {}, "c1"))
    with pytest.raises(ToolError, match=r"^call 'c1' failed and changed nothing"):
        stack.undo_sync("c1")


def test_a_call_that_never_ran() -> None:
    with pytest.raises(UnknownName, match=r"unknown call 'c9'.*known: c1, c2"):
        pushed("a", "b").undo_sync("c9")


def test_an_id_used_again_means_the_newest() -> None:
    stack = pushed("a")
    stack.run_sync(Call("push", {"item": "b"}, "c1"))
    stack.undo_sync("c1")
    assert stack.items == ["0a"]


def test_what_only_reads_can_always_be_undone() -> None:
    lamp = Lamp()
    call = Call("look", {}, "c1")
    lamp.run_sync(call)
    assert lamp.can_undo(call)
    lamp.undo_sync("c1")
    assert not lamp.can_undo(call)


def test_an_async_undo_function_gets_what_the_tool_returned() -> None:
    lamp = Lamp()

    async def talk() -> list[int]:
        await lamp.run(Call("on", {"by": 2}, "c1"))
        await lamp.run(Call("on", {"by": 3}, "c2"))
        seen = [lamp.lit]
        await lamp.undo("c1")
        seen.append(lamp.lit)
        await lamp.redo("c1")
        return [*seen, lamp.lit]

    assert anyio.run(talk) == [5, 3, 5]


def test_an_undo_function_that_breaks_is_a_tool_error() -> None:
    lamp = Lamp()
    anyio.run(lamp.run, Call("on", {"by": 2}, "c1"))
    lamp.lit = 0
    with pytest.raises(ToolError, match=r"^cannot undo on: ZeroDivisionError: too dark$"):
        anyio.run(lamp.undo, "c1")
    assert lamp.can_undo(Call("on", {}, "c1"))


def test_without_a_way_back_there_is_no_undo() -> None:
    lamp = Lamp()
    call = Call("burn", {}, "c1")
    lamp.run_sync(call)
    assert not lamp.can_undo(call)
    with pytest.raises(ToolError, match=r"^call 'c1': burn cannot be undone$"):
        lamp.undo_sync("c1")


def test_can_undo_before_the_call_runs() -> None:
    assert Stack().can_undo(Call("push", {"item": "a"}, "c1"))
    assert not Stack().can_undo(Call("no_such_tool", {}, "c1"))


def test_a_plain_function_brings_its_undo_function() -> None:
    notes: list[str] = []

    @tool(undo=notes.remove)
    def note(text: str) -> str:
        notes.append(text)
        return text

    box = Toolbox.of(note)
    box.run_sync(Call("note", {"text": "milk"}, "c1"))
    box.undo_sync("c1")
    assert notes == []


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=6), st.data())
def test_undone_calls_were_never_made(items: list[str], data: st.DataObject) -> None:
    stack = pushed(*items)
    gone = data.draw(st.lists(st.sampled_from(range(len(items))), unique=True))
    for index in gone:
        stack.undo_sync(f"c{index + 1}")
    assert stack.items == pushed(*(item for index, item in enumerate(items) if index not in gone)).items


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from("ab-"), max_size=8), st.data())
def test_undo_and_redo_lead_back(items: list[str], data: st.DataObject) -> None:
    stack = pushed(*items)
    there = stack.snapshot()
    index = data.draw(st.sampled_from([n for n, item in enumerate(items, 1) if item != "-"] or [0]))
    if index:
        try:
            stack.undo_sync(f"c{index}")
        except ToolError:
            assert stack.snapshot() == there
            return
        stack.redo_sync(f"c{index}")
    assert stack.snapshot() == there
