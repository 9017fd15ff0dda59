"""A tool that raises, blocks, prints or returns too much is named, does no harm, and leaves a talk that goes on."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from toolmend.base.errors import ToolError
from toolmend.base.events import Called, Guarded, Refused
from toolmend.base.messages import ToolSpec
from toolmend.session import Limits, Session
from toolmend.tools import Toolbox, foreign, tool

SOON = Limits(tool_seconds=0.02)


class Box(Toolbox):
    """A number that tools change, and a gate that `wait` waits for."""

    receiver = "box"

    def __init__(self) -> None:
        self.number, self.gate, self.waited = 0, threading.Event(), threading.Event()

    @tool
    def add(self, number: int) -> int:
        """Add."""
        self.number += number
        return self.number

    @tool
    def wait(self) -> int:
        """Add 1 once the gate is open."""
        self.gate.wait()
        self.number += 1
        self.waited.set()
        return self.number

    @tool
    async def sleep(self) -> int:
        """Change something and never come back."""
        self.number += 100
        await anyio.sleep_forever()
        return self.number

    @tool
    def fail(self, how: str) -> int:
        """Change something and raise."""
        self.number += 1000
        raise {
            "key": KeyError("there"),
            "exit": SystemExit(3),
            "stop": KeyboardInterrupt("by itself"),
            "no": ToolError("not now"),
        }[how]

    @tool
    def say(self, text: str, times: int = 1) -> str:
        """Print."""
        print(text * times)
        return "said"

    @tool
    def much(self, kind: str) -> Any:
        """Return a lot."""
        return {"text": "x" * 10_000_000, "list": ["y" * 1000] * 10_000, "number": 10**5_000}[kind]

    def snapshot(self) -> int:
        return self.number

    def restore(self, state: int) -> None:
        self.number = state


@pytest.fixture
def box() -> Iterator[Box]:
    made = Box()
    yield made
    made.gate.set()


def guards(events: list[Any]) -> list[str]:
    return [event.guard for event in events if isinstance(event, Guarded)]


@pytest.mark.parametrize(
    ("how", "name"),
    [("key", "KeyError: 'there'"), ("exit", "SystemExit: 3"), ("stop", "KeyboardInterrupt: by itself")],
)
def test_a_tool_that_raises(talk, box, how, name):
    chat, events = talk(f"box.fail('{how}')", "box.add(2)", tools=box)
    answer = chat.request("Do it")
    assert answer.results[0].error == f"box.fail failed: {name}"
    assert events[-1] == Guarded(0, "tool_failed", f"box.fail failed: {name}")
    assert (chat.request("Add 2").results[0].value, box.number) == (2, 2)


def test_a_refusal_is_no_failure(talk, box):
    chat, events = talk("box.fail('no')", tools=box)
    assert chat.request("Do it").results[0].fault == "refused"
    assert guards(events) == []


def test_an_async_tool_that_is_overdue_is_stopped(talk, box):
    chat, events = talk("box.sleep()", "box.add(2)", tools=box, limits=SOON)
    result = chat.request("Sleep").results[0]
    assert (result.error, result.fault) == ("box.sleep took longer than 0.02 s and was stopped", "failed")
    assert events[-1] == Guarded(0, "tool_blocked", "box.sleep: 0.02 s")
    assert chat.request("Add 2").results[0].value == 2


def test_a_plain_tool_that_is_overdue_is_left_alone_and_undone_when_it_ends(talk, box):
    chat, events = talk("box.wait()", "box.add(2)", "box.add(3)", tools=box, limits=SOON)
    result = chat.request("Wait").results[0]
    assert result.error == "box.wait took longer than 0.02 s and goes on; what it does is undone when it ends"
    assert chat.request("Add 2").results[0].error == (
        "box.wait is still running; nothing else can be called until it ends"
    )
    assert guards(events) == ["tool_blocked", "tool_busy"]
    left = chat._standing._watch._left
    box.gate.set()
    assert left.over.wait(10) and box.waited.is_set()
    assert (chat.request("Add 3").results[0].value, [call.tool for call in chat.standing]) == (3, ["box.add"])


def test_nothing_is_undone_in_a_world_where_a_tool_still_runs(talk, box):
    chat, events = talk("box.add(2)", "box.wait()", tools=box, limits=SOON)
    chat.request("Add 2")
    chat.request("Wait")
    chat.undo()
    chat.undo()
    assert events[-1] == Refused(0, chat.standing[0], "box.add was not undone: box.wait is still running")


def test_without_a_world_other_tools_go_on(talk):
    gate = threading.Event()

    def wait() -> None:
        """Wait."""
        gate.wait()

    def double(number: int) -> int:
        """Twice the number."""
        return 2 * number

    chat, _ = talk("wait()", "double(2)", tools=Toolbox.of(wait, double), limits=SOON)
    assert (
        chat.request("Wait").results[0].error
        == "wait took longer than 0.02 s and goes on; what it does cannot be undone"
    )
    assert chat.request("Double 2").results[0].value == 4
    gate.set()


def test_a_turn_that_is_given_up_leaves_nothing_of_a_tool_that_still_runs(box):
    from toolmend.models.scripted import Scripted

    chat = Session(Scripted(["box.wait()"]), box)

    async def main() -> None:
        with anyio.move_on_after(0.02):
            await chat.arequest("Wait")

    anyio.run(main)
    left = chat._standing._watch._left
    box.gate.set()
    assert left.over.wait(10) and box.waited.is_set()
    assert (box.number, chat.standing, chat.answers) == (0, [], [])


def test_plain_tools_run_in_another_thread_unless_the_toolbox_is_quick(talk):
    def here() -> str:
        """Where this runs."""
        return threading.current_thread().name

    slow, quick = Toolbox.of(here), Toolbox.of(here)
    quick.quick = True
    assert talk("here()", tools=slow)[0].request("Where?").results[0].value == "here"
    assert talk("here()", tools=quick)[0].request("Where?").results[0].value != "here"


def test_what_a_plain_function_returns_to_be_awaited_is_awaited(talk):
    async def answer(arguments: dict[str, Any]) -> str:
        await anyio.sleep(0)
        return "fine"

    weather = foreign(ToolSpec("weather"), lambda arguments: answer(arguments))
    assert talk("weather()", tools=Toolbox.of(weather))[0].request("Weather?").results[0].value == "fine"


@pytest.mark.parametrize("quick", [False, True])
def test_what_a_tool_prints_does_not_reach_standard_output(talk, box, capsys, quick):
    box.quick = quick
    chat, events = talk("box.say('hello')", "box.say('x', 1000)", tools=box)
    before = sys.stdout
    assert chat.request("Say hello").results[0].value == "said"
    assert events[-1] == Guarded(0, "tool_printed", "box.say: hello")
    chat.request("Say x")
    assert events[-1] == Guarded(1, "tool_printed", f"box.say: {'x' * 400}… (601 characters more)")
    print("mine")
    assert (capsys.readouterr().out, sys.stdout) == ("mine\n", before)


def test_an_async_tool_keeps_only_what_it_prints_itself(talk, capsys):
    async def chatty() -> str:
        """Print, let others print, print."""
        print("one")
        async with anyio.create_task_group() as group:
            group.start_soon(other)
        print("two")
        return "done"

    async def other() -> None:
        print("and a task of its own")

    chat, events = talk("chatty()", tools=Toolbox.of(chatty))
    chat.request("Talk")
    assert events[-1] == Guarded(0, "tool_printed", "chatty: one\nand a task of its own\ntwo")


@pytest.mark.parametrize(
    ("kind", "begins", "size"),
    [
        ("text", "xxx", "10,000,000 characters, 65,536 of them kept"),
        ("list", '["yyy', "10,040,000 characters, 65,536 of them kept"),
        ("number", "(a number of thousands", "42 characters"),
    ],
)
def test_a_result_that_is_too_long_is_cut_for_the_model_and_the_store(talk, box, kind, begins, size):
    chat, events = talk(f"box.much('{kind}')", tools=box)
    result = chat.request("Much").results[0]
    assert result.ok and result.value.startswith(begins) and len(result.value) < 65_600
    assert events[-1] == Guarded(0, "long_result", f"box.much: {size}")
    assert [event.result for event in events if isinstance(event, Called)] == [result]


def test_a_long_error_is_cut_too(talk):
    def fail() -> None:
        """Fail."""
        raise ToolError("e" * 1_000)

    chat, events = talk("fail()", tools=Toolbox.of(fail), limits=Limits(result_characters=100))
    assert chat.request("Fail").results[0].error == f"{'e' * 100} … (900 characters more)"
    assert guards(events) == ["long_result"]
