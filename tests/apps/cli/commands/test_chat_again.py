"""`toolmend chat -c`: the last talk is gone on with, its tools and its world included."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Invoke = Callable[..., Result]
TEA = 'action.add_calendar_entry("Tea", date="2031-05-06", time="15:00")'
WORDS = ("chat", "--model", "scripted/echo")


def test_a_talk_is_gone_on_with(invoke: Invoke) -> None:
    invoke(*WORDS, stdin=f"{TEA}\n")
    again = invoke(*WORDS, "-c", stdin="no, at four\n")
    assert "toolmend: going on with 1 message about calendar\n" in again.stderr
    assert "2031-05-06 16:00  30 min  Tea" in again.stdout
    third = invoke(*WORDS, "-c", stdin="/undo 2\n/state\n")
    assert "no entries" in third.stdout


def test_ones_own_functions_are_not_run_again(invoke: Invoke) -> None:
    Path("post.py").write_text(
        'def mail(who: str) -> str:\n    """Mail somebody."""\n'
        "    with open('sent', 'a') as file:\n        file.write(who + ' ')\n    return f'mailed {who}'\n"
    )
    invoke(*WORDS, "--tools", "post.py", stdin='mail("Ada")\ny\n')
    again = invoke(*WORDS, "-c", stdin="No, Bob\ny\n")
    assert "changed: who Ada → Bob" in again.stdout
    assert Path("sent").read_text() == "Ada Bob "


def test_a_world_that_was_changed_since_is_told(invoke: Invoke) -> None:
    words = (*WORDS, "--world", "mine.json")
    invoke(*words, stdin=f"{TEA}\n")
    assert invoke(*words, "-c", stdin="no, at four\n").exit_code == 0
    Path("mine.json").write_text('{"entries": []}')
    again = invoke(*words, "-c", stdin="no, at five\n")
    assert (again.exit_code, again.stdout) == (2, "")
    assert "calendar was changed since that talk" in again.stderr


def test_where_no_talk_was_it_says_so(invoke: Invoke) -> None:
    again = invoke(*WORDS, "-c", stdin="hi\n")
    assert again.stderr == "toolmend: there is no talk to go on with; chat without -c first\n"
