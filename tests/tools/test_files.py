"""A toolbox out of a Python file."""

import sys

import pytest

from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.base.messages import Call
from toolmend.tools import Toolbox

FUNCTIONS = """
from toolmend import tool

@tool
def open_door(room: str) -> str:
    "Open a door."
    return room

def helper(x):
    return x

@tool
def close_door(room: str) -> str:
    "Close a door."
    return room
"""
BOX = """
from toolmend import Toolbox, tool
class Doors(Toolbox):
    receiver = "doors"
    @tool
    def shut(self) -> str:
        "Shut it."
        return ""
"""
BELL = """
from toolmend import Toolbox
def ring(times: int) -> int:
    "Ring."
    return times
bell = Toolbox.of(ring, receiver="bell")
"""


def load(tmp_path, text):
    (tmp_path / "my_tools.py").write_text(text, encoding="utf-8")
    return Toolbox.load(str(tmp_path / "my_tools.py"))


def test_all_marked_functions(tmp_path):
    assert [spec.full_name for spec in load(tmp_path, FUNCTIONS).specs] == ["open_door", "close_door"]


def test_its_one_toolbox(tmp_path):
    assert [spec.full_name for spec in load(tmp_path, BOX).specs] == ["doors.shut"]


def test_its_one_instance(tmp_path):
    assert [spec.full_name for spec in load(tmp_path, BELL).specs] == ["bell.ring"]


def test_of_several_toolboxes_one_must_be_named(tmp_path):
    with pytest.raises(BadOption, match=r"several toolboxes: Doors, Gates; name one as .*my_tools\.py:Doors"):
        load(tmp_path, BOX + BOX.replace("Doors", "Gates").partition("tool\n")[2])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("x = 1\n", "has no function and no Toolbox"),
        ("x = 1 / 0\n", "cannot be run: ZeroDivisionError"),
        ("def", "cannot be run: SyntaxError"),
        ("raise SystemExit('usage')", "cannot be run: SystemExit: usage"),
    ],
)
def test_a_file_that_is_no_toolbox_is_named(tmp_path, text, what):
    with pytest.raises(BadFile, match=f"my_tools.py(:1)?: .*{what}"):
        load(tmp_path, text)


def test_one_thing_of_a_file_is_named(tmp_path):
    load(tmp_path, BOX + BELL)
    bell = Toolbox.load(f"{tmp_path / 'my_tools.py'}:bell")
    assert [spec.full_name for spec in bell.specs] == ["bell.ring"]
    with pytest.raises(UnknownName, match=r"my_tools\.py 'bull' \(did you mean bell"):
        Toolbox.load(f"{tmp_path / 'my_tools.py'}:bull")


def test_a_file_finds_its_neighbours(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.path", [*sys.path])
    (tmp_path / "prices_next_door.py").write_text("TEA = 3\n", encoding="utf-8")
    box = load(tmp_path, "from prices_next_door import TEA\ndef price(of: str) -> int:\n    return TEA\n")
    assert box.run_sync(Call("price", {"of": "tea"})).value == 3


def test_of_two_functions_of_one_name_none_is_chosen_in_silence(tmp_path):
    with pytest.raises(BadFile, match=r"my_tools\.py:3: two functions are called 'a'"):
        load(tmp_path, "def a(x: int) -> int:\n    return x\ndef a(y: int) -> int:\n    return y\n")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(BadFile, match=r"none\.py: no such Python file"):
        Toolbox.load(str(tmp_path / "none.py"))


def test_functions_that_nobody_marked_are_tools(tmp_path):
    text = "from os import path\n\ndef get_mail(who: str) -> str:\n    return who\n\n\n"
    text += "def get_off(who: str) -> None: ...\n"
    box = load(tmp_path, text + "\n\ndef _hidden(): ...\n\n\ndef send(who: str) -> str:\n    return who\n")
    effects = {spec.name: spec.effect for spec in box.specs}
    assert effects == {"get_mail": "read", "get_off": "write", "send": "write"}


@pytest.mark.parametrize(
    ("seventh", "what"),
    [
        ("x = 1 / 0", "cannot be run: ZeroDivisionError"),
        ("def b(y) -> str", "cannot be run: SyntaxError"),
        ("def b(*y): ...", "tool 'b': .y cannot be filled by name"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_is_wrong_in_line_7_is_said(tmp_path, seventh, what, end):
    lines = ['"""Mine."""', "", "", "def a(x: int) -> int:", "    return x", "", seventh, ""]
    with pytest.raises(BadFile, match=rf"my_tools\.py:7: .*{what}"):
        load(tmp_path, end.join(lines))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("from toolmend import tool\n\nimport nothing_there\n", r":3: cannot be run: ModuleNotFoundError"),
        ("from toolmend import tool\n@tool\ndef a(x: object()) -> str:\n    ''\n", r":2: .*a"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, told):
    (tmp_path / "my_tools.py").write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=rf"my_tools\.py{told}"):
        Toolbox.load(str(tmp_path / "my_tools.py"))
