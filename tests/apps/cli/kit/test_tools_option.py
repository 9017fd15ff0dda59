"""`--tools MODULE:NAME`: the same everywhere, found in the current folder, one line where it will not do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from toolmend.evals.store import Store

Invoke = Callable[..., Result]

RIGHT = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
BOXES = """\
from toolmend.tools.toolboxes import Calendar
from toolmend.tools import tool

class Mine(Calendar):
    pass

class Needy(Calendar):
    def __init__(self, path):
        super().__init__()

@tool
def double(number: int) -> int:
    "Twice the number."
    return 2 * number

def half(number: int) -> float:
    "Half the number."
    return number / 2

ready = Mine()
both = [double, half]
"""


@pytest.fixture(autouse=True)
def boxes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module of toolboxes in the current folder."""
    import sys

    Path("own_boxes_here.py").write_text(BOXES)
    yield
    sys.modules.pop("own_boxes_here", None)


@pytest.mark.parametrize("name", ["calendar", "own_boxes_here:Mine", "own_boxes_here:ready", "own_boxes_here:both"])
def test_ask_and_chat_take_them_all(invoke: Invoke, name: str) -> None:
    for words in (["ask", "Hello", "--model", "canned/right"], ["chat", "--model", "canned/right"]):
        result = invoke(*words, "--tools", name, stdin="")
        assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("name", ["own_boxes_here:Mine", "own_boxes_here:ready"])
def test_run_with_another_toolbox(invoke: Invoke, suite: Path, name: str) -> None:
    result = invoke("run", suite, "--model", "canned/right", "--tools", name, "--format", "json")
    assert result.exit_code == 0, result.stderr
    with Store(create=False) as store:
        [run] = store.runs()
        assert run.config.settings["tools"] == name
        assert [sample.marked[0].marks[0] for sample in store.samples(run.id)] == ["correct", "correct"]


def test_another_toolbox_makes_another_run(invoke: Invoke, suite: Path) -> None:
    from toolmend.evals.running.plan import Plan
    from toolmend.evals.suites.suite import load_suite
    from toolmend.models.scripted import Scripted

    invoke("ask", "Hello", "--model", "canned/right")  # makes the current folder known
    keys = {
        Plan.make(load_suite(str(suite), tools), [Scripted(["x"])], ["oneline"]).config().key
        for tools in (None, "calendar", "own_boxes_here:Mine")
    }
    assert len(keys) == 2


def test_a_toolbox_without_the_expected_tools(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--model", "canned/right", "--tools", "own_boxes_here:both")
    assert result.exit_code == 2
    assert "tiny.yaml:14: expect:" in result.stderr


def test_suites_with_another_toolbox(invoke: Invoke, suite: Path) -> None:
    result = invoke("suites", suite, "--tools", "own_boxes_here:Mine", "--self-test")
    assert (result.exit_code, result.stderr) == (0, "")
    assert invoke("suites", "--tools", "calendar").stderr == "toolmend: --tools goes with one suite: name it\n"


def test_grade_lines_that_name_no_tools(invoke: Invoke) -> None:
    line = {"reply": "double(3)", "expected": [{"tool": "double", "arguments": {"number": 3}}]}
    result = invoke("grade", "-", "--tools", "own_boxes_here:both", "--format", "json", stdin=json.dumps(line))
    assert [json.loads(row)["mark"] for row in result.stdout.splitlines()] == ["correct"]
    assert invoke("grade", "-", stdin=json.dumps(line)).exit_code == 2


def test_the_tools_of_a_line_go_first(invoke: Invoke) -> None:
    triple = {"name": "triple", "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}}}
    rows = [
        {"reply": "double(3)", "expected": [{"tool": "double", "arguments": {"number": 3}}]},
        {"tools": [triple], "reply": "triple(3)", "expected": [{"tool": "triple", "arguments": {"number": 3}}]},
        {"reply": "half(3)", "expected": [{"tool": "half", "arguments": {"number": 3}}]},
    ]
    text = "\n".join(map(json.dumps, rows))
    result = invoke("grade", "-", "--tools", "own_boxes_here:both", stdin=text)
    assert result.stdout.splitlines()[-1] == "3 replies, 3 correct"


@pytest.mark.parametrize(
    "words", [["ask", "Hello"], ["chat"], ["run", "calendar"], ["suites", "calendar"], ["grade", "-"]]
)
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("calender", "unknown toolbox 'calender' (did you mean calendar?)"),
        ("no_boxes_here:Mine", "(neither installed nor in the current folder)"),
        ("own_boxes_here:Mime", "(did you mean Mine?)"),
        ("own_boxes_here:Needy", "name an instance, a function that makes one without arguments"),
        ("own_boxes_here:half", "a function that makes one without arguments, or a list of functions"),
    ],
)
def test_one_line_for_what_will_not_do(invoke: Invoke, words: list[str], name: str, said: str) -> None:
    result = invoke(*words, "--tools", name, stdin="")
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
