"""`toolmend data repairs`: off until switched on, shown, deleted; what was chosen comes first the next time."""

import json
import re
from collections.abc import Callable

import pytest
from click.testing import Result

Invoke = Callable[..., Result]
Talk = Callable[..., str]

DINNER = (
    "Dinner with Marta on March 5, at seven. "
    'action.add_calendar_entry(title="Dinner with Martha", date="2026-03-06", time="07:00")'
)
WRONG = "/correct That's wrong."
ROW = {"person": "anna", "tools": "calendar", "model": "scripted/echo", "tool": "action.add_calendar_entry"}
DATE = {**ROW, "argument": "date", "why": "some words give another value", "meant": 1, "not_meant": 0}
TIME = {**ROW, "argument": "time", "why": "another reading of the same words", "meant": 0, "not_meant": 1}


@pytest.fixture
def talk(invoke: Invoke) -> Talk:
    """A chat of somebody with a model that repeats what it is told; which arguments were offered, in their order."""

    def said(person: str, *lines: str) -> str:
        talked = invoke(
            "chat", "--model", "scripted/echo", "--memory", person, stdin="".join(f"{one}\n" for one in lines)
        )
        return ", ".join(re.findall(r"\d: (\w+) ", talked.stdout))

    return said


def test_nothing_is_learned_until_it_is_switched_on(invoke: Invoke, talk: Talk) -> None:
    assert talk("anna", DINNER, WRONG, "2") == "time, date, title"
    shown = invoke("data", "repairs")
    assert (shown.stdout, shown.stderr) == ("", "toolmend: talks do not learn (--on)\n")


def test_what_one_person_chose_comes_first_the_next_time_until_it_is_deleted(invoke: Invoke, talk: Talk) -> None:
    assert invoke("data", "repairs", "--on").stderr == "toolmend: talks learn (--off)\n"
    talk("anna", DINNER, WRONG, "2")
    assert json.loads(invoke("data", "repairs", "--format", "json").stdout)["repairs"] == [DATE, TIME]
    assert talk("anna", DINNER, WRONG) == "date, time, title"
    assert talk("ben", DINNER, WRONG) == "time, date, title"
    gone = invoke("data", "repairs", "--delete", "--person", "anna", "--yes")
    assert (gone.stdout, gone.stderr) == ("", "toolmend: 2 lines deleted\ntoolmend: talks learn (--off)\n")
    assert talk("anna", DINNER, WRONG) == "time, date, title"


@pytest.mark.parametrize(
    "words", [["--delete", "--on"], ["--person", "anna", "--off"], ["--delete", "--format", "json"]]
)
def test_what_does_not_go_together_is_said(invoke: Invoke, words: list[str]) -> None:
    assert invoke("data", "repairs", *words).exit_code == 2
