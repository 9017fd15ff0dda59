"""From a goal to files: questions one at a time, commands within a budget, and nothing outside the folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import wrong_answers
from toolmend.base.errors import BadFile, ToolError
from toolmend.base.events import Guarded
from toolmend.base.messages import Call
from toolmend.base.portal import run_sync
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.planning.engineer import Clarifying, Engineer, FileBox, GoalLoop, inside, write_tree
from toolmend.extras.agents.selftest import test_system as try_system
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from wrong_answers import accepted

PAGE = "page.html\n```html\n<h1>Ada</h1>\n```"


def command(name: str, **given: str) -> str:
    return json.dumps({"thoughts": {"criticism": "none"}, "command": {"name": name, "args": given}})


def test_oracle_is_right_idle_is_at_its_floor_and_every_mutant_is_refused() -> None:
    trials = run_sync(try_system, Engineer())
    assert (len(trials), [trial for trial in trials if trial.problem]) == (32, [])
    assert accepted(Engineer(), wrong_answers.engineer) == []


def test_it_asks_until_nothing_is_unclear_and_writes_what_it_was_told() -> None:
    model = Scripted(["Whom does it greet?", "Nothing more to clarify.", PAGE])
    folder = FileBox({"whom greet": "Ada."})
    Session(model, folder, Clarifying(), mend=False).request("Write a page.")
    assert folder.files == {"page.html": "<h1>Ada</h1>\n"}
    assert model.requests[1].messages[-1].content.startswith("Ada.\nIs anything else unclear?")


def test_two_questions_at_once_are_refused_and_what_nobody_knows_is_assumed() -> None:
    folder = FileBox({"whom": "Ada."})
    assert (
        folder.run_sync(Call("ask_person", {"question": "Whom? And when?"})).error == "one question at a time, please"
    )
    assert folder.run_sync(Call("ask_person", {"question": "Which colour?"})).value == (
        "Make your own assumptions and say which."
    )


def test_files_are_corrected_like_any_reply() -> None:
    model = Scripted(["Nothing more to clarify.", PAGE, "Nothing more to clarify.", PAGE.replace("Ada", "Ben")])
    folder = FileBox({})
    talk = Session(model, folder, Clarifying(), mend=False)
    talk.request("Write a page.")
    assert talk.correct("It should greet Ben.").undone
    assert folder.files == {"page.html": "<h1>Ben</h1>\n"}


def test_a_goal_without_end_is_stopped_at_the_budget_named_and_what_was_written_is_kept() -> None:
    events: list[object] = []
    texts = [command("write_file", path="a.txt", text=str(number)) for number in range(9)]
    folder = FileBox({})
    answer = Session(Scripted(texts), folder, GoalLoop(4), sink=events.append).request("Write for ever.")
    assert answer.text == "Stopped after 4 commands; what was written is kept."
    assert folder.files == {"a.txt": "3"}
    named = [event.detail for event in events if isinstance(event, Guarded)]
    assert named == ["a goal without end: 4 commands and not finished"]


def test_a_reply_without_a_command_and_a_command_that_there_is_not_are_told_and_cost() -> None:
    model = Scripted(["I shall think.", command("fly"), command("finish")])
    assert Session(model, FileBox({}), GoalLoop(5)).request("Do it.").text == "Finished."
    told = [request.messages[-1].content for request in model.requests]
    assert told[1] == "The reply is no JSON with a command."
    assert told[2].startswith("fly: ")
    assert "Of 5 commands 3 are left" in model.requests[2].messages[0].content


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "C:/x", "..\\x", "", "a\0b"])
def test_a_path_out_of_the_folder_is_refused(path: str) -> None:
    with pytest.raises(ToolError, match="leads out of the folder"):
        inside(path)


def test_a_tree_is_written_into_the_folder_that_was_named(tmp_path: Path) -> None:
    system = Engineer()
    task, way = system.tasks()[5], Clarifying(into=str(tmp_path))
    run_sync(system.solve, Bench(system.oracle(task, way), steps=20), task, way)
    assert (tmp_path / "src" / "tax.py").read_text() == "def with_tax\n19\n"


def test_a_link_out_of_the_folder_is_not_followed_and_nothing_is_written(tmp_path: Path) -> None:
    inner, outer = tmp_path / "in", tmp_path / "out"
    inner.mkdir()
    outer.mkdir()
    (inner / "link").symlink_to(outer)
    with pytest.raises(ToolError, match="by a link"):
        write_tree(inner, {"a.txt": "1", "link/x.txt": "2"})
    assert (list(outer.iterdir()), (inner / "a.txt").exists()) == ([], False)
    with pytest.raises(BadFile, match="is no folder"):
        write_tree(tmp_path / "nowhere", {})
