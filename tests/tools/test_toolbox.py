"""Toolboxes: making them, running calls, and a failing tool that leaves its world alone."""

import sys
import types
from dataclasses import replace
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.errors import BadOption, ToolError, UnknownName
from toolmend.base.messages import Call, CallResult, ToolSpec
from toolmend.tools import Toolbox, tool


class Shelf(Toolbox):
    """A world of books, with faults of every sort."""

    receiver = "shelf"

    def __init__(self) -> None:
        self.books: list[str] = []

    @tool
    def put(self, book: str, times: int = 1) -> int:
        """Put a book on the shelf."""
        self.books += [book] * times
        return len(self.books)

    @tool
    def put_and_refuse(self, book: str) -> None:
        """Half done, then refused."""
        self.books.append(book)
        raise ToolError("the shelf is locked")

    @tool
    def put_and_break(self, book: str) -> None:
        """Half done, then a bug."""
        self.books.append(book)
        raise ZeroDivisionError("oops")

    @tool
    def put_and_return_nonsense(self, book: str) -> object:
        """Half done, then something no JSON can carry."""
        self.books.append(book)
        return object()

    @tool(effect="read")
    async def count(self) -> int:
        """How many there are."""
        await anyio.sleep(0)
        return len(self.books)

    def snapshot(self) -> tuple[str, ...]:
        return tuple(self.books)

    def restore(self, state: tuple[str, ...]) -> None:
        self.books = list(state)

    def state(self) -> list[str]:
        return self.books


def double(number: int) -> int:
    return 2 * number


def sum_of(numbers: list[int]) -> int:
    return sum(numbers)


async def later(number: int) -> int:
    await anyio.sleep(0)
    return number


def test_the_tools_stand_in_the_order_of_definition() -> None:
    names = [spec.full_name for spec in Shelf().specs]
    assert names == [
        "shelf.put",
        "shelf.put_and_refuse",
        "shelf.put_and_break",
        "shelf.put_and_return_nonsense",
        "shelf.count",
    ]


def test_a_world_may_say_more_about_its_tools_than_their_docstrings() -> None:
    class Small(Shelf):
        def as_shown(self, spec: ToolSpec) -> ToolSpec:
            return replace(spec, description=f"{spec.description} It holds {len(self.books)}.")

    assert Small().specs[0].description == "Put a book on the shelf. It holds 0."
    assert Small().tool("shelf.put").spec.description == "Put a book on the shelf. It holds 0."
    assert Shelf().specs[0].description == "Put a book on the shelf."


def test_a_call_runs_the_method_of_its_own_object() -> None:
    here, there = Shelf(), Shelf()
    assert here.run_sync(Call("shelf.put", {"book": "Emma"}, "c1")) == CallResult("c1", 1)
    assert (here.state(), there.state()) == (["Emma"], [])


def test_a_toolbox_of_functions() -> None:
    box = Toolbox.of(double, sum_of, receiver="maths")
    assert box.run_sync(Call("maths.sum_of", {"numbers": "[1, 2]"})) == CallResult(
        "", 3, coerced=("numbers: '[1, 2]' -> [1, 2]",)
    )


def test_methods_of_any_object_are_functions() -> None:
    shelf = Shelf()
    Toolbox.of(shelf.put).run_sync(Call("put", {"book": "Emma"}))
    assert shelf.books == ["Emma"]


def test_a_subclass_may_override_and_add() -> None:
    class Better(Shelf):
        @tool
        def put(self, book: str, times: int = 1, row: int = 0) -> int:
            """Onto one of its rows."""
            return super().put(book.title(), times)

        @tool
        def clear(self) -> None:
            """Away with them."""
            self.books.clear()

    box = Better()
    box.run_sync(Call("shelf.put", {"book": "emma"}))
    assert box.books == ["Emma"]
    assert [spec.name for spec in box.specs][::5] == ["put", "clear"]
    assert list(box.tool("shelf.put").spec.properties) == ["book", "times", "row"]


def test_a_static_tool_has_no_self() -> None:
    class Sums(Toolbox):
        @staticmethod
        @tool
        def double(number: int) -> int:
            """Twice the number."""
            return 2 * number

    assert Sums().run_sync(Call("double", {"number": 4})).value == 8


@pytest.mark.parametrize(
    ("name", "error", "fault"),
    [
        ("shelf.put_and_refuse", "the shelf is locked", "refused"),
        ("shelf.put_and_break", "shelf.put_and_break failed: ZeroDivisionError: oops", "failed"),
    ],
)
def test_a_failing_tool_is_a_result_and_the_world_unchanged(name: str, error: str, fault: Any) -> None:
    shelf = Shelf()
    shelf.put("Emma")
    assert shelf.run_sync(Call(name, {"book": "Ulysses"}, "c1")) == CallResult("c1", error=error, fault=fault)
    assert shelf.books == ["Emma"]


def test_an_exception_of_a_foreign_tool_is_its_own_words() -> None:
    @tool(foreign=True)
    def ask(number: int) -> str:
        raise RuntimeError(f"{number}\u202e\u200b</outside>")

    box = Toolbox.of(ask)
    failed, wrong = box.run_sync(Call("ask", {"number": 1})), box.run_sync(Call("ask", {"number": "x\u202e"}))
    assert (failed.error, failed.foreign) == ("ask failed: RuntimeError: 1</outside>", True)
    assert (wrong.fault, wrong.foreign, "\u202e" in str(wrong.error)) == ("arguments", False, False)


def test_a_result_that_json_cannot_carry_is_a_failure() -> None:
    shelf = Shelf()
    result = shelf.run_sync(Call("shelf.put_and_return_nonsense", {"book": "Emma"}))
    assert str(result.error).startswith("the tool returned a object, which JSON cannot carry")
    assert shelf.books == []


def test_a_cancelled_tool_leaves_the_world_unchanged() -> None:
    class Slow(Shelf):
        @tool
        async def put_slowly(self, book: str) -> None:
            """Half done, then waiting for ever."""
            self.books.append(book)
            await anyio.sleep_forever()

    shelf = Slow()

    async def cancel() -> None:
        with anyio.move_on_after(0):
            await shelf.run(Call("shelf.put_slowly", {"book": "Emma"}))

    anyio.run(cancel)
    assert shelf.books == []


def test_a_bad_argument_is_a_result() -> None:
    result = Shelf().run_sync(Call("shelf.put", {"book": "Emma", "times": True}))
    assert result.error == "argument 'times': should be a valid integer, got True"


def test_an_unknown_tool_is_answered_with_three_names_at_most() -> None:
    error = Shelf().run_sync(Call("shelf.putt", {})).error
    assert str(error).startswith("there is no tool 'shelf.putt'; nearest: shelf.put, ")
    assert str(error).count(",") == 2


def test_a_name_without_its_receiver_is_unknown() -> None:
    assert str(Shelf().run_sync(Call("put", {"book": "Emma"})).error).startswith("there is no tool 'put'; nearest:")


def test_an_unknown_tool_of_an_empty_toolbox() -> None:
    assert Toolbox().run_sync(Call("x" * 500, {})).error == f"there is no tool '{'x' * 80}'"


def test_async_tools_are_awaited() -> None:
    assert anyio.run(Shelf().run, Call("shelf.count", {}, "c1")) == CallResult("c1", 0)


def test_sync_tools_run_in_an_event_loop_too() -> None:
    assert anyio.run(Toolbox.of(double).run, Call("double", {"number": 4})).value == 8


def test_the_sync_door_refuses_async_tools() -> None:
    with pytest.raises(BadOption, match=r"^later is async: await toolbox\.run\(call\)$"):
        Toolbox.of(later).run_sync(Call("later", {"number": 1}))


def test_the_sync_door_refuses_what_waits_unannounced() -> None:
    class Pause:
        def __await__(self) -> Any:
            yield

    def pause() -> Any:
        return Pause()

    with pytest.raises(BadOption, match=r"^a tool waits for something"):
        Toolbox.of(pause).run_sync(Call("pause"))


def test_tool_by_full_name() -> None:
    assert Shelf().tool("shelf.put").spec.name == "put"
    with pytest.raises(UnknownName, match=r"unknown tool 'shelf.putt' \(did you mean shelf.put"):
        Shelf().tool("shelf.putt")


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(BadOption, match=r"^two tools are called 'double'$"):
        Toolbox.of(double, double)


def test_an_undo_that_does_not_exist_is_refused() -> None:
    class Broken(Toolbox):
        @tool(undo="put_back")
        def take(self) -> None:
            """Take it."""

    with pytest.raises(BadOption, match=r"^tool 'take': undo='put_back' is no method of Broken$"):
        _ = Broken().specs


def test_a_function_cannot_name_a_method_as_its_undo() -> None:
    @tool(undo="put_back")
    def take() -> None: ...

    with pytest.raises(BadOption, match=r"^tool 'take': undo='put_back' names a method"):
        Toolbox.of(take)


def test_repr_shows_the_tools() -> None:
    assert repr(Toolbox.of(double, sum_of)) == "<Toolbox: double, sum_of>"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    made = types.ModuleType("somebodys_tools")
    monkeypatch.setitem(sys.modules, "somebodys_tools", made)
    return made


@pytest.mark.parametrize(
    ("found", "names"),
    [
        (Toolbox.of(double), ["double"]),
        (Shelf, [spec.full_name for spec in Shelf().specs]),
        (lambda: Toolbox.of(sum_of), ["sum_of"]),
        ([double, sum_of], ["double", "sum_of"]),
        (tool(effect="read")(later), ["later"]),
    ],
    ids=["instance", "class", "factory", "functions", "marked function"],
)
def test_load_takes_what_makes_a_toolbox(module: types.ModuleType, found: Any, names: list[str]) -> None:
    module.found = found  # type: ignore[attr-defined]
    assert [spec.full_name for spec in Toolbox.load("somebodys_tools:found").specs] == names


def test_load_knows_the_registered_names() -> None:
    assert type(Toolbox.load("calendar")).__name__ == "Calendar"


def test_load_refuses_what_is_no_toolbox(module: types.ModuleType) -> None:
    module.found = 3  # type: ignore[attr-defined]
    with pytest.raises(BadOption, match=r"^'somebodys_tools:found' gives a int, no Toolbox"):
        Toolbox.load("somebodys_tools:found")


def test_load_says_what_is_known() -> None:
    with pytest.raises(
        UnknownName, match=r"^unknown toolbox 'calender' \(did you mean calendar\?\); known: agenda, calendar"
    ):
        Toolbox.load("calender")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=100)
@given(
    st.sampled_from(["shelf.put", "shelf.put_and_refuse", "shelf.put_and_break"]) | st.text(max_size=10),
    st.dictionaries(st.sampled_from(["book", "*2"]) | st.text(max_size=4), _JSON, max_size=3),
)
def test_no_call_raises_and_no_failure_changes_the_world(name: str, arguments: dict[str, Any]) -> None:
    shelf = Shelf()
    shelf.put("Emma")
    result = shelf.run_sync(Call(name, arguments, "c1"))
    assert result.ok or shelf.books == ["Emma"]
