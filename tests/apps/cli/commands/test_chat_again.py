"""`toolmend chat -c`, and undo over the end of a talk: what was said and done is there again, whatever came since."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import Result

import toolmend
from toolmend.evals.store.place import beside

Invoke = Callable[..., Result]
TEA = 'action.add_calendar_entry("Tea", date="2031-05-06", time="15:00")'
FOUR = TEA.replace("15:00", "16:00")
CAKE = TEA.replace("Tea", "Cake")
WORDS = ("chat", "--model", "scripted/echo", "--no-mend")
HOUSED = (*WORDS, "--world", "mine.json")


def titles(name: str = "mine.json") -> list[str]:
    return [f"{entry['title']} {entry['time']}" for entry in json.loads(Path(name).read_text())["entries"]]


def said(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_a_talk_is_gone_on_with(invoke: Invoke) -> None:
    invoke(*WORDS, stdin=said(TEA))
    again = invoke(*WORDS, "-c", stdin=said(f"/correct {FOUR}"))
    assert "toolmend: going on with 1 message about calendar\n" in again.stderr
    assert "2031-05-06 16:00  30 min  Tea" in again.stdout
    third = invoke(*WORDS, "-c", stdin=said("/undo 2", "/state"))
    assert "no entries" in third.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such permissions")
def test_a_kept_talk_is_its_owners_alone(invoke: Invoke) -> None:
    before = os.umask(0)
    try:
        invoke(*WORDS, stdin=said(TEA))
    finally:
        os.umask(before)
    assert beside("chat.json").stat().st_mode & 0o777 == 0o600


def test_ones_own_functions_are_not_run_again(invoke: Invoke) -> None:
    Path("post.py").write_text(
        'def mail(who: str) -> str:\n    """Mail somebody."""\n'
        "    with open('sent', 'a') as file:\n        file.write(who + ' ')\n    return f'mailed {who}'\n"
    )
    invoke(*WORDS, "--tools", "post.py", stdin=said('mail("Ada")', "y"))
    again = invoke(*WORDS, "-c", stdin=said('/correct mail("Bob")', "y"))
    assert "changed: who Ada → Bob" in again.stdout
    assert Path("sent").read_text() == "Ada Bob "


def test_a_world_that_was_changed_since_stays_so_and_the_change_is_told(invoke: Invoke) -> None:
    invoke(*HOUSED, stdin=said(TEA))
    there = json.loads(Path("mine.json").read_text())
    yoga = {"title": "Yoga", "date": "2031-05-07", "time": "18:00", "duration": 45}
    Path("mine.json").write_text(json.dumps({"entries": [*there["entries"], yoga]}))
    again = invoke(*HOUSED, "-c", stdin=said(f"/correct {FOUR}"))
    assert again.exit_code == 0
    assert "calendar was changed since that talk:\n  + 2031-05-07 18:00  45 min  Yoga\n" in again.stderr
    assert titles() == ["Tea 16:00", "Yoga 18:00"]


def test_what_somebody_else_removed_cannot_be_undone_and_that_is_told(invoke: Invoke) -> None:
    invoke(*HOUSED, stdin=said(TEA))
    Path("mine.json").write_text('{"entries": []}')
    again = invoke(*HOUSED, "-c", stdin=said("/undo"))
    assert "- 2031-05-06 15:00  30 min  Tea" in again.stderr
    assert "c1 cannot be undone and stays" in again.stdout
    assert titles() == []


def test_where_no_talk_was_it_says_so(invoke: Invoke) -> None:
    again = invoke(*WORDS, "-c", stdin="hi\n")
    assert again.stderr == "toolmend: there is no talk to go on with; chat without -c first\n"


@pytest.mark.parametrize(
    "lines",
    [
        [TEA, f"/correct {FOUR}", "undo that"],
        [TEA, f"/correct {FOUR}", "/undo"],
        [TEA, CAKE, "undo the last one"],
        [TEA, "/correct I am sorry"],
        [TEA, f"/correct {FOUR}", "/correct I am sorry", "undo that", "undo that", TEA],
        [TEA, 'action.fly("Tea")', "hello there"],
    ],
)
def test_it_goes_on_after_whatever_was_said(invoke: Invoke, lines: list[str]) -> None:
    invoke(*HOUSED, stdin=said(*lines))
    assert titles() == ["Tea 15:00"]
    again = invoke(*HOUSED, "-c", stdin=said("/undo", "/calls"))
    assert "was changed" not in again.stderr
    assert again.exit_code == 0
    assert invoke(*HOUSED, "-c", stdin=said(CAKE)).exit_code == (2 if len(lines) == 1 else 0)


def test_a_value_comes_back_over_the_end_of_a_talk(invoke: Invoke) -> None:
    invoke(*HOUSED, stdin=said(TEA, f"/correct {FOUR}"))
    again = invoke(*HOUSED, stdin=said("undo that"))
    assert f"  taken back: “{FOUR}”\n" in again.stdout
    assert titles() == ["Tea 15:00"]
    invoke(*HOUSED, stdin=said("undo that"))
    assert titles() == []
    assert "there is nothing to undo yet" in invoke(*HOUSED, stdin=said("undo that")).stderr


def test_the_last_two_reach_over_the_end_of_a_talk(invoke: Invoke) -> None:
    invoke(*HOUSED, stdin=said(TEA))
    invoke(*HOUSED, stdin=said(CAKE, "undo the last two"))
    assert titles() == []


def test_what_was_undone_in_a_talk_is_not_undone_again_in_the_next(invoke: Invoke) -> None:
    invoke(*HOUSED, stdin=said(TEA, CAKE, "undo that"))
    invoke(*HOUSED, stdin=said("undo that"))
    assert titles() == []
    assert "nothing to undo" in invoke(*HOUSED, stdin=said("/undo")).stderr


def test_what_others_did_since_stays(invoke: Invoke) -> None:
    invoke(*HOUSED, stdin=said(TEA))
    there = json.loads(Path("mine.json").read_text())["entries"]
    yoga = {"title": "Yoga", "date": "2031-05-07", "time": "18:00", "duration": 45}
    Path("mine.json").write_text(json.dumps({"entries": [*there, yoga]}))
    invoke(*HOUSED, stdin=said("undo that"))
    assert titles() == ["Yoga 18:00"]


def test_what_was_changed_since_is_not_undone_over_it(invoke: Invoke) -> None:
    invoke(*HOUSED, stdin=said(TEA))
    Path("mine.json").write_text(Path("mine.json").read_text().replace("15:00", "17:00"))
    again = invoke(*HOUSED, stdin=said("undo that"))
    assert again.exit_code == 2
    assert "cannot be undone: “Tea, 2031-05-06, 15:00, 30” was changed or removed since" in again.stderr
    assert titles() == ["Tea 17:00"]


def test_each_world_has_its_own_journal(invoke: Invoke) -> None:
    invoke(*HOUSED, stdin=said(TEA))
    other = (*WORDS, "--world", "other.json")
    invoke(*other, stdin=said(CAKE))
    invoke(*HOUSED, stdin=said("undo that"))
    assert (titles(), titles("other.json")) == ([], ["Cake 15:00"])


def test_the_talk_is_kept_after_every_turn_and_read_by_its_owner_alone(invoke: Invoke) -> None:
    words = [sys.executable, "-m", "toolmend", *HOUSED]
    environment = {**os.environ, "PYTHONPATH": str(Path(toolmend.__file__).parents[1])}
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment)
    assert process.stdin
    process.stdin.write(said(TEA, CAKE).encode())
    process.stdin.flush()
    while not (beside("chat.json").exists() and "Cake" in beside("chat.json").read_text()):
        with suppress(subprocess.TimeoutExpired):
            pytest.fail(f"it ended: {process.wait(0.05)}")
    process.kill()
    process.wait(30)
    process.stdin.close()
    assert beside("chat.json").stat().st_mode & 0o077 == 0
    again = invoke(*HOUSED, "-c", stdin=said("undo that"))
    assert "going on with 2 messages" in again.stderr
    assert titles() == ["Tea 15:00"]


def test_a_talk_that_cannot_be_kept_leaves_the_one_before_and_says_so_once(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    from toolmend.apps.cli.kit import last_talk
    from toolmend.base.errors import BadFile

    invoke(*WORDS, stdin=said(TEA))
    before = beside("chat.json").read_text()

    def full(path: Path, text: str) -> None:
        raise BadFile(path, "cannot be written (No space left on device)")

    monkeypatch.setattr(last_talk, "_put", full)
    result = invoke(*WORDS, stdin=said(CAKE, CAKE))
    assert result.stderr.count("the talk is not kept for -c") == 1
    assert beside("chat.json").read_text() == before


def test_a_question_that_waits_is_answered_in_the_next_talk(invoke: Invoke) -> None:
    words = ("chat", "--model", "scripted/echo", "--strategy", "spoken")
    invoke(*words, stdin=said('add_calendar_entry(title="Tea", date="2031-05-06", time="?")'))
    again = invoke(*words, "-c", stdin=said("at 3 pm"))
    assert "2031-05-06 15:00  30 min  Tea" in again.stdout


def test_a_file_of_another_form_is_no_talk(invoke: Invoke) -> None:
    beside("chat.json").parent.mkdir(parents=True, exist_ok=True)
    beside("chat.json").write_text('{"version": 2, "tools": "calendar", "start": {"entries": []}, "turns": [{"a": 1}]}')
    again = invoke(*WORDS, "-c", stdin="hi\n")
    assert again.exit_code == 2
    assert "that talk cannot be read (KeyError: " in again.stderr
