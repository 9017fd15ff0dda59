"""`toolmend memory`: what a talk left is listed, recalled and forgotten; wishes are learned, confirmed, undone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from toolmend.evals.store.place import default_place
from toolmend.extras.memory import Stream

Invoke = Callable[..., Result]
REPLIES = [
    'action.add_calendar_entry("Team meeting", date="2026-11-11", time="17:00", duration=30)',
    'action.add_calendar_entry("Team meeting", date="2026-11-11", time="17:00", duration=45)',
]


@pytest.fixture
def filled(invoke: Invoke) -> None:
    with Stream(default_place()) as stream:
        stream.remember("The choir meets on Monday.", at="2026-03-01")
        stream.remember("The choir meets on Tuesday.", at="2026-03-02", who="Ben")
        stream.remember("It rains.", at="2026-03-03")


@pytest.mark.usefixtures("filled")
def test_list_and_recall(invoke: Invoke) -> None:
    assert invoke("memory", "list").stdout == (
        "m1  2026-03-01  user: The choir meets on Monday.  (contradicts m2)\n"
        "m2  2026-03-02  Ben: The choir meets on Tuesday.  (contradicts m1)\n"
        "m3  2026-03-03  user: It rains.\n"
    )
    rows = json.loads(invoke("memory", "recall", "When does the choir meet?", "--format", "json").stdout)["memories"]
    assert [row["id"] for row in rows] == ["m2", "m1"]
    nothing = invoke("memory", "recall", "Who won the cup?")
    assert (nothing.exit_code, nothing.stdout) == (2, "That is not in memory.\n")
    other = invoke("memory", "list", "--namespace", "other")
    assert (other.stdout, other.stderr) == (
        "",
        "toolmend: nothing is remembered in the namespace other; there are: default (--namespace default)\n",
    )


@pytest.mark.usefixtures("filled")
def test_forget(invoke: Invoke) -> None:
    assert invoke("memory", "forget", "m1").stdout == "forgotten  m1\n"
    filtered = invoke("memory", "forget", "--containing", "choir", "--yes")
    assert filtered.stdout.splitlines() == ["m2  2026-03-02  Ben: The choir meets on Tuesday.", "forgotten  m2"]
    for words in (["m1"], [], ["x"]):
        assert invoke("memory", "forget", *words).exit_code == 2
    with Stream(default_place()) as stream:
        history = stream.history()
    assert [line[1:3] for line in history][-2:] == [("forgotten", "m1"), ("forgotten", "m2")]
    assert "choir" not in str(history)


@pytest.mark.usefixtures("filled")
def test_what_a_filter_chooses_is_shown_and_asked_about(invoke: Invoke) -> None:
    no = invoke("memory", "forget", "--containing", "Tuesday", stdin="n\n")
    assert (no.stdout.splitlines()[-1], len(no.stdout.splitlines())) == ("forgotten  nothing", 2)
    assert no.stderr.startswith("forget these, and what was made of them? [y/N]: ")
    assert invoke("memory", "forget", "--containing", "Tuesday", stdin="y\n").stdout.endswith("forgotten  m2\n")


@pytest.mark.parametrize("words", [["list"], ["recall", "Who?"], ["forget", "m1"], ["preferences"]])
def test_a_slip_in_the_store_s_name_is_told_and_makes_no_file(invoke: Invoke, tmp_path: Path, words: list[str]) -> None:
    done = invoke("memory", *words, "--store", tmp_path / "slip.db")
    assert (done.exit_code, "slip.db: no such store" in done.stderr) == (2, True)
    assert not (tmp_path / "slip.db").exists()


def test_a_talk_remembers_and_proposes(invoke: Invoke) -> None:
    said = f"/new {REPLIES[0]}\n/correct {REPLIES[1]}\n" * 3
    done = invoke("chat", "--model", "scripted/echo", "--memory", "me", stdin=said)
    if done.exit_code:
        pytest.fail(done.stderr)
    assert "toolmend memory preferences --namespace me --confirm m" in done.stderr
    [wish] = invoke("memory", "preferences", "--namespace", "me").stdout.splitlines()
    assert "duration of action.add_calendar_entry is 45 by default" in wish
    for act, state in (("--confirm", "confirmed"), ("--undo", "undone")):
        shown = invoke("memory", "preferences", "--namespace", "me", act, wish.split()[0]).stdout
        assert f"({state}; from" in shown


def test_what_is_usual_is_confirmed_once_and_holds_in_the_next_talk(invoke: Invoke) -> None:
    added = 'action.add_calendar_entry("Meeting with Fred", date="2031-05-06", time="17:00", duration=30)\n'
    words = ["chat", "--model", "scripted/echo", "--memory", "me"]
    first = invoke(*words, stdin="Meetings are 45 minutes.\nyes\n")
    wish = 'duration of action.add_calendar_entry is 45 by default where it is about "meetings"'
    assert f"{wish}? y, or later: toolmend memory preferences --namespace me --confirm m1" in first.stderr
    assert f"from now on: {wish} (m1; /memory shows, /memory forget m1 takes it back)" in first.stderr
    second = invoke(*words, stdin=f"{added}/why\n")
    assert "2031-05-06 17:00  45 min  Meeting with Fred" in second.stdout
    assert "duration 45 ← your wish (m1)" in second.stdout
    third = invoke(*words, stdin=f"/memory\n/memory forget m1\n{added}")
    assert f"m1 (confirmed): {wish}\ntoolmend: all of it" in third.stderr
    assert "2031-05-06 17:00  30 min  Meeting with Fred" in third.stdout


def test_what_is_not_confirmed_does_not_hold(invoke: Invoke) -> None:
    added = 'action.add_calendar_entry("Meeting with Fred", date="2031-05-06", time="17:00", duration=30)\n'
    said = f"Meetings are 45 minutes.\n{added}yes\n"
    assert "  30 min  " in invoke("chat", "--model", "scripted/echo", "--memory", "me", stdin=said).stdout
