"""`toolmend teach`: what is refused, what it says, what it prints; the training itself is somebody else's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Invoke = Callable[..., Result]

TOOLS = """
from toolmend import tool

@tool
def move(crates: int, shelf: str) -> str:
    "Move crates to a shelf."
    return ""
"""
LINES = [f'Move {number} crates to B{number} => move({number}, "B{number}")' for number in range(2, 7)]
SHARE = {"k": 9, "n": 10, "share": 0.9, "low": 0.596, "high": 0.982}
EXAM = {"same": SHARE, "held_out": SHARE, "fix": SHARE}


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A file of tools with examples beside it."""
    (tmp_path / "my_tools.py").write_text(TOOLS, encoding="utf-8")
    (tmp_path / "my_tools_examples.txt").write_text("\n".join(LINES), encoding="utf-8")
    return tmp_path / "my_tools.py"


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Teaching that only reports; what it was called with."""
    calls: list[tuple[Any, ...]] = []

    def teach(what: Any, out: Path, work: Path, **options: Any) -> dict[str, Any]:
        calls.append((what, out, work, options["minutes"]))
        options["tell"]("teaching it")
        return EXAM

    monkeypatch.setattr("toolmend.training.teach.teach.teach", teach)
    return calls


def test_it_teaches_what_was_asked_for(invoke: Invoke, taught: list[tuple[Any, ...]], tools: Path) -> None:
    result = invoke("teach", str(tools), "--out", "p", "--minutes", "5")
    assert result.exit_code == 0, result.stderr
    [(what, out, work, minutes)] = taught
    assert (what.name, len(what.examples), out, work, minutes) == (str(tools), 5, Path("p"), Path("p.work"), 5)
    assert result.stdout.splitlines() == [
        "90.0 % [59.6, 98.2], 9 of 10  exact, held-out sentences",
        "90.0 % [59.6, 98.2], 9 of 10  exact, like training",
        "90.0 % [59.6, 98.2], 9 of 10  fix@1",
        f"toolmend chat --model ./p --tools {tools}",
    ]
    assert result.stderr == "toolmend: teaching it\n"


def test_json_stands_alone(invoke: Invoke, taught: list[tuple[Any, ...]], tools: Path) -> None:
    result = invoke("teach", str(tools), "--out", "p", "--format", "json")
    assert json.loads(result.stdout) == {"schema": 1, "preset": "p", "toolbox": str(tools), "exam": EXAM}


def test_too_few_examples(invoke: Invoke, taught: list[tuple[Any, ...]], tools: Path) -> None:
    tools.with_name("my_tools_examples.txt").write_text("\n".join(LINES[:3]), encoding="utf-8")
    result = invoke("teach", str(tools), "--out", "p")
    assert (result.exit_code, taught) == (2, [])
    assert "too few examples: move: 3 of 5 examples" in result.stderr


def test_a_broken_line_of_examples(invoke: Invoke, tools: Path) -> None:
    examples = tools.with_name("mine.txt")
    examples.write_text('Go => move("many", "B1")\n', encoding="utf-8")
    result = invoke("teach", str(tools), "--examples", str(examples))
    assert result.exit_code == 2
    assert f"{examples}:1: " in result.stderr


def test_check_shows_sentences_and_trains_nothing(invoke: Invoke, taught: list[tuple[Any, ...]], tools: Path) -> None:
    result = invoke("teach", str(tools), "--check")
    assert (result.exit_code, taught) == (0, [])
    assert len([line for line in result.stdout.splitlines() if line.startswith("    move(")]) == 12


def test_a_teachers_wordings_are_added(invoke: Invoke, taught: list[tuple[Any, ...]], tools: Path) -> None:
    result = invoke("teach", str(tools), "--out", str(tools.with_name("p")), "--teacher", "scripted/echo")
    assert result.exit_code == 0, result.stderr
    assert "toolmend: teacher: 0 more wordings of 5 examples" in result.stderr
    assert taught[0][0].teacher == "scripted/echo"


def test_ctrl_c_says_how_to_go_on(invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tools: Path) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("toolmend.training.teach.teach.teach", interrupted)
    result = invoke("teach", str(tools), "--out", "p")
    assert (result.exit_code, result.stderr) == (
        130,
        "toolmend: stopped; the state is kept in p.work: the same command goes on\n",
    )


def test_a_toolbox_nobody_knows(invoke: Invoke) -> None:
    assert invoke("teach", "shp").exit_code == 2
