"""The decorator and the Tool it leads to."""

import subprocess
import sys

import anyio
import pytest

from toolmend.base.errors import BadOption, ToolError
from toolmend.tools import Tool, tool


@tool(effect="read", name="twice")
def double(number: int) -> int:
    """Twice the number.

    Args:
        number: what is doubled
    """
    return 2 * number


async def wait(seconds: float) -> float:
    await anyio.sleep(0)
    return seconds


def test_a_marked_function_is_still_itself() -> None:
    assert double(4) == 8


def test_the_spec_of_a_function() -> None:
    spec = Tool.of(double).spec
    assert (spec.name, spec.description, spec.effect) == ("twice", "Twice the number.", "read")
    assert spec.properties == {"number": {"type": "integer", "description": "what is doubled"}}


def test_an_unmarked_function_writes() -> None:
    assert Tool.of(wait).effect == "write"


def test_the_bare_decorator() -> None:
    @tool
    def nothing() -> None: ...

    assert Tool.of(nothing).name == "nothing"


def test_validation_gives_values_and_says_what_it_converted() -> None:
    assert Tool.of(double).validate({"number": "4"}) == ({"number": 4}, ("number: '4' -> 4",))


def test_validation_names_the_argument() -> None:
    with pytest.raises(ToolError, match=r"^argument 'number': should be a valid integer, got True$"):
        Tool.of(double).validate({"number": True})


def test_the_receiver_stands_before_the_dot() -> None:
    assert Tool.of(double).under("maths").name == "maths.twice"


def test_sync_and_async_functions_are_performed_alike() -> None:
    assert anyio.run(Tool.of(double).perform, {"number": 4}) == 8
    assert anyio.run(Tool.of(wait).perform, {"seconds": 0.5}) == 0.5


def test_async_is_known() -> None:
    assert (Tool.of(double).is_async, Tool.of(wait).is_async) == (False, True)


def test_an_unknown_effect_is_refused() -> None:
    with pytest.raises(BadOption, match=r"^effect 'writes' of a tool; known: read, write, danger$"):
        tool(effect="writes")  # type: ignore[call-overload]


def test_a_lambda_needs_a_name() -> None:
    with pytest.raises(BadOption, match=r"^a tool needs a name that can be written as a call, not '<lambda>'"):
        Tool.of(lambda: 1)


def test_heavy_libraries_wait_until_a_tool_is_made() -> None:
    code = "import sys, toolmend.tools, toolmend.tools.toolboxes; print({'pydantic', 'jsonschema'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
