"""Teaching a toy from end to end: refused early, killed and gone on with, a preset that answers. Needs torch."""

import json

import pytest

from toolmend.errors import BadOption
from toolmend.messages import Message, Request
from toolmend.models import load_model
from toolmend.portal import run_sync
from toolmend.training.teach import plan as plans
from toolmend.training.teach import teach as module

TOOLS = """
from toolmend import tool

@tool
def move(crates: int, shelf: str) -> str:
    "Move crates to a shelf."
    return ""
"""
LINES = [
    'Move 3 crates to B7 => move(3, "B7")',
    'Please put 12 crates on C2 => move(12, "C2")',
    'Bring four crates over to A11 => move(4, "A11")',
    'Crates for D4: 8 => move(8, "D4")',
    '20 crates have to go to B3 => move(20, "B3")',
]


@pytest.fixture
def tools(tmp_path):
    """A file of tools with examples beside it; its name."""
    (tmp_path / "my_tools.py").write_text(TOOLS, encoding="utf-8")
    (tmp_path / "my_tools_examples.txt").write_text("\n".join(LINES), encoding="utf-8")
    return str(tmp_path / "my_tools.py")


def test_examples_beside_the_file_are_found(tools):
    assert len(module.lesson(tools).examples) == 5


def test_too_few_examples_are_said_before_anything_is_written(tools, tmp_path):
    (tmp_path / "my_tools_examples.txt").write_text("\n".join(LINES[:3]), encoding="utf-8")
    with pytest.raises(BadOption, match=r"too few examples: move: 3 of 5 examples"):
        module.lesson(tools)


def test_without_a_file_of_examples_it_says_what_is_needed(tools, tmp_path):
    (tmp_path / "my_tools_examples.txt").unlink()
    with pytest.raises(BadOption, match=r"no examples: give --examples FILE .*; needed: move: 0 of 5 examples"):
        module.lesson(tools)


def test_other_examples_are_another_lesson(tools, tmp_path):
    first = module.lesson(tools).hash
    assert module.lesson(tools).hash == first
    (tmp_path / "my_tools_examples.txt").write_text(
        "\n".join([*LINES, LINES[0].replace("Move", "Take")]), encoding="utf-8"
    )
    assert module.lesson(tools).hash != first


class Killed(Exception):
    pass


@pytest.mark.slow
def test_from_a_file_to_a_preset(tools, tmp_path, monkeypatch):
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    net = pytest.importorskip("toolmend.training.net")
    monkeypatch.setattr(
        module, "shape_of", lambda tokens, first: net.Shape(tokens.tokenizer.get_vocab_size(), 32, 48, 2, 4)
    )
    monkeypatch.setattr(module, "TALKS_FOR_VOCABULARY", 150)
    monkeypatch.setattr(module, "EXAM_DIALOGUES", 3)
    monkeypatch.setattr(plans, "BATCH", 2048)
    monkeypatch.setattr(plans, "plan_for", lambda tools, minutes, speed, taught: plans.Plan(60 * 2048, speed, taught))
    what, out, work, told = module.lesson(tools), tmp_path / "preset", tmp_path / "work", []

    def killed(row):
        raise Killed

    with pytest.raises(Killed):
        module.teach(what, out, work, start="", threads=1, report=killed, tell=told.append)
    assert not out.exists()
    found = module.teach(what, out, work, start="", threads=1, command="toolmend teach", tell=told.append)
    torch.set_num_threads(threads)
    assert told[0].startswith(f"teaching {tools}: 1 tools, 5 wordings, 1 of them held out")
    assert told[1].startswith("going on with")
    assert found["held_out"]["n"] > 0
    about = json.loads((out / "toolmend.json").read_text(encoding="utf-8"))
    assert about["toolboxes"] == [tools, "my_tools.py"] and about["trained"]["examples"] == 5
    assert (out / "loss.svg").read_text(encoding="utf-8").startswith("<svg")
    reply = run_sync(load_model(str(out)).reply, Request((Message("user", "Move 3 crates to B7"),)))
    assert reply.model == str(out)
    with pytest.raises(BadOption, match="holds the training of other tools or examples"):
        other = module.Lesson(tools, what.box, what.examples[:4])
        module.teach(other, out, work)
