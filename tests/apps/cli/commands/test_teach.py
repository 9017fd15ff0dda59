"""`toolmend teach` and `toolmend improve`: what is refused, what is said and printed; training is somebody else's."""

from __future__ import annotations

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
LINES = [f'Bring {number} crates to B{number} => move({number}, "B{number}")' for number in range(2, 7)]
EXAM = {"right": 0.75, "n": 8, "by_op": {"call": "6/8"}}


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of tools with examples beside it, in the current folder; nobody asks for torch."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("toolmend.apps.cli.commands.teach.TRAINING", ("teaching", "train", "json"))
    Path("my_tools.py").write_text(TOOLS, encoding="utf-8")
    Path("my_tools_examples.txt").write_text("\n".join(LINES), encoding="utf-8")
    return Path("my_tools.py")


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Teaching that only reports; what it was called with."""
    calls: list[dict[str, Any]] = []

    def teach(kit: Any, tools: str, out: Path, work: Path, **how: Any) -> dict[str, Any]:
        calls.append({"kit": kit, "tools": tools, "out": out, "work": work, **how})
        how["tell"]({"tokens": 1000, "right": 0.5, "before": 0.25, "n": 8})
        return EXAM

    monkeypatch.setattr("toolmend.apps.cli.commands.teach.begin", teach)
    return calls


def test_it_teaches_what_was_asked_for(invoke: Invoke, taught: list[dict[str, Any]], tools: Path) -> None:
    result = invoke("teach", str(tools), "--minutes", "5")
    assert result.exit_code == 0, result.stderr
    [call] = taught
    assert (call["out"], call["work"]) == (Path("my_tools_smol"), Path("my_tools_smol.work"))
    assert (call["start"], call["minutes"], call["threads"]) == ("smol/tools", 5, 0)
    assert result.stdout.splitlines() == [
        "my_tools_smol: 75.0 % of 8 turns of held-out talks right",
        "        6/8  call",
        "toolmend chat --model smol/./my_tools_smol --tools my_tools.py",
    ]
    assert result.stderr == "toolmend: 1,000 tokens: 50 % of 8 held-out replies word for word\n"


def test_without_sentences_some_are_proposed(invoke: Invoke, taught: list[dict[str, Any]], tools: Path) -> None:
    Path("my_tools_examples.txt").unlink()
    result = invoke("teach", str(tools))
    assert (result.exit_code, taught) == (2, [])
    assert "my_tools_examples.txt: there are sentences to be looked at" in result.stderr
    result = invoke("teach", str(tools), "--yes")
    assert (result.exit_code, len(taught)) == (0, 1)
    assert "toolmend: my_tools_examples.txt: 10 sentences\n" in result.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\n".join(LINES[:3]), "my_tools_examples.txt: too few examples: move: 3 of 5 examples"),
        ("\n".join([*LINES, 'Go => move("many", "B1")']), "my_tools_examples.txt:6: "),
        ("\n".join([*LINES, 'Bring 2 crates to B2 => move(3, "B2")']), "examples.txt:6: 'Bring 2 crates to B2'"),
    ],
)  # fmt: skip
def test_bad_sentences_are_told_first(
    invoke: Invoke, taught: list[dict[str, Any]], tools: Path, text: str, told: str
) -> None:
    Path("my_tools_examples.txt").write_text(text, encoding="utf-8")
    result = invoke("teach", str(tools))
    assert (result.exit_code, taught) == (2, [])
    assert told in result.stderr


def test_check_shows_sentences_and_trains_nothing(invoke: Invoke, taught: list[dict[str, Any]], tools: Path) -> None:
    result = invoke("teach", str(tools), "--check")
    assert (result.exit_code, taught) == (0, [])
    assert [line for line in result.stdout.splitlines() if line.startswith("    move(crates=")]


def test_improve_needs_what_teach_made(invoke: Invoke, tools: Path) -> None:
    result = invoke("improve", str(tools))
    assert result.exit_code == 2
    assert (
        "nothing to improve: my_tools_smol and my_tools_examples.txt are made by `toolmend teach my_tools.py`"
        in result.stderr
    )


def test_improve_goes_on_with_stored_corrections(
    invoke: Invoke, taught: list[dict[str, Any]], tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("my_tools_smol").mkdir()
    Path("my_tools_smol/toolmend.json").write_text("{}", encoding="utf-8")
    lines = ['Get 9 of them to C1 => move(9, "C1")', '    No, eight => move(8, "C1")']
    monkeypatch.setattr("toolmend.apps.cli.commands.teach.corrected", lambda *_: lines)
    result = invoke("improve", str(tools), "--yes")
    assert result.exit_code == 0, result.stderr
    assert Path("my_tools_examples.txt").read_text().splitlines()[-2:] == lines
    assert (taught[0]["start"], taught[0]["out"]) == ("smol/./my_tools_smol", Path("my_tools_smol"))
    assert taught[0]["kit"].changes == {"move": [("crates", "No, {crates}")]}


def test_improve_without_corrections_does_nothing(
    invoke: Invoke, taught: list[dict[str, Any]], tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("my_tools_smol").mkdir()
    Path("my_tools_smol/toolmend.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr("toolmend.apps.cli.commands.teach.corrected", lambda *_: [])
    result = invoke("improve", str(tools))
    assert (result.exit_code, taught) == (0, [])
    assert "no correction of my_tools.py in the store that is not in my_tools_examples.txt yet" in result.stderr
